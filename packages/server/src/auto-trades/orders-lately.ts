/** The exchange takes 50 orders of an account in ten seconds of the clock; entries leave a fifth of them to exits. */
const WINDOW_MS = 10_000;
const MOST_WITH_ENTRIES = 40;

/** When orders of each account were signed lately, by the wall clock (ms). */
export function ordersLately(now: () => number) {
  const signed = new Map<string, readonly number[]>();
  const of = (accountKey: string): readonly number[] => {
    const since = now() - WINDOW_MS;
    const kept = (signed.get(accountKey) ?? []).filter((at) => at > since);
    if (kept.length > 0) signed.set(accountKey, kept);
    else signed.delete(accountKey);
    return kept;
  };
  return {
    /** What is left of these ten seconds is for exits. */
    leavesToExits: (accountKey: string): boolean => of(accountKey).length >= MOST_WITH_ENTRIES,
    note: (accountKey: string): void => void signed.set(accountKey, [...of(accountKey), now()]),
  };
}
