import { AppError } from '@pilotfish/core/http/problem';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import type { Exchange } from '../exchange/exchange.ts';
import { WRONG_TIME } from '../exchange/exchange-rest.ts';
import type { ExecutionReport } from '../exchange/payloads.ts';
import { type Signer, signerFor } from '../exchange/signing.ts';
import { type UserStream, userStream } from '../exchange/user-stream.ts';
import type { Keys, OwnedKeys } from './exchange-connection-store.ts';
import { missedReports } from './missed-reports.ts';
import { streamDoubts } from './stream-doubts.ts';

/** An account at the exchange that orders are signed for: a user's own, or that of a paper wallet. */
export type AccountKey = `live:${string}` | `paper:${string}`;

export type AccountListener = {
  readonly onExecution: (report: ExecutionReport) => void;
  /** The stream is live, for the first time (0) or after `gapMs` in which events may have been missed. */
  readonly onReady: (gapMs: number) => void;
};

export type TradingAccount = {
  readonly key: AccountKey;
  readonly signer: Signer;
  /** The exchange's own number of the account that the signer signs for; '' where it names none, and on paper. */
  readonly uid: string;
  /** Listens to executions; the stream opens with the first listener and stays. */
  listen(listener: AccountListener): () => void;
  readonly streaming: boolean;
  /** An order of ours was taken: its event must come by the stream within seconds. */
  expect(clientOrderId: string): void;
  /** What the stream should have told was found in another way. */
  doubt(why: string): void;
};

/**
 * Accounts in use, opened once each. Keys are read and opened here, where requests are signed, and nowhere else.
 */
export function tradingAccounts(options: {
  exchange: Exchange;
  keys: (key: AccountKey) => Promise<Keys | OwnedKeys | undefined>;
  now: () => number;
  timers: Timers;
  log: Logger;
  onBalances?: (key: AccountKey) => void;
  /** Hears of every execution, after those who listen to its account. */
  onExecution?: (report: ExecutionReport) => void;
}) {
  const { exchange, log } = options;
  const open = new Map<AccountKey, { account: TradingAccount; close(): void }>();
  /** How often keys were forgotten: those that were read before are not opened after. */
  let forgotten = 0;

  function create(key: AccountKey, keys: Keys | OwnedKeys): { account: TradingAccount; close(): void } {
    const isPaper = key.startsWith('paper:');
    const signer: Signer = { ...signerFor(keys.apiKey, keys.apiSecret), isPaper };
    const listeners = new Set<AccountListener>();
    let stream: UserStream | undefined;
    const reports = missedReports({
      now: options.now,
      timers: options.timers,
      ask: (gapMs) => {
        for (const each of listeners) each.onReady(gapMs);
      },
    });
    const doubts = streamDoubts({
      isReady: () => stream?.ready === true,
      renew: (why) => {
        log.warn({ key: key.slice(0, 5), why }, 'the account stream is open and does not tell everything; it moves to another connection');
        stream?.renew();
      },
      now: options.now,
      timers: options.timers,
    });
    const account: TradingAccount = {
      key,
      signer,
      uid: 'uid' in keys ? keys.uid : '',
      listen: (listener) => {
        listeners.add(listener);
        stream ??= userStream({
          lanes: exchange.lanesOf(signer),
          signer,
          // Its owner is not the only one who listens: a bot trades on it.
          isUrgent: () => listeners.size > 1,
          now: options.now,
          timers: options.timers,
          onExecution: (report) => {
            doubts.spoke(report.C === '' ? report.c : report.C);
            for (const each of listeners) each.onExecution(report);
            options.onExecution?.(report);
          },
          onUnread: (rows) => {
            exchange.unread(rows);
            reports.missed();
          },
          onBalances: () => {
            doubts.spoke();
            options.onBalances?.(key);
          },
          onReady: (gapMs) => {
            for (const each of listeners) each.onReady(gapMs);
          },
          onRefused: (code, message) => {
            // The monotonic clock stands still while a machine sleeps: until the time is asked for anew, every try is refused.
            if (code === WRONG_TIME) void exchange.rest.syncClock().catch(() => undefined);
            log.warn({ key: key.slice(0, 5), code, message }, 'the account stream was refused');
          },
          onDown: (reason) => log.info({ reason }, 'the account stream is down; reconnecting'),
        });
        return () => void listeners.delete(listener);
      },
      get streaming() {
        return stream?.ready ?? false;
      },
      expect: (clientOrderId) => doubts.expect(clientOrderId),
      doubt: (why) => doubts.doubt(why),
    };
    const close = (): void => {
      doubts.stop();
      reports.stop();
      stream?.close();
    };
    return { account, close };
  }

  return {
    /** @throws AppError `not-connected` when there are no keys for it */
    get: async (key: AccountKey): Promise<TradingAccount> => {
      for (;;) {
        const known = open.get(key);
        if (known) return known.account;
        const before = forgotten;
        const keys = await options.keys(key);
        if (forgotten !== before || open.has(key)) continue;
        if (!keys) throw new AppError('not-connected');
        const created = create(key, keys);
        open.set(key, created);
        return created.account;
      }
    },
    /** Whose requests a signer signs; undefined after its keys were forgotten. */
    keyOf: (signer: Signer): AccountKey | undefined => [...open.values()].find(({ account }) => account.signer === signer)?.account.key,
    /** After keys changed or went: the next use reads them anew. */
    forget: (key: AccountKey): void => {
      forgotten += 1;
      const known = open.get(key);
      open.delete(key);
      known?.close();
    },
    close: (): void => {
      for (const each of open.values()) each.close();
      open.clear();
    },
  };
}
export type TradingAccounts = ReturnType<typeof tradingAccounts>;
