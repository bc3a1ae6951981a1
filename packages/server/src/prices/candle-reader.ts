import { AppError } from '@pilotfish/core/http/problem';
import { type ExactCandle, fillGaps, intervalLength, nextOpenTime, openTimeAt } from '@pilotfish/core/prices/candle-gaps';
import type { Candle } from '@pilotfish/core/prices/prices-contract';
import type { Exchange } from '../exchange/exchange.ts';
import { writeLimiter } from '../http/write-limiter.ts';
import type { Market } from '../market/market.ts';
import { type CandleHistory, toExactCandle } from './candle-history.ts';

/** How long an answer with the running candle, and one of the past, may be told again. */
const RUNNING_MS = 2000;
const PAST_MS = 5 * 60_000;
/** Asked in few sizes, so that viewers with different screens share one question. */
const SIZES = [100, 500, 1000];
const KEPT = 60;
/**
 * Questions to the exchange for charts, over all viewers: 2 weight each, so a fifth of its limit. Anybody may look at
 * a chart; nobody may use up by it what bots and orders need.
 */
const QUESTIONS = { perMinute: 600, burst: 120 };

export type CandleReader = {
  /** Candles of any interval, oldest first, gaps filled and marked. @throws ExchangeError when neither exchange nor store can tell */
  readonly candles: (symbol: string, interval: string, query: { limit: number; endTime?: number }) => Promise<Candle[]>;
  /** Closes of the last closed candles, oldest first; from the store alone, so undefined until it has them. */
  readonly closes: (symbol: string, interval: string, count: number) => Promise<number[] | undefined>;
};

export function candleReader(options: {
  exchange: Pick<Exchange, 'candles'>;
  market: Pick<Market, 'board'>;
  history: Pick<CandleHistory, 'stored'>;
  now: () => number;
}): CandleReader {
  const { exchange, market, history, now } = options;
  const asked = new Map<string, { until: number; rows: Promise<ExactCandle[]> }>();
  const questions = writeLimiter(now, QUESTIONS);

  /** One question for all who want the same at about the same time. */
  function ask(symbol: string, interval: string, limit: number, endTime: number | undefined): Promise<ExactCandle[]> {
    const size = SIZES.find((each) => limit <= each) ?? 1000;
    const key = `${symbol} ${interval} ${size} ${endTime ?? ''}`;
    const known = asked.get(key);
    if (known !== undefined && now() < known.until) return known.rows;
    const wait = questions.take('all');
    if (wait > 0) return Promise.reject(new AppError('rate-limited', { retryAfter: wait }));
    const rows = exchange
      .candles(symbol, interval, { limit: size, ...(endTime === undefined ? {} : { endTime }) })
      .then((all) => all.map(toExactCandle));
    asked.delete(key);
    if (asked.size >= KEPT) asked.delete(asked.keys().next().value!);
    asked.set(key, { until: now() + (endTime === undefined ? RUNNING_MS : PAST_MS), rows });
    // A failure is not remembered.
    rows.catch(() => asked.get(key)?.rows === rows && asked.delete(key));
    return rows;
  }

  return {
    closes: async (symbol, interval, count) => {
      const length = intervalLength(interval);
      if (length === undefined) return undefined;
      // The newest close may not have been asked for yet.
      for (const behind of [1, 2]) {
        const to = openTimeAt(interval, market.board.asOf) - behind * length;
        const rows = await history.stored(symbol, interval, to - (count - 1) * length, to);
        if (rows !== undefined) return rows.map((row) => Number(row.close));
      }
      return undefined;
    },
    candles: async (symbol, interval, { limit, endTime }) => {
      const venueNow = market.board.asOf;
      const answer = (rows: readonly ExactCandle[]): Candle[] =>
        rows.slice(-limit).map(({ openTime, open, high, low, close, volume, quoteVolume, trades, filled }) => ({
          openTime: new Date(openTime).toISOString(),
          open,
          high,
          low,
          close,
          volume,
          quoteVolume,
          trades,
          closed: nextOpenTime(interval, openTime) <= venueNow,
          ...(filled ? { filled } : {}),
        }));
      const length = intervalLength(interval);
      const last = openTimeAt(interval, Math.min(endTime ?? venueNow, venueNow));
      const stored = async (to: number) =>
        length === undefined ? undefined : await history.stored(symbol, interval, to - (limit - 1) * length, to);
      const past = endTime !== undefined && nextOpenTime(interval, last) <= venueNow;
      // The end of the candle, whatever moment in it was named: one question for all of them.
      const until = past ? nextOpenTime(interval, last) - 1 : undefined;
      if (past) {
        const rows = await stored(last);
        if (rows !== undefined) return answer(rows);
      }
      try {
        return answer(fillGaps(await ask(symbol, interval, limit, until), interval));
      } catch (error) {
        // Closed candles do not change: better those than nothing.
        const rows = length === undefined ? undefined : await stored(last - length);
        if (rows !== undefined) return answer(rows);
        throw error;
      }
    },
  };
}
