import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/auto-trade-config';
import type { AutoTradeEvent } from '@pilotfish/core/auto-trades/auto-trade-machine';
import { effectiveLadder, type RuleFacts, violatedRules } from '@pilotfish/core/auto-trades/config-rules';
import { positionIdOfOrder } from '@pilotfish/core/auto-trades/position-ids';
import type { TapeRecord } from '@pilotfish/core/auto-trades/tape';
import { AppError } from '@pilotfish/core/http/problem';
import { compare, decimal } from '@pilotfish/core/money/decimal';
import type { AppContext } from '../app/context.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError, toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import type { ExecutionReport } from '../exchange/payloads.ts';
import type { ExchangeConnectionStore } from '../exchange-connection/exchange-connection-store.ts';
import type { AccountKey, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { Market } from '../market/market.ts';
import type { WalletRow, WalletsStore } from '../wallets/wallets-store.ts';
import { type AutoTradesStore, autoTradesStore, type BotRow } from './auto-trades-store.ts';
import { notReady, type RunningBot, runBot } from './bot-runner.ts';
import { endedStatus, orderExecutor } from './order-executor.ts';
import { orderIntentsStore } from './order-intents-store.ts';
import { type Committed, stepWriter } from './step-writer.ts';

const DEFAULT_TAKER = '0.001';
const RELOAD_MS = 5000;
const WAIT_FOR_MARKET_MS = 1000;

export type AutoTradeParts = {
  readonly exchange: Exchange;
  readonly market: Market;
  readonly accounts: TradingAccounts;
  readonly connections: ExchangeConnectionStore;
  readonly wallets: WalletsStore;
  readonly tape?: ((autoTradeId: string, record: TapeRecord) => void) | undefined;
};

export type AutoTradesService = ReturnType<typeof autoTradesService>;

export const accountKeyOf = (wallet: WalletRow): AccountKey => (wallet.mode === 'live' ? `live:${wallet.accountId}` : `paper:${wallet.id}`);

/** The bots of this process: which run, what they are told, and how their decisions become orders. */
export function autoTradesService(context: AppContext, parts: AutoTradeParts) {
  const { database, log, newId, now, stream } = context;
  const { exchange, market, accounts, connections, wallets } = parts;
  const store: AutoTradesStore = autoTradesStore(database);
  const intents = orderIntentsStore(database);
  const running = new Map<string, RunningBot>();
  const halted = new Set<string>();
  let stopped = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const executor = orderExecutor({
    exchange,
    accounts,
    store: intents,
    isHalted: (id) => halted.has(id),
    deliver: (id, input) => running.get(id)?.order(input),
    onKeyRefused: (id) => void apply(id, { type: 'bot.blocked', reason: 'invalid-key' }),
    onUnderfunded: (id) => void apply(id, { type: 'bot.blocked', reason: 'underfunded' }),
    now,
    log,
  });
  let writer = newWriter();

  function newWriter() {
    return stepWriter({
      database,
      store,
      intents,
      wallets,
      newId,
      onCommitted,
      onFailed: (error) => {
        log.fatal({ err: error }, 'bot steps could not be written: all bots stand still until they are loaded anew');
        for (const bot of running.values()) bot.stop();
        running.clear();
        wallets.forget();
        writer = newWriter();
        tryAgain();
      },
    });
  }

  function onCommitted(committed: readonly Committed[]): void {
    for (const { record, traces, intents: written } of committed) {
      const bot = running.get(record.autoTradeId);
      for (const intent of written) executor.submit(intent);
      if (bot && (traces.length > 0 || record.step.from !== record.step.state)) {
        stream.publish(
          'auto-trades',
          { autoTradeId: record.autoTradeId, state: stateName(bot.state), traces: [...traces] },
          record.accountId,
        );
      }
      if (bot?.state === 'disabled' && bot.engine.openPositions === 0) void deactivate(record.autoTradeId);
    }
  }

  /** Stores an event of a bot's machine and lets the running bot follow it. */
  async function apply(id: string, event: AutoTradeEvent): Promise<boolean> {
    const bot = running.get(id);
    const next = bot?.apply(event);
    if (!bot || !next) return false;
    await store.saveState(id, next.state, next.context, now());
    stream.publish('auto-trades', { autoTradeId: id, state: stateName(next.state), traces: [] }, bot.bot.accountId);
    return true;
  }

  function onExecution(id: string, report: ExecutionReport): void {
    const bot = running.get(id);
    const clientOrderId = report.C === '' ? report.c : report.C;
    if (!bot || positionIdOfOrder(clientOrderId) === undefined || bot.executedOf(clientOrderId) === undefined) return;
    const orderId = String(report.i);
    if (report.x === 'NEW') bot.order({ type: 'accepted', clientOrderId, orderId });
    if (report.x === 'TRADE') {
      bot.order({
        type: 'filled',
        clientOrderId,
        orderId,
        tradeId: String(report.t),
        price: report.L,
        quantity: report.l,
        quoteQuantity: report.Y,
        fee: report.n,
        feeAsset: report.N ?? '',
        feeInQuote: null,
        at: report.T,
      });
    }
    const status = endedStatus(report.X);
    if (!status) return;
    const executed = bot.executedOf(clientOrderId);
    if (executed !== undefined && compare(decimal(executed), decimal(report.z)) === 0) {
      bot.order({ type: 'ended', clientOrderId, status, code: status === 'REJECTED' ? report.r : null, at: report.T });
    } else void reconcileOrder(id, clientOrderId);
  }

  async function reconcileOrder(id: string, clientOrderId: string): Promise<void> {
    const intent = await intents.intentOf(clientOrderId);
    if (intent) await executor.reconcile(intent);
    else running.get(id)?.order({ type: 'lost', clientOrderId, code: 'NO_INTENT' });
  }

  /** Asks for every order in flight; one whose cancel was wanted and which still stands is cancelled again. */
  async function reconcile(bot: RunningBot): Promise<void> {
    for (const { symbol, order } of bot.inFlight()) {
      await reconcileOrder(bot.bot.id, order.clientOrderId);
      if (order.cancelRequested && bot.executedOf(order.clientOrderId) !== undefined) {
        const intent = await intents.intentOf(order.clientOrderId);
        if (intent) executor.submit({ ...intent, kind: 'cancel', symbol });
      }
    }
  }

  async function activate(row: BotRow): Promise<RunningBot> {
    const known = running.get(row.id);
    if (known) return known;
    const wallet = await wallets.find(row.accountId, row.walletId);
    if (!wallet) throw notReady('The wallet of this bot is gone.');
    const account = await accounts.get(accountKeyOf(wallet));
    const positions = await store.positions(row.id, { runNo: row.context.runNo });
    // The newest position of each coin: closed ones for their cooldown, the others to go on.
    const newest = new Map<string, (typeof positions)[number]>();
    for (const position of positions) {
      const other = newest.get(position.symbol);
      if (!other || other.number < position.number) newest.set(position.symbol, position);
    }
    const held = [...newest.values()]
      .filter((position) => position.state !== 'closed' && position.state !== 'detached')
      .map((position) => position.symbol);
    const symbols = [...new Set([...row.config.coins.symbols, ...held])];
    const pairs = symbols.flatMap((symbol) => market.pair(symbol) ?? []);
    if (pairs.length < symbols.length) throw notReady('The exchange does not list every coin of this bot.');
    const configs = new Map<number, AutoTradeConfig>();
    for (const version of new Set([row.configVersion, ...[...newest.values()].map((position) => position.configVersion)])) {
      configs.set(version, await store.config(row.id, version));
    }
    const book = await wallets.book(wallet);
    const lastSeq = await store.lastSeq(row.id);
    const again = running.get(row.id);
    if (again) return again;
    const tape = parts.tape;
    const bot = runBot(
      {
        bot: row,
        wallet: book,
        walletMode: wallet.mode,
        accountKey: accountKeyOf(wallet),
        pairs,
        positions: [...newest.values()],
        configs,
        lastSeq,
      },
      { market, writer, now, log, tape: tape && ((record) => tape(row.id, record)) },
    );
    running.set(row.id, bot);
    try {
      for (const { symbol } of pairs) bot.observe(symbol, await exchange.moment(symbol));
      // Orders in flight first: nothing is decided before it is known what became of them.
      await reconcile(bot);
      await bot.begin(account, {
        onExecution: (report) => onExecution(row.id, report),
        onReady: (gapMs) => {
          if (gapMs > 0) void reconcile(bot);
        },
      });
    } catch (error) {
      // Half activated is worse than not: the next try begins anew.
      await deactivate(row.id);
      throw error instanceof ExchangeError ? toAppErrorFromExchange(error) : error;
    }
    return bot;
  }

  /** Bots whose exchange could not be reached come back when it can. */
  function tryAgain(): void {
    if (stopped || retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      void start();
    }, RELOAD_MS);
  }

  /** Out of reach of ticks and orders first, then whatever it had decided is written. */
  async function deactivate(id: string): Promise<void> {
    const bot = running.get(id);
    running.delete(id);
    bot?.stop();
    await writer.settled();
  }

  async function start(): Promise<void> {
    if (stopped) return;
    if (!market.loaded) {
      retry = setTimeout(() => {
        retry = undefined;
        void start();
      }, WAIT_FOR_MARKET_MS);
      return;
    }
    try {
      for (const halt of await intents.halts()) halted.add(halt.scope_id);
      for (const row of await store.all()) {
        const open = (await store.positions(row.id, { runNo: row.context.runNo })).some((each) => OCCUPIED.has(each.state));
        if (!open && (row.state === 'disabled' || row.state === 'halted' || row.state === 'draft')) continue;
        await activate(row).catch((error: unknown) => {
          log.error({ err: error, autoTradeId: row.id }, 'a bot could not be activated; trying again');
          tryAgain();
        });
      }
      log.info({ bots: running.size }, 'bots are running');
    } catch (error) {
      log.error({ err: error }, 'bots could not be started; trying again');
      tryAgain();
    }
  }

  return {
    store,
    ordersSince: intents.ordersSince,
    running: (id: string): RunningBot | undefined => running.get(id),
    start,
    /** Ends listening, writes what is decided, and leaves orders in flight to the next start. */
    stop: async (): Promise<void> => {
      stopped = true;
      clearTimeout(retry);
      for (const bot of running.values()) bot.stop();
      await writer.settled();
      executor.stop();
      await Promise.race([executor.idle(), new Promise<void>((done) => setTimeout(done, 3000).unref())]);
      await writer.settled();
      running.clear();
    },
    facts: async (
      accountId: string,
      config: Pick<AutoTradeConfig, 'walletId'>,
      takerFee: string,
    ): Promise<RuleFacts & { walletRow: WalletRow | undefined }> => {
      const walletRow = await wallets.find(accountId, config.walletId);
      return {
        pair: (symbol) => market.pair(symbol),
        price: (symbol) => market.price(symbol),
        takerFee,
        wallet: walletRow && (await wallets.book(walletRow)),
        walletRow,
      };
    },
    check: (config: AutoTradeConfig, facts: RuleFacts) => ({
      violations: violatedRules(config, facts),
      ladder: effectiveLadder(config, facts),
    }),
    /** The taker fee of the account that would trade; the exchange's standard one when it cannot be asked. */
    takerFee: async (wallet: WalletRow | undefined, symbol: string): Promise<string> => {
      if (!wallet) return DEFAULT_TAKER;
      try {
        const { signer } = await accounts.get(accountKeyOf(wallet));
        const { standardCommission } = await exchange.commission(signer, symbol);
        return standardCommission.taker;
      } catch {
        return DEFAULT_TAKER;
      }
    },
    enable: async (row: BotRow, acknowledge: boolean): Promise<void> => {
      if (!market.loaded) throw new AppError('exchange-unreachable');
      const wallet = await wallets.find(row.accountId, row.walletId);
      if (!wallet) throw notReady('The wallet of this bot is gone.');
      if (wallet.mode === 'live') {
        const connection = await connections.find(row.accountId);
        if (!connection) throw new AppError('not-connected');
        if (connection.permissions.enableSpotAndMarginTrading !== true) throw new AppError('trading-disabled');
        const { signer } = await accounts.get(accountKeyOf(wallet));
        const held = await exchange.account(signer).catch((error: unknown) => {
          throw toAppErrorFromExchange(error);
        });
        const free = held.balances.find((balance) => balance.asset === wallet.currency)?.free ?? '0';
        const book = await wallets.book(wallet);
        if (compare(decimal(free), decimal(book.sums.free)) < 0)
          throw new AppError('underfunded', { parameters: { held: free, planned: book.sums.free, currency: wallet.currency } });
      }
      if (row.context.mustAcknowledge && !acknowledge) throw notReady('The last run was halted; acknowledge that to enable the bot again.');
      const bot = await activate(row);
      if (acknowledge) {
        await intents.liftHalt(row.id);
        halted.delete(row.id);
      }
      bot.resume();
      if (bot.state === 'running') return;
      const event: AutoTradeEvent =
        bot.state === 'blocked'
          ? { type: 'block.cleared' }
          : bot.state === 'paused'
            ? { type: 'pause.ended' }
            : { type: 'bot.enabled', acknowledge };
      if (!(await apply(row.id, event))) throw notReady(`A bot in state ${bot.state} cannot be enabled.`);
    },
    /** An event for a bot that may or may not be running. */
    change: async (row: BotRow, event: AutoTradeEvent): Promise<boolean> => {
      if (!running.has(row.id)) await activate(row);
      const changed = await apply(row.id, event);
      const bot = running.get(row.id);
      if (bot?.state === 'disabled' && bot.engine.openPositions === 0) await deactivate(row.id);
      return changed;
    },
    /** From the commit on nothing is signed for these bots; the flag is up before the commit, so not after it either. */
    halt: async (rows: readonly BotRow[], reason: string): Promise<void> => {
      for (const row of rows) halted.add(row.id);
      try {
        await database.transaction(async (queries) => {
          for (const row of rows) {
            await intents.halt(row.id, row.accountId, reason, now(), queries);
            await store.saveState(
              row.id,
              'halted',
              { ...row.context, reason: reason || 'kill-switch', pausedUntil: null, mustAcknowledge: true },
              now(),
              queries,
            );
          }
        });
      } catch (error) {
        for (const row of rows) halted.delete(row.id);
        throw error;
      }
      for (const row of rows) {
        const bot = running.get(row.id);
        bot?.apply({ type: 'bot.halted', reason: reason || 'kill-switch' });
        stream.publish('auto-trades', { autoTradeId: row.id, state: 'Halted', traces: [] }, row.accountId);
      }
    },
    detachAll: async (row: BotRow): Promise<void> => {
      const bot = await activate(row);
      bot.detachAll();
      await writer.settled();
    },
    deactivate,
    activate,
    settled: async (): Promise<void> => {
      await executor.idle();
      await writer.settled();
    },
    /** After new keys: live bots listen and sign by them. */
    rebind: async (accountId: string): Promise<void> => {
      for (const row of await store.list(accountId)) {
        if (running.get(row.id)?.accountKey !== `live:${accountId}`) continue;
        await deactivate(row.id);
        await activate(row);
      }
    },
    /** True while live bots of an account hold positions or orders: another account's keys would lose them. */
    inUse: async (accountId: string): Promise<boolean> => {
      for (const row of await store.list(accountId)) {
        const wallet = await wallets.find(accountId, row.walletId);
        if (wallet?.mode !== 'live') continue;
        if (row.state === 'running') return true;
        if ((await store.positions(row.id, { runNo: row.context.runNo })).some((each) => OCCUPIED.has(each.state))) return true;
      }
      return false;
    },
    botsByState: async (): Promise<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const row of await store.all()) counts[stateName(row.state)] = (counts[stateName(row.state)] ?? 0) + 1;
      return counts;
    },
  };
}

/** States of a position that hold money or an order. */
export const OCCUPIED: ReadonlySet<string> = new Set(['entryPending', 'open', 'protected', 'reducing', 'exitPending', 'needsAttention']);

const NAMES = {
  draft: 'Draft',
  disabled: 'Disabled',
  running: 'Running',
  paused: 'Paused',
  blocked: 'Blocked',
  halted: 'Halted',
  deleted: 'Deleted',
} as const;
export const stateName = (state: keyof typeof NAMES) => NAMES[state];
