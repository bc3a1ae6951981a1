import { AppError } from '@pilotfish/core/http/problem';
import type { Context } from '../app/context.ts';
import { sayUnreadable } from '../app/unreadable.ts';
import { formatOf, printRows, type Resource } from '../ui/output.ts';
import type { ListedBot } from './bot-columns.ts';
import { type BotsClient, botsClient } from './find-bot.ts';

/** Data needs no texts: they are loaded for tables only, which keeps JSON fast. */
async function columnsFor(context: Context): Promise<Resource<ListedBot>> {
  const { listedBots } = await import('./bot-columns.ts');
  return listedBots(formatOf(context) === 'table' ? await context.texts() : (key) => String(key));
}

async function listed(client: BotsClient): Promise<ListedBot[]> {
  const [all, figures] = await Promise.all([
    client.listAutoTrades(),
    client.listAutoTradeFigures().catch((error: unknown) => {
      // A server of before takes the name of the list for that of a bot.
      if (error instanceof AppError && (error.code === 'not-found' || error.code === 'invalid')) return [];
      throw error;
    }),
  ]);
  const byId = new Map(figures.map((each) => [each.id, each]));
  return all.map((bot) => ({ ...bot, figures: byId.get(bot.id) ?? null }));
}

export async function list(context: Context, { watch }: { watch?: true }): Promise<void> {
  const client = await botsClient(context);
  if (!watch) {
    const first = await listed(client);
    if (context.globals.json && !context.globals.fields) {
      context.stdout.write(`${JSON.stringify(first, null, context.stdout.isTTY ? 2 : 0)}\n`);
      return;
    }
    await printRows(context, await columnsFor(context), first);
    return sayUnreadable(context, 'auto-trade');
  }
  const { watchRows } = await import('../ui/watch-rows.ts');
  const news = (bot: ListedBot) => ({ ...bot, figures: null });
  await watchRows(context, await columnsFor(context), () => listed(client), ['auto-trades'], undefined, news);
}
