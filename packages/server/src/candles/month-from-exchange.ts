import { type ExactCandle, intervalLength } from '@pilotfish/core/prices/candle-gaps';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError, namesNoPair, refusalCode, refusalDetail } from '../exchange/exchange-error.ts';
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

type Span = { readonly startTime: number; readonly endTime?: number; readonly limit: number };

/** Asks for a page, again while the exchange cannot answer. @throws MonthRefused; the reason of the signal */
function asker({ exchange, pacer, timers }: ExchangeReader, symbol: string, interval: string, signal: AbortSignal) {
  const refused = (error: ExchangeError): MonthRefused => {
    if (error.kind === 'refused')
      return new MonthRefused('exchangeRefused', { cause: error, reason: `${refusalCode(error)} ${refusalDetail(error)}`.trim() });
    return new MonthRefused(error.kind === 'limited' ? 'exchangeLimited' : 'exchangeUnreachable', { cause: error });
  };
  return async (span: Span) => {
    for (let tries = 1; ; tries += 1) {
      if (!(await pacer.take(KLINES_WEIGHT))) throw new MonthRefused('failed');
      signal.throwIfAborted();
      try {
        return await exchange.candles(symbol, interval, span);
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        if (namesNoPair(error)) throw new MonthRefused('unknownPair', { cause: error });
        if (error.kind === 'limited') pacer.pause(error.retryAfterMs ?? RETRY.most);
        if (error.kind === 'refused' || tries >= TRIES) throw refused(error);
        await timers.wait(Math.min(RETRY.most, RETRY.first * 2 ** (tries - 1)));
        signal.throwIfAborted();
      }
    }
  };
}

/**
 * When the oldest candle that the exchange has of a pair opened, epoch ms; undefined where it has none.
 * @throws MonthRefused; the reason of the signal
 */
export async function oldestCandle(
  reader: ExchangeReader,
  { symbol, interval }: { symbol: string; interval: string },
  signal: AbortSignal,
): Promise<number | undefined> {
  const rows = await asker(reader, symbol, interval, signal)({ startTime: 0, limit: 1 });
  if (unreadOf(rows).length > 0) throw new MonthRefused('unreadable');
  return rows.map(toExactCandle)[0]?.openTime;
}

/**
 * Reads candles from `from` to `to` (epoch ms, exclusive) page by page, within the weight that histories have together.
 * @throws MonthRefused; the reason of the signal
 */
export async function candlesFromExchange(
  reader: ExchangeReader,
  { symbol, interval, from, to }: { symbol: string; interval: string; from: number; to: number },
  { signal, onShare }: { signal: AbortSignal; onShare: (share: number) => void },
): Promise<ExactCandle[]> {
  const { timers, rowsPerRequest, rest } = reader;
  const length = intervalLength(interval)!;
  const all: ExactCandle[] = [];
  const ask = asker(reader, symbol, interval, signal);
  for (let start = from; start < to; ) {
    const started = timers.running();
    const rows = await ask({ startTime: start, endTime: to - 1, limit: rowsPerRequest });
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
