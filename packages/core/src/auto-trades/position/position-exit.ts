import { decimal, greaterThan, isPositive, lessThan, subtract, toText } from '../../money/decimal.ts';
import { digits } from '../../money/figure.ts';
import type { OrderPurpose } from '../../orders/orders-contract.ts';
import type { ExitReason } from '../trace.ts';
import { isOurs, rejection, released, undrawn, withTrimmedReserve } from './position-fills.ts';
import { lotStep, protectedCostFor } from './position-lines.ts';
import {
  cancelled,
  isOfResident,
  isRefusal,
  isUrgent,
  log,
  makeWay,
  next,
  type Of,
  place,
  plannedSell,
  type Reducer,
  seen,
} from './position-orders.ts';
import { soldNothing, triesOf, unfilledReason } from './position-retry.ts';
import { nextSlice } from './position-slices.ts';
import type { Effect, MarketMoment, PositionContext, PositionEvent } from './position-state.ts';
import { averageText, exitTrace, expiryTrace, traceOf } from './position-traces.ts';

/** The line is drawn, or rises with the price. */
function lineMoved(context: PositionContext, event: MarketMoment, reason: 'Armed' | 'Raised', line: string): PositionContext {
  const distancePct = digits(context.settings.config.trailingCost.distancePct);
  const averageCost = averageText(context);
  return next(context, { ...seen(context, event.price), line, peak: event.price, lineAt: event.at, seenAt: event.at }, [
    traceOf(
      context,
      'CostMovedUp',
      reason,
      event,
      { line: context.line, peak: context.peak, averageCost },
      { line, peak: event.price, distancePct, reference: 'position', averageCost },
    ),
  ]);
}

export const lineArmed: Reducer<'line.armed'> = (context, event) =>
  lineMoved(context, event, 'Armed', toText(protectedCostFor(context, decimal(event.price))));

export const lineRaised: Reducer<'line.raised'> = (context, event) => {
  const line = protectedCostFor(context, decimal(event.price));
  if (!context.line || !greaterThan(line, decimal(context.line))) return next(context, {});
  return lineMoved(context, event, 'Raised', toText(line));
};

export const lineExpired: Reducer<'line.expired'> = (context, event) => {
  const disarm = context.settings.config.trailingCost.onExpiry === 'disarm';
  return next(context, { ...undrawn, ...seen(context, event.price), lineDisarmed: disarm }, [
    expiryTrace(context, event.reason, event, disarm ? 'disarm' : 'rearm'),
  ]);
};

function sell(
  context: PositionContext,
  reason: ExitReason,
  moment: MarketMoment,
  effects: readonly Effect[] = [],
  change: Partial<PositionContext> = {},
): PositionContext {
  const planned = plannedSell(context, context.quantity, moment, isUrgent(reason));
  const { order, step, effect } = place(context, 'exit', planned, moment.at);
  const anew = { exitReason: reason, attention: null, rejections: 0, salePause: null };
  return next(context, { ...change, ...seen(context, moment.price), order, step, ...anew }, [...effects, effect]);
}

export const lineSold: Reducer<'line.expired'> = (context, event) =>
  sell(context, 'TrailingCost', event, [expiryTrace(context, event.reason, event, 'sell')], undrawn);
export const exitDecided: Reducer<'exit.decided'> = (context, event) =>
  sell(context, event.reason, event, [], { exitFacts: event.observed ?? null });

function lastSlice(context: PositionContext, moment: MarketMoment, effects: readonly Effect[] = []): PositionContext {
  const after = sell(context, 'TakeProfit', moment, effects);
  return { ...after, order: after.order && { ...after.order, level: context.levelsDone } };
}
function slice(context: PositionContext, moment: MarketMoment, effects: readonly Effect[] = []): PositionContext {
  const due = nextSlice(context);
  const planned = plannedSell(context, due?.quantity ?? '0', moment, false);
  const level = due?.level ?? context.levelsDone;
  const { order, step, effect } = place(context, 'takeProfit', planned, moment.at, { attempt: 0, reprices: 0, level });
  return next(context, { ...seen(context, moment.price), order, step, rejections: 0 }, [...effects, effect]);
}
export const lastSliceDecided: Reducer<'takeProfit.decided'> = (context, event) => lastSlice(context, event);
export const sliceDecided: Reducer<'takeProfit.decided'> = (context, event) => slice(context, event);

/** An exit while an order is in flight or a stop rests: they are cancelled first, the end of the last places it. */
export const exitQueued: Reducer<'exit.decided'> = (context, event) => {
  const { change, effects } = makeWay(context);
  return next(
    context,
    {
      ...seen(context, event.price),
      ...change,
      exitReason: event.reason,
      exitFacts: event.observed ?? null,
      attention: null,
      rejections: 0,
    },
    effects,
  );
};

export const lineSaleQueued: Reducer<'line.expired'> = (context, event) => {
  const { change, effects } = makeWay(context);
  return next(context, { ...undrawn, ...seen(context, event.price), ...change, exitReason: 'TrailingCost', rejections: 0 }, [
    expiryTrace(context, event.reason, event, 'sell'),
    ...effects,
  ]);
};

/** A slice that waits for the resident stop to make way. */
export const sliceQueued: Reducer<'takeProfit.decided'> = (context, event) => {
  const { change, effects } = makeWay(context);
  return next(context, { ...seen(context, event.price), ...change, rejections: 0 }, effects);
};

/** What the exit waited for is over: now it is placed. */
export const queuedExitPlaced: Reducer<'order.ended'> = (context, event) => {
  const { reserved, effects } = withTrimmedReserve(context);
  const ready = isOfResident(context, event) ? { ...context, resident: null } : { ...context, order: null, reserved };
  const released = isOfResident(context, event) ? [] : effects;
  // A stop that took its own way out leaves an order that still waits for its end.
  if (ready.order) return next(ready, {}, rejection(event));
  return sell(ready, context.exitReason ?? 'StopLoss', event, [...rejection(event), ...released]);
};
export const lastSlicePlaced: Reducer<'order.ended'> = (context, event) =>
  lastSlice({ ...context, resident: null }, event, rejection(event));
export const slicePlaced: Reducer<'order.ended'> = (context, event) => slice({ ...context, resident: null }, event, rejection(event));

/** A price of the user's own; null takes it away. */
export const targetSet: Reducer<'target.set'> = (context, event) =>
  next(context, { targetPrice: event.price }, [log('TARGET_SET', 'info', { price: event.price })]);

/** The cost of dust that stays behind leaves the budget; dust that joins the next position stays invested. */
const leftBehind = (context: PositionContext): readonly Effect[] =>
  context.settings.config.dust.policy === 'leave' && isPositive(decimal(context.cost))
    ? [
        { kind: 'wallet', entry: { kind: 'detach', amount: context.cost } },
        log('DUST_LEFT', 'info', { quantity: context.quantity, cost: context.cost }),
      ]
    : [];

function close(context: PositionContext, reason: ExitReason, moment: MarketMoment): PositionContext {
  const change = { order: null, resident: null, exitReason: reason, closedAt: moment.at, attention: null, reserved: '0' };
  const after = next(context, { ...change, ...undrawn });
  return next(after, {}, [...released(context.reserved), exitTrace(after, reason, moment), ...leftBehind(after)]);
}
export const closed = (context: PositionContext, event: PositionEvent): PositionContext => {
  const after = close(context, context.exitReason ?? 'TakeProfit', event as MarketMoment);
  return { ...after, effects: [...cancelled(context.resident), ...after.effects] };
};
export const closedAsDust: Reducer<'order.ended'> = (context, event) => close(context, 'Dust', event);
/** Nothing is left for the exit that waited: the stop at the exchange made it. */
export const closedByResident: Reducer<'order.ended'> = (context, event) => {
  const stop = context.resident!;
  const sold = isPositive(decimal(stop.executed));
  return close(context, sold ? (stop.mirrors ?? 'StopLoss') : (context.exitReason ?? 'Dust'), event);
};

export const refused: Reducer<'order.ended'> = (context, event) => {
  const code = soldNothing(context, event) ? unfilledReason(event) : (event.code ?? event.expiryReason ?? event.status);
  return next(context, { order: null, attention: code }, [
    ...rejection(event),
    log('NEEDS_ATTENTION', 'error', { code, ...triesOf(context, event), clientOrderId: event.clientOrderId }),
  ]);
};

/** One more try: smaller by a lot after a refusal, at the market when that is what the timeout asks for. */
function repeatSell(context: PositionContext, event: Of<'order.ended'>, purpose: OrderPurpose): PositionContext {
  const previous = context.order!;
  const left = purpose === 'exit' ? decimal(context.quantity) : subtract(decimal(previous.quantity), decimal(previous.executed));
  const refusal = isRefusal(context, event);
  const smaller = refusal && event.status === 'REJECTED' ? subtract(left, lotStep(context.settings.filters)) : left;
  // Of an order that was not taken for want of coins no time ran out.
  const isLate = event.balance === undefined && context.settings.config.exit.order.onTimeout === 'market';
  const urgent = isUrgent(context.exitReason) || isLate;
  const planned = plannedSell(context, toText(lessThan(smaller, decimal('0')) ? left : smaller), event, urgent);
  const { order, step, effect } = place(context, purpose, planned, event.at, {
    attempt: previous.attempt + 1,
    // By what was sold or offered before, the end of the position is named.
    reprices: previous.reprices + Number(event.balance === undefined),
    level: previous.level,
  });
  return next(context, { order, step, rejections: context.rejections + Number(refusal) }, [...rejection(event), effect]);
}

export const exitRepeated: Reducer<'order.ended'> = (context, event) => repeatSell(context, event, 'exit');
export const sliceRepeated: Reducer<'order.ended'> = (context, event) =>
  repeatSell(context, event, context.exitReason ? 'exit' : 'takeProfit');

export const heldAgain = (context: PositionContext, event: PositionEvent): PositionContext => {
  const change = { order: null, exitReason: null, exitFacts: null, attention: null, rejections: 0 };
  return next(context, change, event.type === 'order.ended' ? rejection(event) : []);
};

export const endedInAttention: Reducer<'order.ended'> = (context, event) => {
  if (isOurs(context, event.clientOrderId)) {
    // What a buy did not use comes back now: nothing else asks for it when the position is sold from here.
    const { reserved, effects } = withTrimmedReserve(context);
    return next(context, { order: null, reserved }, [...rejection(event), ...effects]);
  }
  return isOfResident(context, event) ? next(context, { resident: null }, rejection(event)) : next(context, {});
};

/** The user takes over, the stop that rests for the bot excepted: nobody would count what it sells. */
export const detached: Reducer<'position.detached'> = (context, event) =>
  next(context, { closedAt: event.at, order: null, resident: null, salePause: null, reserved: '0', ...undrawn }, [
    ...cancelled(context.resident),
    ...released(context.reserved),
    ...(isPositive(decimal(context.cost)) ? ([{ kind: 'wallet', entry: { kind: 'detach', amount: context.cost } }] as const) : []),
    log('DETACHED', 'warning', { quantity: context.quantity, cost: context.cost }),
  ]);
