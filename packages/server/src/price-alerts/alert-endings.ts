import { intervalLength } from '@pilotfish/core/prices/candle-gaps';
import { isCandleCondition } from './alert-judge.ts';
import { isWatching, type LiveAlert } from './alert-live.ts';

/** An alert whose time is over waits no longer than this for what its last minutes may have held. */
const LONGEST_LINGER_MS = 60 * 60_000;
/** A closed minute is told within this of the market's clock, and of the wall's where the market stands still. */
const TOLD_MS = 2000;
const SOON_MS = 10_000;
/** A market whose clock lies nearer than this to ours runs on the same one: the rest is how long its words take. */
const SAME_CLOCK_MS = 5000;

export type MarketClock = ReturnType<typeof marketClock>;

/** Which moment of the wall a moment of the market was, and the other way round; all in epoch ms. */
export function marketClock(now: () => number) {
  let newest = 0;
  let offset = 0;
  return {
    /** A moment of the market was heard of just now. */
    note: (at: number): void => {
      if (at <= newest) return;
      newest = at;
      const behind = now() - at;
      offset = Math.abs(behind) <= SAME_CLOCK_MS ? 0 : behind;
    },
    wallOf: (at: number): number => at + offset,
    marketOf: (wall: number): number => wall - offset,
    get newest() {
      return newest;
    },
  };
}

/** Says when an alert may end, or wake: not while what happened before that moment may still come to be known. */
export function alertEndings(options: {
  clock: MarketClock;
  /** Whether the past of an alert's pair is being read, or nothing is heard. */
  isDeaf: (live: LiveAlert) => boolean;
  now: () => number;
}) {
  const { clock, isDeaf, now } = options;
  /** Since when, wall time, an alert that is over waits for that. */
  const lingering = new WeakMap<LiveAlert, number>();

  function isBehind(live: LiveAlert, end: number): boolean {
    const { condition, symbol } = live.body;
    if (!isWatching(live) || symbol === undefined) return false;
    if (isDeaf(live)) return true;
    const until = clock.marketOf(end);
    const { candle } = live.memory;
    // The next candle closed before the end, however late it comes.
    if (isCandleCondition(condition)) return candle !== undefined && candle + 2 * intervalLength(condition.interval)! <= until;
    return live.state === 'armed' && live.rule !== undefined && clock.newest < until + TOLD_MS && now() - end < SOON_MS;
  }

  return {
    /** @param end wall time at which it ends */
    mayEnd: (live: LiveAlert, end: number): boolean => {
      const since = lingering.get(live) ?? now();
      if (isBehind(live, end) && now() - since < LONGEST_LINGER_MS) {
        lingering.set(live, since);
        return false;
      }
      // One that woke may be over later: that end has a time of its own.
      lingering.delete(live);
      return true;
    },
  };
}
