import { add, decimal, isPositive, isZero, maximum, minimum, multiply, subtract, toText, ZERO } from '../money/decimal.ts';
import { afterBuy, afterSell, feeInQuote } from './position-accounting.ts';
import { stopLossPrice } from './position-lines.ts';
import { isRefusal, log, next, type Of, place, type Reducer, repricedEntry, seen } from './position-orders.ts';
import type { Effect, MarketMoment, OrderInFlight, PositionContext, PositionEvent } from './position-state.ts';
import { averageText, exitTrace, traceOf } from './position-traces.ts';

export const entryTriggered: Reducer<'entry.triggered'> = (context, event) =>
  next(context, { triggerPrice: event.price, entryLow: event.price, trailUntil: event.trailUntil }, [
    log('ENTRY_TRIGGERED', 'info', { price: event.price, until: event.trailUntil }),
  ]);

const noTrail = { triggerPrice: null, entryLow: null, trailUntil: null };

export const entryLapsed: Reducer<'entry.lapsed'> = (context, event) =>
  next(context, noTrail, [
    log('ENTRY_TRAIL_EXPIRED', 'info', { reason: event.reason, price: event.price, trigger: context.triggerPrice, low: context.entryLow }),
  ]);

export const trailWithdrawn: Reducer<'entry.withdrawn'> = (context) => next(context, noTrail, [log('ENTRY_WITHDRAWN', 'info')]);

export const entryDecided: Reducer<'entry.decided'> = (context, event) => {
  const { order, step, effect } = place(context, 'entry', event.order, event.at);
  const predictedFee = multiply(decimal(event.reserve), decimal(context.settings.takerFee));
  const trace = traceOf(
    context,
    'Entry',
    context.settings.config.entry.trigger.kind === 'drop' ? 'Drop' : 'Immediate',
    event,
    {},
    {
      ...event.observed,
      slot: event.slot,
      slots: event.slots,
      reserved: event.reserve,
      orderType: order.type,
      quantity: order.quantity,
      limitPrice: order.price,
      predictedFee: toText(predictedFee),
    },
    { clientOrderId: order.clientOrderId },
  );
  return next(context, { ...seen(context, event.price), order, step, reserved: event.reserve }, [
    { kind: 'wallet', entry: { kind: 'reserve', amount: event.reserve } },
    trace,
    effect,
  ]);
};

/** How much of a cost the reservation still covers. */
const fromReserve = (context: PositionContext, cost: string): string =>
  toText(maximum(ZERO, minimum(decimal(cost), subtract(decimal(context.reserved), decimal(context.cost)))));

export const isOurs = (context: PositionContext, clientOrderId: string): boolean => context.order?.clientOrderId === clientOrderId;

export const orderAccepted: Reducer<'order.accepted'> = (context, event) =>
  context.order && isOurs(context, event.clientOrderId) && context.order.orderId === null
    ? next(context, { order: { ...context.order, orderId: event.orderId } })
    : next(context, {});

export const orderFilled: Reducer<'order.filled'> = (context, event) => {
  const { order } = context;
  // The same execution arrives by the answer and by the stream: the trade id counts it once.
  if (!order || !isOurs(context, event.clientOrderId) || order.tradeIds.includes(event.tradeId)) return next(context, {});
  const inFlight: OrderInFlight = {
    ...order,
    orderId: event.orderId,
    executed: toText(add(decimal(order.executed), decimal(event.quantity))),
    tradeIds: [...order.tradeIds, event.tradeId],
  };
  const ids = { orderId: event.orderId, clientOrderId: event.clientOrderId, tradeId: event.tradeId };
  const fee = feeInQuote(event, context.settings);
  const shared = {
    order: inFlight,
    ...seen(context, event.price),
    fees: toText(add(decimal(context.fees), decimal(fee))),
    lastFillAt: event.at,
  };
  const facts = { quantity: event.quantity, quoteQuantity: event.quoteQuantity, fee: event.fee, feeAsset: event.feeAsset, feeInQuote: fee };
  if (order.side === 'Buy') {
    const held = afterBuy(context, event, context.settings);
    const after = next(context, {
      ...shared,
      quantity: held.quantity,
      cost: held.cost,
      bought: toText(add(decimal(context.bought), decimal(held.received))),
      firstBuyPrice: context.firstBuyPrice ?? event.price,
      openedAt: context.openedAt ?? event.at,
    });
    return next(after, {}, [
      { kind: 'wallet', entry: { kind: 'buy', amount: held.costAdded, reserved: fromReserve(context, held.costAdded) } },
      traceOf(
        after,
        'Buy',
        'Entry',
        event,
        { averageCost: averageText(context), position: context.quantity },
        { ...facts, averageCost: averageText(after), position: after.quantity, level: 0 },
        ids,
      ),
    ]);
  }
  const held = afterSell(context, event, context.settings);
  const after = next(context, {
    ...shared,
    quantity: held.quantity,
    cost: held.cost,
    realised: toText(add(decimal(context.realised), decimal(held.realised))),
  });
  return next(after, {}, [
    { kind: 'wallet', entry: { kind: 'sell', cost: held.matchedCost, proceeds: held.proceeds } },
    traceOf(
      after,
      'Sell',
      context.exitReason ?? 'TakeProfit',
      event,
      { averageCost: averageText(context), position: context.quantity },
      { ...facts, matchedCost: held.matchedCost, realised: held.realised, position: after.quantity, level: order.level },
      ids,
    ),
    ...(isZero(decimal(held.excess)) ? [] : [log('OVERSOLD', 'error', { excess: held.excess })]),
  ]);
};

export const cancelEffect = (order: OrderInFlight): Effect => ({
  kind: 'cancel',
  clientOrderId: order.clientOrderId,
  orderId: order.orderId,
});

export const orderTimedOut: Reducer<'order.timedOut'> = (context, event) =>
  context.order && !context.order.cancelRequested
    ? next(context, { order: { ...context.order, cancelRequested: true } }, [
        log('ORDER_TIMED_OUT', 'info', { clientOrderId: context.order.clientOrderId, price: event.price }),
        cancelEffect(context.order),
      ])
    : next(context, {});

export const entryWithdrawn: Reducer<'entry.withdrawn'> = (context) =>
  context.order && !context.entryWithdrawn
    ? next(context, { entryWithdrawn: true, order: { ...context.order, cancelRequested: true } }, [
        log('ENTRY_WITHDRAWN', 'info'),
        ...(context.order.cancelRequested ? [] : [cancelEffect(context.order)]),
      ])
    : next(context, {});

export const orderLost: Reducer<'order.lost'> = (context, event) =>
  next(context, { attention: event.code }, [log('NEEDS_ATTENTION', 'error', { code: event.code, clientOrderId: event.clientOrderId })]);

/** Money still reserved goes back once the entry order is over. */
export function releaseRest(context: PositionContext): readonly Effect[] {
  const rest = subtract(decimal(context.reserved), decimal(context.cost));
  return isPositive(rest) ? [{ kind: 'wallet', entry: { kind: 'release', amount: toText(rest) } }] : [];
}

export const rejection = (event: Of<'order.ended'>): readonly Effect[] =>
  event.status === 'REJECTED' || event.code
    ? [log('ORDER_REFUSED', 'warning', { status: event.status, code: event.code, clientOrderId: event.clientOrderId })]
    : [];

export const entryRepeated: Reducer<'order.ended'> = (context, event) => {
  const previous = context.order!;
  const planned = repricedEntry(context, event)!;
  const { order, step, effect } = place(context, 'entry', planned, event.at, {
    attempt: previous.attempt + 1,
    reprices: previous.reprices + 1,
    level: null,
  });
  return next(context, { order, step }, [
    log('ORDER_REPRICED', 'info', { price: order.price, clientOrderId: order.clientOrderId }),
    effect,
  ]);
};

export const entryAbandoned = (context: PositionContext, event: PositionEvent): PositionContext => {
  const moment = event as MarketMoment;
  const refused = isRefusal(context, event);
  const after = next(context, {
    order: null,
    exitReason: 'Abandoned',
    closedAt: moment.at,
    reserved: '0',
    rejections: refused ? 1 : 0,
  });
  return next(after, {}, [
    ...(event.type === 'order.ended' ? rejection(event) : []),
    ...releaseRest(context),
    exitTrace(after, 'Abandoned', moment),
  ]);
};

export const closedAsDust: Reducer<'order.ended'> = (context, event) => {
  const after = next(context, { order: null, exitReason: 'Dust', closedAt: event.at, reserved: '0' });
  return next(after, {}, [...releaseRest(context), exitTrace(after, 'Dust', event)]);
};

export const opened = (context: PositionContext, _event: PositionEvent): PositionContext => {
  const after = next(context, { order: null, reserved: '0', attention: null, rejections: 0, exitReason: null });
  const stop = stopLossPrice(after);
  return next(after, { stopPrice: stop && toText(stop), stopSince: null }, releaseRest(context));
};
