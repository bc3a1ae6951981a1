import { add, decimal, isPositive, isZero, lessThan, minimum, subtract, sum, toText } from '../../money/decimal.ts';
import { afterBuy, afterSell, feeInQuote, isUnvalued } from './position-accounting.ts';
import { stopLossPrice, textOf } from './position-lines.ts';
import { asked, cancelled, isOfResident, log, next, type Of, type Reducer, seen } from './position-orders.ts';
import { type Effect, type FillFacts, type OrderInFlight, type PositionContext, UNLISTED } from './position-state.ts';
import { averageText, expiryTrace, traceOf } from './position-traces.ts';

/** Steps that orders cause whatever they are for: what they execute, what they cost, and that they are late or lost. */

export const isOurs = (context: PositionContext, clientOrderId: string): boolean => context.order?.clientOrderId === clientOrderId;

/** How long a stop that the exchange has begun to sell may take for the rest, venue ms. */
const RESIDENT_PATIENCE_MS = 2000;

export const undrawn = { line: null, peak: null, lineAt: null, seenAt: null };
export const noRebuyTrail = { rebuyLow: null, rebuyUntil: null };

/** Money set aside beyond what the rest of the ladder can cost goes back. */
export function withTrimmedReserve(context: PositionContext): { readonly reserved: string; readonly effects: readonly Effect[] } {
  const needed = sum(context.ladder.slice(context.rebuysDone).map((level) => decimal(level.reserve)));
  const kept = minimum(decimal(context.reserved), needed);
  return { reserved: toText(kept), effects: released(toText(subtract(decimal(context.reserved), kept))) };
}

/** Money set aside that goes back. */
export const released = (amount: string): readonly Effect[] =>
  isPositive(decimal(amount)) ? [{ kind: 'wallet', entry: { kind: 'release', amount } }] : [];

export const rejection = (event: Of<'order.ended'>): readonly Effect[] =>
  event.status === 'REJECTED' || event.code
    ? [log('ORDER_REFUSED', 'warning', { status: event.status, code: event.code, clientOrderId: event.clientOrderId })]
    : [];

export const orderAccepted: Reducer<'order.accepted'> = (context, event) => {
  const { order, resident } = context;
  if (order && isOurs(context, event.clientOrderId) && order.orderId === null)
    return next(context, { order: { ...order, orderId: event.orderId } });
  if (resident && isOfResident(context, event) && resident.orderId === null) {
    const { stopPrice = null, price, clientOrderId } = resident;
    const stopRefusal = context.stopRefusal && { ...context.stopRefusal, code: null, tries: -1 };
    return next(context, { resident: { ...resident, orderId: event.orderId }, stopRefusal }, [
      log('PROTECTIVE_STOP_PLACED', 'info', { stopPrice, price, clientOrderId }),
    ]);
  }
  return next(context, {});
};

export const orderFilled: Reducer<'order.filled'> = (context, event) => {
  const ofResident = isOfResident(context, event);
  const order = ofResident ? context.resident : isOurs(context, event.clientOrderId) ? context.order : null;
  // The same execution arrives by the answer and by the stream: the trade id counts it once. One of nothing, or at no price,
  // is none: booked, it would be the first price that stops count from.
  const isFill = isPositive(decimal(event.quantity)) && isPositive(decimal(event.price));
  if (!order || !isFill || order.tradeIds.includes(event.tradeId)) return next(context, {});
  const inFlight: OrderInFlight = {
    ...order,
    orderId: event.orderId,
    executed: toText(add(decimal(order.executed), decimal(event.quantity))),
    tradeIds: [...order.tradeIds, event.tradeId],
  };
  const fee = feeInQuote(event, context.settings);
  const unvalued = isUnvalued(event, context.settings);
  const shared: Partial<PositionContext> = {
    ...(ofResident ? { resident: inFlight } : { order: inFlight }),
    ...seen(context, event.price),
    fees: toText(add(decimal(context.fees), decimal(fee))),
    lastFillAt: event.at,
    ...(unvalued ? { unvalued: [...context.unvalued, { tradeId: event.tradeId, fee: event.fee, feeAsset: event.feeAsset }] } : {}),
  };
  const logs = unvalued ? [log('FEE_UNVALUED', 'warning', { tradeId: event.tradeId, fee: event.fee, asset: event.feeAsset })] : [];
  const counted = { order, shared, fee, logs };
  return order.side === 'Buy' ? bought(context, event, counted) : sold(context, event, counted, ofResident);
};

/** A fill of an order that is counted for the first time: what buys and sells change alike, and its fee in the quote asset. */
type Counted = {
  readonly order: OrderInFlight;
  readonly shared: Partial<PositionContext>;
  readonly fee: string;
  readonly logs: readonly Effect[];
};

const idsOf = ({ orderId, clientOrderId, tradeId }: Of<'order.filled'>) => ({ orderId, clientOrderId, tradeId });
const factsOf = (fill: FillFacts, fee: string) => ({
  quantity: fill.quantity,
  quoteQuantity: fill.quoteQuantity,
  fee: fill.fee,
  feeAsset: fill.feeAsset,
  feeInQuote: fee,
});

function bought(context: PositionContext, event: Of<'order.filled'>, { order, shared, fee, logs }: Counted): PositionContext {
  const first = isZero(decimal(context.bought));
  // What was left of the position before joins with the first buy: it is in the wallet's costs already.
  const base = first
    ? { quantity: context.carriedQuantity, cost: context.carriedCost, bought: context.carriedQuantity, spent: context.carriedCost }
    : context;
  const held = afterBuy(base, event, context.settings);
  const reserved = minimum(decimal(context.reserved), decimal(held.costAdded));
  const changed: PositionContext = {
    ...context,
    ...shared,
    quantity: held.quantity,
    cost: held.cost,
    reserved: toText(subtract(decimal(context.reserved), reserved)),
    bought: toText(add(decimal(base.bought), decimal(held.received))),
    spent: toText(add(decimal(base.spent), decimal(held.costAdded))),
    firstBuyPrice: context.firstBuyPrice ?? event.price,
    lastBuyPrice: event.price,
    lastBuyAt: event.at,
    openedAt: context.openedAt ?? event.at,
    // A level is done as soon as it bought something, however its order ends.
    rebuysDone: order.purpose === 'rebuy' ? Math.max(context.rebuysDone, (order.level ?? 0) + 1) : context.rebuysDone,
    ...noRebuyTrail,
    stopSince: null,
  };
  const after = { ...changed, stopPrice: textOf(stopLossPrice(changed)), ...(context.line === null ? {} : undrawn) };
  return next(after, {}, [
    { kind: 'wallet', entry: { kind: 'buy', amount: held.costAdded, reserved: toText(reserved) } },
    traceOf(
      after,
      'Buy',
      order.purpose === 'rebuy' ? 'Rebuy' : 'Entry',
      event,
      { averageCost: averageText(context), position: context.quantity },
      {
        ...factsOf(event, fee),
        averageCost: averageText(after),
        position: after.quantity,
        level: order.purpose === 'rebuy' ? (order.level ?? 0) + 1 : 0,
      },
      idsOf(event),
    ),
    ...(context.line === null ? [] : [expiryTrace(changed, 'Rebased', event, 'rearm')]),
    ...logs,
  ]);
}

/** The last level is never done: it sells what is left. New settings may have fewer levels than the one that is being sold. */
const levelsDoneBy = ({ levelsDone, settings }: PositionContext, level: number): number =>
  Math.min(Math.max(levelsDone, level + 1), Math.max(0, settings.config.takeProfit.levels.length - 1));

function sold(
  context: PositionContext,
  event: Of<'order.filled'>,
  { order, shared, fee, logs }: Counted,
  ofResident: boolean,
): PositionContext {
  const held = afterSell(context, event, context.settings);
  const reason = ofResident ? (order.mirrors ?? 'StopLoss') : (context.exitReason ?? 'TakeProfit');
  const change: Partial<PositionContext> = {
    ...shared,
    quantity: held.quantity,
    cost: held.cost,
    realised: toText(add(decimal(context.realised), decimal(held.realised))),
    levelsDone: order.purpose === 'takeProfit' ? levelsDoneBy(context, order.level ?? 0) : context.levelsDone,
  };
  const cancels: Effect[] = [];
  if (ofResident) {
    // The exchange has decided the exit: a buy on its way is taken back, and the rest is given a moment.
    const buy = context.order?.side === 'Buy' ? context.order : null;
    cancels.push(...cancelled(buy));
    Object.assign(change, {
      exitReason: context.exitReason ?? reason,
      ...(buy ? { order: asked(buy) } : {}),
      resident: {
        ...shared.resident,
        deadline: isZero(decimal(order.executed)) ? event.at + RESIDENT_PATIENCE_MS : order.deadline,
      },
    });
  }
  const after = next(context, change);
  return next(after, {}, [
    { kind: 'wallet', entry: { kind: 'sell', cost: held.matchedCost, proceeds: held.proceeds } },
    traceOf(
      after,
      'Sell',
      reason,
      event,
      { averageCost: averageText(context), position: context.quantity },
      {
        ...factsOf(event, fee),
        // A market moves between a decision and its fill: what is sold below what it was decided by is named.
        ...(order.offered !== undefined && lessThan(decimal(event.price), decimal(order.offered)) ? { offered: order.offered } : {}),
        matchedCost: held.matchedCost,
        realised: held.realised,
        position: after.quantity,
        level: order.level,
      },
      idsOf(event),
    ),
    ...cancels,
    ...(isZero(decimal(held.excess)) ? [] : [log('OVERSOLD', 'error', { excess: held.excess })]),
    ...logs,
  ]);
}

export const orderTimedOut: Reducer<'order.timedOut'> = (context, event) => {
  const late = context.order ?? context.resident;
  if (!late || late.cancelRequested) return next(context, {});
  return next(context, context.order ? { order: asked(late) } : { resident: asked(late) }, [
    log('ORDER_TIMED_OUT', 'info', { clientOrderId: late.clientOrderId, price: event.price }),
    ...cancelled(late),
  ]);
};

/**
 * An order of which nobody can say what became of it. It stays with its position: what is heard of it later is counted.
 * Of a pair that is not listed any more nothing can be bought: what was set aside goes back.
 */
export const orderLost: Reducer<'order.lost'> = (context, event) => {
  // A stop of which nobody knows whether it rests holds everything back, as an order does.
  const ofResident = isOfResident(context, event);
  const resident = ofResident ? asked(context.resident) : context.resident;
  // Nobody looks after a buy beside it any more: it is taken back.
  const buy = ofResident && context.order?.side === 'Buy' ? context.order : null;
  const unlisted = event.code === UNLISTED;
  return next(
    context,
    {
      attention: event.code,
      resident,
      ...(buy ? { order: asked(buy) } : {}),
      ...(unlisted ? { ladder: context.ladder.slice(0, context.rebuysDone), reserved: '0' } : {}),
    },
    [
      ...(unlisted ? [log('PAIR_UNLISTED', 'error', { clientOrderId: event.clientOrderId }), ...released(context.reserved)] : []),
      log('NEEDS_ATTENTION', 'error', { code: event.code, clientOrderId: event.clientOrderId }),
      ...cancelled(buy),
    ],
  );
};

/**
 * A fee that had no price has one now. While something is held its cost carries it, so that the next sale's result
 * does; when nothing is left it goes into the wallet's result alone.
 */
export const feeValued: Reducer<'fee.valued'> = (context, event) => {
  if (!context.unvalued.some(({ tradeId }) => tradeId === event.tradeId)) return next(context, {});
  const fee = decimal(event.feeInQuote);
  const unvalued = context.unvalued.filter(({ tradeId }) => tradeId !== event.tradeId);
  const fees = toText(add(decimal(context.fees), fee));
  const facts = { tradeId: event.tradeId, fee: event.feeInQuote };
  if (isPositive(decimal(context.quantity)) && context.closedAt === null) {
    const cost = toText(add(decimal(context.cost), fee));
    const spent = toText(add(decimal(context.spent), fee));
    const changed = { ...context, unvalued, fees, cost, spent };
    return next(changed, { stopPrice: textOf(stopLossPrice(changed)) }, [
      { kind: 'wallet', entry: { kind: 'buy', amount: event.feeInQuote, reserved: '0' } },
      log('FEE_VALUED', 'info', { ...facts, in: 'cost' }),
    ]);
  }
  return next(context, { unvalued, fees, lateFees: toText(add(decimal(context.lateFees), fee)) }, [
    { kind: 'wallet', entry: { kind: 'sell', cost: '0', proceeds: toText(subtract(decimal('0'), fee)) } },
    log('FEE_VALUED', 'info', { ...facts, in: 'result' }),
  ]);
};
