import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/auto-trade-config';
import {
  type AutoTradeContext,
  type AutoTradeEvent,
  type AutoTradeStateName,
  advanceAutoTrade,
  mayTrade,
  opensPositions,
} from '@pilotfish/core/auto-trades/auto-trade-machine';
import { violatedRules } from '@pilotfish/core/auto-trades/config-rules';
import { effectiveLadder } from '@pilotfish/core/auto-trades/effective-ladder';
import type { RuleFacts } from '@pilotfish/core/auto-trades/rule-facts';
import type { TapeRecord } from '@pilotfish/core/auto-trades/tape';
import { AppError } from '@pilotfish/core/http/problem';
import { compare, decimal } from '@pilotfish/core/money/decimal';
import type { AppContext } from '../app/context.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError, toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import type { ExchangeConnectionStore } from '../exchange-connection/exchange-connection-store.ts';
import type { AccountKey, TradingAccount, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { Market } from '../market/market.ts';
import type { WalletRow, WalletsStore } from '../wallets/wallets-store.ts';
import { IDLE, OCCUPIED, stateName } from './auto-trade-states.ts';
import { type AutoTradesStore, autoTradesStore, type BotRow } from './auto-trades-store.ts';
import { type BotStart, notReady, type RunningBot, runBot } from './bot-runner.ts';
import { orderExecutor } from './order-executor.ts';
import { orderIntentsStore } from './order-intents-store.ts';
import { orderReports } from './order-reports.ts';
import { type Committed, stepWriter } from './step-writer.ts';

const DEFAULT_TAKER = '0.001';
const RELOAD_MS = 5000;
const WAIT_FOR_MARKET_MS = 1000;
/** How long a bot waits for what became of its orders before it begins with the positions that have none. */
const RECONCILE_PATIENCE_MS = 10_000;

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
  /** Bots under a kill switch: of none of them is an order signed. */
  const halted = new Set<string>();
  /** How often each bot was halted and how often its row changed: what was begun before does not undo what came after. */
  const halts = new Map<string, number>();
  const changes = new Map<string, number>();
  const count = (counts: Map<string, number>, id: string) => counts.get(id) ?? 0;
  const bump = (counts: Map<string, number>, id: string) => void counts.set(id, count(counts, id) + 1);
  const activations = new Map<string, Promise<RunningBot>>();
  let haltsLoaded = false;
  let saving: Promise<unknown> = Promise.resolve();
  let stopped = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const executor = orderExecutor({
    exchange,
    accounts,
    store: intents,
    refusal: (id, order) => {
      if (halted.has(id)) return 'HALTED';
      const bot = running.get(id);
      if (bot && !mayTrade(bot.state, bot.context)) return 'FROZEN';
      return order.purpose === 'entry' && !(bot && opensPositions(bot.state)) ? 'WITHDRAWN' : undefined;
    },
    deliver: (id, input) => running.get(id)?.order(input),
    onKeyRefused: (id) => unattended(apply(id, { type: 'bot.blocked', reason: 'invalid-key' })),
    onUnderfunded: (id) => unattended(apply(id, { type: 'bot.blocked', reason: 'underfunded' })),
    now,
    log,
  });
  const reports = orderReports({ running, intents, executor, settled: () => writer.settled() });
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

  /** Nobody waits for it: a failure is written down. */
  function unattended(work: Promise<unknown>): void {
    work.catch((error: unknown) => log.error({ err: error }, 'a bot could not follow an event'));
  }

  /** States of bots are written one after the other, in the order in which they were decided. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = saving.then(work);
    saving = result.catch(() => undefined);
    return result;
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
      if (bot?.state === 'disabled' && bot.engine.openPositions === 0) unattended(deactivate(record.autoTradeId));
    }
  }

  /** Stores an event of a bot's machine and lets the running bot follow it. */
  async function apply(id: string, event: AutoTradeEvent): Promise<boolean> {
    const bot = running.get(id);
    const next = bot?.apply(event);
    if (!bot || !next) return false;
    await saved(id, bot.bot.accountId, next);
    return true;
  }

  async function saved(id: string, accountId: string, next: { state: AutoTradeStateName; context: AutoTradeContext }): Promise<void> {
    bump(changes, id);
    await inTurn(() => store.saveState(id, next.state, next.context, now()));
    bump(changes, id);
    stream.publish('auto-trades', { autoTradeId: id, state: stateName(next.state), traces: [] }, accountId);
  }

  async function loadHalts(): Promise<void> {
    if (haltsLoaded) return;
    for (const halt of await intents.halts()) halted.add(halt.scope_id);
    haltsLoaded = true;
  }

  /** Puts a bot to work, or answers the one that is at work already. Two at once get the same. */
  function activate({ accountId, id }: Pick<BotRow, 'accountId' | 'id'>): Promise<RunningBot> {
    const pending = activations.get(id);
    if (pending) return pending;
    const known = running.get(id);
    if (known) return Promise.resolve(known);
    const created = load(accountId, id).finally(() => {
      if (activations.get(id) === created) activations.delete(id);
    });
    activations.set(id, created);
    return created;
  }

  /** A bot as storage has it; read again when it was changed meanwhile. */
  async function read(accountId: string, id: string): Promise<{ start: BotStart; account: TradingAccount }> {
    for (;;) {
      const version = count(changes, id);
      // Whatever an earlier run of it decided is on disk before it is read.
      await writer.settled();
      const row = await store.find(accountId, id);
      if (!row) throw new AppError('not-found');
      const wallet = await wallets.find(row.accountId, row.walletId);
      if (!wallet) throw notReady('The wallet of this bot is gone.');
      const positions = await store.newestPositions(row.id, row.context.runNo);
      const held = positions.filter(({ state }) => state !== 'closed' && state !== 'detached').map(({ symbol }) => symbol);
      const symbols = [...new Set([...row.config.coins.symbols, ...held])];
      const pairs = symbols.flatMap((symbol) => market.pair(symbol) ?? []);
      // One coin that the exchange gave up may not leave the others without their exits.
      for (const symbol of symbols)
        if (!market.pair(symbol)) log.error({ autoTradeId: id, symbol }, 'the exchange does not list a coin of a bot');
      if (pairs.length === 0) throw notReady('The exchange lists none of the coins of this bot.');
      const configs = new Map<number, AutoTradeConfig>();
      for (const number of new Set([row.configVersion, ...positions.map((position) => position.configVersion)])) {
        configs.set(number, await store.config(row.id, number));
      }
      const book = await wallets.book(wallet);
      const lastSeq = await store.lastSeq(row.id);
      const accountKey = accountKeyOf(wallet);
      const account = await accounts.get(accountKey);
      if (count(changes, id) !== version) continue;
      return { start: { bot: row, wallet: book, walletMode: wallet.mode, accountKey, pairs, positions, configs, lastSeq }, account };
    }
  }

  async function load(accountId: string, id: string): Promise<RunningBot> {
    await loadHalts();
    const { start, account } = await read(accountId, id);
    if (stopped) throw notReady('The server is stopping.');
    const tape = parts.tape;
    const bot = runBot(start, { market, writer, now, log, tape: tape && ((record) => tape(id, record)) });
    running.set(id, bot);
    try {
      await Promise.all(start.pairs.map(async ({ symbol }) => bot.observe(symbol, await exchange.moment(symbol))));
      // Listening comes before asking: what is executed between the two would be heard of by neither.
      bot.listen(account, {
        onExecution: (report) => unattended(reports.onExecution(id, report)),
        onReady: () => unattended(reports.reconcile(bot)),
      });
      // Nothing is decided for a position before it is known what became of its order; the others do not wait for ever.
      const reconciled = reports.reconcile(bot);
      await Promise.race([reconciled, new Promise<void>((done) => setTimeout(done, RECONCILE_PATIENCE_MS).unref())]);
      unattended(reconciled);
      await bot.begin();
    } catch (error) {
      // Half activated is worse than not: the next try begins anew.
      if (running.get(id) === bot) await deactivate(id);
      tryAgain();
      throw error instanceof ExchangeError ? toAppErrorFromExchange(error) : error;
    }
    if (running.get(id) !== bot) throw notReady('The bot was changed while it was starting.');
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
    bump(changes, id);
    activations.delete(id);
    running.delete(id);
    bot?.stop();
    await writer.settled();
  }

  const holds = async (row: Pick<BotRow, 'id' | 'context'>): Promise<boolean> =>
    (await store.newestPositions(row.id, row.context.runNo)).some((each) => OCCUPIED.has(each.state));

  async function start(): Promise<void> {
    if (stopped) return;
    try {
      await loadHalts();
      if (!market.loaded) {
        retry ??= setTimeout(() => {
          retry = undefined;
          void start();
        }, WAIT_FOR_MARKET_MS);
        return;
      }
      // All at once: a bot whose exchange or keys do not answer keeps none of the others waiting.
      await Promise.all(
        (await store.all()).map(async (row) => {
          if (running.has(row.id) || (IDLE.has(row.state) && !(await holds(row)))) return;
          await activate(row).catch((error: unknown) => {
            log.error({ err: error, autoTradeId: row.id }, 'a bot could not be activated; trying again');
            tryAgain();
          });
        }),
      );
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
      const before = count(halts, row.id);
      const unchanged = () => {
        if (count(halts, row.id) !== before) throw notReady('The bot was halted meanwhile.');
      };
      await loadHalts();
      if ((row.context.mustAcknowledge || halted.has(row.id)) && !acknowledge)
        throw notReady('The last run was halted; acknowledge that to enable the bot again.');
      const bot = await activate(row);
      if (acknowledge) {
        await inTurn(async () => {
          unchanged();
          await intents.liftHalt(row.id);
        });
      }
      unchanged();
      if (running.get(row.id) !== bot) throw notReady('The bot was changed meanwhile.');
      if (acknowledge) halted.delete(row.id);
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
    /**
     * An event for a bot that may or may not be at work. One that is not needs no exchange for it; when it has
     * positions, it is put to work with its new state as soon as that is possible.
     */
    change: async (row: BotRow, event: AutoTradeEvent): Promise<boolean> => {
      if (running.has(row.id)) {
        const changed = await apply(row.id, event);
        const bot = running.get(row.id);
        if (bot?.state === 'disabled' && bot.engine.openPositions === 0) await deactivate(row.id);
        return changed;
      }
      const fresh = await store.find(row.accountId, row.id);
      const next = fresh && advanceAutoTrade(fresh.state, fresh.context, event);
      if (!next) return false;
      await saved(row.id, row.accountId, next);
      if (await holds(fresh)) tryAgain();
      return true;
    },
    /** From the call on nothing is signed for these bots, whatever else is under way; it survives a restart from the commit on. */
    halt: async (rows: readonly BotRow[], reason: string): Promise<void> => {
      const text = reason || 'kill-switch';
      for (const row of rows) {
        bump(halts, row.id);
        bump(changes, row.id);
        halted.add(row.id);
        running.get(row.id)?.apply({ type: 'bot.halted', reason: text });
      }
      await inTurn(() =>
        database.transaction(async (queries) => {
          for (const row of rows) {
            await intents.halt(row.id, row.accountId, reason, now(), queries);
            const known = running.get(row.id)?.context ?? row.context;
            const context = { ...known, reason: text, pausedUntil: null, mustAcknowledge: true };
            await store.saveState(row.id, 'halted', context, now(), queries);
          }
        }),
      );
      for (const row of rows) {
        bump(changes, row.id);
        // One that came to work in between has read its row before the commit.
        running.get(row.id)?.apply({ type: 'bot.halted', reason: text });
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
    /** True when storage has a position of the present run that holds money or an order. */
    holds,
    tryAgain,
    settled: async (): Promise<void> => {
      await executor.idle();
      await writer.settled();
    },
    /** After new keys: live bots listen and sign by them. */
    rebind: async (accountId: string): Promise<void> => {
      for (const row of await store.list(accountId)) {
        if (running.get(row.id)?.accountKey !== `live:${accountId}`) continue;
        await deactivate(row.id);
        // The keys are stored: a bot that cannot follow them yet is tried again.
        await activate(row).catch((error: unknown) =>
          log.error({ err: error, autoTradeId: row.id }, 'a bot could not take its new keys yet'),
        );
      }
    },
    /** True while live bots of an account hold positions or orders: another account's keys would lose them. */
    inUse: async (accountId: string): Promise<boolean> => {
      for (const row of await store.list(accountId)) {
        const wallet = await wallets.find(accountId, row.walletId);
        if (wallet?.mode !== 'live') continue;
        if (row.state === 'running') return true;
        if (await holds(row)) return true;
      }
      return false;
    },
  };
}
