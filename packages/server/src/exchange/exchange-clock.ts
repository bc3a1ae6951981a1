import type { Timers } from '@pilotfish/core/time/timers';

/** How often the exchange is asked in one comparison; the quickest answer counts, as it is the least old on arrival. */
const SAMPLES = 3;
/** More than answers of different length make of it, ms. */
const JUMP_MS = 1000;
/**
 * By how much the monotonic clock may run too fast, as a part: the most by which a system slews it. Time is counted on
 * slower by that, so that no number of hours without an answer brings a request ahead of the exchange: it becomes too
 * old instead, is refused, and the time is asked for anew.
 */
const FAST = 500e-6;

/** What the exchange told last: its time, epoch ms, and when that arrived, by the monotonic clock, ms. */
export type Told = { readonly time: number; readonly arrivedAt: number };

export type ExchangeClock = {
  /** What it told last; undefined before the first answer. Another object after each comparison. */
  readonly told: Told | undefined;
  /**
   * The latest time, whole epoch ms, that it surely is at the exchange: what it told last, counted on by the monotonic
   * clock from the arrival of the answer. Never ahead, since the answer took its time, and since no clock that can be
   * set is in it. After the machine slept it is too old. Undefined before the first answer.
   */
  readonly stamp: () => number | undefined;
  /** Asks for the time anew. Who asks while it is being asked for waits for the same answers. Throws what asking threw. */
  readonly sync: () => Promise<void>;
};

/**
 * The exchange's clock as a signed request may bear it. Not the wall's: that is set by people, time servers and
 * suspended machines, and one that was set forward would let an order that was frozen on its way be executed late.
 * @param options.ask the exchange's own time, epoch ms
 * @param options.onJump its clock and our monotonic one moved against each other: it was set, or this machine stood
 *   still. Told before the new time can be used
 */
export function exchangeClock(options: {
  ask: () => Promise<number>;
  now: () => number;
  timers: Pick<Timers, 'running'>;
  onJump?: () => void;
}): ExchangeClock {
  const { timers } = options;
  let told: Told | undefined;
  let asking: Promise<void> | undefined;

  const stamp = (): number | undefined => told && Math.floor(told.time + (timers.running() - told.arrivedAt) * (1 - FAST));

  async function compare(): Promise<void> {
    let best = Number.POSITIVE_INFINITY;
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const sentAt = timers.running();
      const time = await options.ask();
      const arrivedAt = timers.running();
      const way = arrivedAt - sentAt;
      if (way >= best) continue;
      best = way;
      // Nothing to compare the first answer with but the wall: a machine may have stood still before it, too.
      const expected = stamp() ?? options.now();
      if (time - expected > JUMP_MS || expected - (time + way) > JUMP_MS) options.onJump?.();
      told = { time, arrivedAt };
    }
  }

  return {
    get told() {
      return told;
    },
    stamp,
    sync: () => {
      asking ??= compare().finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}
