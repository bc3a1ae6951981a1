import { AppError } from '@pilotfish/core/http/problem';
import { toText } from '@pilotfish/core/money/decimal';
import type { SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { coinNames } from '@pilotfish/core/prices/asset-tags';
import type { AppContext } from '../app/context.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { textOfUnread, type UnreadRow } from '../exchange/exchange-rows.ts';
import type { ExchangeConnectionStore } from '../exchange-connection/exchange-connection-store.ts';
import type { TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { Language } from '../http/texts.ts';
import type { Market } from '../market/market.ts';
import { weightPacer } from '../market/weight-pacer.ts';
import { accountWatch } from './account-watch.ts';
import { balanceCheck, type Compared } from './balance-check.ts';
import { differencesOf } from './broken-reasons.ts';
import { examinedDifferences } from './examined-differences.ts';
import { feeValuer } from './fee-valuer.ts';
import { historySync } from './history-sync.ts';
import type { Drifts } from './history-sync-gap.ts';
import { historyWishes } from './history-wishes.ts';
import type { LedgerStore } from './ledger-store.ts';
import { minuteRates } from './minute-rates.ts';
import { overridesStore } from './overrides-store.ts';
import { positionBooks } from './position-book.ts';
import { slowComparison } from './slow-comparison.ts';
import { tellSynced } from './sync-notices.ts';
import type { SyncProgress } from './sync-progress.ts';
import { syncStore } from './sync-store.ts';
import { transferHistory } from './transfer-history.ts';

/** Rows that are named of the lists that are read as they are now. */
const MOST_UNREAD = 100;
/** Pairs named in one message; of more, none is: whoever listens reads all of it anew. */
const MOST_SYMBOLS = 100;

export type PositionsParts = {
  readonly exchange: Exchange;
  readonly market: Market;
  readonly accounts: TradingAccounts;
  readonly connections: ExchangeConnectionStore;
  readonly ledger: LedgerStore;
  /** What the account pays for a sale of these pairs, fractions in decimal text, as far as that is known. */
  readonly takerFees: (accountId: string, symbols: readonly string[]) => Readonly<Record<string, string>>;
};
export type PositionsService = ReturnType<typeof positionsService>;

/** The ledger of each connected account kept true: what it hears, what it reads, and what it compares with the exchange. */
export function positionsService(context: AppContext, { exchange, market, accounts, connections, ledger, takerFees }: PositionsParts) {
  const { database, log, now, stream, accountExtras, texts, timers } = context;
  const overrides = overridesStore(database);
  const store = syncStore(database);
  const books = positionBooks({ ledger, overrides, market });
  const valuer = feeValuer({ store: ledger, rates: minuteRates({ exchange, market }), timers, log });
  // As fast as it gets, but never more than half of what the exchange allows: orders come first.
  const pacer = weightPacer({
    perMinute: Number.POSITIVE_INFINITY,
    limit: () => exchange.rest.weightLimit,
    used: () => exchange.rest.weightUsed,
    now,
    timers,
  });
  /** Signer and uid from one place: what is read with one key must not be written as read from the account of another. */
  const accountOf = async (accountId: string) => {
    const { signer, uid } = await accounts.get(`live:${accountId}`);
    return { signer, uid };
  };
  const signerOf = async (accountId: string) => (await accountOf(accountId)).signer;
  const withoutTransfers = exchange.hasWallet ? {} : { withoutTransfers: true };
  const followed = new Set<string>();
  let stopped = false;
  /** Called when the positions of an account may have changed. */
  const changed = new Set<(accountId: string) => void>();
  const examined = examinedDifferences();
  /** Open orders that could not be read when they were asked for last, by account. */
  const unreadOrders = new Map<string, readonly UnreadRow[]>();

  const transfers = transferHistory({ exchange, store, ledger, market, rates: minuteRates({ exchange, market }), pacer, timers, log });
  const sync = historySync({
    exchange,
    market,
    ledger,
    store,
    valuer,
    pacer,
    accountOf,
    readTransfers: transfers.read,
    onOpenOrders: (accountId, unread) => onOpenOrders(accountId, unread),
    onProgress: (accountId, progress) => publish(accountId, [], progress),
    onFinished: async (accountId) => {
      await tellSynced(context, accountId, await store.run(accountId));
      const compared = await check.compare(accountId);
      for (const look of changed) look(accountId);
      return driftsOf(compared);
    },
    drifts: async (accountId) => driftsOf(await check.look(accountId)),
    updatedBefore: (accountId, time) => check.updatedBefore(accountId, time),
    now,
    timers,
    log,
  });
  const wishes = historyWishes(sync.start, timers, log);
  const check = balanceCheck({
    exchange,
    market,
    signerOf,
    written: (accountId) => watch.written(accountId),
    flowsOf: async (accountId) => (await books.of(accountId)).flows,
    onCompared: (accountId, { differences }, before) => {
      const canLook = !sync.isRunning(accountId);
      const { fresh, isFirst } = examined.fresh(accountId, differences.values(), canLook);
      const hasChanged = fresh.length > 0 || differences.size !== (before?.differences.size ?? 0);
      if (hasChanged) publish(accountId, [], undefined);
      for (const look of changed) look(accountId);
      // A fill that was never reported shows here: what it may have been is read once. A coin that is gone is not held,
      // so its pairs are named; at the first time everything else was read just now.
      if (canLook && fresh.length > 0 && !isFirst) watch.doubt(accountId, 'balances moved without a word');
      if (canLook && fresh.length > 0) wishes.read(accountId, { assets: fresh.map(({ asset }) => asset), only: isFirst });
    },
    now,
    timers,
    log,
  });
  const watch = accountWatch({
    accounts,
    market,
    ledger,
    valuer,
    readHistory: (accountId, symbol) => wishes.read(accountId, symbol === undefined ? {} : { symbols: [symbol] }),
    onBack: (accountId, gapMs) => wishes.read(accountId, { gapSince: now() - gapMs }),
    onReport: sync.reported,
    onFill: (accountId) => check.poke(accountId),
    timers,
    log,
  });

  const slowly = slowComparison({
    accounts: watch.accounts,
    isBusy: sync.isRunning,
    check,
    weightLimit: () => exchange.rest.weightLimit,
    now,
    timers,
    log,
  });

  /** Pairs that a fill or a file names for the first time: what the exchange knows of them is read. */
  async function follow(accountId: string, symbols: readonly string[]): Promise<void> {
    const fresh = symbols.filter((symbol) => !followed.has(`${accountId} ${symbol}`));
    if (fresh.length === 0) return;
    for (const symbol of fresh) followed.add(`${accountId} ${symbol}`);
    const { uid } = await accountOf(accountId);
    const cursors = await store.cursors(accountId, uid);
    const unread = fresh.filter((symbol) => cursors.get(symbol)?.readAt == null && cursors.get(symbol)?.refused !== true);
    if (unread.length > 0) await sync.start(accountId, { symbols: unread, only: true });
  }

  function publish(accountId: string, symbols: readonly string[], progress: SyncProgress | undefined): void {
    const named = symbols.length > MOST_SYMBOLS ? [] : [...symbols];
    stream.publish(
      'positions',
      { symbols: named, ...(progress ? { sync: { ...progress, comparedAt: null, differences: [], ...withoutTransfers } } : {}) },
      accountId,
    );
  }
  const unlisten = ledger.onChange(({ accountId, symbols }) => {
    publish(accountId, symbols, undefined);
    if (stopped) return;
    for (const look of changed) look(accountId);
    follow(accountId, symbols).catch((error: unknown) => {
      // They are among those that are read the next time.
      for (const symbol of symbols) followed.delete(`${accountId} ${symbol}`);
      if (!(error instanceof AppError)) log.warn({ err: error }, 'a new pair could not be read');
    });
  });

  const comparedAt = (accountId: string): string | null => {
    const compared = check.last(accountId);
    return compared === undefined ? null : new Date(compared.at).toISOString();
  };
  const onOpenOrders = (accountId: string, unread: readonly UnreadRow[]): void => {
    if (unread.length > 0) unreadOrders.set(accountId, unread);
    else unreadOrders.delete(accountId);
  };
  const driftsOf = ({ drifts, unread, updatedAt }: Compared): Drifts | undefined => {
    const coinOf = coinNames(market.pairs());
    const names = unread.map((row) => textOfUnread(row, 'asset'));
    // One without a name may be of any coin that is missing.
    return names.includes(undefined) ? undefined : { drifts, unread: new Set(names.map((asset) => coinOf(asset ?? ''))), updatedAt };
  };
  /** What of the account could not be read: neither absent nor nothing. */
  const unreadIn = async (accountId: string): Promise<NonNullable<SyncStatus['unread']>> => {
    const connection = await connections.find(accountId);
    const histories = connection === undefined ? [] : await store.unread(accountId, connection.uid);
    const now = [...(check.last(accountId)?.unread ?? []), ...(unreadOrders.get(accountId) ?? [])];
    return [...now.slice(0, MOST_UNREAD), ...histories].map(({ list, name, field }) => ({ list, row: name, field }));
  };
  const syncStatus = async (accountId: string, language: Language): Promise<SyncStatus> => ({
    ...(await sync.progress(accountId)),
    comparedAt: comparedAt(accountId),
    differences: differencesOf(check.last(accountId), texts, language),
    unread: await unreadIn(accountId),
    ...withoutTransfers,
  });

  return {
    ledger,
    takerFees,
    overrides,
    books,
    sync,
    syncStore: store,
    check,
    valuer,
    accountOf,
    syncStatus,
    onOpenOrders,
    /**
     * What of the account does not add up, as far as that is known: while its history is read nothing counts as
     * unexplained, since what explains it may be on its way.
     */
    doubts: async (accountId: string): Promise<{ differences: { asset: string; difference: string }[]; historyFailed: string | null }> => {
      // Of earlier keys nothing is read any more, so nothing of them can be put right.
      if ((await connections.find(accountId)) === undefined) return { differences: [], historyFailed: null };
      const { state, error } = await sync.progress(accountId);
      const compared = state === 'running' ? undefined : check.last(accountId);
      return {
        differences: [...(compared?.differences.values() ?? [])]
          .sort((one, other) => (one.asset < other.asset ? -1 : 1))
          .map(({ asset, difference }) => ({ asset, difference: toText(difference) })),
        historyFailed: state === 'failed' ? (error ?? 'internal') : null,
      };
    },
    /** Hears of every account whose positions may have changed. */
    onChange: (listener: (accountId: string) => void): void => void changed.add(listener),
    /**
     * After an import, or one that was taken back: what the account holds is compared with the ledger as it is now.
     * Where the exchange does not answer nothing counts as explained until it does.
     */
    reconcile: async (accountId: string): Promise<void> => {
      if (!watch.accounts().includes(accountId)) return;
      await check.compare(accountId).catch((error: unknown) => {
        log.info({ reason: (error as Error).message }, 'balances could not be compared after an import');
        check.forget(accountId);
        check.poke(accountId);
      });
    },
    /** The account's balances changed: deposits and withdrawals show in no other way. */
    onBalances: (accountId: string): void => check.poke(accountId),
    /** After keys came, were replaced, or went. */
    connected: async (accountId: string): Promise<void> => {
      check.forget(accountId);
      examined.forget(accountId);
      sync.forget(accountId);
      unreadOrders.delete(accountId);
      // The keys may be of another account of the exchange: nothing was read of that.
      for (const key of followed) if (key.startsWith(`${accountId} `)) followed.delete(key);
      await watch.watch(accountId);
    },
    start: async (): Promise<void> => {
      accountExtras.beforeDelete.push(async (accountId) => {
        watch.unwatch(accountId);
        wishes.forget(accountId);
        check.forget(accountId);
        await sync.settled(accountId);
        sync.forget(accountId);
        books.forget(accountId);
        unreadOrders.delete(accountId);
      });
      for (const accountId of await connections.connectedAccounts()) await watch.watch(accountId);
      slowly.start();
    },
    stop: async (): Promise<void> => {
      stopped = true;
      await slowly.stop();
      wishes.stop();
      check.stop();
      valuer.stop();
      await sync.stop();
      await watch.stop();
      unlisten();
      books.stop();
    },
  };
}
