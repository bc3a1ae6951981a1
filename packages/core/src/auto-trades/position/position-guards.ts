import { decimal, greaterThan, HUNDRED, isPositive, isZero, lessThan, multiply, subtract } from '../../money/decimal.ts';
import { coversCost, leastLots, sellableQuantity, takesOrders, tooSmallToTrade } from './position-lines.ts';
import { isHeldBack, isRefusal, isUrgent, repricedBuy } from './position-orders.ts';
import { nextSlice } from './position-slices.ts';
import { type MarketMoment, ordersInFlight, type PositionContext, type PositionEvent, UNLISTED } from './position-state.ts';

/** The kind of order that sells what is left: the minimum of some pairs binds limit orders alone. */
const saleType = ({ settings: { config, filters }, exitReason }: PositionContext): 'Limit' | 'Market' =>
  (isUrgent(exitReason) || config.exit.order.type === 'Market') && takesOrders(filters, 'Market') ? 'Market' : 'Limit';

/**
 * What is left is too little to be a position: no whole lot, or below the minimum value and either a small part of what
 * was bought or what an exit that sold the rest could not sell. A position that a falling price made unsellable before
 * anything of it was sold is not dust.
 */
export function restIsDust(context: PositionContext, event: PositionEvent): boolean {
  const quantity = decimal(context.quantity);
  const { filters, config } = context.settings;
  const lots = sellableQuantity(quantity, filters);
  if (isZero(lots) || lessThan(lots, leastLots(filters))) return true;
  const small = !greaterThan(multiply(quantity, HUNDRED), multiply(decimal(context.bought), decimal(config.dust.maxResidualPct)));
  const leftByExit = exitWaits(context) && lessThan(quantity, decimal(context.bought));
  const price = decimal('price' in event && event.price ? event.price : '0');
  return (small || leftByExit) && tooSmallToTrade(quantity, price, filters, saleType(context));
}

/** A buy that was not filled in time goes on at another price or at the market, as its timeout says. */
export function buyRepeats(context: PositionContext, event: PositionEvent): boolean {
  const { onTimeout, maxReprices } = context.settings.config.entry.order;
  return (
    event.type === 'order.ended' &&
    event.status !== 'REJECTED' &&
    context.order?.cancelRequested === true &&
    context.order.type === 'Limit' &&
    !context.entryWithdrawn &&
    isZero(decimal(context.order.executed)) &&
    (onTimeout === 'market' || (onTimeout === 'reprice' && context.order.reprices < maxReprices)) &&
    repricedBuy(context, event) !== undefined
  );
}

export const residentStands = (context: PositionContext): boolean => context.resident !== null;
export const exitWaits = (context: PositionContext): boolean => context.exitReason !== null;

export function expirySells(context: PositionContext, event: PositionEvent): boolean {
  return (
    event.type === 'line.expired' &&
    event.reason === 'Timeout' &&
    context.settings.config.trailingCost.onExpiry === 'sellIfProfit' &&
    coversCost(context, decimal(event.bid))
  );
}

const sliceRest = (context: PositionContext): boolean =>
  context.order !== null && greaterThan(decimal(context.order.quantity), decimal(context.order.executed));

const sliceIsCrumb = ({ order, settings }: PositionContext, { price }: Pick<MarketMoment, 'price'>): boolean =>
  order !== null &&
  !isZero(decimal(order.executed)) &&
  tooSmallToTrade(subtract(decimal(order.quantity), decimal(order.executed)), decimal(price), settings.filters);

export const boughtNothing = (context: PositionContext): boolean => isZero(decimal(context.quantity)) && isZero(decimal(context.bought));
export const restIsUnsellable = (context: PositionContext, event: PositionEvent): boolean =>
  tooSmallToTrade(decimal(context.quantity), decimal('price' in event && event.price ? event.price : '0'), context.settings.filters);
export const isOfStranger = (context: PositionContext, event: PositionEvent): boolean =>
  event.type === 'order.ended' && !ordersInFlight(context).some((order) => order.clientOrderId === event.clientOrderId);
/** New settings took the level away that a slice waited for. */
export const noSliceIsLeft = (context: PositionContext): boolean => nextSlice(context) === null;
export const noExitWaits = (context: PositionContext): boolean => !exitWaits(context);
export const rejectedTwice = (context: PositionContext, event: PositionEvent): boolean =>
  isRefusal(context, event) && context.rejections >= 1;
/**
 * A slice goes on after a refusal or a half-filled market order, and always when an exit is waiting behind it. A crumb of
 * it that nobody would take is sold with what comes later.
 */
export const sliceRepeats = (context: PositionContext, event: PositionEvent): boolean =>
  event.type === 'order.ended' &&
  !isHeldBack(event) &&
  (context.exitReason !== null ||
    (event.status !== 'FILLED' &&
      (event.status === 'REJECTED' || context.settings.config.exit.order.onTimeout !== 'cancel') &&
      sliceRest(context) &&
      !sliceIsCrumb(context, event)));
/** An exit goes on until nothing is left, unless it was a resting order whose timeout says cancel. A slice it waited behind is no such. */
export const exitRepeats = (context: PositionContext, event: PositionEvent): boolean =>
  event.type === 'order.ended' &&
  !isHeldBack(event) &&
  (isUrgent(context.exitReason) ||
    context.order?.purpose === 'takeProfit' ||
    context.order?.type === 'Market' ||
    event.status === 'REJECTED' ||
    (context.settings.config.exit.order.onTimeout !== 'cancel' &&
      context.order!.reprices < context.settings.config.exit.order.maxReprices));
/** Only a stop may overtake an exit that rests in the book, or waits for its turn; a kill switch also one that only rests. */
export const exitIsUrgent = (context: PositionContext, event: PositionEvent): boolean =>
  event.type === 'exit.decided' &&
  isUrgent(event.reason) &&
  context.order?.type !== 'Market' &&
  (!isUrgent(context.exitReason) || ordersInFlight(context).some((order) => !order.cancelRequested));
/** That an order is lost with its pair is news once, whatever else was unclear before. */
export const pairHasLeft = (context: PositionContext, event: PositionEvent): boolean =>
  event.type === 'order.lost' && event.code === UNLISTED && context.attention !== UNLISTED;
export const somethingIsLeft = ({ quantity }: PositionContext): boolean => isPositive(decimal(quantity));
export const nothingIsHeld = (context: PositionContext): boolean => !somethingIsLeft(context);
export const lineIsDrawn = (context: PositionContext): boolean => context.line !== null;
/** An order whose end is not known yet; a stop that rests as it should is no such. */
export const orderIsInFlight = (context: PositionContext): boolean => context.order !== null || context.resident?.cancelRequested === true;
