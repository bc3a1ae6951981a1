import { decimal, isPositive, multiply, toText } from '../../money/decimal.ts';
import { digits } from '../../money/figure.ts';
import { rejection, released, withTrimmedReserve } from './position-fills.ts';
import { stopLossPrice, textOf } from './position-lines.ts';
import { asked, cancelled, isRefusal, log, next, place, type Reducer, repricedBuy, seen } from './position-orders.ts';
import { followsRefusal, pauseLog, refusalFacts, refusalsAfter } from './position-refusals.ts';
import type { MarketMoment, PositionContext, PositionEvent } from './position-state.ts';
import { exitTrace, traceOf } from './position-traces.ts';

export const entryTriggered: Reducer<'entry.triggered'> = (context, event) =>
  next(context, { triggerPrice: event.price, entryLow: event.price, trailUntil: event.trailUntil, triggerFacts: event.observed ?? null }, [
    log('ENTRY_TRIGGERED', 'info', { price: event.price, until: event.trailUntil }),
  ]);

const noTrail = { triggerPrice: null, entryLow: null, trailUntil: null, triggerFacts: null };

export const entryLapsed: Reducer<'entry.lapsed'> = (context, event) =>
  next(context, noTrail, [
    log('ENTRY_TRAIL_EXPIRED', 'info', { reason: event.reason, price: event.price, trigger: context.triggerPrice, low: context.entryLow }),
  ]);

export const trailWithdrawn: Reducer<'entry.withdrawn'> = (context) => next(context, noTrail, [log('ENTRY_WITHDRAWN', 'info')]);

export const entryDecided: Reducer<'entry.decided'> = (context, event) => {
  const { order, step, effect } = place(context, 'entry', event.order, event.at);
  const predictedFee = multiply(decimal(event.entryReserve), decimal(context.settings.takerFee));
  const carries = isPositive(decimal(context.carriedQuantity));
  const trace = traceOf(
    context,
    'Entry',
    event.reason,
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
      ...(followsRefusal(context, event.at) ? { refusals: context.refused?.total ?? 0 } : {}),
      ...(event.ladder.length > 0 ? { ladder: event.ladder.map(({ dropPct, quote }) => `-${digits(dropPct)}%: ${quote}`).join(', ') } : {}),
      ...(carries ? { carriedQuantity: context.carriedQuantity, carriedCost: context.carriedCost } : {}),
    },
    { clientOrderId: order.clientOrderId },
  );
  const change = { order, step, reserved: event.reserve, entryReserve: event.entryReserve, entryQuote: event.quote, ladder: event.ladder };
  return next(context, { ...seen(context, event.price), ...change }, [
    { kind: 'wallet', entry: { kind: 'reserve', amount: event.reserve } },
    trace,
    effect,
  ]);
};

export const entryWithdrawn: Reducer<'entry.withdrawn'> = (context) =>
  context.order && !context.entryWithdrawn
    ? next(context, { entryWithdrawn: true, order: asked(context.order) }, [log('ENTRY_WITHDRAWN', 'info'), ...cancelled(context.order)])
    : next(context, {});

export const entryRepeated: Reducer<'order.ended'> = (context, event) => {
  const previous = context.order!;
  const planned = repricedBuy(context, event)!;
  const { order, step, effect } = place(context, previous.purpose, planned, event.at, {
    attempt: previous.attempt + 1,
    reprices: previous.reprices + 1,
    level: previous.level,
  });
  return next(context, { order, step }, [
    log('ORDER_REPRICED', 'info', { price: order.price, clientOrderId: order.clientOrderId }),
    effect,
  ]);
};

export const entryAbandoned = (context: PositionContext, event: PositionEvent): PositionContext => {
  const moment = event as MarketMoment;
  const refused = refusalsAfter(context, event);
  const after = next(context, {
    order: null,
    exitReason: 'Abandoned',
    closedAt: moment.at,
    reserved: '0',
    rejections: isRefusal(context, event) ? 1 : 0,
    refused,
    exitFacts: refusalFacts(context.refused, refused) ?? context.exitFacts,
  });
  return next(after, {}, [
    ...(event.type === 'order.ended' ? rejection(event) : []),
    ...pauseLog(context.refused, refused),
    ...released(context.reserved),
    exitTrace(after, 'Abandoned', moment),
  ]);
};

/** The coin is not looked at any more, or the run ends: what was carried for its next position leaves the budget. */
export const dustReleased: Reducer<'dust.released'> = (context) =>
  next(context, { carriedQuantity: '0', carriedCost: '0' }, [
    { kind: 'wallet', entry: { kind: 'detach', amount: context.carriedCost } },
    log('DUST_LEFT', 'info', { quantity: context.carriedQuantity, cost: context.carriedCost }),
  ]);

export const opened = (context: PositionContext, _event: PositionEvent): PositionContext => {
  const { reserved, effects } = withTrimmedReserve(context);
  const after = next(context, { order: null, reserved, attention: null, rejections: 0, refused: null, exitReason: null, exitFacts: null });
  return next(after, { stopPrice: textOf(stopLossPrice(after)), stopSince: null }, effects);
};
