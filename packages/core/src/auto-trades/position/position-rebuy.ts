import { decimal, divide, isPositive, minimum, multiply, plusPercent, toText } from '../../money/decimal.ts';
import { digits } from '../../money/figure.ts';
import { isWideSpread } from './entry-plan.ts';
import { noRebuyTrail, rejection, withTrimmedReserve } from './position-fills.ts';
import { averageCost, buyLimit, lessPercent, lotsWithin, textOf, tooSmallToTrade, toTick, untakenType } from './position-lines.ts';
import { asked, cancelled, isRefusal, log, next, payableLots, place, type Reducer, seen } from './position-orders.ts';
import type { MarketMoment, PlannedOrder, PositionContext } from './position-state.ts';

/** Venue time after a refused rebuy before the next. */
const REFUSED_REBUY_MS = 60_000;
const MINUTE_MS = 60_000;

/** Price at or below which the next level buys; null when no level is left. On the tick, rounded down. */
export function rebuyPrice(context: PositionContext, level = context.rebuysDone) {
  const rung = context.ladder[level];
  if (!rung) return null;
  const { basis } = context.settings.config.rebuys;
  const from = basis === 'avgCost' ? averageCost(context) : basis === 'firstBuy' ? context.firstBuyPrice : context.lastBuyPrice;
  if (from === null) return null;
  return toTick(lessPercent(typeof from === 'string' ? decimal(from) : from, decimal(rung.dropPct)), context.settings.filters, 'down');
}

/** Earliest venue time of the next rebuy, ms. */
export const rebuyFrom = (context: PositionContext): number =>
  Math.max((context.lastBuyAt ?? 0) + context.settings.config.rebuys.minMinutesBetween * MINUTE_MS, context.rebuyRetryAt ?? 0);

/** Price from which the low counts as rebounded; null while none is followed. */
export function rebuyRebound(context: PositionContext) {
  if (context.rebuyLow === null) return null;
  return plusPercent(decimal(context.rebuyLow), decimal(context.settings.config.rebuys.trailingReboundPct));
}

/** Price above which a rebound is no longer followed: as far above the level as an entry may chase its trigger. */
export function rebuyChase(context: PositionContext) {
  const level = rebuyPrice(context);
  return level && plusPercent(level, decimal(context.settings.config.entry.trailing.maxChasePct));
}

export type RebuyPlan =
  | { readonly ok: true; readonly order: PlannedOrder }
  | { readonly ok: false; readonly rule: 'spread' | 'order-type' | 'size'; readonly observed: string; readonly limit: string };

/** The order of the next level at a moment of the market: at most what is set aside for it pays, in whole lots. */
export function planRebuy(context: PositionContext, moment: MarketMoment): RebuyPlan {
  const { settings } = context;
  const { order, maxSpreadPct } = settings.config.entry;
  const spread = isWideSpread(moment, maxSpreadPct);
  if (spread !== null) return { ok: false, rule: 'spread', observed: spread, limit: digits(maxSpreadPct) };
  const { filters } = settings;
  const untaken = untakenType(filters, order.type);
  if (untaken) return { ok: false, rule: 'order-type', observed: untaken, limit: '' };
  const limit = order.type === 'Limit' ? buyLimit(moment.ask, order.offsetPct, filters) : null;
  const price = limit ?? decimal(moment.ask);
  const rung = context.ladder[context.rebuysDone];
  if (!rung || !isPositive(price)) return { ok: false, rule: 'size', observed: '0', limit: digits(filters.minNotional) };
  const last = decimal(moment.price);
  const wanted = lotsWithin(divide(decimal(rung.quote), price, 28, 'down'), filters, order.type, limit ?? last);
  const quantity = payableLots(context, wanted, price, limit ? '0' : order.maxSlippagePct, 'rebuy');
  if (tooSmallToTrade(quantity, limit ?? minimum(price, last), filters))
    return { ok: false, rule: 'size', observed: toText(multiply(quantity, price)), limit: digits(filters.minNotional) };
  return { ok: true, order: { type: order.type, quantity: toText(quantity), price: textOf(limit) } };
}

export const rebuyDecided: Reducer<'rebuy.decided'> = (context, event) => {
  const level = context.rebuysDone;
  const { order, step, effect } = place(context, 'rebuy', event.order, event.at, { attempt: 0, reprices: 0, level });
  return next(context, { ...seen(context, event.price), order, step, rejections: 0, entryWithdrawn: false }, [
    log('REBUY_DECIDED', 'info', { level: level + 1, price: event.price, quantity: order.quantity, clientOrderId: order.clientOrderId }),
    effect,
  ]);
};

export const rebuyLapsed: Reducer<'rebuy.lapsed'> = (context, event) =>
  next(context, noRebuyTrail, [
    log('REBUY_TRAIL_EXPIRED', 'info', { reason: event.reason, price: event.price, low: context.rebuyLow, level: context.rebuysDone + 1 }),
  ]);

/** Taken back: an exit is due that must not be judged by an average that is about to change, or nothing is bought any more. */
export const rebuyWithdrawn: Reducer<'rebuy.withdrawn'> = (context) =>
  context.order && !context.order.cancelRequested
    ? next(context, { entryWithdrawn: true, order: asked(context.order) }, [
        log('REBUY_WITHDRAWN', 'info', { level: context.rebuysDone + 1 }),
        ...cancelled(context.order),
      ])
    : next(context, { entryWithdrawn: true });

/** The buy is over; what was set aside for it and not used goes back. One that the exchange refused is not tried again at once. */
export const buyEnded: Reducer<'order.ended'> = (context, event) => {
  const retry = isRefusal(context, event) ? event.at + REFUSED_REBUY_MS : context.rebuyRetryAt;
  const { reserved, effects } = withTrimmedReserve(context);
  return next(context, { order: null, reserved, rebuyRetryAt: retry, ...noRebuyTrail }, [...rejection(event), ...effects]);
};
