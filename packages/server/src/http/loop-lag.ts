import { monitorEventLoopDelay } from 'node:perf_hooks';
import { AppError } from '@pilotfish/core/http/problem';

/** How long the process did not turn to what waits, ms: the worst of the last moments. */
export type LoopLag = () => number;

const RESOLUTION_MS = 20;
const WINDOW_MS = 500;

/** Measured by the platform, looked at when somebody asks. `stop` ends the measuring. */
export function measuredLag(running: () => number): { lag: LoopLag; stop: () => void } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let since: number | undefined;
  let before = 0;
  const worst = () => (histogram.count === 0 ? 0 : Math.max(0, histogram.max / 1e6 - RESOLUTION_MS));
  return {
    lag: () => {
      const time = running();
      // Since long ago: the start, or a quiet time. What stood still then says nothing of now.
      if (since === undefined || time - since > 4 * WINDOW_MS) {
        [since, before] = [time, 0];
        histogram.reset();
        return 0;
      }
      const now = worst();
      if (time - since >= WINDOW_MS) {
        [since, before] = [time, now];
        histogram.reset();
      }
      return Math.max(before, now);
    },
    stop: () => histogram.disable(),
  };
}

/** Guests first, then those who read while signed in. Whoever writes is never sent away: a sale must get through. */
const SHED_MS = { guest: 500, reader: 2000 };
const RETRY_SECONDS = 2;

/** @throws AppError `overloaded` */
export function shed(lag: LoopLag, who: keyof typeof SHED_MS): void {
  if (lag() > SHED_MS[who]) throw new AppError('overloaded', { retryAfter: RETRY_SECONDS });
}
