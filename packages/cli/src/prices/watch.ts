import { AppError } from '@pilotfish/core/http/problem';
import { listTickers, type Ticker } from '@pilotfish/core/prices/prices-contract';
import type { Context } from '../app/context.ts';
import { formatOf, printRows, table } from '../ui/output.ts';
import { follow, sayingConnection, untilEnd } from '../ui/stream.ts';
import { openTextScreen } from '../ui/text-screen.ts';
import { prices } from './price-columns.ts';

/** Live prices: a table that redraws itself, or one row per change. */
export async function watch(context: Context, { symbols, quote }: { symbols: string[]; quote?: string }): Promise<void> {
  const wanted = new Set(symbols.map((symbol) => symbol.toUpperCase()));
  const isWanted = (symbol: string) =>
    (wanted.size === 0 || wanted.has(symbol)) && (quote === undefined || symbol.endsWith(quote.toUpperCase()));
  const client = await context.client({ listTickers });
  const rows = new Map<string, Ticker>();
  const load = async (): Promise<Ticker[]> => {
    const { items } = await client.listTickers();
    const found = items.filter(({ symbol }) => isWanted(symbol));
    for (const row of found) rows.set(row.symbol, row);
    return found;
  };
  const first = await load();
  if (first.length === 0) throw new AppError('not-found');
  const isScreen = formatOf(context) === 'table';
  const controller = untilEnd(context);
  const screen = isScreen
    ? openTextScreen(context, () => table(context, prices.columns, [...rows.values()].slice(0, context.stdout.rows ?? 24)))
    : undefined;
  const asLines = { ...context, globals: { ...context.globals, jsonl: context.globals.jsonl || context.globals.json, json: false } };
  if (!screen) await printRows(asLines, prices, first);
  await follow(context, {
    topics: ['tickers'],
    signal: controller.signal,
    onReset: () => void load().then(() => screen?.changed()),
    onStatus: sayingConnection(context),
    onMessage: (topic, payload) => {
      if (topic !== 'tickers' || !('items' in payload)) return;
      const changed: Ticker[] = [];
      for (const [symbol, price, changePct, quoteVolume, high, low] of payload.items) {
        const before = rows.get(symbol);
        if (!isWanted(symbol) || (before === undefined && wanted.size > 0 && !wanted.has(symbol))) continue;
        const row: Ticker = {
          ...(before ?? { symbol, open: price, volume: '0' }),
          symbol,
          price,
          changePct,
          quoteVolume,
          high,
          low,
          at: payload.at,
        };
        rows.set(symbol, row);
        changed.push(row);
      }
      if (changed.length === 0) return;
      if (screen) screen.changed();
      else void printRows(asLines, prices, changed);
    },
  });
}
