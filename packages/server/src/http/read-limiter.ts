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
/** So long may a read keep the process for a unit; a read of the usual kind takes less. */
const UNIT_MS = 2;
const TOLD_AGAIN = 0.25;
/** @param isMade for this call; otherwise it was there already */
export const readCost = (bytes: number, isMade: boolean): number => (1 + bytes / UNIT_BYTES) * (isMade ? 1 : TOLD_AGAIN);

/** From where somebody reads: an account when signed in, the network it comes from. */
export type Reader = { readonly accountId: string | undefined; readonly network: string };
export type ReadLimiter = {
  /**
   * Resolves in a turn of the event loop in which no other read begins. What is read is made in one go, so reads that
   * began together would keep the process, and every exit that is due, until the last of them is made.
   * @throws AppError `rate-limited` when what was read before has used up all there is, or too much waits already
   */
  admit(reader: Reader): Promise<void>;
  /** What an answer cost is known only once it is there: a large one is paid for by those after it. */
  charge(reader: Reader, units: number): void;
};

const MAX_KEYS = 50_000;
/** Reads of one account, or of the guests of one network, that wait for their turn. */
const MAX_WAITING = 100;

type Turns = {
  /** Whether so many of this key wait that another would not be answered in time. */
  isFull(key: string): boolean;
  /** @param onEnded called with how long the turn kept the process, ms */
  take(key: string, onEnded: (ms: number) => void): Promise<void>;
};

/** One read a turn of the event loop; whoever has read goes behind everybody else who waits. */
function turns(now: () => number): Turns {
  type Waiting = { begin: () => void; onEnded: (ms: number) => void };
  const waiting = new Map<string, Waiting[]>();
  let isGoing = false;

  /** @returns its end */
  const begin = (): (() => void) => {
    const [[key, [turn, ...rest]] = ['', []]] = waiting;
    waiting.delete(key);
    if (rest.length > 0) waiting.set(key, rest);
    const began = now();
    turn?.begin();
    return () => turn?.onEnded(now() - began);
  };
  const next = (): void => {
    isGoing = waiting.size > 0;
    if (!isGoing) return;
    let end: (() => void) | undefined;
    setImmediate(() => {
      end = begin();
    });
    // In the same turn, as soon as nothing of the read can go on; what came in meanwhile is looked at before the next one.
    setImmediate(() => {
      end?.();
      next();
    });
  };
  return {
    isFull: (key) => (waiting.get(key)?.length ?? 0) >= MAX_WAITING,
    take: (key, onEnded) =>
      new Promise<void>((begin) => {
        const mine = waiting.get(key);
        if (mine) mine.push({ begin, onEnded });
        else waiting.set(key, [{ begin, onEnded }]);
        if (!isGoing) next();
      }),
  };
}

/** @param now milliseconds that never go back */
export function readLimiter(now: () => number, limits: ReadLimits): ReadLimiter {
  const waiting = turns(now);
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

  const charge = (reader: Reader, units: number): void => {
    for (const [key, allowance] of bucketsOf(reader)) refill(key, allowance).units -= units;
  };

  return {
    admit: async (reader) => {
      const waits = bucketsOf(reader).map(([key, allowance]) => {
        const { units } = refill(key, allowance);
        return units >= 1 ? 0 : Math.ceil((1 - units) / allowance.perSecond);
      });
      const wait = Math.max(...waits);
      const [[key] = ['']] = bucketsOf(reader);
      if (wait > 0 || waiting.isFull(key)) throw new AppError('rate-limited', { retryAfter: Math.max(1, wait) });
      await waiting.take(key, (ms) => charge(reader, ms / UNIT_MS));
    },
    charge,
  };
}
