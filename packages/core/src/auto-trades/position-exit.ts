import { decimal, greaterThan, isPositive, isZero, lessThan, subtract, toText } from '../money/decimal.ts';
import { cancelEffect, isOurs, rejection, releaseRest } from './position-entry.ts';
import { protectedCostFor } from './position-lines.ts';
import { isRefusal, isUrgent, log, next, type Of, place, plannedSell, type Reducer, seen, sliceQuantity } from './position-orders.ts';
import type { Effect, MarketMoment, OrderPurpose, PositionContext, PositionEvent } from './position-state.ts';
import { averageText, exitTrace, traceOf } from './position-traces.ts';
import type { ExitReason } from './trace.ts';

export const lineArmed: Reducer<'line.armed'> = (context, event) => {
  const line = toText(protectedCostFor(context, decimal(event.price)));
  return next(context, { ...seen(context, event.price), line, peak: event.price, lineAt: event.at, seenAt: event.at }, [
    traceOf(
      context,
      'CostMovedUp',
      'Armed',
      event,
      { line: null, peak: null, averageCost: averageText(context) },
      {
        line,
        peak: event.price,
        distancePct: context.settings.config.trailingCost.distancePct,
        reference: 'position',
        averageCost: averageText(context),
      },
    ),
  ]);
};

export const lineRaised: Reducer<'line.raised'> = (context, event) => {
  const line = toText(protectedCostFor(context, decimal(event.price)));
  if (!context.line || !greaterThan(decimal(line), decimal(context.line))) return next(context, {});
  return next(context, { ...seen(context, event.price), line, peak: event.price, lineAt: event.at, seenAt: event.at }, [
    traceOf(
      context,
      'CostMovedUp',
      'Raised',
      event,
      { line: context.line, peak: context.peak, averageCost: averageText(context) },
      {
        line,
        peak: event.price,
        distancePct: context.settings.config.trailingCost.distancePct,
        reference: 'position',
        averageCost: averageText(context),
      },
    ),
  ]);
};

const undrawn = { line: null, peak: null, lineAt: null, seenAt: null };

const expiryTrace = (context: PositionContext, event: Of<'line.expired'>, nextStep: string): Effect =>
  traceOf(
    context,
    'TrailingCostExpired',
    event.reason,
    event,
    { line: context.line, peak: context.peak },
    { line: null, ageMs: context.lineAt === null ? 0 : event.at - context.lineAt, next: nextStep, averageCost: averageText(context) },
  );

export const lineExpired: Reducer<'line.expired'> = (context, event) => {
  const disarm = context.settings.config.trailingCost.onExpiry === 'disarm';
  return next(context, { ...undrawn, ...seen(context, event.price), lineDisarmed: disarm }, [
    expiryTrace(context, event, disarm ? 'disarm' : 'rearm'),
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
  return next(context, { ...change, ...seen(context, moment.price), order, step, exitReason: reason, rejections: 0 }, [...effects, effect]);
}

export const lineSold: Reducer<'line.expired'> = (context, event) =>
  sell(context, 'TrailingCost', event, [expiryTrace(context, event, 'sell')], undrawn);
export const exitDecided: Reducer<'exit.decided'> = (context, event) => sell(context, event.reason, event);
export const lastSliceDecided: Reducer<'takeProfit.decided'> = (context, event) => {
  const after = sell(context, 'TakeProfit', event);
  return { ...after, order: after.order && { ...after.order, level: context.levelsDone } };
};

export const sliceDecided: Reducer<'takeProfit.decided'> = (context, event) => {
  const planned = plannedSell(context, sliceQuantity(context, context.levelsDone), event, false);
  const { order, step, effect } = place(context, 'takeProfit', planned, event.at, { attempt: 0, reprices: 0, level: context.levelsDone });
  return next(context, { ...seen(context, event.price), order, step, levelsDone: context.levelsDone + 1, rejections: 0 }, [effect]);
};

/** A stop while another sell is in flight: that one is cancelled first, its end places the exit. */
export const exitQueued: Reducer<'exit.decided'> = (context, event) => {
  const order = context.order!;
  return next(
    context,
    { ...seen(context, event.price), exitReason: event.reason, order: { ...order, cancelRequested: true } },
    order.cancelRequested ? [] : [cancelEffect(order)],
  );
};

export const closed = (context: PositionContext, event: PositionEvent): PositionContext => {
  const moment = event as MarketMoment;
  const reason = context.exitReason ?? 'TakeProfit';
  const after = next(context, { order: null, exitReason: reason, closedAt: moment.at, attention: null, reserved: '0', ...undrawn });
  return next(after, {}, [...releaseRest(context), exitTrace(after, reason, moment)]);
};

export const refused: Reducer<'order.ended'> = (context, event) =>
  next(context, { order: null, attention: event.code ?? event.status }, [
    ...rejection(event),
    log('NEEDS_ATTENTION', 'error', { code: event.code ?? event.status, clientOrderId: event.clientOrderId }),
  ]);

/** One more try: smaller by a lot after a refusal, at the market when that is what the timeout asks for. */
function repeatSell(context: PositionContext, event: Of<'order.ended'>, purpose: OrderPurpose): PositionContext {
  const previous = context.order!;
  const left = purpose === 'exit' ? decimal(context.quantity) : subtract(decimal(previous.quantity), decimal(previous.executed));
  const refusal = isRefusal(context, event);
  const smaller = refusal && event.status === 'REJECTED' ? subtract(left, decimal(context.settings.filters.stepSize)) : left;
  const urgent = isUrgent(context.exitReason) || context.settings.config.exit.order.onTimeout === 'market';
  const planned = plannedSell(context, toText(lessThan(smaller, decimal('0')) ? left : smaller), event, urgent);
  const { order, step, effect } = place(context, purpose, planned, event.at, {
    attempt: previous.attempt + 1,
    reprices: previous.reprices + 1,
    level: previous.level,
  });
  return next(context, { order, step, rejections: context.rejections + Number(refusal) }, [...rejection(event), effect]);
}

export const exitRepeated: Reducer<'order.ended'> = (context, event) => repeatSell(context, event, 'exit');
export const sliceRepeated: Reducer<'order.ended'> = (context, event) =>
  repeatSell(context, event, context.exitReason ? 'exit' : 'takeProfit');

export const heldAgain = (context: PositionContext, event: PositionEvent): PositionContext => {
  // A slice that sold nothing is still to be sold.
  const unsold = context.order?.purpose === 'takeProfit' && isZero(decimal(context.order.executed));
  return next(
    context,
    { order: null, exitReason: null, attention: null, rejections: 0, levelsDone: context.levelsDone - (unsold ? 1 : 0) },
    event.type === 'order.ended' ? rejection(event) : [],
  );
};

export const endedInAttention: Reducer<'order.ended'> = (context, event) =>
  isOurs(context, event.clientOrderId) ? next(context, { order: null }, rejection(event)) : next(context, {});

export const detached: Reducer<'position.detached'> = (context, event) =>
  next(context, { closedAt: event.at, order: null, reserved: '0', ...undrawn }, [
    ...releaseRest(context),
    ...(isPositive(decimal(context.cost)) ? ([{ kind: 'wallet', entry: { kind: 'detach', amount: context.cost } }] as const) : []),
    log('DETACHED', 'warning', { quantity: context.quantity, cost: context.cost }),
  ]);
