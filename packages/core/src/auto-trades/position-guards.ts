import { decimal, greaterThan, HUNDRED, isZero, lessThan, multiply } from '../money/decimal.ts';
import { coversCost, sellableQuantity, tooSmallToTrade } from './position-lines.ts';
import { isHeldBack, isRefusal, isUrgent, repricedEntry, sliceIsLast } from './position-orders.ts';
import type { PositionContext, PositionEvent } from './position-state.ts';

/** Most of a position that may stay behind when it is closed, percent of all that was bought. */
const DUST_PCT = decimal('2');

/** Every guard of the position chart. A lot is what remains after the last fill; statuses come with the event. */
export const positionGuards = {
  boughtNothing: (context: PositionContext) => isZero(decimal(context.quantity)) && isZero(decimal(context.bought)),
  restIsUnsellable: (context: PositionContext, event: PositionEvent) =>
    tooSmallToTrade(decimal(context.quantity), decimal('price' in event && event.price ? event.price : '0'), context.settings.filters),
  /**
   * What is left is too little to be a position: no whole lot, or below the minimum value and a small part of what was
   * bought. A position that a falling price made unsellable is not dust.
   */
  restIsDust: (context: PositionContext, event: PositionEvent) => {
    const quantity = decimal(context.quantity);
    const { filters } = context.settings;
    const lots = sellableQuantity(quantity, filters);
    if (isZero(lots) || lessThan(lots, decimal(filters.minQty))) return true;
    const small = !greaterThan(multiply(quantity, HUNDRED), multiply(decimal(context.bought), DUST_PCT));
    return small && tooSmallToTrade(quantity, decimal('price' in event && event.price ? event.price : '0'), filters);
  },
  entryRepeats: (context: PositionContext, event: PositionEvent) => {
    const { onTimeout, maxReprices } = context.settings.config.entry.order;
    return (
      event.type === 'order.ended' &&
      event.status !== 'REJECTED' &&
      context.order?.cancelRequested === true &&
      context.order.type === 'Limit' &&
      !context.entryWithdrawn &&
      isZero(decimal(context.order.executed)) &&
      isZero(decimal(context.bought)) &&
      (onTimeout === 'market' || (onTimeout === 'reprice' && context.order.reprices < maxReprices)) &&
      repricedEntry(context, event) !== undefined
    );
  },
  rejectedTwice: (context: PositionContext, event: PositionEvent) => isRefusal(context, event) && context.rejections >= 1,
  /** A slice goes on after a refusal or a half-filled market order, and always when an exit is waiting behind it. */
  sliceRepeats: (context: PositionContext, event: PositionEvent) =>
    event.type === 'order.ended' &&
    !isHeldBack(event) &&
    (context.exitReason !== null ||
      (event.status !== 'FILLED' &&
        (event.status === 'REJECTED' || context.settings.config.exit.order.onTimeout !== 'cancel') &&
        sliceRest(context))),
  /** An exit goes on until nothing is left, unless it was a resting order whose timeout says cancel. A slice it waited behind is no such. */
  exitRepeats: (context: PositionContext, event: PositionEvent) =>
    event.type === 'order.ended' &&
    !isHeldBack(event) &&
    (isUrgent(context.exitReason) ||
      context.order?.purpose === 'takeProfit' ||
      context.order?.type === 'Market' ||
      event.status === 'REJECTED' ||
      (context.settings.config.exit.order.onTimeout !== 'cancel' &&
        context.order!.reprices < context.settings.config.exit.order.maxReprices)),
  /** Only a stop may overtake an exit that rests in the book. */
  exitIsUrgent: (context: PositionContext, event: PositionEvent) =>
    event.type === 'exit.decided' && isUrgent(event.reason) && !isUrgent(context.exitReason) && context.order?.type === 'Limit',
  lineIsDrawn: (context: PositionContext) => context.line !== null,
  expirySells: (context: PositionContext, event: PositionEvent) =>
    event.type === 'line.expired' &&
    event.reason === 'Timeout' &&
    context.settings.config.trailingCost.onExpiry === 'sellIfProfit' &&
    coversCost(context, decimal(event.bid)),
  sliceIsLast: (context: PositionContext) => sliceIsLast(context),
  orderIsInFlight: (context: PositionContext) => context.order !== null,
};

const sliceRest = (context: PositionContext): boolean =>
  context.order !== null && greaterThan(decimal(context.order.quantity), decimal(context.order.executed));

export type PositionGuardName = keyof typeof positionGuards;
