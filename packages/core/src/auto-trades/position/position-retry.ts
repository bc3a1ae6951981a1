import { decimal, divide, greaterThan, isZero, multiply, TWO, toText } from '../../money/decimal.ts';
import { rejection } from './position-fills.ts';
import { tooLargeToTrade, tooSmallToTrade } from './position-lines.ts';
import { isHeldBack, isUrgent, log, next, type Of, place, plannedSell, type Reducer } from './position-orders.ts';
import type { MarketMoment, PositionContext, PositionEvent } from './position-state.ts';
import { isoText } from './position-traces.ts';

/**
 * An urgent market sale that sold nothing: the book was empty, the exchange's price range was exceeded, or its average of prices values
 * the order below the minimum. That passes by itself, so the sale is tried again after growing pauses, and its owner is asked only when they are used up.
 */

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Pauses before a person is asked: a quarter of an hour in all. */
const MOST_PAUSES = 20;
/** Reasons that have words (`errors.<reason>`); others are shown as the exchange's code. */
export const NAMED_EXPIRIES: ReadonlySet<string> = new Set([
  'INSUFFICIENT_LIQUIDITY',
  'EXECUTION_RULE_PRICE_RANGE_EXCEEDED',
  'NOTIONAL_BY_AVERAGE',
  'EXPIRED_IN_MATCH',
  'EXPIRED',
]);
const pauseAfter = (tries: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));

export const saleIsPaused = ({ salePause }: PositionContext): boolean => salePause !== null;

/**
 * The exchange values market orders by an average of the last minutes, which lies below the price after a jump: it refuses a
 * sale that the last price makes large enough, and takes it once the average has followed.
 */
const VALUE_FILTERS: ReadonlySet<string> = new Set(['-1013 NOTIONAL', '-1013 MIN_NOTIONAL']);
const BY_AVERAGE = 'NOTIONAL_BY_AVERAGE';
const isRefusedByAverage = ({ order, settings: { filters } }: PositionContext, event: Of<'order.ended'>): boolean => {
  const [quantity, price] = [decimal(order?.quantity ?? '0'), decimal(event.price)];
  return (
    VALUE_FILTERS.has(event.code ?? '') &&
    !tooSmallToTrade(quantity, price, filters, 'Market') &&
    !tooLargeToTrade(quantity, price, filters)
  );
};

const mayNotWait = ({ exitReason, settings }: PositionContext): boolean =>
  isUrgent(exitReason) && !(exitReason === 'TrailingCost' && settings.config.trailingCost.floor === 'breakEven');

/**
 * The end of an urgent market sale without a fill, for a reason that passes. One that wanted a gain is not tried again: by
 * then the gain that it was decided for may be gone.
 */
export const soldNothing = (context: PositionContext, event: PositionEvent): boolean =>
  event.type === 'order.ended' &&
  mayNotWait(context) &&
  event.status !== 'FILLED' &&
  (event.status !== 'REJECTED' || isRefusedByAverage(context, event)) &&
  !isHeldBack(event) &&
  context.order?.type === 'Market' &&
  context.order.side === 'Sell' &&
  isZero(decimal(context.order.executed));
/** Why a sale sold nothing. */
export const unfilledReason = (event: Of<'order.ended'>): string => (event.code === null ? (event.expiryReason ?? 'EXPIRED') : BY_AVERAGE);
export const pausesAreOver = ({ order }: PositionContext): boolean => (order?.unfilled ?? 0) >= MOST_PAUSES;

/**
 * What asking for an exit is. A frozen bot decides nothing by prices: its kill switch, which asks again and again, is all that
 * retries its sale once that is due.
 * @param connectedAt until when the market is known, venue time, ms: one that takes no sale may have no trade either
 */
export const exitAsked = (
  { exitReason, salePause }: PositionContext,
  moment: MarketMoment,
  reason: 'Manual' | 'KillSwitch',
  connectedAt: number,
): PositionEvent => {
  // Nothing is known of a connection before the first price.
  const at = Math.max(moment.at, connectedAt || 0);
  return reason === 'KillSwitch' && exitReason === reason && salePause !== null && at >= salePause.until
    ? { type: 'sale.retried', ...moment, at }
    : { type: 'exit.decided', reason, ...moment };
};

/** Its owner may hurry a sale that pauses, and so may another reason; a kill switch that asks once a second may not. */
export const overtakesPause = ({ exitReason }: PositionContext, event: PositionEvent): boolean =>
  event.type === 'exit.decided' && (event.reason === 'Manual' || event.reason !== exitReason);

export const salePaused: Reducer<'order.ended'> = (context, event) => {
  const tries = (context.order?.unfilled ?? 0) + 1;
  const until = event.at + pauseAfter(tries);
  const reason = unfilledReason(event);
  const why = { expiryReason: reason, unfilledTries: String(tries) };
  return next(
    context,
    {
      order: null,
      salePause: { order: context.order!, tries, until, reason },
      exitFacts: { ...context.exitFacts, ...why },
    },
    [...rejection(event), log('SALE_UNFILLED', 'warning', { reason, tries, until: isoText(until), clientOrderId: event.clientOrderId })],
  );
};

/**
 * How much a retried sale carries. Where an order worth more than half of the maximum was refused by the average, that may lie
 * above the price after a fall: half of it is tried, then half of that; the rest follows what was sold.
 */
function retriedQuantity({ quantity, salePause, settings: { filters } }: PositionContext, price: string): string {
  const { order, reason } = salePause!;
  const most = decimal(filters.marketMaxNotional ?? filters.maxNotional);
  const refused = decimal(order.quantity);
  const isNearMost = !isZero(most) && greaterThan(multiply(multiply(decimal(quantity), decimal(price)), TWO), most);
  const half = divide(refused, TWO, 28, 'down');
  // A single lot has no half.
  const isTradable = !tooSmallToTrade(half, decimal(price), filters, 'Market');
  return reason === BY_AVERAGE && isNearMost && isTradable ? toText(half) : quantity;
}

export const saleRetried: Reducer<'sale.retried'> = (context, event) => {
  const { order: previous, tries } = context.salePause!;
  const planned = plannedSell(context, retriedQuantity(context, event.price), event, true);
  const again = { attempt: previous.attempt + 1, reprices: previous.reprices + 1, level: previous.level, unfilled: tries };
  const { order, step, effect } = place(context, 'exit', planned, event.at, again);
  return next(context, { order, step, salePause: null }, [effect]);
};

/** What the line of a sale that is given up says beside its code: how many sold nothing. */
export const triesOf = (context: PositionContext, event: PositionEvent): { readonly tries?: number } =>
  soldNothing(context, event) ? { tries: (context.order?.unfilled ?? 0) + 1 } : {};
