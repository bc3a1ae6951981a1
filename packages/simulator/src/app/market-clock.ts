import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { Market, Pair, Tick } from '../market/market-contract.ts';

/** What follows the market as it moves. */
export type MarketFollower = {
  /** Pairs whose every trade is needed now. */
  followed(): Iterable<Pair>;
  onTick(tick: Tick): void;
  /** Called after each step with the new market time; a step never crosses the market's grid. */
  onStep(time: number, barClosed: boolean): void;
  /** Awaited after each step: makes durable what the step did. */
  settle(): Promise<void> | undefined;
};

/** Wall time between two steps at a finite speed, ms. */
const BEAT = 100;
/** Longest work before other requests get their turn, wall ms. */
const SLICE = 20;
/** A market that fell this far behind its clock (wall ms) slows the clock instead of chasing it. */
const PATIENCE = 1000;

/**
 * The market's own time. It runs at `speed` times the wall clock, or as fast as trades can be matched ('max'), and can
 * be paused or stepped. Followers get every trade of the pairs they follow, in time order, whatever the speed.
 */
export class MarketClock {
  private time: number;
  private anchorMarket: number;
  private anchorWall: number;
  private rate: number | 'max';
  private stopped: boolean;
  private timer: Cancel | undefined;
  private closed = false;
  private running: Promise<void> = Promise.resolve();
  private readonly market: Market;
  private readonly follower: MarketFollower;
  private readonly wallNow: () => number;
  private readonly timers: Timers;
  private readonly failed: (error: unknown) => void;

  constructor(
    market: Market,
    follower: MarketFollower,
    wallNow: () => number,
    timers: Timers,
    options: { start: number; speed: number | 'max'; paused: boolean; failed: (error: unknown) => void },
  ) {
    this.market = market;
    this.follower = follower;
    this.wallNow = wallNow;
    this.timers = timers;
    this.time = options.start;
    this.anchorMarket = options.start;
    this.anchorWall = wallNow();
    this.rate = options.speed;
    this.stopped = options.paused;
    this.failed = options.failed;
  }

  /** Market time up to which everything happened, ms. */
  now = (): number => this.time;
  get speed(): number | 'max' {
    return this.rate;
  }
  get paused(): boolean {
    return this.stopped;
  }
  get ended(): boolean {
    return this.market.endTime !== null && this.time >= this.market.endTime;
  }

  start(): void {
    this.plan();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.timer?.();
    await this.running;
  }

  pause(): void {
    this.catchUp();
    this.stopped = true;
    this.timer?.();
  }

  resume(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.anchor();
    this.plan();
  }

  setSpeed(speed: number | 'max'): void {
    this.catchUp();
    this.rate = speed;
    this.anchor();
    this.plan();
  }

  /** Moves the market on by `ms` now, through every trade between, whether paused or not. */
  async advance(ms: number): Promise<void> {
    await this.enqueue(async () => {
      await this.walk(this.time + ms, false);
      this.anchor();
    });
  }

  /** Brings market time to this very moment, so that an order is placed at the present price. No-op at 'max' and when far behind. */
  catchUp(): void {
    const target = this.target();
    if (target === undefined || target - this.time > 10 * this.market.grid) return;
    while (this.time < target) this.step(target);
  }

  private anchor(): void {
    this.anchorMarket = this.time;
    this.anchorWall = this.wallNow();
  }

  private target(): number | undefined {
    if (this.stopped || this.rate === 'max') return undefined;
    return this.limit(this.anchorMarket + (this.wallNow() - this.anchorWall) * this.rate);
  }

  private limit(time: number): number {
    return Math.floor(this.market.endTime === null ? time : Math.min(time, Math.max(this.time, this.market.endTime)));
  }

  private plan(): void {
    this.timer?.();
    if (this.closed || this.stopped || this.ended) return;
    this.timer = this.timers.after(this.rate === 'max' ? 0 : BEAT, () => this.beat(), { ref: true });
  }

  private beat(): void {
    const work = this.enqueue(async () => {
      if (this.rate === 'max') await this.walk(Number.POSITIVE_INFINITY, true);
      else {
        await this.walk(this.target() ?? this.time, true);
        const behind = (this.target() ?? this.time) - this.time;
        if (typeof this.rate === 'number' && behind > PATIENCE * this.rate) this.anchor();
      }
      this.plan();
    });
    work.catch((error: unknown) => {
      // A market that cannot keep what it does (a full disk) stands still instead of going on in memory only.
      this.stopped = true;
      this.failed(error);
    });
  }

  /** Walks follow one another; one that failed does not stop the next. */
  private enqueue(work: () => Promise<void>): Promise<void> {
    const next = this.running.then(work);
    this.running = next.catch(() => undefined);
    return next;
  }

  /** Steps to `target`, giving way to others often. A walk of the timer (`yielding`) ends early when it was paused or took too long. */
  private async walk(target: number, ofTimer: boolean): Promise<void> {
    const end = this.limit(target);
    let slice = this.timers.running();
    const begin = slice;
    while (this.time < end && !this.closed) {
      if (ofTimer && (this.stopped || this.timers.running() - begin > BEAT)) return;
      this.step(end);
      await this.follower.settle();
      // At 'max' clients must be able to react to each bar.
      if (this.rate === 'max' || this.timers.running() - slice > SLICE) {
        await new Promise((resolve) => setImmediate(resolve));
        slice = this.timers.running();
      }
    }
  }

  /**
   * One step: to `target` or to the last millisecond of the running bar, whichever is nearer. So whoever reacts to a
   * closed bar acts before the next bar's first trade.
   */
  private step(target: number): void {
    const { market, follower } = this;
    const from = this.time;
    const line = (Math.floor((from + 1) / market.grid) + 1) * market.grid - 1;
    const to = Math.min(target, line);
    const ticks: Tick[] = [];
    for (const pair of follower.followed()) {
      collect(market, pair, from, to, ticks);
    }
    if (ticks.length > 1) ticks.sort((a, b) => a.time - b.time || a.pair.index - b.pair.index || a.id - b.id);
    for (const tick of ticks) {
      this.time = tick.time;
      follower.onTick(tick);
    }
    this.time = to;
    follower.onStep(to, to === line);
  }
}

/** Trades of a pair with from < time <= to. */
function collect(market: Market, pair: Pair, from: number, to: number, ticks: Tick[]): void {
  const length = market.barLength(pair);
  for (let time = Math.max(from, pair.listedAt); time <= to; time = (Math.floor(time / length) + 1) * length) {
    const block = market.ticks(pair, time);
    for (let k = 0; k < block.count; k += 1) {
      const at = block.times[k]!;
      if (at <= from) continue;
      if (at > to) break;
      ticks.push({
        pair,
        id: block.firstId + k,
        time: at,
        price: block.prices[k]!,
        quantity: block.quantities[k]!,
        makerIsBuyer: block.makerIsBuyer[k] === 1,
      });
    }
  }
}
