import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Context } from '../app/context.ts';
import { sayUnreadable } from '../app/unreadable.ts';
import { formatOf, printRows, type Resource } from '../ui/output.ts';
import { botsClient } from './find-bot.ts';

/** Data needs no texts: they are loaded for tables only, which keeps JSON fast. */
async function columnsFor(context: Context): Promise<Resource<AutoTrade>> {
  const { bots } = await import('./bot-columns.ts');
  return bots(formatOf(context) === 'table' ? await context.texts() : (key) => String(key));
}

export async function list(context: Context, { watch }: { watch?: true }): Promise<void> {
  const client = await botsClient(context);
  if (!watch) {
    const first = await client.listAutoTrades();
    if (context.globals.json && !context.globals.fields) {
      context.stdout.write(`${JSON.stringify(first, null, context.stdout.isTTY ? 2 : 0)}\n`);
      return;
    }
    await printRows(context, await columnsFor(context), first);
    return sayUnreadable(context, 'auto-trade');
  }
  const { watchRows } = await import('../ui/watch-rows.ts');
  await watchRows(context, await columnsFor(context), () => client.listAutoTrades(), ['auto-trades']);
}
