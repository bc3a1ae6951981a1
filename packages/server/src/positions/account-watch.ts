import type { Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import type { ExecutionReport } from '../exchange/payloads.ts';
import type { TradingAccount, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { Market } from '../market/market.ts';
import type { FeeValuer } from './fee-valuer.ts';
import { entryOfReport } from './fill-entries.ts';
import type { LedgerStore } from './ledger-store.ts';
import { appendTold } from './superseded.ts';

/** A history is read this long after its account came, even when the account's stream does not open. */
const PATIENCE_MS = 5000;

export type AccountWatch = ReturnType<typeof accountWatch>;

/** Writes the fills that the streams of connected accounts report, and has read what a stream may have missed. */
export function accountWatch(options: {
  accounts: Pick<TradingAccounts, 'get'>;
  market: Pick<Market, 'pair' | 'isUnread'>;
  ledger: LedgerStore;
  valuer: FeeValuer;
  /** Reads what is new. A pair that is named is read then and from then on. */
  readHistory: (accountId: string, symbol?: string) => void;
  /** The stream is back after a gap. */
  onBack: (accountId: string, gapMs: number) => void;
  onReport: (accountId: string, report: ExecutionReport) => void;
  onFill: (accountId: string) => void;
  timers: Pick<Timers, 'after'>;
  log: Logger;
}) {
  const { accounts, market, ledger, valuer, timers, log } = options;
  const watched = new Map<string, { account: TradingAccount; stop: () => void }>();
  const queues = new Map<string, Promise<void>>();

  function write(accountId: string, report: ExecutionReport): void {
    const entry = entryOfReport(report, market);
    if (entry === undefined) {
      // A pair whose row cannot be read may be one that was never traded before: without a word the history would pass it over.
      if (market.isUnread(report.s)) options.readHistory(accountId, report.s);
      return;
    }
    const before = queues.get(accountId) ?? Promise.resolve();
    const after = before
      .then(async () => {
        await appendTold(ledger, accountId, [entry]);
        valuer.later(accountId);
      })
      .catch((error: unknown) => {
        log.error({ err: error, tradeId: report.t }, 'a fill could not be written; the history is read instead');
        options.readHistory(accountId);
      })
      .finally(() => {
        if (queues.get(accountId) === after) queues.delete(accountId);
      });
    queues.set(accountId, after);
  }

  return {
    /** Listens to an account, with its newest keys; to one whose connection is gone no more. */
    watch: async (accountId: string): Promise<void> => {
      const account = await accounts.get(`live:${accountId}`).catch(() => undefined);
      const known = watched.get(accountId);
      if (known !== undefined && known.account === account) return;
      known?.stop();
      watched.delete(accountId);
      if (account === undefined) return;
      // Before the stream opens for the first time everything is a gap, whatever `gapMs` says.
      let isFirst = true;
      const late = timers.after(PATIENCE_MS, () => options.readHistory(accountId));
      const unlisten = account.listen({
        onExecution: (report) => {
          options.onReport(accountId, report);
          if (report.x !== 'TRADE') return;
          write(accountId, report);
          options.onFill(accountId);
        },
        onReady: (gapMs) => {
          late();
          if (isFirst) options.readHistory(accountId);
          else options.onBack(accountId, gapMs);
          isFirst = false;
        },
      });
      watched.set(accountId, {
        account,
        stop: () => {
          late();
          unlisten();
        },
      });
    },
    unwatch: (accountId: string): void => {
      watched.get(accountId)?.stop();
      watched.delete(accountId);
    },
    accounts: (): string[] => [...watched.keys()],
    /** Something was found that the account's stream should have reported. */
    doubt: (accountId: string, why: string): void => watched.get(accountId)?.account.doubt(why),
    /** Resolves when every fill reported so far is written. */
    written: async (accountId: string): Promise<void> => {
      await queues.get(accountId);
    },
    stop: async (): Promise<void> => {
      for (const { stop } of watched.values()) stop();
      watched.clear();
      await Promise.all(queues.values());
    },
  };
}
