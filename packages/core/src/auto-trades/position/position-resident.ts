import { compare, type Decimal, decimal, equals, lessThan, maximum, minimum, multiply, toText } from '../../money/decimal.ts';
import { rejection } from './position-fills.ts';
import { breakEvenPrice, lessPercent, lotsWithin, sellableQuantity, takesOrders, tooSmallToTrade, toTick } from './position-lines.ts';
import { asked, cancelled, isHeldBack, log, next, place, type Reducer } from './position-orders.ts';
import { type GuardPlan, LATE, type MarketMoment, type PositionContext, type ProtectedBy } from './position-state.ts';

/** Market time between two replacements of a resident stop. */
export const REPLACE_MS = 5000;
/** After one that the exchange would not have: at first, and at most; there may be room again when others are gone. */
const REFUSED_MS = 60_000;
const MOST_REFUSED_MS = 5 * REFUSED_MS;
/** How often it is said that none can rest. */
const SAID_EVERY_MS = 3_600_000;
/** Steps of a position (orders it may place in its life) that resident stops leave to everything else. */
const LAST_STEP = 40_000;
/** Why no stop rests any more: the position has placed that many orders. It does not pass. */
const NO_STEPS_LEFT = 'TOO_MANY_ORDERS';
/** The exchange takes no such orders of the pair. */
const NO_STOP_ORDERS = 'NO_STOP_ORDERS';
/** Reasons why no stop rests that have words (`stopReasons`); others are shown as the exchange's code. */
export const NAMED_STOP_REFUSALS: ReadonlySet<string> = new Set([
  'TOO_SMALL',
  'PERCENT_PRICE',
  NO_STOP_ORDERS,
  '-1013 MAX_NUM_ALGO_ORDERS',
]);

/** The highest floor in force: what sells first when the price falls. Null when nothing guards the position. */
export function highestFloor(context: PositionContext): { readonly price: Decimal; readonly mirrors: ProtectedBy } | null {
  const stop = context.stopPrice === null ? null : decimal(context.stopPrice);
  const line = context.line === null ? null : decimal(context.line);
  if (line && (!stop || !lessThan(line, stop))) return { price: line, mirrors: 'TrailingCost' };
  return stop && { price: stop, mirrors: 'StopLoss' };
}

/** The stop that should rest at the exchange for what is held, whatever rests there now. */
export function plannedGuard(context: PositionContext, moment: Pick<MarketMoment, 'price'>): GuardPlan {
  const { config, filters } = context.settings;
  if (!config.protectiveStop.enabled) return null;
  const floor = highestFloor(context);
  if (!floor) return null;
  if (!takesOrders(filters, 'StopLimit')) {
    // One that rests stays as it is: taken away, it could not be replaced.
    const { quantity, stopPrice, price, mirrors } = context.resident ?? {};
    return quantity && stopPrice && price ? { quantity, stopPrice, price, mirrors: mirrors ?? floor.mirrors } : { code: NO_STOP_ORDERS };
  }
  if (context.step >= LAST_STEP) return { code: NO_STEPS_LEFT };
  let limit = toTick(lessPercent(floor.price, decimal(config.protectiveStop.limitOffsetPct)), filters, 'down');
  // A protected cost that may not lose does not lose by its limit either.
  if (floor.mirrors === 'TrailingCost' && config.trailingCost.floor === 'breakEven') {
    const least = breakEvenPrice(context);
    if (least) limit = maximum(limit, least);
  }
  const held = decimal(context.quantity);
  const lots = minimum(sellableQuantity(held, filters), lotsWithin(held, filters, 'Limit', limit));
  if (tooSmallToTrade(lots, limit, filters)) return { code: 'TOO_SMALL' };
  if (lessThan(limit, multiply(decimal(moment.price), decimal(filters.askMultiplierDown)))) return { code: 'PERCENT_PRICE' };
  // A floor may be on a tick that the pair had before: the exchange would refuse it.
  const stopPrice = toText(toTick(floor.price, filters, 'down'));
  return { quantity: toText(lots), stopPrice, price: toText(limit), mirrors: floor.mirrors };
}

/** True when what rests is what should: the same stop, limit and quantity. */
const follows = (context: PositionContext, plan: Extract<GuardPlan, { stopPrice: string }>): boolean =>
  context.resident !== null &&
  equals(decimal(context.resident.stopPrice ?? '0'), decimal(plan.stopPrice)) &&
  equals(decimal(context.resident.price ?? '0'), decimal(plan.price)) &&
  equals(decimal(context.resident.quantity), decimal(plan.quantity));

/**
 * When the resident stop has to be looked at again (venue ms), and the price that must be above its stop then; null
 * when it is as it should be. A stop that is too high, or guards nothing any more, is taken away at once; a higher one
 * waits until the last is some seconds old.
 */
export function guardDue(context: PositionContext): { readonly at: number; readonly above: Decimal | null } | null {
  const { resident } = context;
  const floor = context.settings.config.protectiveStop.enabled ? highestFloor(context) : null;
  if (resident) {
    if (resident.cancelRequested) return null;
    if (!floor) return { at: 0, above: null };
    const plan = plannedGuard(context, { price: toText(floor.price) });
    if (plan && 'stopPrice' in plan && follows(context, plan)) return null;
    const higher = compare(floor.price, decimal(resident.stopPrice ?? '0')) >= 0;
    return { at: higher ? resident.placedAt + REPLACE_MS : 0, above: null };
  }
  return floor && { at: context.residentRetryAt ?? 0, above: floor.price };
}

/** Why no stop rests that should, as a code; null when one does, or none should. */
export const stopRefusedBy = (context: PositionContext): string | null =>
  context.resident === null && context.settings.config.protectiveStop.enabled && highestFloor(context) !== null
    ? (context.stopRefusal?.code ?? null)
    : null;

export const guardFollowed: Reducer<'guard.due'> = (context, event) => {
  const { resident } = context;
  const { plan } = event;
  if (resident) {
    if (resident.cancelRequested || (plan && 'stopPrice' in plan && follows(context, plan))) return next(context, {});
    return next(context, { resident: asked(resident) }, cancelled(resident));
  }
  if (!plan) return next(context, {});
  if ('code' in plan) return refused(context, plan.code, event.at);
  const { order, step, effect } = place(context, 'protect', { type: 'StopLimit', quantity: plan.quantity, price: plan.price }, event.at);
  const stop = { ...order, stopPrice: plan.stopPrice, mirrors: plan.mirrors, deadline: Number.MAX_SAFE_INTEGER };
  return next(context, { resident: stop, residentRetryAt: null, step }, [
    effect.kind === 'place' ? { ...effect, order: stop, maxSlippagePct: '0' } : effect,
  ]);
};

/** None can rest, and the position guards itself: said at once and each hour, tried again less and less often. */
function refused(context: PositionContext, code: string, at: number): PositionContext {
  const before = context.stopRefusal;
  const stopRefusal = { code, saidAt: at, tries: 0 };
  if (code === NO_STEPS_LEFT)
    return next(context, { resident: null, residentRetryAt: Number.MAX_SAFE_INTEGER, stopRefusal }, [
      log('PROTECTIVE_STOPS_OVER', 'warning'),
    ]);
  const tries = before ? before.tries + 1 : 0;
  const says = !before || at - before.saidAt >= SAID_EVERY_MS;
  const change = {
    resident: null,
    residentRetryAt: at + Math.min(REFUSED_MS * 2 ** Math.min(tries, 10), MOST_REFUSED_MS),
    stopRefusal: { code, saidAt: says ? at : before.saidAt, tries },
  };
  return next(context, change, says ? [log('PROTECTIVE_STOP_REFUSED', 'warning', { code })] : []);
}

/** The price is where the stop is, or the order never arrived: no word of the exchange on whether one may rest. */
const UNSAID: ReadonlySet<string> = new Set(['-2010 STOP_WOULD_TRIGGER', 'ABSENT', 'NOT_CONNECTED']);

/** The stop is gone. One that went without being asked to is tried again after a while: the position guards itself meanwhile. */
export const residentEnded: Reducer<'order.ended'> = (context, event) => {
  const { code, status } = event;
  const isAway = status !== 'REJECTED' || isHeldBack(event) || UNSAID.has(code ?? '');
  if (!isAway) return refused(context, code ?? status, event.at);
  const wasAsked = context.resident?.cancelRequested === true && status !== 'REJECTED';
  // One that only came too late is not what the exchange minds: a position is not left without for a minute.
  const soon = wasAsked || code === LATE;
  return next(context, { resident: null, residentRetryAt: soon ? null : event.at + REFUSED_MS }, [
    ...rejection(event),
    // One that sold what it stood for was not refused: while a buy is taken back its exit waits for that.
    ...(wasAsked || status === 'FILLED' ? [] : [log('PROTECTIVE_STOP_REFUSED', 'info', { code: code ?? status })]),
  ]);
};
