import { add, type Decimal, divide, isZero, maximum, multiply, ONE, rescale } from '@pilotfish/core/money/decimal';
import { type Pair, unitsDecimal } from '../market/market-contract.ts';
import type { MarketView } from '../market/market-view.ts';
import { costOf, lotsOf, MONEY_PLACES, quantityOf, type Slice, ticksOf, walkByBudget, walkByQuantity } from './book-walk.ts';
import { isMarketLike, leftOf, type Order, type OrderRequest } from './order.ts';

/** How much more than its stop price a buying STOP_LOSS or TAKE_PROFIT may cost. */
const STOP_MARGIN: Decimal = { units: 105n, scale: 2 };
const BASIS_POINTS: Decimal = { units: 10_000n, scale: 0 };

/** What takers can have now, and what orders must have locked. What was taken is gone until the pair's next trade. */
export class Liquidity {
  private readonly view: MarketView;
  private readonly taken = new Map<number, { tradeId: number; levels: Map<number, number> }>();

  constructor(view: MarketView) {
    this.view = view;
  }

  /** What the order would take from the book now, best price first. */
  plan(order: OrderRequest | Order): Slice[] {
    const { pair } = order;
    const buys = order.side === 'BUY';
    const last = this.view.last(pair);
    const book = this.view.book(pair, undefined, last);
    const taken = this.taken.get(pair.index);
    const gone = taken?.tradeId === last.id ? taken.levels : undefined;
    const side = buys ? book.asks : book.bids;
    const levels = gone ? side.map((level) => ({ price: level.price, quantity: level.quantity - (gone.get(level.price) ?? 0) })) : side;
    if (isZero(order.quantity)) return walkByBudget(pair, levels, order.quoteOrderQuantity);
    const limit = isMarketLike(order.type) ? undefined : ticksOf(pair, order.price);
    const acceptable = (price: number): boolean => limit === undefined || (buys ? price <= limit : price >= limit);
    return walkByQuantity(levels, lotsOf(pair, 'executed' in order ? leftOf(order) : order.quantity), acceptable);
  }

  take(pair: Pair, slice: Slice): void {
    const { id } = this.view.last(pair);
    let taken = this.taken.get(pair.index);
    if (taken?.tradeId !== id) {
      taken = { tradeId: id, levels: new Map() };
      this.taken.set(pair.index, taken);
    }
    taken.levels.set(slice.price, (taken.levels.get(slice.price) ?? 0) + slice.quantity);
  }

  /** What the order must have locked: exact for limit orders, what the book asks for market orders. */
  needed(request: OrderRequest | Order): Decimal {
    if (request.side === 'SELL') {
      return isZero(request.quantity) ? unitsDecimal(quantityOf(this.plan(request)), request.pair.stepSize) : request.quantity;
    }
    if (!isZero(request.quoteOrderQuantity)) return request.quoteOrderQuantity;
    if (request.type === 'MARKET') return costOf(request.pair, this.plan(request));
    // A stop that becomes a market order buys above its stop price: it holds a margin, and gives back what it did not need.
    const price = isMarketLike(request.type) ? multiply(this.stopReference(request), STOP_MARGIN) : request.price;
    return rescale(multiply(price, request.quantity), MONEY_PLACES, 'up');
  }

  /** The price near which a buying stop will be set off; a trailing one can be set off its delta above the present price. */
  private stopReference(request: OrderRequest | Order): Decimal {
    if (request.trailingDelta === undefined) return request.stopPrice;
    const last = unitsDecimal(this.view.last(request.pair).price, request.pair.tickSize);
    const delta = divide({ units: BigInt(request.trailingDelta), scale: 0 }, BASIS_POINTS, 4, 'up');
    return multiply(maximum(last, request.stopPrice), add(ONE, delta));
  }
}
