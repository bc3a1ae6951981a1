import { allowedBotActions, allowedBotPositionActions, NEEDS_TRADING, withoutTrading } from '@pilotfish/core/auto-trades/allowed-actions';
import type { AutoTrade, AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { coinsOfConfig } from '@pilotfish/core/auto-trades/config/rule-facts';
import { mayTrade, newAutoTradeContext } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { OCCUPIED } from '@pilotfish/core/auto-trades/engine/engine-slots';
import { describePosition } from '@pilotfish/core/auto-trades/explain';
import { AppError } from '@pilotfish/core/http/problem';
import { decimal, sum, toText } from '@pilotfish/core/money/decimal';
import { dayOf } from '@pilotfish/core/time/calendar-day';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { accountTurns } from '../database/account-turns.ts';
import { isUnreadable } from '../database/stored-rows.ts';
import type { TradingPermission } from '../exchange-connection/trading-permission.ts';
import type { Language } from '../http/texts.ts';
import type { Market } from '../market/market.ts';
import { timeZoneOf } from '../notifications/notifier.ts';
import type { WalletRow, WalletsStore } from '../wallets/wallets-store.ts';
import { stateName } from './auto-trade-states.ts';
import type { AutoTradesService } from './auto-trades-service.ts';
import type { BotRow, PositionRow } from './auto-trades-store.ts';
import { botActions } from './bot-actions-routes.ts';
import { botComparison } from './bot-comparison.ts';
import { unreadPairOf } from './bot-overview.ts';
import { botsEverywhere } from './bots-everywhere.ts';
import { carriesDust } from './carried-dust.ts';
import { notReady } from './not-ready.ts';
import { positionChanges, requireConsentToExits, wouldSellNow } from './position-changes.ts';
import { withSettings } from './position-rows.ts';
import { ruleErrors, withoutNotBought } from './rule-errors.ts';
import { readTape, removeTape } from './tape-folder.ts';
import { unlistedPair } from './unlisted-pair.ts';
import { unreadEvaluations } from './unread-pair-notices.ts';

/** Positions shown on a bot's page. */
const SHOWN_POSITIONS = 100;

export type AutoTradeRouteParts = {
  readonly service: AutoTradesService;
  readonly trading: Pick<TradingPermission, 'isDenied' | 'require'>;
  readonly market: Market;
  readonly wallets: WalletsStore;
  readonly countInNewUnit: Parameters<typeof botActions>[1]['countInNewUnit'];
};

/** Bots over HTTP: parse, call, answer. */
export function autoTradesFeature(context: AppContext, parts: AutoTradeRouteParts): Feature {
  const { service, trading, market, wallets, countInNewUnit } = parts;
  const { audit, database, newId, now, quotas, settings, texts } = context;
  const { store } = service;

  const require = async (accountId: string, id: string): Promise<BotRow> => {
    const row = await store.find(accountId, id).catch((error: unknown) => {
      throw isUnreadable(error) ? notReady('unreadable') : error;
    });
    if (!row) throw new AppError('not-found');
    return row;
  };

  const isDenied = ({ accountId }: BotRow, wallet: WalletRow | undefined): boolean =>
    wallet?.mode === 'live' && trading.isDenied(accountId);

  /** When the account's day began, by market time. */
  const todayOf = async (accountId: string): Promise<number> =>
    dayOf(market.asOf || now(), await timeZoneOf(database.queries, accountId)).start;

  async function toAutoTrade(row: BotRow, since?: number): Promise<AutoTrade> {
    const live = service.running(row.id);
    const wallet = await wallets.find(row.accountId, row.walletId);
    const today = since ?? (await todayOf(row.accountId));
    const state = live?.state ?? row.state;
    const machine = live?.context ?? row.context;
    const openPositions = live?.engine.openPositions ?? (await service.openOf(row));
    return {
      id: row.id,
      name: row.name,
      state: stateName(state),
      stateReason: machine.reason,
      exits: machine.exits,
      ...withoutTrading(allowedBotActions(state, machine, openPositions > 0), NEEDS_TRADING.bot, isDenied(row, wallet)),
      mustAcknowledge: machine.mustAcknowledge,
      unreadPair: unreadPairOf(service, row, wallet, openPositions),
      pausedUntil: machine.pausedUntil === null ? null : new Date(machine.pausedUntil).toISOString(),
      mode: wallet?.mode ?? 'paper',
      exchange: context.marketSource,
      currency: wallet?.currency ?? 'USDT',
      walletId: row.walletId,
      walletName: wallet?.name ?? '',
      config: row.config,
      configVersion: row.configVersion,
      runNo: machine.runNo,
      openPositions,
      realised: toText(sum((await store.realised(row.id)).map((text) => decimal(text)))),
      realisedToday: toText(sum((await store.realisedSince(row.id, today)).map((text) => decimal(text)))),
      lastTrace: await store.lastTrace(row.id),
      createdAt: new Date(row.createdAt).toISOString(),
      updatedAt: new Date(row.updatedAt).toISOString(),
    };
  }

  /** Positions as stored, the live ones as they stand now. */
  async function positionsOf(row: BotRow): Promise<AutoTradePosition[]> {
    const live = service.running(row.id);
    const wallet = await wallets.find(row.accountId, row.walletId);
    const denied = isDenied(row, wallet);
    const configs = new Map<number, AutoTradeConfig>([[row.configVersion, row.config]]);
    const describe = async (position: PositionRow): Promise<AutoTradePosition | undefined> => {
      const inspection = live?.engine.inspect(position.symbol);
      if (live && inspection?.context.positionId === position.id) {
        const { state, context: held } = inspection;
        return {
          ...describePosition(state, held),
          ...withoutTrading(allowedBotPositionActions(state, held, mayTrade(live.state, live.context)), NEEDS_TRADING.position, denied),
        };
      }
      // What is held is shown, whatever the exchange's list says.
      const pair = market.pair(position.symbol) ?? (wallet && unlistedPair(position.symbol, wallet.currency));
      if (!pair) return undefined;
      const config = configs.get(position.configVersion) ?? (await store.config(row.id, position.configVersion));
      configs.set(position.configVersion, config);
      const known = {
        autoTradeId: row.id,
        runNo: position.runNo,
        mode: 'paper' as const,
        config,
        configVersion: position.configVersion,
        symbol: pair.symbol,
        baseAsset: pair.baseAsset,
        quoteAsset: pair.quoteAsset,
        filters: pair.filters,
        pricePrecision: pair.pricePrecision,
        takerFee: position.takerFee,
      };
      return { ...describePosition(position.state, withSettings(position.context, known)), allowed: [], withheld: [] };
    };
    const rows = await store.positions(row.id, { limit: SHOWN_POSITIONS });
    const described = await Promise.all(rows.filter((position) => position.state !== 'watching').map(describe));
    return described.flatMap((position) => position ?? []);
  }

  async function detail(row: BotRow): Promise<AutoTradeDetail> {
    const facts = await service.facts(row.accountId, row.config, row.takerFees);
    const live = service.running(row.id);
    const pauses = live?.engine.pauses ?? [];
    const [bot, positions] = [await toAutoTrade(row), await positionsOf(row)];
    return {
      ...bot,
      positions,
      evaluations: bot.unreadPair ? unreadEvaluations(bot.unreadPair, positions) : (live?.evaluations() ?? []),
      ladder: service.check(row.config, facts).ladder,
      coins: [...(live?.coins() ?? coinsOfConfig(row.config, facts))],
      coinPauses: pauses.flatMap(({ symbol, until, ...why }) =>
        symbol === null || why.reason === 'halt' || until <= market.asOf ? [] : [{ symbol, until: new Date(until).toISOString(), ...why }],
      ),
      coinHalts: service
        .coinHalts(row.accountId)
        .filter(({ autoTradeId }) => (autoTradeId ?? row.id) === row.id)
        .map(({ symbol, until, reason }) => ({ symbol, until: new Date(until).toISOString(), reason })),
    };
  }

  /** The rules against the live market; the fees are those of the account that would trade, each pair's own. */
  async function checked(accountId: string, config: AutoTradeConfig, before?: BotRow) {
    if (!market.loaded) throw new AppError('exchange-unreachable');
    const first = await service.facts(accountId, config, {});
    const takerFees = await service.takerFees(first.walletRow, coinsOfConfig(config, first), before?.takerFees);
    const facts = await service.facts(accountId, config, takerFees);
    const { violations: all, ladder } = service.check(config, facts);
    const violations = withoutNotBought(all, before?.config);
    if (await store.nameTaken(accountId, config.name, before?.id))
      violations.push({ path: 'name', code: 'NAME_TAKEN', actual: { words: config.name } });
    return { violations, ladder, takerFees };
  }

  const coinsFollowed = async (accountId: string, except?: string): Promise<number> =>
    (await store.list(accountId)).reduce((count, { id }) => count + (id === except ? 0 : (service.running(id)?.coins().length ?? 0)), 0);
  quotas.countBy('coins', coinsFollowed);
  /** Of two bots of an account that are enabled at once, the second counts the coins of the first. */
  const inTurn = accountTurns();

  /**
   * The quotas of coins: of the bot, and of all bots of its account that run. What does not grow is let through, so that
   * whoever is above a limit that came later can still change other things.
   * @throws AppError `quota-reached`
   */
  const requireCoins = async (row: BotRow, language: Language, before?: AutoTradeConfig): Promise<void> => {
    const coinsOf = async (config: AutoTradeConfig) =>
      coinsOfConfig(config, await service.facts(row.accountId, config, row.takerFees)).length;
    const own = await coinsOf(row.config);
    if (before !== undefined && own <= (await coinsOf(before))) return;
    quotas.requireWithin('coinsPerBot', own, language);
    quotas.requireWithin('coins', (await coinsFollowed(row.accountId, row.id)) + own, language);
  };

  /** Refuses when positions are open and may not be let go, or an order is in flight. */
  const requireFlat = async (row: BotRow, detach: boolean): Promise<void> => {
    const positions = await store.newestPositions(row.id, row.context.runNo);
    // An order that needs attention is not waited for: letting it go is the way out. A stop that rests goes with its position.
    const inFlight =
      service.running(row.id)?.inFlight() ?? positions.flatMap(({ state, context: { order } }) => (order ? [{ state, order }] : []));
    if (inFlight.some(({ state, order }) => state !== 'needsAttention' && !(detach && order.purpose === 'protect')))
      throw new AppError('order-in-flight');
    if (!positions.some((each) => OCCUPIED.has(each.state))) return;
    if (!detach) throw new AppError('has-open-positions');
    await service.detachAll(row);
  };

  /** What waits for next positions that will not be of this wallet leaves its budget. */
  const releaseDust = async (row: BotRow): Promise<void> => {
    if (await carriesDust(store, row)) await service.releaseDust(row);
  };

  /** Stops a bot; refuses when it decided something while it was asked to stand still, and lets it go on then. */
  const requireStill = async (row: BotRow): Promise<void> => {
    await service.deactivate(row.id);
    if (!(await service.holds(row))) return;
    service.tryAgain();
    throw new AppError('order-in-flight');
  };

  async function botsByState(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { state } of await store.all()) counts[stateName(state)] = (counts[stateName(state)] ?? 0) + 1;
    return counts;
  }
  context.accountExtras.stats.push(async () => ({
    botsByState: await botsByState(),
    ordersLastHour: await service.ordersSince(now() - 3_600_000),
  }));
  context.accountExtras.beforeDelete.push(async (accountId) => {
    const [unreadable, elsewhere] = [await service.unreadable(accountId), await botsEverywhere(database).elsewhere(accountId)];
    await service.halt(await store.list(accountId), 'account-deleted', { unreadable, elsewhere });
  });
  context.accountExtras.afterDelete.push(async (accountId) => {
    for (const id of await botsEverywhere(database).idsOf(accountId)) removeTape(settings, id);
  });

  return {
    handlers: {
      ...botActions(context, {
        service,
        trading,
        require,
        countInNewUnit,
        positionOf: async (row, positionId) => (await positionsOf(row)).find(({ id }) => id === positionId),
      }),
      ...botComparison(context, { store, wallets, require }),
      downloadAutoTradeTape: async ({ params, account }) => readTape(settings, (await require(account.id, params.id)).id),
      listAutoTrades: async ({ account }) => {
        const today = await todayOf(account.id);
        return Promise.all((await store.list(account.id)).map((row) => toAutoTrade(row, today)));
      },
      getAutoTrade: async ({ params, account }) => toAutoTrade(await require(account.id, params.id)),
      getAutoTradeDetail: async ({ params, account }) => detail(await require(account.id, params.id)),
      listAutoTradeTraces: async ({ params, query, account }) => {
        await require(account.id, params.id);
        return { ...(await store.traces(params.id, query)), page: query.page, pageSize: query.pageSize };
      },
      listAutoTradeLogs: async ({ params, query, account }) => {
        await require(account.id, params.id);
        return { ...(await store.logs(params.id, query)), page: query.page, pageSize: query.pageSize };
      },
      deleteAutoTradeLogs: async ({ params, account }) => {
        await require(account.id, params.id);
        await store.deleteLogs(params.id);
      },
      listAutoTradePositionTrades: async ({ params, account }) => {
        await require(account.id, params.id);
        const rows = await store.fills(params.id, params.positionId);
        return rows.map((row) => ({
          tradeId: row.trade_id,
          orderId: row.order_id,
          clientOrderId: row.client_order_id,
          side: row.side,
          price: row.price,
          quantity: row.quantity,
          quoteQuantity: row.quote_quantity,
          fee: row.fee,
          feeAsset: row.fee_asset,
          at: new Date(row.at).toISOString(),
        }));
      },
      listAutoTradePositionLogs: async ({ params, account }) => {
        await require(account.id, params.id);
        return {
          traces: await store.positionTraces(params.id, params.positionId),
          logs: await store.positionLogs(params.id, params.positionId),
        };
      },
      createAutoTrade: async ({ body, query, account, origin, language }) => {
        const { violations, ladder, takerFees } = await checked(account.id, body);
        const errors = ruleErrors(violations, texts, language);
        if (query.validateOnly) return { autoTrade: null, valid: errors.length === 0, errors, ladder, changes: [] };
        if (errors.length > 0) throw new AppError('rules-violated', { fields: errors });
        const row: BotRow = {
          id: newId(),
          accountId: account.id,
          walletId: body.walletId,
          name: body.name,
          state: 'disabled',
          context: newAutoTradeContext,
          config: body,
          configVersion: 1,
          takerFees,
          createdAt: now(),
          updatedAt: now(),
        };
        await requireCoins(row, language);
        await database.transaction(async (queries) => {
          await quotas.requireRoom(queries, account.id, 'bots', language);
          await store.insert(row, queries);
          await audit.record({ accountId: account.id, action: 'auto-trade.create', target: row.id, origin }, queries);
        });
        return { autoTrade: await toAutoTrade(row), valid: true, errors: [], ladder, changes: [] };
      },
      updateAutoTrade: async ({ params, body, query, account, origin, language }) => {
        const row = await require(account.id, params.id);
        const { violations, ladder, takerFees } = await checked(account.id, body, row);
        if (body.walletId !== row.walletId && (await service.holds(row))) {
          violations.push({ path: 'walletId', code: 'WALLET_IN_USE' });
        }
        const errors = ruleErrors(violations, texts, language);
        const running = service.running(row.id);
        const previews = (query.applyToOpen ? (running?.preview(body, row.configVersion + 1) ?? []) : []).map((preview) => ({
          preview,
          after: preview.after,
          inspection: running?.engine.inspect(preview.symbol),
        }));
        const changes = previews.flatMap(positionChanges);
        if (query.validateOnly) return { autoTrade: await toAutoTrade(row), valid: errors.length === 0, errors, ladder, changes };
        if (errors.length > 0) throw new AppError('rules-violated', { fields: errors });
        if (query.version !== undefined && query.version !== row.configVersion) throw new AppError('version-conflict');
        await requireCoins({ ...row, config: body }, language, row.config);
        const sale = wouldSellNow(previews, texts, language);
        // Settings by which something is sold at once are a sale by hand.
        if (sale && running?.accountKey.startsWith('live:')) await trading.require(account.id);
        if (sale && !query.sellNow) throw sale;
        const wasRunning = running !== undefined;
        const holds = query.applyToOpen && (await service.holds(row));
        // Money of one wallet may not come back to another: nothing may be entered between the look and the change.
        if (body.walletId !== row.walletId) {
          await releaseDust(row);
          await requireStill(row);
        }
        await database.transaction(async (queries) => {
          if (!(await store.saveConfig(row, body, takerFees, now(), queries))) {
            service.tryAgain();
            throw new AppError('version-conflict');
          }
          await audit.record(
            { accountId: account.id, action: 'auto-trade.update', target: row.id, origin, details: { version: row.configVersion + 1 } },
            queries,
          );
        });
        await service.deactivate(row.id);
        const saved = await require(account.id, params.id);
        // The settings are saved: a bot that cannot follow them yet is tried again.
        if (holds) (await service.activate(saved)).applyToOpen(body, saved.configVersion);
        else if (wasRunning) await service.activate(saved).catch(() => service.tryAgain());
        return { autoTrade: await toAutoTrade(saved), valid: true, errors: [], ladder, changes };
      },
      enableAutoTrade: async ({ params, body, account, origin, language }) => {
        const { acknowledge, sellNow, version } = body;
        await inTurn(account.id, async () => {
          const row = await require(account.id, params.id);
          if (version !== undefined && version !== row.configVersion)
            throw new AppError('version-conflict', { parameters: { context: 'start' } });
          await requireCoins(row, language);
          const bot = (await service.holds(row)) ? await service.activate(row) : undefined;
          requireConsentToExits(bot, { type: 'bot.enabled', acknowledge }, { sellNow, texts, language });
          await service.enable(row, acknowledge);
        });
        await audit.record({ accountId: account.id, action: 'auto-trade.enable', target: params.id, origin });
        return toAutoTrade(await require(account.id, params.id));
      },
      disableAutoTrade: async ({ params, body, account, origin, language }) => {
        const row = await require(account.id, params.id);
        const event = { type: 'bot.disabled', exits: body.exits } as const;
        requireConsentToExits(service.running(row.id), event, { sellNow: body.sellNow, texts, language });
        await service.change(row, event);
        await audit.record({ accountId: account.id, action: 'auto-trade.disable', target: row.id, origin, details: { exits: body.exits } });
        return toAutoTrade(await require(account.id, params.id));
      },
      resetAutoTrade: async ({ params, body, account, origin }) => {
        const row = await require(account.id, params.id);
        if (row.state !== 'disabled') throw new AppError('not-disabled');
        await requireFlat(row, body.detach);
        await service.releaseDust(row);
        await requireStill(row);
        await service.change(row, { type: 'bot.reset' });
        const wallet = await wallets.find(row.accountId, row.walletId);
        // A new run on paper begins with what was put into the wallet.
        const restored = wallet?.mode === 'paper' ? await wallets.restore(wallet, now()) : undefined;
        await audit.record({ accountId: account.id, action: 'auto-trade.reset', target: row.id, origin, details: { restored } });
        return toAutoTrade(await require(account.id, params.id));
      },
      deleteAutoTrade: async ({ params, query, account, origin }) => {
        const row = await require(account.id, params.id);
        await requireFlat(row, query.detach);
        if (row.state !== 'disabled') await service.change(row, { type: 'bot.disabled', exits: 'continue' });
        await releaseDust(row);
        await requireStill(row);
        await database.transaction(async (queries) => {
          await store.saveState(row.id, 'deleted', row.context, now(), queries);
          await audit.record({ accountId: account.id, action: 'auto-trade.delete', target: row.id, origin }, queries);
        });
        removeTape(settings, row.id);
      },
      listAutoTradeVersions: async ({ params, account }) => {
        await require(account.id, params.id);
        return store.configVersions(params.id);
      },
    },
    start: () => service.start(),
    stop: () => service.stop(),
    write: () => service.written(),
  };
}
