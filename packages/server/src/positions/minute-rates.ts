import { decimal, divide, isPositive, multiply, ONE, toText } from '@pilotfish/core/money/decimal';
import type { RateAt } from '@pilotfish/core/trade-import/draft-entries';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError } from '../exchange/exchange-error.ts';
import type { Market } from '../market/market.ts';

const MINUTE = 60_000;
const ROWS = 1000;
const KEPT = 50_000;
/** Minutes that lie further apart are asked for by themselves: whole days between two fills bring nothing. */
const LARGEST_HOLE = 240;
/** A rate is good for this many digits. */
const RATE_SCALE = 18;
const BRIDGE = 'USDT';

export type RateWanted = { readonly asset: string; readonly quote: string; readonly at: number };
export type MinuteRates = ReturnType<typeof minuteRates>;

/**
 * What assets were worth in a past minute: the close of the exchange's 1-minute candle that holds the moment, of the
 * pair itself, of its inverse, or across USDT. A minute that has not ended has no close, so nothing is said of it.
 */
export function minuteRates(options: { exchange: Pick<Exchange, 'candles'>; market: Pick<Market, 'pair' | 'asOf'> }) {
  const { exchange, market } = options;
  const closes = new Map<string, string>();
  const keyOf = (symbol: string, minute: number) => `${symbol} ${minute}`;
  const minuteOf = (at: number) => Math.floor(at / MINUTE) * MINUTE;

  /** Pairs that lead from one asset to the other, in the order in which they are tried. */
  const ways = (asset: string, quote: string): string[][] => {
    const direct = [asset + quote, quote + asset].filter((symbol) => market.pair(symbol));
    if (direct.length > 0 || asset === BRIDGE || quote === BRIDGE) return direct.map((symbol) => [symbol]);
    const [first] = ways(asset, BRIDGE).flat();
    const [second] = ways(BRIDGE, quote).flat();
    return first !== undefined && second !== undefined ? [[first, second]] : [];
  };

  const read = (asset: string, quote: string, at: number): string | undefined => {
    if (asset === quote) return '1';
    for (const way of ways(asset, quote)) {
      let rate = ONE;
      let from = asset;
      let whole = true;
      for (const symbol of way) {
        const close = closes.get(keyOf(symbol, minuteOf(at)));
        const pair = market.pair(symbol);
        const price = close === undefined ? undefined : decimal(close);
        if (price === undefined || pair === undefined || !isPositive(price)) {
          whole = false;
          break;
        }
        const forward = pair.baseAsset === from;
        rate = forward ? multiply(rate, price) : divide(rate, price, RATE_SCALE);
        from = forward ? pair.quoteAsset : pair.baseAsset;
      }
      if (whole) return toText(rate);
    }
    return undefined;
  };

  async function ask(symbol: string, minutes: readonly number[]): Promise<void> {
    for (let start = 0; start < minutes.length; ) {
      const first = minutes[start]!;
      let end = start;
      while (
        end + 1 < minutes.length &&
        minutes[end + 1]! - first < ROWS * MINUTE &&
        minutes[end + 1]! - minutes[end]! <= LARGEST_HOLE * MINUTE
      )
        end += 1;
      const last = minutes[end]!;
      const rows = await exchange.candles(symbol, '1m', {
        startTime: first,
        endTime: last + MINUTE - 1,
        limit: (last - first) / MINUTE + 1,
      });
      const wanted = new Set(minutes.slice(start, end + 1));
      for (const [openTime, , , , close] of rows) if (wanted.has(openTime)) keep(keyOf(symbol, openTime), close);
      start = end + 1;
    }
  }
  const keep = (key: string, close: string) => {
    if (closes.size >= KEPT) closes.delete(closes.keys().next().value!);
    closes.set(key, close);
  };

  return {
    /**
     * Reads what is wanted, few questions for many minutes. The exchange being away is no failure: what could not be
     * read is not known yet.
     */
    load: async (wanted: Iterable<RateWanted>): Promise<RateAt> => {
      const missing = new Map<string, Set<number>>();
      for (const { asset, quote, at } of wanted) {
        const minute = minuteOf(at);
        // The candle of a running minute still moves.
        if (asset === quote || minute + MINUTE > market.asOf) continue;
        for (const symbol of ways(asset, quote)[0] ?? []) {
          if (closes.has(keyOf(symbol, minute))) continue;
          const minutes = missing.get(symbol) ?? new Set();
          minutes.add(minute);
          missing.set(symbol, minutes);
        }
      }
      for (const [symbol, minutes] of missing) {
        try {
          await ask(
            symbol,
            [...minutes].sort((one, other) => one - other),
          );
        } catch (error) {
          if (!(error instanceof ExchangeError)) throw error;
          if (error.kind !== 'refused') break;
        }
      }
      return read;
    },
  };
}
