import { decimal, isZero } from '../../money/decimal.ts';
import type { ExpiryReason, Trace, TraceFacts, TraceKind } from '../trace.ts';
import { averageCost, percentOf, textOf } from './position-lines.ts';
import type { Effect, MarketMoment, PositionContext } from './position-state.ts';

export const averageText = (context: Pick<PositionContext, 'quantity' | 'cost'>): string | null => textOf(averageCost(context));

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
let knownDay = Number.NaN;
let dayText = '';
/** "hh:mm" of the minutes of a day, and ":ss.mmmZ" of the milliseconds of a minute, as far as they were asked for. */
const minuteTexts: string[] = Array.from({ length: 1440 });
const restTexts = new Map<number, string>();

/** The same as `new Date(at).toISOString()`; most moments share the day of the one before, and their second. */
export function isoText(at: number): string {
  const day = Math.floor(at / DAY_MS);
  if (day !== knownDay) {
    dayText = new Date(at).toISOString().slice(0, -13);
    knownDay = day;
  }
  const inDay = at - day * DAY_MS;
  const minute = Math.floor(inDay / MINUTE_MS);
  const rest = Math.floor(inDay - minute * MINUTE_MS);
  let minuteText = minuteTexts[minute];
  if (minuteText === undefined) {
    minuteText = new Date(minute * MINUTE_MS).toISOString().slice(11, 16);
    minuteTexts[minute] = minuteText;
  }
  let restText = restTexts.get(rest);
  if (restText === undefined) {
    restText = new Date(rest).toISOString().slice(16);
    // Live moments have any millisecond; a few thousand texts are enough to be kept.
    if (restTexts.size >= 4096) restTexts.clear();
    restTexts.set(rest, restText);
  }
  return dayText + minuteText + restText;
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
