import type { TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import { ratesWanted, valued } from './fill-entries.ts';
import type { LedgerStore } from './ledger-store.ts';
import type { MinuteRates } from './minute-rates.ts';

/** Entries valued in one go. */
const BATCH = 500;
/** The candle of a fill's minute is there a little after it ended; what is still missing is tried again more and more rarely. */
const TRIES_MS = [5_000, 20_000, 65_000, 5 * 60_000, 30 * 60_000] as const;

export type FeeValuer = ReturnType<typeof feeValuer>;

/** Values fees in third assets, and quote assets, at the minute of their fills: at once where it can be known, later where not. */
export function feeValuer(options: { store: LedgerStore; rates: MinuteRates; timers: Pick<Timers, 'after'>; log: Logger }) {
  const { store, rates, timers, log } = options;
  const waits = new Map<string, { attempt: number; timer: Cancel }>();
  let stopped = false;

  /** Values what is stored without values. Answers how many entries still lack one. */
  async function settle(accountId: string): Promise<number> {
    const lacking = await store.unvalued(accountId, BATCH * 20);
    let left = 0;
    for (let start = 0; start < lacking.length; start += BATCH) {
      const part = lacking.slice(start, start + BATCH);
      const rateAt = await rates.load(part.flatMap(ratesWanted));
      const known = part.map((entry) => valued(entry, rateAt));
      const better = known.filter(
        (entry, index) =>
          entry.feeInQuote !== part[index]!.feeInQuote ||
          entry.feeInPrimary !== part[index]!.feeInPrimary ||
          entry.quoteRate !== part[index]!.quoteRate,
      );
      await store.revalue(accountId, better);
      left += known.filter((entry) => ratesWanted(entry).length > 0).length;
    }
    return left;
  }

  function later(accountId: string, attempt = 0): void {
    if (stopped || waits.has(accountId)) return;
    const timer = timers.after(TRIES_MS[attempt]!, () => {
      waits.delete(accountId);
      settle(accountId)
        .then((left) => {
          if (left > 0) later(accountId, Math.min(attempt + 1, TRIES_MS.length - 1));
        })
        .catch((error: unknown) => log.error({ err: error }, 'fees could not be valued'));
    });
    waits.set(accountId, { attempt, timer });
  }

  return {
    settle,
    /** Tries again soon, and then for as long as something lacks its value. A wait that has grown long starts anew. */
    later: (accountId: string): void => {
      const waiting = waits.get(accountId);
      if (waiting?.attempt === 0) return;
      waiting?.timer();
      waits.delete(accountId);
      later(accountId);
    },
    /** Entries with the values that can be known now. */
    withValues: async (entries: readonly TradeEntry[]): Promise<TradeEntry[]> => {
      const rateAt = await rates.load(entries.flatMap(ratesWanted));
      return entries.map((entry) => valued(entry, rateAt));
    },
    stop: (): void => {
      stopped = true;
      for (const { timer } of waits.values()) timer();
    },
  };
}
