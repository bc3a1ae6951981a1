import type { Timers } from '@pilotfish/core/time/timers';

const MINUTE = 60_000;

/** Spends request weight in the background: slowly, and never so much that a trading call would have to wait. */
export type WeightPacer = {
  /** Resolves when `weight` may be spent; false when stopped meanwhile. */
  take(weight: number): Promise<boolean>;
  /** Nothing is spent for so long: the exchange asked for it. */
  pause(forMs: number): void;
  stop(): void;
};

/**
 * At most `perMinute`, evenly over the minute, and nothing while the process as a whole has used half of the
 * exchange's limit in this minute.
 */
export function weightPacer(options: {
  perMinute: number;
  /** What the exchange allows in a minute. */
  limit: () => number;
  /** Weight used in this minute by everything, as the exchange counts. */
  used: () => number;
  now: () => number;
  timers: Pick<Timers, 'wait'>;
}): WeightPacer {
  const { perMinute, limit, used, now } = options;
  const { wait } = options.timers;
  /** Wall-clock ms from when on the next request may go. */
  let free = 0;
  let stopped = false;
  return {
    take: async (weight) => {
      for (;;) {
        if (stopped) return false;
        const time = now();
        if (time < free) await wait(Math.min(free - time, MINUTE));
        else if (used() + weight > limit() / 2) await wait(MINUTE - (time % MINUTE) + 50);
        else {
          free = time + (weight / perMinute) * MINUTE;
          return true;
        }
      }
    },
    pause: (forMs) => {
      free = Math.max(free, now() + forMs);
    },
    stop: () => {
      stopped = true;
    },
  };
}
