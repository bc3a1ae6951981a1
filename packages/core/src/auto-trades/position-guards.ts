import { decimal, greaterThan, isZero } from '../money/decimal.ts';
import { coversCost, tooSmallToTrade } from './position-lines.ts';
import { isHeldBack, isRefusal, isUrgent, repricedEntry, sliceIsLast } from './position-orders.ts';
import type { PositionContext, PositionEvent } from './position-state.ts';

/** Every guard of the position chart. A lot is what remains after the last fill; statuses come with the event. */
export const positionGuards = {
  boughtNothing: (context: PositionContext) => isZero(decimal(context.quantity)) && isZero(decimal(context.bought)),
  restIsUnsellable: (context: PositionContext, event: PositionEvent) =>
    tooSmallToTrade(decimal(context.quantity), decimal('price' in event && event.price ? event.price : '0'), context.settings.filters),
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
