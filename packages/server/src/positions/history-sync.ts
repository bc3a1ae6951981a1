import { AppError } from '@pilotfish/core/http/problem';
import { decimal, isPositive } from '@pilotfish/core/money/decimal';
import { coinNames } from '@pilotfish/core/prices/asset-tags';
import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import { type Exchange, idAfterTrades, MY_TRADES_WEIGHT, TRADES_PER_PAGE } from '../exchange/exchange.ts';
import { ExchangeError, toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import { type Rows, requireRead, textOfUnread, type UnreadRow, unreadOf } from '../exchange/exchange-rows.ts';
import type { Signer } from '../exchange/signing.ts';
import type { Market } from '../market/market.ts';
import type { WeightPacer } from '../market/weight-pacer.ts';
import type { FeeValuer } from './fee-valuer.ts';
import type { MyTrade } from './fill-entries.ts';
import { accountPictures, type Drifts, isHidden, symbolsOfOrders, touchedByGap } from './history-sync-gap.ts';
import type { LedgerStore } from './ledger-store.ts';
import { freshCursor, pairPages } from './pair-pages.ts';
import { progressOf, type SyncProgress } from './sync-progress.ts';
import type { SyncRun, SyncStore } from './sync-store.ts';

/** Waits between tries of a question the exchange did not answer; after the last one the reading has failed. */
const RETRY_MS = [500, 2000, 5000, 15_000] as const;
/** A reading that failed for want of a connection is taken up again after this. */
const AGAIN_MS = 60_000;
/** Shortest time between two reports of progress. */
const PROGRESS_MS = 500;
const NOTHING: ReadonlySet<string> = new Set();

/** A connected account, as far as reading its history goes. */
export type SyncAccount = { readonly signer: Signer; readonly uid: string };
export type SyncWish = {
  /** From the first trade on: of the pairs named, or of every pair of the exchange. */
  readonly full?: boolean;
  readonly symbols?: readonly string[];
  /** Every pair that trades one of these for something else. */
  readonly assets?: readonly string[];
  /** Only the pairs named, and not the others that may have traded. */
  readonly only?: boolean;
  /** The account's stream is back from a gap that began then, epoch ms: what it can have touched is read, and nothing else. */
  readonly gapSince?: number;
};
export type HistorySync = ReturnType<typeof historySync>;

type Running = {
  /** With which keys it reads; see `keysNumber`. */
  readonly keys: number;
  run: SyncRun;
  symbol: string | null;
  added: string[];
  finished: Promise<void>;
  /** Every pair that may have traded is read; or, after a gap, those that it can have touched. */
  isComplete: boolean;
  isOfGap: boolean;
};

/**
 * Reads the trades of connected accounts pair by pair, each from where it was left. What was read stays, whatever
 * happens after; entries, cursor and progress are written together, so a restart goes on where the last page ended.
 */
export function historySync(options: {
  exchange: Pick<Exchange, 'account' | 'openOrders' | 'tradesFrom' | 'allocationsFrom' | 'mayBeRouted'>;
  market: Pick<Market, 'pair' | 'isUnread' | 'pairs' | 'loaded'>;
  ledger: LedgerStore;
  store: SyncStore;
  valuer: FeeValuer;
  pacer: WeightPacer;
  /** @throws AppError `not-connected` */
  accountOf: (accountId: string) => Promise<SyncAccount>;
  /** Deposits, withdrawals and whatever else moved assets; read after the trades. */
  readTransfers: (accountId: string, account: SyncAccount) => Promise<number>;
  /** Open orders of an account that could not be read. */
  onOpenOrders: (accountId: string, unread: readonly UnreadRow[]) => void;
  onProgress: (accountId: string, progress: SyncProgress) => void;
  /** Answers what the account holds beyond what the ledger explains, where it was compared. */
  onFinished: (accountId: string) => Promise<Drifts | undefined>;
  /** The same, while the ledger may lack something. @throws ExchangeError */
  drifts: (accountId: string) => Promise<Drifts | undefined>;
  /** When anything of the account had changed last at a time, epoch ms; undefined where that is not sure. */
  updatedBefore: (accountId: string, time: number) => number | undefined;
  now: () => number;
  log: Logger;
  timers: Pick<Timers, 'after' | 'wait'>;
}) {
  const { exchange, market, ledger, store, valuer, pacer, now, log } = options;
  const { wait } = options.timers;
  const running = new Map<string, Running>();
  const again = new Map<string, Cancel>();
  const reportedAt = new Map<string, number>();
  /** How often the keys of an account have changed: a reading with earlier keys ends without a result. */
  const keyChanges = new Map<string, number>();
  const pictures = accountPictures(now);
  let stopped = false;

  const keysNumber = (accountId: string): number => keyChanges.get(accountId) ?? 0;
  const hasOtherKeys = (accountId: string, keys: number): boolean => keysNumber(accountId) !== keys;
  /** @throws Stopped where what was just read must not be used: the server stops, or the account has other keys now */
  const requireCurrent = (accountId: string, keys: number): void => {
    if (stopped || hasOtherKeys(accountId, keys)) throw new Stopped();
  };
  const progressNow = (run: SyncRun | undefined, symbol: string | null): SyncProgress => progressOf(run, symbol, now());
  const report = (accountId: string, progress: SyncProgress, always: boolean) => {
    if (!always && now() - (reportedAt.get(accountId) ?? 0) < PROGRESS_MS) return;
    reportedAt.set(accountId, now());
    options.onProgress(accountId, progress);
  };

  /** Asks until there is an answer. @throws ExchangeError when it was refused, or tried often enough */
  async function patiently<Answer>(weight: number, ask: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      if (!(await pacer.take(weight))) throw new Stopped();
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof ExchangeError) || error.kind === 'refused') throw error;
        const pause = RETRY_MS[attempt];
        if (pause === undefined || stopped) throw error;
        if (error.kind === 'limited') pacer.pause(error.retryAfterMs ?? pause);
        await wait(Math.max(pause, error.kind === 'limited' ? (error.retryAfterMs ?? 0) : 0));
      }
    }
  }

  /** The account's open orders, remembered for the next gap. */
  async function openOrders(accountId: string, { signer }: SyncAccount, keys: number) {
    const orders = await patiently(80, () => exchange.openOrders(signer, undefined));
    requireCurrent(accountId, keys);
    options.onOpenOrders(accountId, unreadOf(orders));
    pictures.listed(accountId, orders);
    return orders;
  }

  /** Pairs an account may have traded: what it holds, orders, has traded before, or was reported; most likely first. */
  async function likely(accountId: string, account: SyncAccount, keys: number): Promise<string[]> {
    const { signer, uid } = account;
    const coinOf = coinNames(market.pairs());
    const { balances } = await patiently(20, () => exchange.account(signer));
    const holding = balances.filter(({ free, locked }) => isPositive(decimal(free)) || isPositive(decimal(locked)));
    const held = new Set([...holding.map(({ asset }) => asset), ...namedIn(balances, 'asset')].map(coinOf));
    const ordered = symbolsOfOrders(await openOrders(accountId, account, keys));
    const traded = (await ledger.symbols(accountId)).map(({ symbol }) => symbol);
    const cursors = [...(await store.cursors(accountId, uid)).values()];
    const followed = cursors.filter(({ trades, isAsked }) => trades > 0 || isAsked).map(({ symbol }) => symbol);
    const known = new Set(cursors.filter(({ readAt }) => readAt !== null).map(({ symbol }) => symbol));
    // A pair of a coin that is held, and that was read before without a trade, is reported by the account's stream.
    const possible = market.pairs().filter(({ baseAsset, symbol }) => held.has(baseAsset) && !known.has(symbol));
    return [...new Set([...ordered, ...traded, ...followed, ...possible.map(({ symbol }) => symbol)])];
  }

  /** Pairs that a gap can have touched; undefined where that cannot be said, and everything has to be read. */
  async function touched(accountId: string, account: SyncAccount, gapSince: number, keys: number) {
    const before = pictures.before(accountId, gapSince);
    if (!before) return undefined;
    const drifts = await patiently(20, () => options.drifts(accountId));
    // Last of what can fail: orders that this try has seen go would be missing in what the next one compares with.
    const orders = await openOrders(accountId, account, keys);
    // A reading that ended meanwhile may have pictured what the gap did.
    if (!drifts || !pictures.before(accountId, gapSince)) return undefined;
    const after = { ...drifts, orders: pictures.ordersOf(accountId) };
    const pairs = market.pairs();
    const symbols = touchedByGap(before, after, pairs, coinNames(pairs));
    // Not before the looks: what the account did during them is no trace of the gap, and its events make this unsure.
    if (symbols.length === 0 && isHidden(before, after, options.updatedBefore(accountId, gapSince))) return undefined;
    return {
      symbols: [...new Set([...symbols, ...namedIn(orders, 'symbol')])],
      isUnchanged: pictures.leftOver(accountId, drifts).size === 0,
    };
  }

  async function symbolsFor(accountId: string, account: SyncAccount, wish: SyncWish, keys: number): Promise<string[]> {
    const { full = false, symbols: named = [], assets = [], only = false } = wish;
    const symbols = [...named, ...market.pairs().flatMap(({ baseAsset, symbol }) => (assets.includes(baseAsset) ? [symbol] : []))];
    if (only || (full && isNamed(wish))) return [...new Set(symbols)];
    const first = [...symbols, ...(await likely(accountId, account, keys))];
    return [...new Set(full ? [...first, ...market.pairs().map(({ symbol }) => symbol)] : first)];
  }

  const pages = pairPages({ exchange, market, ledger, store, valuer, patiently, now, log });

  async function work(accountId: string, job: Running): Promise<void> {
    const account = await options.accountOf(accountId);
    const reading = {
      accountId,
      ...account,
      requireCurrent: () => requireCurrent(accountId, job.keys),
      onAdded: (count: number) => {
        job.run = { ...job.run, tradesFound: job.run.tradesFound + count };
      },
      onPage: () => report(accountId, progressNow(job.run, job.symbol), false),
    };
    reading.requireCurrent();
    while (job.run.remaining.length > 0 || job.added.length > 0) {
      if (job.added.length > 0) {
        const added = job.added.splice(0).filter((symbol) => !job.run.remaining.includes(symbol));
        job.run = { ...job.run, remaining: [...added, ...job.run.remaining], total: job.run.total + added.length };
      }
      const symbol = job.run.remaining[0];
      if (symbol === undefined) continue;
      job.symbol = symbol;
      report(accountId, progressNow(job.run, symbol), false);
      await pages.trades(reading, symbol);
      await pages.allocations(reading, symbol);
      job.run = { ...job.run, remaining: job.run.remaining.filter((each) => each !== symbol), done: job.run.done + 1 };
      await store.saveRun(accountId, job.run);
    }
    job.symbol = null;
    await options.readTransfers(accountId, account);
    reading.requireCurrent();
    await valuer.settle(accountId).then((left) => left > 0 && valuer.later(accountId));
  }

  async function carryOut(accountId: string, job: Running): Promise<void> {
    try {
      do {
        await work(accountId, job);
        job.run = { ...job.run, state: 'done', finishedAt: now(), error: null };
        await store.saveRun(accountId, job.run);
        // Asked for while the end was being written.
        if (job.added.length > 0) job.run = { ...job.run, state: 'running', finishedAt: null };
      } while (job.added.length > 0);
    } catch (error) {
      // The next start finds it running and goes on. With other keys that start comes at once, whatever the old ones failed of.
      if (hasOtherKeys(accountId, job.keys)) running.delete(accountId);
      if (stopped || error instanceof Stopped || hasOtherKeys(accountId, job.keys)) return;
      const problem = error instanceof AppError ? error : toAppErrorFromExchange(error);
      log.warn(
        { code: problem.code, reason: (error as Error).message, left: job.run.remaining.length },
        'a trade history could not be read',
      );
      if (problem.code === 'internal') log.error({ err: error }, 'reading a trade history failed');
      job.run = { ...job.run, state: 'failed', finishedAt: now(), error: problem.code };
      if (problem.family === 'connectivity') tryAgain(accountId);
      await store
        .saveRun(accountId, job.run)
        .catch((failure: unknown) => log.error({ err: failure }, 'the end of a reading could not be written'));
    }
    running.delete(accountId);
    if (hasOtherKeys(accountId, job.keys)) return;
    const drifts = await options.onFinished(accountId).catch((error: unknown) => {
      log.warn({ err: error }, 'what was read could not be compared');
      return undefined;
    });
    if (hasOtherKeys(accountId, job.keys)) return;
    report(accountId, progressNow(job.run, null), true);
    if (job.run.state === 'done' && drifts) judge(accountId, job, drifts);
  }

  /** Keeps what everything was read for; what a gap did and its pairs do not explain has everything read. */
  function judge(accountId: string, { isComplete, isOfGap }: Running, drifts: Drifts): void {
    const left = isOfGap ? pictures.leftOver(accountId, drifts) : NOTHING;
    // A complete reading that a gap came into may have read the pair before.
    if (left.size > 0 && !stopped) {
      log.info({ accountId, coins: [...left] }, 'what a gap did is in no pair that it can have touched');
      start(accountId).catch(() => tryAgain(accountId));
    } else if (isComplete) pictures.complete(accountId, drifts);
  }

  function tryAgain(accountId: string): void {
    again.get(accountId)?.();
    again.set(
      accountId,
      options.timers.after(AGAIN_MS, () => void start(accountId).catch(() => undefined)),
    );
  }

  function launch(accountId: string, run: SyncRun, kind: Pick<Running, 'keys' | 'isComplete' | 'isOfGap'>): Running {
    const job: Running = { run, symbol: null, added: [], finished: Promise.resolve(), ...kind };
    running.set(accountId, job);
    job.finished = carryOut(accountId, job);
    return job;
  }

  /** One reading at a time: what is asked for meanwhile is added to it. Begins again where the account gets other keys meanwhile. */
  async function start(accountId: string, wish: SyncWish = {}): Promise<SyncProgress> {
    for (;;) {
      const keys = keysNumber(accountId);
      const job = running.get(accountId);
      // A reading with earlier keys reads nothing for these: it ends with its next answer.
      if (job !== undefined && job.keys !== keys) await job.finished;
      else
        try {
          return await begin(accountId, wish, keys);
        } catch (error) {
          if (stopped || !hasOtherKeys(accountId, keys)) throw error;
        }
    }
  }

  async function begin(accountId: string, wish: SyncWish, keys: number): Promise<SyncProgress> {
    if (!market.loaded) throw new AppError('exchange-unreachable');
    const account = await options.accountOf(accountId);
    const before = await store.run(accountId);
    const asked = (error: unknown): never => {
      throw error instanceof ExchangeError ? toAppErrorFromExchange(error) : error;
    };
    const gap = wish.gapSince === undefined ? undefined : await touched(accountId, account, wish.gapSince, keys).catch(asked);
    const symbols = gap?.symbols ?? (await symbolsFor(accountId, account, wish, keys).catch(asked));
    const isQuiet = gap?.isUnchanged === true && symbols.length === 0 && (before?.state ?? 'done') === 'done';
    if (isQuiet && !running.has(accountId)) return progressNow(before, null);
    const kind = {
      keys,
      isComplete: gap === undefined && wish.only !== true && (wish.full !== true || !isNamed(wish)),
      isOfGap: gap !== undefined,
    };
    // Not before: a start that fails must not take the next try of an earlier reading with it.
    again.get(accountId)?.();
    const cursors = await store.cursors(accountId, account.uid);
    for (const symbol of symbols) {
      const cursor = cursors.get(symbol) ?? freshCursor(symbol);
      const isAsked = cursor.isAsked || (wish.symbols?.includes(symbol) === true && wish.only !== true);
      if (wish.full === true) {
        await store.saveCursor(accountId, account.uid, { ...cursor, nextTradeId: '0', trades: 0, readAt: null, isAsked });
        if (exchange.mayBeRouted(symbol))
          await store.together((queries) => store.saveTransferCursor(accountId, account.uid, `allocations ${symbol}`, 0, queries));
      }
      if (wish.full !== true && isAsked !== cursor.isAsked) await store.saveCursor(accountId, account.uid, { ...cursor, isAsked });
    }
    /** Along with one that runs already. */
    const join = (job: Running): SyncProgress => {
      job.added.push(...symbols);
      job.isComplete ||= kind.isComplete;
      job.isOfGap ||= kind.isOfGap;
      return progressNow(job.run, job.symbol);
    };
    const job = running.get(accountId);
    if (job !== undefined) return join(job);
    // What an earlier reading could not do is done along.
    const left = before !== undefined && before.state !== 'done' ? before.remaining : [];
    const remaining = [...new Set([...symbols, ...left])];
    const run: SyncRun = {
      state: 'running',
      remaining,
      done: 0,
      total: remaining.length,
      tradesFound: 0,
      startedAt: now(),
      finishedAt: null,
      error: null,
    };
    requireCurrent(accountId, keys);
    await store.saveRun(accountId, run);
    requireCurrent(accountId, keys);
    const meanwhile = running.get(accountId);
    if (meanwhile !== undefined) return join(meanwhile);
    const launched = launch(accountId, run, kind);
    report(accountId, progressNow(run, null), true);
    return progressNow(launched.run, null);
  }

  return {
    start,
    progress: async (accountId: string): Promise<SyncProgress> => {
      const job = running.get(accountId);
      return job === undefined ? progressNow(await store.run(accountId), null) : progressNow(job.run, job.symbol);
    },
    isRunning: (accountId: string): boolean => running.has(accountId),
    /** An event of the account's stream about one of its orders. */
    reported: pictures.reported,
    /** Its keys are others, maybe of another account of the exchange: readings with the old ones end, unread pairs stay to be read. */
    forget: (accountId: string): void => {
      keyChanges.set(accountId, keysNumber(accountId) + 1);
      pictures.forget(accountId);
    },
    /** Trades of one pair from an id on, to the end: for a calculation. @throws AppError */
    tradesOf: async (accountId: string, symbol: string, fromId: string): Promise<MyTrade[]> => {
      const { signer } = await options.accountOf(accountId);
      const all: MyTrade[] = [];
      for (let next = fromId; ; ) {
        const page = await patiently(MY_TRADES_WEIGHT, () => exchange.tradesFrom(signer, symbol, next))
          // A calculation without one of the trades would be of something else.
          .then((rows) => requireRead(rows) ?? rows)
          .catch((error: unknown) => {
            throw error instanceof ExchangeError ? toAppErrorFromExchange(error) : error;
          });
        all.push(...page);
        const after = idAfterTrades(page);
        if (page.length < TRADES_PER_PAGE || after === undefined) return all;
        next = after;
      }
    },
    /** Resolves when nothing is read for the account any more. */
    settled: async (accountId: string): Promise<void> => {
      while (running.has(accountId)) await running.get(accountId)?.finished;
    },
    stop: async (): Promise<void> => {
      stopped = true;
      pacer.stop();
      for (const cancel of again.values()) cancel();
      await Promise.all([...running.values()].map((job) => job.finished));
    },
  };
}

/** Pairs are named, by themselves or by what they trade. */
const isNamed = ({ symbols = [], assets = [] }: SyncWish): boolean => symbols.length + assets.length > 0;

/** What rows that could not be read are about, as far as they say. */
const namedIn = (rows: Rows<unknown>, field: string): string[] => unreadOf(rows).flatMap((row) => textOfUnread(row, field) ?? []);

class Stopped extends Error {}
