import type { OrderInput } from '../auto-trades/engine/auto-trade-engine.ts';
import type { OrderInFlight } from '../auto-trades/position/position-state.ts';
import {
  absolute,
  add,
  type Decimal,
  decimal,
  divide,
  fromFloat,
  greaterThan,
  HUNDRED,
  isPositive,
  lessThan,
  maximum,
  minimum,
  multiply,
  rescale,
  subtract,
  toFloat,
  toMultiple,
  toText,
  ZERO,
} from '../money/decimal.ts';
import type { Pair } from '../prices/prices-contract.ts';
import type { FillModel } from './fill-model.ts';
import { type Refusal, refusalOf } from './order-refusal.ts';

/** What the broker reads of an order. A `StopLimit` rests unseen until a price trades at or through `stopPrice`. */
export type BrokerOrder = Pick<OrderInFlight, 'clientOrderId' | 'side' | 'type' | 'quantity' | 'price' | 'stopPrice' | 'orderId'>;

type Resting = {
  readonly order: BrokerOrder;
  /** First bar that may fill it. */
  readonly from: number;
  readonly limit: Decimal | null;
  readonly stop: Decimal | null;
  /** The same as doubles, to pass over what is far away; NaN where there is none. */
  readonly limitFloat: number;
  readonly stopFloat: number;
  left: Decimal;
  triggered: boolean;
  cancel: boolean;
};

export type BrokerOptions = {
  readonly pair: Pair;
  readonly model: FillModel;
  /** What the exchange says about an order; heard later, never inside the call that caused it. */
  readonly deliver: (input: OrderInput) => void;
  /** Units of the base asset on the account; sells of more are refused. Without it nobody counts them. */
  readonly holdings?: () => Decimal;
  readonly onRefusal?: (refusal: Refusal) => void;
};

/** The best prices after a recorded trade, and what stands there in base units (undefined: nobody recorded it). */
export type BestPrices = {
  readonly bid: number;
  readonly ask: number;
  readonly bidQuantity: number | undefined;
  readonly askQuantity: number | undefined;
};

/** Far more than a double's error, less than any tick. */
const NEAR = 1e-9;

/**
 * The exchange of a backtest, for one pair. A market order fills at the open of the next bar, worse by half the spread
 * and the slippage; a limit order fills at its price once a later price trades through it by a tick, up to a share of
 * the bar's volume. A stop-limit order becomes a limit order when a price trades at or through its stop: inside a bar
 * prices are taken to move without jumps, so it is triggered at its stop; a bar that opens beyond both its prices
 * leaves it resting. Orders the pair's filters forbid are refused with the exchange's code. Fees are taken in the
 * received asset, as on the spot market, cut to the digits of its asset.
 *
 * Over recorded trades (`arrive`, `tick`) the best prices are known instead of assumed: whoever takes gets them at once,
 * as much as stands there; a resting order waits for a trade through its price by a tick, as in bars: of a trade at its
 * very price nobody knows whether the queue before it took all. What the last trade left is gone once it is taken.
 */
export function createBacktestBroker({ pair, model, deliver, holdings, onRefusal }: BrokerOptions) {
  const tick = decimal(pair.filters.tickSize);
  const step = decimal(pair.filters.stepSize);
  const takerFee = decimal(model.takerFee);
  const makerFee = decimal(model.makerFee);
  const half = model.halfSpreadPct / 100;
  const volumeShare = divide(decimal(model.volumeSharePct), HUNDRED, 8);
  const places = pair.pricePrecision + 2;
  let orders: Resting[] = [];
  let nextTrade = 1;
  let nextOrder = 1;
  let volumeLeft = ZERO;
  let slippage = ZERO;
  let previous = Number.NaN;
  /** The newest bar that opened. */
  let now = -1;
  /** Where a recorded market stands; and, once somebody takes of it, the same exactly, with what is left. */
  let best: BestPrices | undefined;
  let standing: { bid: Decimal; ask: Decimal; bidLeft: Decimal | undefined; askLeft: Decimal | undefined } | undefined;
  /** Market orders that wanted more than stood at the best price: what they paid beyond it is assumed. */
  let beyondBest = 0;

  /** What is offered to an order of this side when the market stands at `price`, on the tick. */
  const offeredAt = (price: number, side: 'Buy' | 'Sell', worse = half): Decimal =>
    side === 'Buy'
      ? toMultiple(fromFloat(price * (1 + worse), places), tick, 'up')
      : toMultiple(fromFloat(price * (1 - worse), places), tick, 'down');

  function fill(resting: Resting, price: Decimal, most: Decimal, fee: Decimal, at: number): void {
    const quantity = toMultiple(minimum(resting.left, most), step, 'down');
    if (!isPositive(quantity)) return;
    const { order } = resting;
    const quote = rescale(multiply(quantity, price), pair.quoteAssetPrecision, 'down');
    const buys = order.side === 'Buy';
    const paid = toText(rescale(multiply(buys ? quantity : quote, fee), buys ? pair.baseAssetPrecision : pair.quoteAssetPrecision, 'down'));
    resting.left = subtract(resting.left, quantity);
    deliver({
      type: 'filled',
      clientOrderId: order.clientOrderId,
      orderId: order.orderId ?? order.clientOrderId,
      tradeId: String(nextTrade++),
      price: toText(price),
      quantity: toText(quantity),
      quoteQuantity: toText(quote),
      fee: paid,
      feeAsset: order.side === 'Buy' ? pair.baseAsset : pair.quoteAsset,
      feeInQuote: order.side === 'Buy' ? null : paid,
      at,
    });
    if (!isPositive(resting.left)) deliver({ type: 'ended', clientOrderId: order.clientOrderId, status: 'FILLED', code: null, at });
  }

  /** An order takes its share of the bar's volume and no more. */
  function take(resting: Resting, price: Decimal, fee: Decimal, at: number): void {
    const before = resting.left;
    fill(resting, price, volumeLeft, fee, at);
    volumeLeft = subtract(volumeLeft, subtract(before, resting.left));
  }

  /** Takes what is offered while the market stands at `price`, when that is no worse than the limit. */
  function takeOffered(resting: Resting, price: number, at: number): void {
    const { side } = resting.order;
    const offered = offeredAt(price, side);
    if (side === 'Buy' ? !greaterThan(offered, resting.limit!) : !lessThan(offered, resting.limit!)) take(resting, offered, takerFee, at);
  }

  const money = (value: number): Decimal => fromFloat(value, pair.pricePrecision);
  const lots = (amount: number | undefined): Decimal | undefined =>
    amount === undefined ? undefined : fromFloat(amount, pair.quantityPrecision);

  /** Takes what stands at the best price, when that is no worse than the limit. A market order takes the rest beyond it. */
  function takeStanding(resting: Resting, at: number): void {
    if (!best) return;
    standing ??= { bid: money(best.bid), ask: money(best.ask), bidLeft: lots(best.bidQuantity), askLeft: lots(best.askQuantity) };
    const { side, type } = resting.order;
    const buys = side === 'Buy';
    const offered = buys ? standing.ask : standing.bid;
    if (type !== 'Market' && (buys ? greaterThan(offered, resting.limit!) : lessThan(offered, resting.limit!))) return;
    const there = buys ? standing.askLeft : standing.bidLeft;
    const before = resting.left;
    fill(resting, offered, there ?? before, takerFee, at);
    const rest = there && subtract(there, subtract(before, resting.left));
    if (buys) standing.askLeft = rest;
    else standing.bidLeft = rest;
    if (type !== 'Market' || !isPositive(resting.left)) return;
    const worse = offeredAt(toFloat(offered), side, model.slippagePct / 100);
    beyondBest += 1;
    slippage = add(slippage, multiply(resting.left, absolute(subtract(worse, offered))));
    fill(resting, worse, resting.left, takerFee, at);
  }

  /** True when a price is past a limit by a tick or more. */
  function isThrough(resting: Resting, price: number): boolean {
    const buys = resting.order.side === 'Buy';
    if (buys ? price > resting.limitFloat * (1 + NEAR) : price < resting.limitFloat * (1 - NEAR)) return false;
    const last = fromFloat(price, pair.pricePrecision);
    return buys ? !greaterThan(last, subtract(resting.limit!, tick)) : !lessThan(subtract(last, tick), resting.limit!);
  }

  /** True from the moment a price reaches the stop. */
  function isTriggered(resting: Resting, price: number): boolean {
    resting.triggered ||= resting.order.side === 'Sell' ? price <= resting.stopFloat : price >= resting.stopFloat;
    return resting.triggered;
  }

  /** What resting sells will give away. */
  const promised = (): Decimal => {
    let all = ZERO;
    for (const { order, left, cancel } of orders) if (order.side === 'Sell' && !cancel) all = add(all, left);
    return all;
  };

  /** A cancel waits for the first open that may fill its order: at the exchange that moment came before the cancel. */
  const isOver = ({ cancel, from, left }: Resting): boolean => !isPositive(left) || (cancel && from <= now);

  /** Drops what is filled; cancels take effect here. */
  function settle(at: number): void {
    let over = false;
    for (const resting of orders) over ||= isOver(resting);
    if (!over) return;
    const cancelled = orders.filter((resting) => isOver(resting) && isPositive(resting.left));
    orders = orders.filter((resting) => !isOver(resting));
    for (const { order } of cancelled) deliver({ type: 'ended', clientOrderId: order.clientOrderId, status: 'CANCELED', code: null, at });
  }

  return {
    get idle(): boolean {
      return orders.length === 0;
    },
    /** True when no order can change in a bar between these extremes: only stops rest, and both prices stay clear of them. */
    restsThrough(bar: number, low: number, high: number): boolean {
      for (const { order, from, stopFloat, triggered, cancel } of orders) {
        if (triggered || cancel || from > bar) return false;
        if (order.side === 'Sell' ? low <= stopFloat * (1 + NEAR) : high >= stopFloat * (1 - NEAR)) return false;
      }
      return true;
    },
    /** What market orders paid beyond the prices of their bars' opens, in the quote asset. */
    get slippage(): Decimal {
      return slippage;
    },
    /** @param from the first bar that may fill it @param last the newest price */
    place(order: BrokerOrder, from: number, last: number, at: number): void {
      const quantity = decimal(order.quantity);
      const limit = order.price === null ? null : decimal(order.price);
      const stop = order.stopPrice ? decimal(order.stopPrice) : null;
      const stops = orders.filter(({ order: { type } }) => type === 'StopLimit').length;
      const asked = { side: order.side, type: order.type, quantity, price: limit, stopPrice: stop };
      const refusal =
        refusalOf(asked, pair.filters, fromFloat(last, pair.pricePrecision), stops) ??
        (order.side === 'Sell' && holdings && greaterThan(add(quantity, promised()), holdings())
          ? { code: '-2010', rule: 'INSUFFICIENT_BALANCE' }
          : undefined);
      if (refusal) {
        onRefusal?.(refusal);
        deliver({ type: 'ended', clientOrderId: order.clientOrderId, status: 'REJECTED', code: `${refusal.code} ${refusal.rule}`, at });
        return;
      }
      orders.push({
        order,
        from,
        limit,
        stop,
        limitFloat: limit ? toFloat(limit) : Number.NaN,
        stopFloat: stop ? toFloat(stop) : Number.NaN,
        left: quantity,
        triggered: order.type !== 'StopLimit',
        cancel: false,
      });
      deliver({ type: 'accepted', clientOrderId: order.clientOrderId, orderId: String(nextOrder++) });
    },
    /** Ends every order at once: those of before a redenomination meet no price after it. */
    withdraw(at: number): void {
      const gone = orders;
      orders = [];
      for (const { order } of gone) deliver({ type: 'ended', clientOrderId: order.clientOrderId, status: 'CANCELED', code: null, at });
    },
    cancel(clientOrderId: string): void {
      for (const resting of orders) if (resting.order.clientOrderId === clientOrderId) resting.cancel = true;
    },
    /** Orders placed in earlier bars meet the open of this one. */
    openBar(bar: number, at: number, open: number, volume: number): void {
      volumeLeft = fromFloat((volume * model.volumeSharePct) / 100, pair.quantityPrecision);
      previous = open;
      now = bar;
      for (const resting of orders) {
        if (resting.from > bar) continue;
        const { order } = resting;
        if (order.type === 'Market') {
          const price = offeredAt(open, order.side, half + model.slippagePct / 100);
          slippage = add(slippage, multiply(resting.left, absolute(subtract(price, fromFloat(open, pair.pricePrecision)))));
          fill(resting, price, resting.left, takerFee, at);
        } else if (isTriggered(resting, open)) takeOffered(resting, open, at);
      }
      settle(at);
    },
    /** A price inside bar `bar`: resting limits fill when it trades through them by a tick. */
    trade(bar: number, price: number, at: number): void {
      for (const resting of orders) {
        const { order } = resting;
        // What is decided in a bar is not filled by the same bar.
        if (resting.from > bar || order.type === 'Market' || resting.cancel) continue;
        if (!resting.triggered) {
          if (!isTriggered(resting, price)) continue;
          takeOffered(resting, order.side === 'Sell' ? Math.min(previous, resting.stopFloat) : Math.max(previous, resting.stopFloat), at);
        }
        if (isThrough(resting, price)) take(resting, resting.limit!, makerFee, at);
      }
      previous = price;
      settle(at);
    },
    /** Market orders over recorded trades that were larger than what stood at the best price. */
    get beyondBest(): number {
      return beyondBest;
    },
    /** An order reaches a recorded market where the newest trade was at `last`: it takes what stands, and rests. */
    arrive(order: BrokerOrder, last: number, at: number): void {
      const before = orders.length;
      this.place(order, now, last, at);
      const resting = orders.length > before ? orders.at(-1) : undefined;
      if (resting?.triggered) takeStanding(resting, at);
      settle(at);
    },
    /**
     * A recorded trade, and the best prices after it. Stops whose price it met take what stands; limits that it went
     * through get their share of its quantity, a lot at least.
     */
    tick(price: number, quantity: number | undefined, after: BestPrices, at: number): void {
      best = after;
      standing = undefined;
      if (orders.length === 0) return;
      const traded = lots(quantity);
      const share = traded && maximum(step, toMultiple(multiply(traded, volumeShare), step, 'down'));
      let given = ZERO;
      for (const resting of orders) {
        if (!resting.triggered) {
          if (isTriggered(resting, price)) takeStanding(resting, at);
          continue;
        }
        if (!isThrough(resting, price)) continue;
        const before = resting.left;
        fill(resting, resting.limit!, share ? subtract(share, given) : before, makerFee, at);
        given = add(given, subtract(before, resting.left));
      }
      settle(at);
    },
    /** Ends what was cancelled; called after every decision, so that a cancel waits for no price. */
    settle,
  };
}
export type BacktestBroker = ReturnType<typeof createBacktestBroker>;
