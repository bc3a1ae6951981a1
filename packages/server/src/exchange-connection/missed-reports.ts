import type { Cancel, Timers } from '@pilotfish/core/time/timers';

/** Reports that could not be read are asked for after this; while more of them come, after twice as long each time. */
const WAIT_MS = { first: 1000, most: 30_000 };

/**
 * Asks for what reports that could not be read were about: for several together, and after the last of them in any case.
 * `ask` is given how long ago the first of them came. An exchange that changed the shape of all its reports does not have the history read each second.
 */
export function missedReports({ now, timers, ask }: { now: () => number; timers: Pick<Timers, 'after'>; ask: (gapMs: number) => void }) {
  let waiting: Cancel | undefined;
  let waitMs = WAIT_MS.first;
  let askedAt = Number.NEGATIVE_INFINITY;
  let since = 0;
  return {
    missed: (): void => {
      if (waiting) return;
      since = now();
      const isCalm = now() - askedAt > WAIT_MS.most;
      waitMs = isCalm ? WAIT_MS.first : Math.min(WAIT_MS.most, waitMs * 2);
      waiting = timers.after(waitMs, () => {
        waiting = undefined;
        askedAt = now();
        ask(now() - since);
      });
    },
    stop: (): void => waiting?.(),
  };
}
