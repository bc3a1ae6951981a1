import { patient } from './patience-factor.ts';
import type { VirtualTime } from './virtual-time.ts';

/** How long a test waits for what should happen soon, ms of a real clock. */
const PATIENCE_MS = patient(60_000);
const PAUSE_MS = 30;
/** The same on a virtual clock: it costs no time that nobody computes in. */
const VIRTUAL_PATIENCE_MS = 45 * 60_000;
const VIRTUAL_STEP_MS = 1000;

export type UntilOptions = {
  /** Runs between two looks: a market that is moved on, say. */
  readonly meanwhile?: (() => Promise<unknown>) | undefined;
  /** A minute by default, on a virtual clock three quarters of an hour. */
  readonly patienceMs?: number;
  /** The clock of what is waited for: it goes on between two looks, and nobody waits for real. */
  readonly time?: VirtualTime | undefined;
  /** How far a virtual clock goes on between two looks. */
  readonly stepMs?: number;
};

/**
 * Looks until there is something: neither `false` nor `undefined`. Answers what was seen.
 *
 * @param what names it in the error of a wait that was in vain
 */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
  { meanwhile, time, patienceMs = time ? VIRTUAL_PATIENCE_MS : PATIENCE_MS, stepMs = VIRTUAL_STEP_MS }: UntilOptions = {},
): Promise<Value> {
  const clock = () => (time ? time.elapsed : Date.now());
  const end = clock() + patienceMs;
  await time?.settled();
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (clock() > end) throw new Error(`${what} did not happen within ${patienceMs / 1000} s${time ? ` of ${time.describe()}` : ''}`);
    await meanwhile?.();
    if (time) await time.advance(stepMs);
    else await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}
