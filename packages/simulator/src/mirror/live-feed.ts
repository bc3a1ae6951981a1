import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type * as z from 'zod';
import type { Pair, Tick } from '../market/market-contract.ts';
import { ApiError } from '../rest/api-error.ts';
import { type MirrorView, NO_BOOK } from './mirror-view.ts';
import type { Upstream } from './upstream.ts';
import {
  averageEvent,
  averageRow,
  averageTicks,
  bookRow,
  candleRows,
  parseJson,
  type TradeRow,
  ticksOfCandle,
  toBook,
  toTick,
  tradeRow,
  tradeRows,
} from './upstream-rows.ts';

/** Rows of a page, of trades and of candles. */
const PAGE = 1000;
/** Pages of trades that a gap is filled from before candles have to do. */
const MOST_PAGES = 20;
/** A gap longer than this is filled from candles at once, ms. */
const LONG_GAP = 2 * 3_600_000;
const MINUTE = 60_000;
/** Between two tries to fill a hole, ms: they spend the weight that other accounts live on, too. */
const AGAIN = 5000;
/** Trades that are kept while a hole cannot be filled; those before them are asked for again. */
const MOST_WAITING = 10_000;
/** A pair that is asked about is followed on for a while, ms. */
const LINGER = 10 * MINUTE;

/** No answer came, or none that can be used: the order is not taken, and whoever sent it may ask and try again. */
export const unreachable = (): ApiError =>
  new ApiError(-1008, 'The mirrored exchange does not answer. Please try again later.', { status: 503 });

/** One pair that is followed: trades in their order and without a hole, its book, its average. */
type Followed = {
  readonly pair: Pair;
  /** The last trade that was passed on; the next one has the next number. Undefined before the first is known. */
  lastId: number | undefined;
  /** Trades up to then are known, ms. */
  at: number;
  /** Trades that came while a hole is being filled. */
  waiting: TradeRow[];
  filling: Promise<void> | undefined;
  /** The last try to fill a hole failed: what came since waits for the next one. */
  again: Cancel | undefined;
  usedAt: number;
  stop: () => void;
};

/**
 * Brings the trades of pairs for which somebody has orders. A trade is passed on once and in order: a hole in their
 * numbers, by a cut connection or because this process did not run, is filled before what comes after it. Where it is too
 * long for trades, its candles stand for them.
 */
export class LiveFeed {
  private readonly followed = new Map<string, Followed>();
  private readonly options: {
    readonly upstream: Upstream;
    readonly view: MirrorView;
    readonly onTick: (tick: Tick) => void;
    /** Whether orders wait for the pair's trades. */
    readonly isNeeded: (pair: Pair) => boolean;
    readonly now: () => number;
    readonly timers: Timers;
    readonly log: (line: string) => void;
  };
  private readonly endSweep: () => void;

  constructor(options: LiveFeed['options']) {
    this.options = options;
    const { view } = options;
    options.upstream.onGap(() => {
      for (const each of this.followed.values()) {
        // The book of before is no price to trade at.
        view.see(each.pair, { book: NO_BOOK });
        void this.fill(each);
      }
    });
    this.endSweep = options.timers.every(MINUTE, () => this.sweep());
  }

  /**
   * Follows a pair from now on, or from an earlier moment whose trades its orders have missed (ms), and resolves when its
   * present price, book and average are known.
   * @throws ApiError 503 where the exchange does not answer
   */
  async prepare(pair: Pair, since?: number): Promise<void> {
    const known = this.followed.get(pair.symbol);
    const { upstream, view } = this.options;
    if (known) known.usedAt = this.options.now();
    const followed = known ?? this.follow(pair, since);
    const current = known?.lastId !== undefined && upstream.connected && view.book(pair).lastUpdateId !== 0;
    if (!current) await Promise.all([this.fill(followed), this.readBook(pair), this.readAverage(pair)]);
    else if (followed.filling || followed.again) await this.fill(followed);
    // An order on top of a hole would be filled by trades from before it.
    if (followed.lastId === undefined || followed.again) throw unreachable();
  }

  /** Whether orders have met every trade of the pairs that are followed. */
  get isWhole(): boolean {
    return ![...this.followed.values()].some(({ filling, again }) => filling !== undefined || again !== undefined);
  }

  follows(pair: Pair): boolean {
    return this.followed.has(pair.symbol);
  }

  close(): void {
    this.endSweep();
    for (const { stop } of this.followed.values()) stop();
    this.followed.clear();
  }

  private follow(pair: Pair, since: number | undefined): Followed {
    const { upstream, view, now } = this.options;
    const name = pair.symbol.toLowerCase();
    const stops = [
      upstream.subscribe(`${name}@aggTrade`, (data) => {
        const trade = tradeRow.safeParse(data).data;
        if (trade) this.onTrade(followed, trade);
      }),
      upstream.subscribe(`${name}@depth20@100ms`, (data) => {
        const book = bookRow.safeParse(data).data;
        if (book) view.see(pair, { book: toBook(pair, book) });
      }),
      upstream.subscribe(`${name}@avgPrice`, (data) => {
        const average = averageEvent.safeParse(data).data;
        if (average) view.see(pair, { average: { price: averageTicks(pair, average.w), closeTime: average.T } });
      }),
    ];
    const followed: Followed = {
      pair,
      lastId: undefined,
      at: since ?? now(),
      waiting: [],
      filling: undefined,
      again: undefined,
      usedAt: now(),
      stop: () => {
        followed.again?.();
        for (const stop of stops) stop();
      },
    };
    this.followed.set(pair.symbol, followed);
    return followed;
  }

  private onTrade(followed: Followed, trade: TradeRow): void {
    const { lastId } = followed;
    if (followed.filling || followed.again) {
      if (followed.waiting.length < MOST_WAITING) followed.waiting.push(trade);
    } else if (lastId !== undefined && trade.a + 1 < lastId && trade.T > followed.at) {
      // The numbers began anew, as after a reset of a test network: there is nothing to ask for in between.
      followed.lastId = trade.a - 1;
      this.pass(followed, trade);
    } else if (trade.a === (lastId ?? Number.NaN) + 1) this.pass(followed, trade);
    else if (lastId === undefined || trade.a > lastId) {
      followed.waiting.push(trade);
      void this.fill(followed);
    }
  }

  private pass(followed: Followed, trade: TradeRow): void {
    followed.lastId = trade.a;
    followed.at = trade.T;
    this.tell(toTick(followed.pair, trade));
  }

  private tell(tick: Tick): void {
    this.see(tick);
    this.options.onTick(tick);
  }

  private see({ pair, ...last }: Tick): void {
    this.options.view.see(pair, { last });
  }

  /** Passes on what is missing, then what came meanwhile. One that fails is tried again after a pause, or for the next order. */
  private fill(followed: Followed): Promise<void> {
    followed.filling ??= this.tryToFill(followed);
    return followed.filling;
  }

  private async tryToFill(followed: Followed): Promise<void> {
    const { timers, log } = this.options;
    followed.again?.();
    followed.again = undefined;
    try {
      await this.passMissing(followed);
    } catch (error) {
      log(`${followed.pair.symbol}: trades could not be read: ${String(error)}`);
      followed.again = timers.after(AGAIN, () => void this.fill(followed), { ref: true });
    }
    followed.filling = undefined;
    if (followed.again) return;
    for (const trade of followed.waiting.splice(0)) this.onTrade(followed, trade);
  }

  private async passMissing(followed: Followed): Promise<void> {
    const { now } = this.options;
    const { symbol } = followed.pair;
    const isNeeded = this.options.isNeeded(followed.pair);
    if (isNeeded) await this.requireBook(followed.pair);
    const missed = isNeeded ? now() - followed.at : 0;
    let query = followed.lastId === undefined ? `startTime=${followed.at}` : `fromId=${followed.lastId + 1}`;
    if (missed > 0 && missed <= LONG_GAP) {
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const rows = await this.read(`/api/v3/aggTrades`, `symbol=${encodeURIComponent(symbol)}&${query}&limit=${PAGE}`, 4, tradeRows);
        await this.requireBook(followed.pair);
        for (const trade of rows) if (followed.lastId === undefined || trade.a > followed.lastId) this.pass(followed, trade);
        if (rows.length < PAGE && followed.lastId !== undefined) return;
        if (followed.lastId === undefined) break;
        query = `fromId=${followed.lastId + 1}`;
      }
    }
    if (missed > LONG_GAP || (missed > 0 && followed.lastId !== undefined)) await this.passCandles(followed);
    const [last] = await this.read('/api/v3/aggTrades', `symbol=${encodeURIComponent(symbol)}&limit=1`, 4, tradeRows);
    // Orders have met it already, or there are none. A pair that has never traded has no trade to begin with.
    if (last && last.a > (followed.lastId ?? -1)) {
      followed.lastId = last.a;
      followed.at = last.T;
      this.see(toTick(followed.pair, last));
    } else followed.lastId ??= -1;
  }

  private async passCandles(followed: Followed): Promise<void> {
    const { pair } = followed;
    for (;;) {
      // Of the minute in which the gap began the candle also tells what was before it, and before the order perhaps.
      const from = Math.ceil(followed.at / MINUTE) * MINUTE;
      const rows = await this.read(
        '/api/v3/klines',
        `symbol=${encodeURIComponent(pair.symbol)}&interval=1m&startTime=${from}&limit=${PAGE}`,
        2,
        candleRows,
      );
      await this.requireBook(pair);
      for (const tick of rows.flatMap((candle) => ticksOfCandle(pair, candle))) this.tell(tick);
      if (rows.length > 0) followed.at = rows.at(-1)![0] + MINUTE;
      if (rows.length < PAGE) return;
    }
  }

  /** A stop that a missed trade triggers becomes a market order: without a book, which a cut connection takes away, it would expire. */
  private async requireBook(pair: Pair): Promise<void> {
    if (this.options.view.book(pair).lastUpdateId === 0) await this.readBook(pair);
  }

  private async readBook(pair: Pair): Promise<void> {
    const book = await this.read('/api/v3/depth', `symbol=${encodeURIComponent(pair.symbol)}&limit=100`, 5, bookRow);
    this.options.view.see(pair, { book: toBook(pair, book) });
  }

  private async readAverage(pair: Pair): Promise<void> {
    const average = await this.read('/api/v3/avgPrice', `symbol=${encodeURIComponent(pair.symbol)}`, 2, averageRow);
    this.options.view.see(pair, { average: { price: averageTicks(pair, average.price), closeTime: average.closeTime } });
  }

  private async read<Answer>(path: `/${string}`, query: string, weight: number, shape: z.ZodType<Answer>): Promise<Answer> {
    const answer = await this.options.upstream.get(path, query, weight).catch(() => undefined);
    if (answer?.status !== 200) throw unreachable();
    const parsed = shape.safeParse(parseJson(answer.text));
    if (!parsed.success) throw unreachable();
    return parsed.data;
  }

  private sweep(): void {
    const { isNeeded, now } = this.options;
    for (const [symbol, { pair, usedAt, stop }] of this.followed) {
      if (isNeeded(pair) || now() - usedAt < LINGER) continue;
      stop();
      this.followed.delete(symbol);
    }
  }
}
