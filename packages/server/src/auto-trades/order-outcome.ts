import { compare, decimal, isPositive, multiply, sum, toText } from '@pilotfish/core/money/decimal';
import type { ExchangeError } from '../exchange/exchange-error.ts';
import type { MyTradesPayload, PlacedOrderPayload } from '../exchange/payloads.ts';
import type { IntentRow } from './order-intents-store.ts';

/** Statuses after which an order does not change any more. */
const ENDED: Readonly<Record<string, 'FILLED' | 'CANCELED' | 'EXPIRED' | 'REJECTED'>> = {
  FILLED: 'FILLED',
  CANCELED: 'CANCELED',
  EXPIRED: 'EXPIRED',
  EXPIRED_IN_MATCH: 'EXPIRED',
  REJECTED: 'REJECTED',
};
export const endedStatus = (status: string) => ENDED[status];

/** How an order ended, with the exchange's reason where it expired for one; undefined while it may still change. */
export function orderEnd(status: string, expiryReason: string | undefined) {
  const ended = endedStatus(status);
  if (ended === undefined) return undefined;
  // The exchange gives no reason where another order of the same account stood in the way.
  const reason = status === 'EXPIRED_IN_MATCH' ? status : expiryReason;
  return { status: ended, ...(reason === undefined || reason === 'NONE' ? {} : { expiryReason: reason }) };
}

const ORDER_ARCHIVED = -2026;
/** The exchange archives what ended longer ago, with nothing executed. */
const LEAST_ARCHIVED_MS = 90 * 86_400_000;

/**
 * What became of an order of which the exchange tells only that it is archived: nothing of it was executed. One that is
 * younger than any archived order is not the one that is meant.
 */
export function archivedEnd({ clientOrderId, order }: IntentRow, error: ExchangeError, now: number) {
  if (error.code !== ORDER_ARCHIVED) return undefined;
  return now - order.placedAt < LEAST_ARCHIVED_MS
    ? ({ type: 'lost', clientOrderId, code: 'AMBIGUOUS' } as const)
    : ({ type: 'ended', clientOrderId, status: 'EXPIRED', code: null, at: order.placedAt } as const);
}

/** One execution of an order, as the exchange lists it. */
export type Execution = Pick<MyTradesPayload[number], 'id' | 'price' | 'qty' | 'quoteQty' | 'commission' | 'commissionAsset' | 'time'>;

/**
 * The executions that the answer to a new order tells. Asking for them again would cost five times the weight of the
 * order itself, out of what is kept for the exits of everybody.
 * @returns undefined when they are not all of it, or when their amounts, price × quantity as the exchange defines
 *   `quoteQty`, do not make up what it says the order moved: then they have to be asked for
 */
export function toldExecutions({ fills, executedQty, cummulativeQuoteQty, transactTime }: PlacedOrderPayload): Execution[] | undefined {
  if (cummulativeQuoteQty === undefined) return undefined;
  const executions = fills
    .filter(({ qty }) => isPositive(decimal(qty)))
    .map(({ tradeId, price, qty, commission, commissionAsset }) => ({
      id: tradeId,
      price,
      qty,
      quoteQty: toText(multiply(decimal(price), decimal(qty))),
      commission,
      commissionAsset,
      time: transactTime,
    }));
  const total = (of: 'qty' | 'quoteQty') => sum(executions.map((each) => decimal(each[of])));
  const whole = compare(total('qty'), decimal(executedQty)) === 0 && compare(total('quoteQty'), decimal(cummulativeQuoteQty)) === 0;
  return whole ? executions : undefined;
}
