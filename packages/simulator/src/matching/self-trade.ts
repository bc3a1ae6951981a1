import { add, isZero, minimum, multiply, rescale } from '@pilotfish/core/money/decimal';
import type { Account } from '../accounts/account.ts';
import { ApiError } from '../rest/api-error.ts';
import { MONEY_PLACES } from './book-walk.ts';
import type { MatchingEngine } from './matching-engine.ts';
import {
  isMarketLike,
  isOpen,
  leftOf,
  type Order,
  type OrderRequest,
  type PreventedMatch,
  type PreventionMode,
  spentAsset,
} from './order.ts';
import { money } from './order-payload.ts';
import type { SymbolRow } from './symbol-rights.ts';

/** Mode of an order that names none, where a fault has not changed the symbol's row. */
export const DEFAULT_PREVENTION: PreventionMode = 'EXPIRE_MAKER';

/** Mode of a new order. @throws ApiError when the symbol does not allow the one that was asked for */
export function preventionModeOf({ selfTradePreventionMode: asked }: Pick<OrderRequest, 'selfTradePreventionMode'>, row: SymbolRow) {
  if (asked === undefined) return (row.defaultSelfTradePreventionMode as PreventionMode | undefined) ?? DEFAULT_PREVENTION;
  const allowed = row.allowedSelfTradePreventionModes;
  if (Array.isArray(allowed) && !allowed.includes(asked))
    throw new ApiError(-1013, 'This symbol does not allow the specified self-trade prevention mode.');
  return asked;
}

/** Resting orders of the same account that a taker would meet, best price first. None for `NONE`: the market stands between. */
export function ownInTheWay(taker: Order, openOfPair: Iterable<Order>): Order[] {
  if (taker.selfTradePreventionMode === 'NONE') return [];
  const buys = taker.side === 'BUY';
  const isBehind = (price: number): boolean => !isMarketLike(taker.type) && (buys ? price > taker.priceTicks : price < taker.priceTicks);
  return [...openOfPair]
    .filter((each) => each.accountId === taker.accountId && each.side !== taker.side && each.isWorking && !isMarketLike(each.type))
    .filter((each) => isOpen(each) && !isBehind(each.priceTicks))
    .sort((a, b) => (buys ? a.priceTicks - b.priceTicks : b.priceTicks - a.priceTicks) || a.orderId - b.orderId);
}

/** Expires or reduces the two orders by the mode of the taker; nothing is traded. `own` loses what was met. */
export function meetOwn(engine: MatchingEngine, account: Account, taker: Order, own: Order[], price: number | undefined): void {
  const buys = taker.side === 'BUY';
  while (own.length > 0 && isOpen(taker)) {
    const maker = own[0]!;
    if (price !== undefined && (buys ? maker.priceTicks > price : maker.priceTicks < price)) return;
    own.shift();
    if (isOpen(maker)) prevent(engine, account, taker, maker);
  }
}

function prevent(engine: MatchingEngine, account: Account, taker: Order, maker: Order): void {
  // Between orders of one account a transfer moves nothing: it is a decrement under its own name.
  const mode =
    taker.selfTradePreventionMode === 'TRANSFER' && maker.selfTradePreventionMode !== 'TRANSFER'
      ? 'DECREMENT'
      : taker.selfTradePreventionMode;
  const matched = minimum(leftOf(taker), leftOf(maker));
  const both = mode === 'DECREMENT' || mode === 'TRANSFER';
  const ofTaker = both ? matched : mode === 'EXPIRE_MAKER' ? undefined : leftOf(taker);
  const ofMaker = both ? matched : mode === 'EXPIRE_TAKER' ? undefined : leftOf(maker);
  const match: PreventedMatch = {
    preventedMatchId: engine.nextPreventedMatchId,
    takerOrderId: taker.orderId,
    makerOrderId: maker.orderId,
    selfTradePreventionMode: mode,
    price: money(maker.price),
    quantity: money(matched),
    quoteQuantity: money(rescale(multiply(maker.price, matched), MONEY_PLACES, 'down')),
    ...(ofTaker ? { takerPreventedQuantity: money(ofTaker) } : {}),
    ...(ofMaker ? { makerPreventedQuantity: money(ofMaker) } : {}),
    transactTime: engine.view.now(),
  };
  engine.nextPreventedMatchId += 1;
  taker.preventions.push(match);
  for (const [order, quantity] of [
    [maker, ofMaker],
    [taker, ofTaker],
  ] as const) {
    if (!quantity) continue;
    if (order === maker) order.preventions.push(match);
    order.prevented = add(order.prevented, quantity);
    order.updateTime = match.transactTime;
    const ends = isZero(leftOf(order));
    if (ends) {
      order.status = 'EXPIRED_IN_MATCH';
      engine.close(account, order);
    } else engine.release(account, order);
    engine.report(account, order, { type: 'TRADE_PREVENTION', prevention: { match, quantity: money(quantity) } });
    engine.listener.balances(account, [spentAsset(order)]);
    if (ends) engine.lists.ended(account, order);
  }
}
