import { type ExactCandle, intervalLength } from '@pilotfish/core/prices/candle-gaps';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError, namesNoPair } from '../exchange/exchange-error.ts';
import { unreadOf } from '../exchange/exchange-rows.ts';
import type { WeightPacer } from '../market/weight-pacer.ts';
import { toExactCandle } from '../prices/candle-history.ts';
import { MonthRefused } from './month-from-archive.ts';

const KLINES_WEIGHT = 2;
const TRIES = 5;
const RETRY = { first: 2000, most: 60_000 };

export type ExchangeReader = {
  exchange: Pick<Exchange, 'candles'>;
  pacer: Pick<WeightPacer, 'take' | 'pause'>;
  timers: Pick<Timers, 'wait' | 'running'>;
  rowsPerRequest: number;
  /** Rest after a question, as a multiple of the time it took. */
  rest: number;
};

/**
 * Reads candles from `from` to `to` (epoch ms, exclusive) page by page, within the weight that histories have together.
 * @throws MonthRefused; the reason of the signal
 */
export async function candlesFromExchange(
  { exchange, pacer, timers, rowsPerRequest, rest }: ExchangeReader,
  { symbol, interval, from, to }: { symbol: string; interval: string; from: number; to: number },
  { signal, onShare }: { signal: AbortSignal; onShare: (share: number) => void },
): Promise<ExactCandle[]> {
  const length = intervalLength(interval)!;
  const all: ExactCandle[] = [];
  async function ask(start: number) {
    for (let tries = 1; ; tries += 1) {
      if (!(await pacer.take(KLINES_WEIGHT))) throw new MonthRefused('failed');
      signal.throwIfAborted();
      try {
        return await exchange.candles(symbol, interval, { startTime: start, endTime: to - 1, limit: rowsPerRequest });
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        if (namesNoPair(error)) throw new MonthRefused('unknownPair', error);
        if (error.kind === 'limited') pacer.pause(error.retryAfterMs ?? RETRY.most);
        if (error.kind === 'refused' || tries >= TRIES) throw new MonthRefused('exchangeUnreachable', error);
        await timers.wait(Math.min(RETRY.most, RETRY.first * 2 ** (tries - 1)));
        signal.throwIfAborted();
      }
    }
  }
  for (let start = from; start < to; ) {
    const started = timers.running();
    const rows = await ask(start);
    // A candle that cannot be read would be a gap that never was.
    if (unreadOf(rows).length > 0) throw new MonthRefused('unreadable');
    for (const candle of rows.map(toExactCandle)) {
      if (candle.openTime < start || candle.openTime >= to) continue;
      // Stored, it could not be read again, and its file would be sound.
      if ((candle.openTime - from) % length !== 0 || candle.openTime <= (all.at(-1)?.openTime ?? -1)) throw new MonthRefused('unreadable');
      all.push(candle);
    }
    if (rest > 0) await timers.wait((timers.running() - started) * rest);
    signal.throwIfAborted();
    const next = (all.at(-1)?.openTime ?? from) + length;
    if (rows.length < rowsPerRequest || next <= start) break;
    start = next;
    onShare((start - from) / (to - from));
  }
  return all;
}
