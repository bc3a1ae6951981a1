import { type Decimal, decimal, isPositive } from '@pilotfish/core/money/decimal';
import type { CandleReader } from '../../prices/candle-reader.ts';

const KEPT = 5000;
const MINUTE_MS = 60_000;
/** A price that could not be read, or is not of the last minute, is asked for again after this. */
const MISSING_MS = 60_000;

/**
 * What a pair stood at when a day began: the close of the last minute before it that saw a trade, from the stored history
 * or the exchange. It does not change any more.
 */
export function midnightPrices(reader: Pick<CandleReader, 'candles'>, now: () => number) {
  const known = new Map<string, { readonly until: number; readonly price: Decimal | null }>();

  async function one(symbol: string, midnight: number): Promise<Decimal | null> {
    const key = `${symbol} ${midnight}`;
    const kept = known.get(key);
    if (kept && now() < kept.until) return kept.price;
    const rows = await reader.candles(symbol, '1m', { limit: 1, endTime: midnight - 1 }).catch(() => []);
    const last = rows.at(-1);
    const close = last?.close;
    // While the exchange cannot be asked the history may end before the last minute: better than nothing, but not for good.
    const isFinal = last !== undefined && Date.parse(last.openTime) >= midnight - MINUTE_MS;
    const price = close === undefined || !isPositive(decimal(close)) ? null : decimal(close);
    known.delete(key);
    if (known.size >= KEPT) known.delete(known.keys().next().value!);
    known.set(key, { until: price !== null && isFinal ? Number.POSITIVE_INFINITY : now() + MISSING_MS, price });
    return price;
  }

  /** @param midnight epoch ms. Null for a pair whose price then is not known. */
  return async (symbols: Iterable<string>, midnight: number): Promise<ReadonlyMap<string, Decimal | null>> => {
    const wanted = [...new Set(symbols)];
    return new Map(await Promise.all(wanted.map(async (symbol) => [symbol, await one(symbol, midnight)] as const)));
  };
}
export type MidnightPrices = ReturnType<typeof midnightPrices>;
