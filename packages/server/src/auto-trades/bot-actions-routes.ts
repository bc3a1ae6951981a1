import type { AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { mayTrade } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import type { Inspection } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import { describePosition } from '@pilotfish/core/auto-trades/explain';
import { isTraded } from '@pilotfish/core/auto-trades/held-positions';
import { levelsOutlook } from '@pilotfish/core/auto-trades/levels-outlook';
import { advancePosition } from '@pilotfish/core/auto-trades/position/auto-trade-position-machine';
import { jumpIsAsked, jumpMetBuy } from '@pilotfish/core/auto-trades/position/position-jump';
import { type LevelsAsked, movedLevels } from '@pilotfish/core/auto-trades/position/position-levels';
import type { PositionContext } from '@pilotfish/core/auto-trades/position/position-state';
import { AppError } from '@pilotfish/core/http/problem';
import { decimal, isPositive, toMultiple, toText } from '@pilotfish/core/money/decimal';
import { digits, type Price } from '@pilotfish/core/money/figure';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { TradingPermission } from '../exchange-connection/trading-permission.ts';
import type { Language, Texts } from '../http/texts.ts';
import type { AutoTradesService } from './auto-trades-service.ts';
import type { BotRow } from './auto-trades-store.ts';
import type { RunningBot } from './bot-runner.ts';
import { botsEverywhere } from './bots-everywhere.ts';
import { toCoinHalt } from './coin-halts-store.ts';
import { notReady } from './not-ready.ts';
import { refusedLevels, requireConsentToCarryOver, requireConsentToGoOn, wouldSellNow } from './position-changes.ts';

const HOUR_MS = 3_600_000;

const textOrNot = (price: Price | null | undefined): string | null | undefined => price && digits(price);

/** Why nothing of a position can be set by hand now: its unit is in doubt, or it holds nothing. */
const notSet = (context: PositionContext): AppError =>
  notReady(jumpIsAsked(context) || jumpMetBuy(context) ? 'price_jump' : 'nothing_held');

/**
 * What levels that are asked for come to. @throws AppError `invalid` naming what cannot be had, `not-ready`
 */
function levelsPlan(
  bot: RunningBot,
  inspection: Inspection,
  asked: LevelsAsked,
  { texts, language }: { texts: Texts; language: Language },
) {
  const { state, context } = inspection;
  const { moved, problems } = movedLevels(state, context, asked);
  if (problems.length > 0) throw refusedLevels(problems, context, texts, language);
  const after = advancePosition(state, context, { type: 'levels.moved', moved, at: 0 });
  if (!after || !isPositive(decimal(context.quantity))) throw notSet(context);
  const sale = wouldSellNow([{ after, inspection }], texts, language);
  const sends = mayTrade(bot.state, bot.context);
  const bid = inspection.moment?.bid ?? null;
  return {
    moved,
    sale,
    answered: {
      before: levelsOutlook(describePosition(state, context), sends, bid),
      after: levelsOutlook(describePosition(after.state, after.context), sends, bid),
      sellsNow: sale !== undefined,
    },
  };
}

/** What an owner does by hand: enter, sell, set a target, move levels, take over, go on, and the kill switches. All of it is audited. */
export function botActions(
  { audit, database, now, texts }: Pick<AppContext, 'audit' | 'database' | 'now' | 'texts'>,
  {
    service,
    trading,
    require,
    positionOf,
    countInNewUnit,
  }: {
    readonly service: AutoTradesService;
    readonly trading: Pick<TradingPermission, 'require'>;
    readonly require: (accountId: string, id: string) => Promise<BotRow>;
    readonly positionOf: (row: BotRow, positionId: string) => Promise<AutoTradePosition | undefined>;
    /** The positions of the account follow. */
    readonly countInNewUnit: (
      accountId: string,
      change: { readonly asset: string; readonly factor: string; readonly at: number },
    ) => Promise<void>;
  },
) {
  const atWork = async (row: BotRow): Promise<RunningBot> => {
    const bot = service.running(row.id);
    if (!bot) throw notReady('not_at_work');
    return bot;
  };

  /** What trades live at its owner's word needs keys that may. @throws AppError `trading-disabled` */
  const requireTrading = async ({ accountKey, bot }: RunningBot): Promise<void> => {
    if (accountKey.startsWith('live:')) await trading.require(bot.accountId);
  };

  /** The live position, or a sentence on why there is none. */
  async function held(accountId: string, id: string, positionId: string) {
    const row = await require(accountId, id);
    const bot = await atWork(row);
    const inspection = bot
      .symbols()
      .map((symbol) => bot.engine.inspect(symbol))
      .find((each) => each?.context.positionId === positionId);
    if (!inspection) throw new AppError('not-found');
    return { row, bot, inspection };
  }

  /** The position as it stands once everything decided so far is on disk. */
  async function answer(row: BotRow, positionId: string): Promise<AutoTradePosition> {
    await service.written();
    const position = await positionOf(row, positionId);
    if (!position) throw new AppError('not-found');
    return position;
  }

  const handlers = {
    enterAutoTrade: async ({ params, body, account, origin }) => {
      const row = await require(account.id, params.id);
      const bot = await atWork(row);
      if (!bot.coins().includes(body.symbol)) throw new AppError('not-found');
      await requireTrading(bot);
      const entered = bot.enter(body.symbol);
      await service.written();
      await audit.record({
        accountId: account.id,
        action: 'auto-trade.enter',
        target: row.id,
        origin,
        details: { symbol: body.symbol, entered: entered.ok },
      });
      const evaluation = bot.evaluation(body.symbol);
      if (!evaluation) throw new AppError('not-found');
      return { entered: entered.ok, evaluation: entered.ok ? evaluation : { ...evaluation, stoppedBy: entered.rule } };
    },
    sellAutoTradePosition: async ({ params, account, origin }) => {
      const { row, bot, inspection } = await held(account.id, params.id, params.positionId);
      await requireTrading(bot);
      if (!bot.sell(params.positionId)) {
        const { symbol } = inspection.context.settings;
        throw new AppError(isTraded({ evaluations: bot.evaluations() }, symbol) ? 'order-in-flight' : 'not-trading');
      }
      await audit.record({ accountId: account.id, action: 'auto-trade.sell', target: params.positionId, origin });
      return answer(row, params.positionId);
    },
    setAutoTradePositionTarget: async ({ params, body, account, origin, language }) => {
      const { row, bot, inspection } = await held(account.id, params.id, params.positionId);
      const { tickSize } = inspection.context.settings.filters;
      const price = body.targetPrice === null ? null : toText(toMultiple(decimal(body.targetPrice), decimal(tickSize), 'up'));
      const after = { state: inspection.state, context: { ...inspection.context, targetPrice: price } };
      const sale = wouldSellNow([{ after, inspection }], texts, language);
      // A target that is reached already is a sale by hand.
      if (sale) await requireTrading(bot);
      if (sale && !body.sellNow) throw sale;
      if (!bot.setByHand(params.positionId, { type: 'target.set', price })) throw notSet(inspection.context);
      await audit.record({ accountId: account.id, action: 'auto-trade.target', target: params.positionId, origin, details: { price } });
      return answer(row, params.positionId);
    },
    moveAutoTradePositionLevels: async ({ params, body, account, origin, language }) => {
      const { row, bot } = await held(account.id, params.id, params.positionId);
      const asked = {
        stop: textOrNot(body.stop),
        trailingStart: textOrNot(body.trailingStart),
        takeProfit: body.takeProfit?.map(({ level, price }) => ({ level, price: price && digits(price) })),
      };
      const position = async () => (await held(account.id, params.id, params.positionId)).inspection;
      const plan = async () => levelsPlan(bot, await position(), asked, { texts, language });
      const first = await plan();
      if (body.validateOnly) return { ...first.answered, position: null };
      // A level that is reached already is a sale by hand.
      if (first.sale) await requireTrading(bot);
      // As the position is now, after the exchange was asked: what was moved meanwhile stays moved.
      const { moved, sale, answered } = await plan();
      if (sale && !body.sellNow) throw sale;
      if (!bot.setByHand(params.positionId, { type: 'levels.moved', moved })) throw notSet((await position()).context);
      await audit.record({ accountId: account.id, action: 'auto-trade.levels', target: params.positionId, origin, details: { moved } });
      return { ...answered, position: await answer(row, params.positionId) };
    },
    detachAutoTradePosition: async ({ params, account, origin }) => {
      const { row, bot } = await held(account.id, params.id, params.positionId);
      if (!bot.detach(params.positionId)) throw new AppError('order-in-flight');
      await audit.record({ accountId: account.id, action: 'auto-trade.detach', target: params.positionId, origin });
      return answer(row, params.positionId);
    },
    resumeAutoTradePosition: async ({ params, body, account, origin, language }) => {
      const { row, bot, inspection } = await held(account.id, params.id, params.positionId);
      if (inspection.state === 'needsAttention') requireConsentToGoOn(inspection, { sellNow: body.sellNow, texts, language });
      if (!bot.resumePosition(params.positionId)) throw notReady('not_waiting');
      await audit.record({ accountId: account.id, action: 'auto-trade.resume', target: params.positionId, origin });
      return answer(row, params.positionId);
    },
    carryOverAutoTradePosition: async ({ params, body, account, origin, language }) => {
      const { row, bot, inspection } = await held(account.id, params.id, params.positionId);
      const factor = digits(body.factor);
      requireConsentToCarryOver(inspection, factor, { sellNow: body.sellNow, texts, language });
      const { settings, jump } = inspection.context;
      // The account's ledger first: asked again after a failure it stays as it is, and a bot that went on is not asked again.
      if (bot.accountKey.startsWith('live:') && jump) await countInNewUnit(account.id, { asset: settings.baseAsset, factor, at: jump.at });
      if (!bot.carryOver(params.positionId, factor)) throw new AppError('no-jump');
      await audit.record({
        accountId: account.id,
        action: 'auto-trade.carry-over',
        target: params.positionId,
        origin,
        details: { factor },
      });
      return answer(row, params.positionId);
    },
    haltAutoTrades: async ({ body, account, origin }) => {
      const { scope, symbol, autoTradeId, reason } = body;
      const noted = (details: Record<string, unknown>) => ({
        accountId: account.id,
        action: 'auto-trade.halt',
        target: scope === 'coin' ? symbol! : (autoTradeId ?? 'all'),
        origin,
        details: { reason, ...details },
      });
      if (scope === 'coin') {
        const rows = autoTradeId === undefined ? await service.store.list(account.id) : [await require(account.id, autoTradeId)];
        const until = now() + Math.ceil(body.hours * HOUR_MS);
        await service.haltCoin(
          { accountId: account.id, autoTradeId: autoTradeId ?? null, symbol: symbol!, reason, until },
          (row, queries) => audit.record(noted({ until: row.until }), queries),
        );
        return { halted: rows.length, liquidating: 0 };
      }
      const damaged = await service.unreadable(account.id);
      const unreadable = scope === 'all' ? damaged : damaged.filter(({ id }) => id === autoTradeId);
      const one = () => (unreadable.length > 0 ? [] : [require(account.id, autoTradeId!)]);
      const rows = scope === 'all' ? await service.store.list(account.id) : await Promise.all(one());
      const elsewhere = scope === 'all' ? await botsEverywhere(database).elsewhere(account.id) : [];
      await service.halt(rows, reason, { sellOff: body.liquidate, unreadable, elsewhere });
      await audit.record(noted({ liquidate: body.liquidate }));
      const holding = body.liquidate ? await Promise.all(rows.map((row) => service.holds(row))) : [];
      return { halted: rows.length + unreadable.length + elsewhere.length, liquidating: holding.filter(Boolean).length };
    },
    listCoinHalts: async ({ account }) => service.coinHalts(account.id).map(toCoinHalt),
    liftCoinHalt: ({ params, account, origin }) =>
      service.liftCoinHalt(account.id, params.id, (row, queries) =>
        audit.record({ accountId: account.id, action: 'auto-trade.coin-halt-lifted', target: row.symbol, origin }, queries),
      ),
  } satisfies Feature['handlers'];
  return handlers;
}
