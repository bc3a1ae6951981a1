import { AppError } from '@pilotfish/core/http/problem';
import { interval as intervals } from '@pilotfish/core/http/wire';
import { compare, decimal } from '@pilotfish/core/money/decimal';
import { type Candle, listCandles, listTickers, type Ticker } from '@pilotfish/core/prices/prices-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { formatOf, printOne, printRows } from '../ui/output.ts';
import { sparkline } from '../ui/sparkline.ts';
import { prices } from './price-columns.ts';

export type PriceChoice = { quote?: string; search?: string; sort?: string; limit?: string };

/** Ignores case, accents and the Turkish dots: `İ`, `I`, `ı` and `i` find the same pairs. */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

/** A whole number above zero. @throws UsageError naming the option */
export function countOf(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError('count', { flag, value: text });
  return Number(text);
}

/** Text first to last, figures largest first; ties by symbol, so that the order is always the same. */
export function choose(items: readonly Ticker[], { quote, search, sort = 'quoteVolume', limit }: PriceChoice): Ticker[] {
  const count = countOf(limit, '--limit') ?? items.length;
  const wanted = search === undefined ? '' : fold(search);
  const figure = sort as 'price' | 'changePct' | 'quoteVolume';
  return items
    .filter(({ symbol }) => (quote === undefined || symbol.endsWith(quote.toUpperCase())) && fold(symbol).includes(wanted))
    .map((row) => ({ row, by: sort === 'symbol' ? undefined : decimal(row[figure]) }))
    .sort((a, b) => (a.by && b.by ? compare(b.by, a.by) : 0) || (a.row.symbol < b.row.symbol ? -1 : 1))
    .slice(0, count)
    .map(({ row }) => row);
}

export async function list(context: Context, options: PriceChoice): Promise<void> {
  const client = await context.client({ listTickers });
  const { items, stale } = await client.listTickers();
  if (stale) await context.say('cli.prices.stale');
  await printRows(context, prices, choose(items, options));
}

type Shown = Ticker & { interval: string; candles: readonly Candle[] };

export async function show(context: Context, { symbol, interval }: { symbol: string; interval: string }): Promise<void> {
  const parsed = intervals.safeParse(interval);
  if (!parsed.success) throw new UsageError('invalidValue', { word: '--interval', allowed: intervals.options.join(', ') });
  const client = await context.client({ listTickers, listCandles });
  const name = symbol.toUpperCase();
  const [{ items }, candles] = await Promise.all([
    client.listTickers(),
    client.listCandles({ params: { symbol: name }, query: { interval: parsed.data, limit: 60 } }),
  ]);
  const ticker = items.find((row) => row.symbol === name);
  if (!ticker) throw new AppError('not-found');
  const row: Shown = { ...ticker, interval: parsed.data, candles: candles.items };
  await printOne(context, { columns: prices.columns }, row);
  if (formatOf(context) === 'table') {
    const closes = candles.items.map(({ close }) => Number(close));
    context.stdout.write(`${sparkline(closes, context.unicode)}  ${parsed.data} x ${closes.length}\n`);
  }
}
