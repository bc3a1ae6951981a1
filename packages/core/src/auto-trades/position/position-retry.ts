import { decimal, isZero } from '../../money/decimal.ts';
import { isHeldBack, log, next, place, plannedSell, type Reducer } from './position-orders.ts';
import type { PositionContext, PositionEvent } from './position-state.ts';
import { isoText } from './position-traces.ts';

/**
 * A market sale that sold nothing: the book was empty, or the exchange's price range was exceeded. That passes by itself, so
 * the sale is tried again after growing pauses, and its owner is asked only when they are used up.
 */

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Pauses before a person is asked: a quarter of an hour in all. */
const MOST_PAUSES = 20;
/** Expiry reasons that have words (`errors.<reason>`); others are shown as the exchange's code. */
export const NAMED_EXPIRIES: ReadonlySet<string> = new Set(['INSUFFICIENT_LIQUIDITY', 'EXECUTION_RULE_PRICE_RANGE_EXCEEDED', 'EXPIRED']);
const pauseAfter = (tries: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));

export const saleIsPaused = ({ salePause }: PositionContext): boolean => salePause !== null;

/** The end of a market sale without a fill and without a refusal. */
export const soldNothing = ({ order }: PositionContext, event: PositionEvent): boolean =>
  event.type === 'order.ended' &&
  event.status !== 'FILLED' &&
  event.status !== 'REJECTED' &&
  !isHeldBack(event) &&
  order?.type === 'Market' &&
  order.side === 'Sell' &&
  isZero(decimal(order.executed));
export const pausesAreOver = ({ order }: PositionContext): boolean => (order?.unfilled ?? 0) >= MOST_PAUSES;

/** Its owner may hurry a sale that pauses, and so may another reason; a kill switch that asks once a second may not. */
export const overtakesPause = ({ exitReason }: PositionContext, event: PositionEvent): boolean =>
  event.type === 'exit.decided' && (event.reason === 'Manual' || event.reason !== exitReason);

export const salePaused: Reducer<'order.ended'> = (context, event) => {
  const tries = (context.order?.unfilled ?? 0) + 1;
  const until = event.at + pauseAfter(tries);
  const reason = event.expiryReason ?? 'EXPIRED';
  const why = { expiryReason: reason, unfilledTries: String(tries) };
  return next(
    context,
    {
      order: null,
      salePause: { order: context.order!, tries, until, reason },
      // A slice has no Exit row to tell it.
      ...(context.exitReason === null ? {} : { exitFacts: { ...context.exitFacts, ...why } }),
    },
    [log('SALE_UNFILLED', 'warning', { reason, tries, until: isoText(until), clientOrderId: event.clientOrderId })],
  );
};

export const saleRetried: Reducer<'sale.retried'> = (context, event) => {
  const { order: previous, tries } = context.salePause!;
  const exits = context.exitReason !== null;
  const planned = plannedSell(context, exits ? context.quantity : previous.quantity, event, true);
  const again = { attempt: previous.attempt + 1, reprices: previous.reprices + 1, level: previous.level, unfilled: tries };
  const { order, step, effect } = place(context, exits ? 'exit' : 'takeProfit', planned, event.at, again);
  return next(context, { order, step, salePause: null }, [effect]);
};

/** What the line of a sale that is given up says beside its code: how many sold nothing. */
export const triesOf = (context: PositionContext, event: PositionEvent): { readonly tries?: number } =>
  soldNothing(context, event) ? { tries: (context.order?.unfilled ?? 0) + 1 } : {};
