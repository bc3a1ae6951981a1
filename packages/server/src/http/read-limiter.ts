import { AppError } from '@pilotfish/core/http/problem';

/** Units at once, and units that come back each second. */
type Allowance = { readonly burst: number; readonly perSecond: number };
/** What reading may cost. A unit is one call whose answer is made for it, and 64 kB of that; one told again costs a quarter. */
export type ReadLimits = {
  /** One signed-in account. */
  readonly account: Allowance;
  /** All signed-in accounts of one network together. */
  readonly network: Allowance;
  /** All guests of one network together. */
  readonly guests: Allowance;
};
/** A screen that opens costs some twenty units; the minutes of a year for a backtest some nine hundred, as a guest: candles need no account. */
export const READ_LIMITS: ReadLimits = {
  account: { burst: 4800, perSecond: 120 },
  network: { burst: 19_200, perSecond: 480 },
  guests: { burst: 2400, perSecond: 60 },
};

const UNIT_BYTES = 64 * 1024;
const TOLD_AGAIN = 0.25;
/** @param isMade for this call; otherwise it was there already */
export const readCost = (bytes: number, isMade: boolean): number => (1 + bytes / UNIT_BYTES) * (isMade ? 1 : TOLD_AGAIN);

/** From where somebody reads: an account when signed in, the network it comes from. */
export type Reader = { readonly accountId: string | undefined; readonly network: string };
export type ReadLimiter = {
  /** @throws AppError `rate-limited` when what was read before has used up all there is */
  admit(reader: Reader): void;
  /** What an answer cost is known only once it is there: a large one is paid for by those after it. */
  charge(reader: Reader, units: number): void;
};

const MAX_KEYS = 50_000;

/** @param now milliseconds that never go back */
export function readLimiter(now: () => number, limits: ReadLimits): ReadLimiter {
  const buckets = new Map<string, { units: number; at: number }>();

  const refill = (key: string, { burst, perSecond }: Allowance) => {
    const time = now();
    const bucket = buckets.get(key) ?? { units: burst, at: time };
    const units = Math.min(burst, bucket.units + (Math.max(0, time - bucket.at) / 1000) * perSecond);
    const next = { units, at: time };
    // Re-inserting keeps the map in order of use, so the oldest key is the one to forget.
    buckets.delete(key);
    if (buckets.size >= MAX_KEYS) buckets.delete(buckets.keys().next().value ?? '');
    buckets.set(key, next);
    return next;
  };
  const bucketsOf = ({ accountId, network }: Reader): [string, Allowance][] =>
    accountId === undefined
      ? [[`guests ${network}`, limits.guests]]
      : [
          [`account ${accountId}`, limits.account],
          [`network ${network}`, limits.network],
        ];

  return {
    admit: (reader) => {
      const waits = bucketsOf(reader).map(([key, allowance]) => {
        const { units } = refill(key, allowance);
        return units >= 1 ? 0 : Math.ceil((1 - units) / allowance.perSecond);
      });
      const wait = Math.max(...waits);
      if (wait > 0) throw new AppError('rate-limited', { retryAfter: wait });
    },
    charge: (reader, units) => {
      for (const [key, allowance] of bucketsOf(reader)) refill(key, allowance).units -= units;
    },
  };
}
