import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import type { BalanceCheck } from './balance-check.ts';

/** An account of which nothing is heard is compared this often, as far as the weight allows. */
const BEAT_MS = 10 * 60_000;
/** What a comparison costs, and the share of a minute's weight that all of them together may take. */
const WEIGHT = 20;
const SHARE = 0.05;
const LOOK_MS = 15_000;

/**
 * Compares accounts with the exchange slowly and for ever: a stream that is open and says nothing looks like an
 * account on which nothing happens, and only asking tells them apart.
 */
export function slowComparison(options: {
  accounts: () => string[];
  /** While its history is read an account is compared anyway. */
  isBusy: (accountId: string) => boolean;
  check: Pick<BalanceCheck, 'last' | 'compare'>;
  /** A minute's weight. */
  weightLimit: () => number;
  now: () => number;
  timers: Pick<Timers, 'every'>;
  log: Logger;
}) {
  const { check, now, timers, log } = options;
  /** Also of those that could not be compared. */
  const triedAt = new Map<string, number>();
  let timer: Cancel | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  async function round(): Promise<void> {
    const accounts = options.accounts();
    for (const known of triedAt.keys()) if (!accounts.includes(known)) triedAt.delete(known);
    const most = Math.max(1, Math.floor((options.weightLimit() * SHARE * LOOK_MS) / 60_000 / WEIGHT));
    const lastOf = (accountId: string): number => {
      const tried = triedAt.get(accountId) ?? now();
      // One that was never compared is read by its connection first: its time begins now.
      triedAt.set(accountId, tried);
      return Math.max(tried, check.last(accountId)?.at ?? 0);
    };
    const due = accounts
      .map((accountId) => ({ accountId, at: lastOf(accountId) }))
      .filter(({ accountId, at }) => now() - at >= BEAT_MS && !options.isBusy(accountId))
      .sort((one, other) => one.at - other.at)
      .slice(0, most);
    for (const { accountId } of due) {
      if (stopped) return;
      triedAt.set(accountId, now());
      await check
        .compare(accountId)
        .catch((error: unknown) => log.info({ reason: (error as Error).message }, 'an account could not be compared'));
    }
  }

  return {
    round,
    start: (): void => {
      timer = timers.every(LOOK_MS, () => {
        running ??= round().finally(() => {
          running = undefined;
        });
      });
    },
    stop: async (): Promise<void> => {
      stopped = true;
      timer?.();
      await running;
    },
  };
}
