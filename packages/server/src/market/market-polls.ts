import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { amountText, rowsOf, sentIn } from '../exchange/exchange-rows.ts';
import { depthPayload } from '../exchange/payloads.ts';
import type { TickerBoard } from './ticker-board.ts';

const BOOK_MS = 10_000;
const DAY_MS = 60_000;
const DEPTH_MS = 2500;
const LONGEST_WAIT_MS = 5 * 60_000;
/** Pairs whose books are looked at in turn: the most traded ones, where bots and people are. */
const DEPTH_PAIRS = 200;
/** Levels asked for and what they cost; a book that does not reach 1 % with few is asked for more the next time. */
const DEPTH_LEVELS = [
  { limit: 100, weight: 5 },
  { limit: 1000, weight: 50 },
] as const;
/** Once a pair was asked for the long book, its turn is skipped this often: ten short ones cost the same. */
const LONG_BOOK_EVERY = 10;

const text = z.string();
export const bookTickers = rowsOf('bookTickers', z.looseObject({ symbol: text, bidPrice: amountText, askPrice: amountText }), ['symbol']);
export const dayTickers = rowsOf('tickers', z.looseObject({ symbol: text, count: z.number() }), ['symbol']);
type Level = readonly [price: string, quantity: string];

/**
 * Quote value that rests within 1 % of the middle on both sides, and whether the book reached that far; where it did
 * not, there is more than is said.
 */
export function depthWithin1Pct(bids: readonly Level[], asks: readonly Level[]): { value: number; reached: boolean } {
  const middle = (Number(bids[0]?.[0]) + Number(asks[0]?.[0])) / 2;
  if (!Number.isFinite(middle) || middle <= 0) return { value: Number.NaN, reached: true };
  let value = 0;
  const side = (levels: readonly Level[]): boolean => {
    for (const [price, quantity] of levels) {
      if (Math.abs(Number(price) / middle - 1) > 0.01) return true;
      value += Number(price) * Number(quantity);
    }
    return false;
  };
  const [below, above] = [side(bids), side(asks)];
  return { value, reached: below && above };
}

/**
 * What the all-market stream does not carry, by asking: best prices, trades of a day, depth of the most traded books.
 * Together below 300 of the 6,000 weight of a minute. A failure makes the next question wait longer; nothing is
 * asked twice at once.
 */
export function marketPolls({
  exchange,
  board,
  now,
  timers,
  log,
}: {
  exchange: Pick<Exchange, 'rest'>;
  board: TickerBoard;
  now: () => number;
  timers: Pick<Timers, 'after'>;
  log: Logger;
}) {
  const cancels = new Set<Cancel>();
  let stopped = false;
  let pausedUntil = 0;
  let turn: string[] = [];
  const longBooks = new Map<string, number>();

  const readBooks = async () => {
    const rows = await exchange.rest.request({ method: 'GET', path: '/api/v3/ticker/bookTicker', weight: 4, answer: bookTickers });
    for (const { symbol, bidPrice, askPrice } of rows) {
      board.set(symbol, 'bid', Number(bidPrice) || Number.NaN);
      board.set(symbol, 'ask', Number(askPrice) || Number.NaN);
    }
  };
  const readCounts = async () => {
    const rows = await exchange.rest.request({ method: 'GET', path: '/api/v3/ticker/24hr', weight: 80, answer: dayTickers });
    for (const { symbol, count } of rows) board.set(symbol, 'trades', count);
  };
  const mostTraded = (): string[] => {
    const volumes = board.column('quoteVolume');
    return Array.from({ length: board.size }, (_, index) => index)
      .filter((index) => volumes[index]! > 0)
      .map((index) => ({ symbol: board.symbolAt(index)!, volume: inPrimary(index) }))
      .sort((a, b) => b.volume - a.volume)
      .slice(0, DEPTH_PAIRS)
      .map(({ symbol }) => symbol);
  };
  /** Volumes of pairs of another quote are as good as unknown in size; they come after. */
  const inPrimary = (index: number): number => (board.symbolAt(index)!.endsWith('USDT') ? board.column('quoteVolume')[index]! : 0);

  const readDepth = async () => {
    if (turn.length === 0) turn = mostTraded();
    const symbol = turn.shift();
    if (symbol === undefined) return;
    const skipped = longBooks.get(symbol);
    if (skipped !== undefined && skipped < LONG_BOOK_EVERY) {
      longBooks.set(symbol, skipped + 1);
      return;
    }
    const { limit, weight } = DEPTH_LEVELS[skipped === undefined ? 0 : 1];
    const { bids, asks } = await exchange.rest.request({
      method: 'GET',
      path: '/api/v3/depth',
      weight,
      parameters: { symbol, limit },
      answer: depthPayload,
    });
    const { value, reached } = depthWithin1Pct(bids, asks);
    board.set(symbol, 'depth', value);
    if (skipped !== undefined) longBooks.set(symbol, 0);
    // A short book that ends before its limit is the whole book.
    else if (!reached && Math.max(sentIn(bids), sentIn(asks)) >= limit) longBooks.set(symbol, LONG_BOOK_EVERY);
  };

  const every = (ms: number, work: () => Promise<void>) => {
    let wait = ms;
    const run = async () => {
      if (stopped) return;
      if (now() >= pausedUntil)
        try {
          await work();
          wait = ms;
        } catch (error) {
          wait = Math.min(LONGEST_WAIT_MS, wait * 2);
          if (error instanceof ExchangeError && error.kind === 'limited') pausedUntil = now() + (error.retryAfterMs ?? 60_000);
          log.warn({ reason: (error as Error).message }, 'a market poll failed; waiting longer');
        }
      next(wait);
    };
    const next = (delay: number) => {
      if (stopped) return;
      const timer = timers.after(delay, () => {
        cancels.delete(timer);
        void run();
      });
      cancels.add(timer);
    };
    next(Math.min(ms, 1000));
  };

  return {
    start: () => {
      every(BOOK_MS, readBooks);
      every(DAY_MS, readCounts);
      every(DEPTH_MS, readDepth);
    },
    stop: () => {
      stopped = true;
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
    /** For tests: one round of each question, now. */
    once: { books: readBooks, counts: readCounts, depth: readDepth },
  };
}
