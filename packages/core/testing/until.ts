/** How long a test waits for what should happen soon, ms of a real clock. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 30;

/**
 * Looks until there is something: neither `false` nor `undefined`. Answers what was seen.
 *
 * @param what names it in the error of a wait that was in vain
 * @param options `meanwhile` runs between two looks (a market that is moved on, say); `patienceMs` defaults to a minute
 */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
  { meanwhile, patienceMs = PATIENCE_MS }: { meanwhile?: (() => Promise<unknown>) | undefined; patienceMs?: number } = {},
): Promise<Value> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > end) throw new Error(`${what} did not happen within ${patienceMs / 1000} s`);
    await meanwhile?.();
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}
