/** What the clock needs from its surroundings; a browser and Node both have them. */
export type WallClockHost = {
  /** Milliseconds since 1970, the wall's time: it jumps when a laptop wakes. */
  now: () => number;
  setTimeout: (run: () => void, milliseconds: number) => unknown;
  clearTimeout: (handle: never) => void;
};

type Timer = { due: number; run: () => void; handle: unknown };

/**
 * A clock for actors that fires at a wall-clock deadline: no overflow past 2^31-1 ms (24.8 days), and at most
 * `step` milliseconds late after the machine slept. `wake()` re-arms everything at once, for `visibilitychange`.
 */
export function wallClock(host: WallClockHost, step = 30_000) {
  const timers = new Set<Timer>();
  const arm = (timer: Timer) => {
    const left = Math.min(Math.max(timer.due - host.now(), 0), step);
    timer.handle = host.setTimeout(() => check(timer), left);
  };
  const check = (timer: Timer) => {
    if (host.now() < timer.due) return arm(timer);
    timers.delete(timer);
    timer.run();
  };
  return {
    setTimeout(run: () => void, milliseconds: number): Timer {
      const timer: Timer = { due: host.now() + milliseconds, run, handle: undefined };
      timers.add(timer);
      arm(timer);
      return timer;
    },
    clearTimeout(timer: Timer | undefined): void {
      if (!timer || !timers.delete(timer)) return;
      host.clearTimeout(timer.handle as never);
    },
    /** Looks at the wall again now: due timers fire, the others are armed anew. */
    wake(): void {
      for (const timer of Array.from(timers)) {
        if (!timers.has(timer)) continue;
        host.clearTimeout(timer.handle as never);
        check(timer);
      }
    },
  };
}
