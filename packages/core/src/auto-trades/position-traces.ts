import { decimal, toText } from '../money/decimal.ts';
import { averageCost, percentOf } from './position-lines.ts';
import type { Effect, MarketMoment, PositionContext } from './position-state.ts';
import type { Trace, TraceFacts, TraceKind } from './trace.ts';

export const averageText = (context: Pick<PositionContext, 'quantity' | 'cost'>): string | null => {
  const average = averageCost(context);
  return average && toText(average);
};

/** A trace effect with the fields every kind carries. Times are venue times. */
export function traceOf(
  context: PositionContext,
  kind: TraceKind,
  reason: string,
  moment: MarketMoment,
  before: TraceFacts,
  after: TraceFacts,
  ids: Pick<Trace, 'orderId' | 'clientOrderId' | 'tradeId'> = {},
): Effect {
  const { settings } = context;
  return {
    kind: 'trace',
    trace: {
      autoTradeId: settings.autoTradeId,
      runNo: settings.runNo,
      positionId: context.positionId,
      kind,
      symbol: settings.symbol,
      at: new Date(moment.at).toISOString(),
      price: moment.price,
      bid: moment.bid,
      ask: moment.ask,
      configVersion: settings.configVersion,
      reason,
      before,
      after,
      ...ids,
      mode: settings.mode,
    },
  };
}

/** The Exit row: realised result, fees, duration, the extremes seen at decisions, and what stays behind as dust. */
export function exitTrace(context: PositionContext, reason: string, moment: MarketMoment): Effect {
  const first = context.firstBuyPrice;
  return traceOf(
    context,
    'Exit',
    reason,
    moment,
    { quantity: context.quantity, cost: context.cost },
    {
      realised: context.realised,
      fees: context.fees,
      durationMs: context.openedAt === null ? 0 : moment.at - context.openedAt,
      favourablePct: first && context.maxPrice ? percentOf(decimal(context.maxPrice), decimal(first)) : null,
      adversePct: first && context.minPrice ? percentOf(decimal(context.minPrice), decimal(first)) : null,
      dust: context.quantity,
      dustCost: context.cost,
    },
  );
}
