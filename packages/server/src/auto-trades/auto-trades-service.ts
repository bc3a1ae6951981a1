import { type AutoTradeEvent, advanceAutoTrade, looksForEntries, mayTrade } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { OCCUPIED } from '@pilotfish/core/auto-trades/engine/engine-slots';
import type { TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import { AppError } from '@pilotfish/core/http/problem';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError, toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import type { ExchangeConnectionStore } from '../exchange-connection/exchange-connection-store.ts';
import type { PermittedPairs } from '../exchange-connection/permitted-pairs.ts';
import type { TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { TradingPermission } from '../exchange-connection/trading-permission.ts';
import { highWindows } from '../market/high-windows.ts';
import type { Market } from '../market/market.ts';
import type { Prices } from '../prices/prices.ts';
import type { WalletsStore } from '../wallets/wallets-store.ts';
import { accountHoldings } from './account-holdings.ts';
import { IDLE, stateName } from './auto-trade-states.ts';
import { type AutoTradesStore, autoTradesStore, type BotRow, type UnvaluedPosition } from './auto-trades-store.ts';
import { botBlocks } from './bot-blocks.ts';
import { botCoins } from './bot-coins.ts';
import { botConditions } from './bot-conditions.ts';
import { type BotStep, botNotices, type ToldBot } from './bot-notices.ts';
import { botRules, requireFunds } from './bot-rules.ts';
import { type RunningBot, runBot } from './bot-runner.ts';
import { botSwitches } from './bot-switches.ts';
import { botTending } from './bot-tending.ts';
import { checkedAccounts } from './checked-accounts.ts';
import { coinsLacking } from './coins-lacking.ts';
import { followedFees } from './followed-fees.ts';
import { lateFees } from './late-fees.ts';
import { listedPairs } from './listed-pairs.ts';
import { notReady } from './not-ready.ts';
import { observeCoins } from './observed-coins.ts';
import { orderExecutor } from './order-executor.ts';
import { orderIntentsStore } from './order-intents-store.ts';
import { orderReports } from './order-reports.ts';
import type { PairFees } from './pair-fees.ts';
import { pauseNotes, pauseTold } from './pause-notes.ts';
import { type Committed, stepWriter } from './step-writer.ts';
import { storedBots } from './stored-bots.ts';
import { unreadableBots } from './unreadable-bots.ts';

const RELOAD_MS = 5000;
const WAIT_FOR_MARKET_MS = 1000;
/** How long a bot waits for what became of its orders before it begins with the positions that have none. */
const RECONCILE_PATIENCE_MS = 10_000;

export type AutoTradeParts = {
  readonly exchange: Exchange;
  readonly market: Market;
  readonly accounts: TradingAccounts;
  readonly connections: ExchangeConnectionStore;
  readonly trading: Pick<TradingPermission, 'isDenied' | 'require' | 'doubt' | 'onChange'>;
  readonly permitted: PermittedPairs;
  readonly fees: PairFees;
  readonly wallets: WalletsStore;
  readonly prices: Pick<Prices, 'coinFilters' | 'screener' | 'figures'>;
  /** What an asset was worth in the minute of a moment; undefined while that is not known. */
  readonly rateAt: (asset: string, quote: string, at: number) => Promise<string | undefined>;
  readonly tape?: ((autoTradeId: string, record: TapeRecord) => void) | undefined;
};

export type AutoTradesService = ReturnType<typeof autoTradesService>;

/** The bots of this process: which run, what they are told, and how their decisions become orders. */
export function autoTradesService(context: AppContext, parts: AutoTradeParts) {
  const { database, log, newId, now, stream, timers } = context;
  const { orderPrefix } = context.installation;
  const { exchange, market, accounts, wallets, fees } = parts;
  const store: AutoTradesStore = autoTradesStore(database, log);
  const unreadable = unreadableBots(context, store);
  const intents = orderIntentsStore(database);
  const running = new Map<string, RunningBot>();
  /** How often each bot's row changed: what was begun before does not undo what came after. */
  const changes = new Map<string, number>();
  const changesOf = (id: string) => changes.get(id) ?? 0;
  const bump = (id: string) => void changes.set(id, changesOf(id) + 1);
  const activations = new Map<string, Promise<RunningBot>>();
  let saving: Promise<unknown> = Promise.resolve();
  let stopped = false;
  let retry: Cancel | undefined;
  const highs = highWindows(market, timers, (error) => log.warn({ err: error }, 'highs that the market stream missed could not be read'));
  const listed = listedPairs(exchange, now);
  const executor = orderExecutor({
    exchange,
    accounts,
    store: intents,
    refusal: (id, order, symbol) => {
      // What a kill switch sells off is the one thing that is still signed.
      if (switches.isLiquidating(id)) return order.side === 'Sell' && order.purpose === 'exit' ? undefined : 'HALTED';
      if (switches.isHalted(id)) return 'HALTED';
      const bot = running.get(id);
      if (bot && !mayTrade(bot.state, bot.context)) return 'FROZEN';
      if (order.side === 'Sell') return undefined;
      if (!(bot && looksForEntries(bot.state))) return 'WITHDRAWN';
      return switches.coinHaltOf(bot.bot.accountId, id, symbol) ? 'COIN_HALTED' : blocks.refusal(order.side);
    },
    checked: (key) => checked.beforeSigning(key),
    deliver: (id, input) => running.get(id)?.order(input),
    onKeyRefused: (id) => unattended(blocks.onKeyRefused(id)),
    onUnderfunded: (id) => unattended(apply(id, { type: 'bot.blocked', reason: 'underfunded' })),
    lacking: coinsLacking({ exchange, accounts, market, running, log }),
    onRuleRefused: (id) => market.readPairs().then(() => running.get(id)?.followPairs()),
    hasLeft: listed.hasLeft,
    now,
    timers,
    log,
  });
  const coins = botCoins({ filters: parts.prices.coinFilters, pair: market.pair, most: () => context.quotas.most('coinsPerBot'), log });
  const rules = botRules({ ...parts, coins });
  const reports = orderReports({ running, intents, executor, settled: () => writer.settled(), isAway: listed.isAway, now });
  const notices = botNotices(context);
  let writer = newWriter();
  const written = (): Promise<void> => writer.settled();
  const stored = storedBots({ ...parts, store, coins, written, changesOf, orderPrefix, log });
  const isLookedAfter = ({ autoTradeId, runNo }: UnvaluedPosition, walletId: string): boolean => {
    const bot = running.get(autoTradeId);
    return activations.has(autoTradeId) || (bot?.context.runNo === runNo && bot.wallet.id === walletId);
  };
  const heard = { market, rateAt: parts.rateAt, permitted: parts.permitted, now, log };
  const late = lateFees({ ...heard, store, wallets, writer: () => writer, isLookedAfter, versions: changes, changed: bump });
  const followed = followedFees({ running, fees, market, store });
  const tending = botTending({
    ...heard,
    running,
    conditions: botConditions(parts.prices),
    coins,
    filledAt: store.filledAt,
    fees: followed,
    valueLateFees: late.round,
    expireHalts: () => switches.expire(),
    reconcile: reports.reconcile,
    jumpStands: notices.jumpStands,
    timers,
  });
  const switches = botSwitches(context, {
    store,
    intents,
    running,
    inTurn,
    changed: (id) => bump(id),
    apply: (id, event) => unattended(apply(id, event)),
    activate: (row) => activate(row),
  });
  const blocks = botBlocks(context, { running, apply, trading: parts.trading });
  const checked = checkedAccounts(context, { ...parts, store, intents, coins, halt: (...given) => switches.halt(...given) });
  const holdings = accountHoldings({ exchange, market, accounts, expected: checked.expected });

  function newWriter() {
    return stepWriter({
      database,
      store,
      intents,
      wallets,
      newId,
      timers,
      tell: notices.steps,
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
    for (const { record, decidedAt, traces, intents: written } of committed) {
      const bot = running.get(record.autoTradeId);
      for (const intent of written) executor.submit(intent, { wall: record.recordedAt, running: decidedAt });
      if (bot && (traces.length > 0 || record.step.from !== record.step.state)) {
        const news = { autoTradeId: record.autoTradeId, state: stateName(bot.state), traces: [...traces] };
        stream.publish('auto-trades', news, record.accountId);
      }
      if (bot?.state === 'disabled' && bot.engine.openPositions === 0) unattended(deactivate(record.autoTradeId));
    }
  }

  /** Stores an event of a bot's machine and lets the running bot follow it. */
  async function apply(id: string, event: AutoTradeEvent): Promise<boolean> {
    const bot = running.get(id);
    const next = bot?.apply(event);
    if (!bot || !next) return false;
    await saved(bot.bot, next, bot.engine.openPositions);
    // What pauses or blocks the bot may have begun while it was blocked by something else or disabled: it goes on.
    const then =
      (next.state === 'running' && event.type !== 'pause.ended' && pauseTold(bot.pauseNow(), market.asOf)) || blocks.eventFor(bot);
    return then ? apply(id, then) : true;
  }

  async function saved(bot: ToldBot, next: BotStep, openPositions: number): Promise<void> {
    const { id, accountId } = bot;
    bump(id);
    await inTurn(() => notices.saved(bot, next, openPositions, (queries) => store.saveState(id, next.state, next.context, now(), queries)));
    bump(id);
    stream.publish('auto-trades', { autoTradeId: id, state: stateName(next.state), traces: [] }, accountId);
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

  async function load(accountId: string, id: string): Promise<RunningBot> {
    await switches.load();
    await checked.ofBot(accountId, id, tryAgain);
    const { start, account } = await stored.read(accountId, id);
    if (stopped) throw notReady('stopping');
    const bot = runBot(start, {
      market,
      highs,
      writer,
      now,
      timers,
      log,
      holdings,
      ...pauseNotes(id, context, { store, apply: (event) => unattended(apply(id, event)), pauseNow: () => running.get(id)?.pauseNow() }),
      tape: parts.tape && ((record) => parts.tape?.(id, record)),
    });
    running.set(id, bot);
    try {
      // A pause that ended while nobody looked is over; that of a guard begins anew when its price says so.
      const paused = start.pauses.find(({ symbol }) => symbol === null);
      if (paused) await apply(id, { type: 'bot.paused', reason: paused.reason, until: paused.until });
      else if (bot.state === 'paused') await apply(id, { type: 'pause.ended' });
      await blocks.follow(bot);
      for (const { symbol } of switches.coinHalts(accountId)) bot.haltCoin(symbol, switches.coinHaltOf(accountId, id, symbol)?.until);
      await observeCoins(bot, start.pairs, { exchange, market, log });
      // Listening comes before asking: what is executed between the two would be heard of by neither.
      bot.listen(account, {
        onExecution: (report) => unattended(reports.onExecution(id, report)),
        onReady: () => unattended(reports.reconcile(bot)),
      });
      // Nothing is decided for a position before it is known what became of its order; the others do not wait for ever.
      const reconciled = reports.reconcile(bot);
      await Promise.race([reconciled, timers.wait(RECONCILE_PATIENCE_MS)]);
      unattended(reconciled);
      await bot.begin();
    } catch (error) {
      // Half activated is worse than not: the next try begins anew.
      if (running.get(id) === bot) await deactivate(id);
      tryAgain();
      throw error instanceof ExchangeError ? toAppErrorFromExchange(error) : error;
    }
    if (running.get(id) !== bot) throw notReady('changed');
    return bot;
  }

  /** Bots whose exchange could not be reached come back when it can. */
  function tryAgain(afterMs = RELOAD_MS): void {
    if (stopped || retry) return;
    retry = timers.after(
      afterMs,
      () => {
        retry = undefined;
        void start();
      },
      { ref: true },
    );
  }

  /** Out of reach of ticks and orders first, then whatever it had decided is written. */
  async function deactivate(id: string): Promise<void> {
    const bot = running.get(id);
    bump(id);
    activations.delete(id);
    running.delete(id);
    bot?.stop();
    await writer.settled();
  }

  /** Positions of the present run that hold money or an order, as stored. */
  const openOf = async (row: Pick<BotRow, 'id' | 'context'>): Promise<number> =>
    (await store.newestPositions(row.id, row.context.runNo)).filter((each) => OCCUPIED.has(each.state)).length;
  const holds = async (row: Pick<BotRow, 'id' | 'context'>): Promise<boolean> => (await openOf(row)) > 0;

  async function start(): Promise<void> {
    if (stopped) return;
    try {
      await switches.load();
      if (!market.loaded) return tryAgain(WAIT_FOR_MARKET_MS);
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
      unattended(Promise.all([switches.resumeLiquidations(), reports.resumeCancels(), unreadable.tell(), checked.tellUnreadPairs()]));
      log.info({ bots: running.size }, 'bots are running');
    } catch (error) {
      log.error({ err: error }, 'bots could not be started; trying again');
      tryAgain();
    }
  }

  return {
    store,
    ordersSince: intents.ordersSince,
    placedBy: intents.placedBy,
    running: (id: string): RunningBot | undefined => running.get(id),
    start: (): Promise<void> => {
      tending.start();
      return start();
    },
    /** Ends listening, writes what is decided, and leaves orders in flight to the next start. */
    stop: async (): Promise<void> => {
      stopped = true;
      retry?.();
      switches.stop();
      tending.stop();
      for (const bot of running.values()) bot.stop();
      await writer.settled();
      executor.stop();
      await Promise.race([executor.idle(), timers.wait(3000)]);
      await writer.settled();
      running.clear();
    },
    ...rules,
    enable: async (row: BotRow, acknowledge: boolean): Promise<void> => {
      if (!market.loaded) throw new AppError('exchange-unreachable');
      const wallet = await wallets.find(row.accountId, row.walletId);
      if (!wallet) throw notReady('wallet_gone');
      if (wallet.mode === 'live') await requireFunds(row.accountId, wallet, parts);
      const before = switches.countOf(row.id);
      const unchanged = () => {
        if (switches.countOf(row.id) !== before) throw notReady('stopped');
      };
      await switches.load();
      if ((row.context.mustAcknowledge || switches.isHalted(row.id)) && !acknowledge) throw notReady('acknowledge');
      let bot = await activate(row);
      if (bot.state === 'paused') {
        // Enabled in spite of a protection: what it was told by does not pause the bot again.
        await apply(row.id, { type: 'pause.ended', liftedAt: market.asOf });
        await deactivate(row.id);
        bot = await activate(row);
      }
      if (acknowledge) await switches.acknowledge(row.id, unchanged);
      unchanged();
      if (running.get(row.id) !== bot) throw notReady('changed');
      bot.resume();
      if (bot.state === 'running') return;
      const event: AutoTradeEvent = bot.state === 'blocked' ? { type: 'block.cleared' } : { type: 'bot.enabled', acknowledge };
      if (!(await apply(row.id, event))) throw notReady('changed');
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
      const openPositions = await openOf(fresh);
      await saved(row, next, openPositions);
      if (openPositions > 0) tryAgain();
      return true;
    },
    halt: switches.halt,
    unreadable: unreadable.of,
    unreadPair: checked.unreadPair,
    coinHalts: switches.coinHalts,
    haltCoin: switches.haltCoin,
    liftCoinHalt: switches.liftCoinHalt,
    detachAll: async (row: BotRow): Promise<void> => {
      (await activate(row)).detachAll();
      await writer.settled();
    },
    onFunding: switches.onFunding,
    onFees: followed.ofWallet,
    /** Resolves when everything that was decided so far is on disk. */
    written,
    /** The run of a bot is over: what it kept of dust for its next positions leaves the budget. */
    releaseDust: async (row: BotRow): Promise<void> => {
      (running.get(row.id) ?? (await activate(row))).releaseDust();
      await writer.settled();
    },
    deactivate,
    activate,
    /** True when storage has a position of the present run that holds money or an order. */
    holds,
    openOf,
    tryAgain: (): void => tryAgain(),
    settled: async (): Promise<void> => {
      await executor.idle();
      await writer.settled();
    },
    /** After new keys: live bots listen and sign by them. */
    rebind: async (accountId: string): Promise<void> => {
      for (const each of [checked, fees, parts.permitted]) each.forget(`live:${accountId}`);
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
      if ((await unreadable.of(accountId)).length > 0) return true;
      for (const row of await store.list(accountId)) {
        const wallet = await wallets.find(accountId, row.walletId);
        if (wallet?.mode === 'live' && (row.state === 'running' || (await holds(row)))) return true;
      }
      return false;
    },
  };
}
