import { decimal, isZero, toText } from '../money/decimal.ts';
import { averageCost, percentOf } from './position-lines.ts';
import type { Effect, MarketMoment, PositionContext } from './position-state.ts';
import type { ExpiryReason, Trace, TraceFacts, TraceKind } from './trace.ts';

export const averageText = (context: Pick<PositionContext, 'quantity' | 'cost'>): string | null => {
  const average = averageCost(context);
  return average && toText(average);
};

const DAY_MS = 86_400_000;
let knownDay = Number.NaN;
let dayText = '';
const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

/** The same as `new Date(at).toISOString()`; most moments share the day of the one before. */
export function isoText(at: number): string {
  const day = Math.floor(at / DAY_MS);
  if (day !== knownDay) {
    dayText = new Date(at).toISOString().slice(0, -13);
    knownDay = day;
  }
  const rest = at - day * DAY_MS;
  const seconds = Math.floor(rest / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const milli = Math.floor(rest - seconds * 1000);
  return `${dayText}${twoDigits[hours]}:${twoDigits[minutes - hours * 60]}:${twoDigits[seconds - minutes * 60]}.${milli < 100 ? '0' : ''}${milli < 10 ? '0' : ''}${milli}Z`;
}

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
      at: isoText(moment.at),
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

/** The row of a line that ends without a sale; `nextStep` is what happens next. */
export const expiryTrace = (context: PositionContext, reason: ExpiryReason, moment: MarketMoment, nextStep: string): Effect =>
  traceOf(
    context,
    'TrailingCostExpired',
    reason,
    moment,
    { line: context.line, peak: context.peak },
    { line: null, ageMs: context.lineAt === null ? 0 : moment.at - context.lineAt, next: nextStep, averageCost: averageText(context) },
  );

/**
 * The Exit row: realised result, fees, duration, the extremes seen at decisions, what the deciding rule saw, and what
 * stays behind: `leave`d dust is out of the budget from here on, `includeInNext` joins the coin's next position.
 */
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
      ...(isZero(decimal(context.quantity)) ? {} : { dustPolicy: context.settings.config.dust.policy }),
      ...(isZero(decimal(context.lateFees)) ? {} : { lateFees: context.lateFees }),
      ...context.exitFacts,
    },
  );
}
