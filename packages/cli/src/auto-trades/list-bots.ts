import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Context } from '../app/context.ts';
import { formatOf, printRows, type Resource, table } from '../ui/output.ts';
import { follow, sayingConnection, untilEnd } from '../ui/stream.ts';
import { openTextScreen } from '../ui/text-screen.ts';
import { botsClient } from './find-bot.ts';

/** Data needs no texts: they are loaded for tables only, which keeps JSON fast. */
async function columnsFor(context: Context): Promise<Resource<AutoTrade>> {
  const { bots } = await import('./bot-columns.ts');
  return bots(formatOf(context) === 'table' ? await context.texts() : (key) => String(key));
}

export async function list(context: Context, { watch }: { watch?: true }): Promise<void> {
  const client = await botsClient(context);
  const first = await client.listAutoTrades();
  if (!watch) {
    if (context.globals.json && !context.globals.fields) {
      context.stdout.write(`${JSON.stringify(first, null, context.stdout.isTTY ? 2 : 0)}\n`);
      return;
    }
    return printRows(context, await columnsFor(context), first);
  }
  const columns = await columnsFor(context);
  let rows = first;
  const isTable = formatOf(context) === 'table';
  const controller = untilEnd(context);
  const screen = isTable ? openTextScreen(context, () => table(context, columns.columns, rows)) : undefined;
  const asLines = { ...context, globals: { ...context.globals, jsonl: context.globals.json || context.globals.jsonl, json: false } };
  if (!screen) await printRows(asLines, columns, rows);
  const reload = async (autoTradeId?: string) => {
    rows = await client.listAutoTrades();
    if (screen) screen.changed();
    else await printRows(asLines, columns, autoTradeId ? rows.filter(({ id }) => id === autoTradeId) : rows);
  };
  await follow(context, {
    topics: ['auto-trades'],
    signal: controller.signal,
    onStatus: sayingConnection(context),
    onReset: () => void reload().catch(() => undefined),
    onMessage: (topic, payload) => {
      if (topic === 'auto-trades' && 'autoTradeId' in payload) void reload(payload.autoTradeId).catch(() => undefined);
    },
  });
}
