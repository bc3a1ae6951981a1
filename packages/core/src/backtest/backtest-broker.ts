import type { OrderInput } from '../auto-trades/auto-trade-engine.ts';
import type { OrderInFlight } from '../auto-trades/position-state.ts';
import {
  decimal,
  fromFloat,
  greaterThan,
  isPositive,
  lessThan,
  minimum,
  multiply,
  subtract,
  toMultiple,
  toText,
} from '../money/decimal.ts';
import type { Pair } from '../prices/prices-contract.ts';

/** How orders fill in a backtest; shown in every report. Percentages in percent units. */
export type FillModel = {
  /** Half of the assumed spread, and the slippage of a market order on top of it. */
  readonly halfSpreadPct: number;
  readonly slippagePct: number;
  /** Part of a bar's volume that a resting order may take. */
  readonly volumeSharePct: number;
  readonly takerFee: string;
};

export const DEFAULT_FILL_MODEL: FillModel = { halfSpreadPct: 0.05, slippagePct: 0.05, volumeSharePct: 5, takerFee: '0.001' };

type Resting = { order: OrderInFlight; placedBar: number; left: string; cancel: boolean };

/**
 * The exchange of a backtest: a market order fills at the open of the next bar, worse by half the spread and the
 * slippage; a limit order fills at its price once a later price trades through it by a tick, up to a share of the
 * bar's volume. Fees are taken in the received asset, as on the spot market.
 */
export function createBacktestBroker(pair: Pair, model: FillModel, deliver: (input: OrderInput) => void) {
  const tick = decimal(pair.filters.tickSize);
  const step = decimal(pair.filters.stepSize);
  let orders: Resting[] = [];
  let nextTrade = 1;
  let nextOrder = 1;
  let volumeLeft = decimal('0');

  function fill(resting: Resting, price: ReturnType<typeof decimal>, most: ReturnType<typeof decimal>, at: number): void {
    const quantity = toMultiple(minimum(decimal(resting.left), most), step, 'down');
    if (!isPositive(quantity)) return;
    const { order } = resting;
    const quote = multiply(quantity, price);
    const fee = multiply(order.side === 'Buy' ? quantity : quote, decimal(model.takerFee));
    resting.left = toText(subtract(decimal(resting.left), quantity));
    deliver({
      type: 'filled',
      clientOrderId: order.clientOrderId,
      orderId: order.orderId ?? order.clientOrderId,
      tradeId: String(nextTrade++),
      price: toText(price),
      quantity: toText(quantity),
      quoteQuantity: toText(quote),
      fee: toText(fee),
      feeAsset: order.side === 'Buy' ? pair.baseAsset : pair.quoteAsset,
      feeInQuote: order.side === 'Buy' ? null : toText(fee),
      at,
    });
    if (!isPositive(decimal(resting.left)))
      deliver({ type: 'ended', clientOrderId: order.clientOrderId, status: 'FILLED', code: null, at });
  }

  /** A limit order takes its share of the bar's volume and no more. */
  function take(resting: Resting, price: ReturnType<typeof decimal>, at: number): void {
    const before = decimal(resting.left);
    fill(resting, price, volumeLeft, at);
    volumeLeft = subtract(volumeLeft, subtract(before, decimal(resting.left)));
  }

  return {
    get idle(): boolean {
      return orders.length === 0;
    },
    place(order: OrderInFlight, bar: number): void {
      orders.push({ order, placedBar: bar, left: order.quantity, cancel: false });
      deliver({ type: 'accepted', clientOrderId: order.clientOrderId, orderId: String(nextOrder++) });
    },
    cancel(clientOrderId: string): void {
      for (const resting of orders) if (resting.order.clientOrderId === clientOrderId) resting.cancel = true;
    },
    /** Orders placed in earlier bars meet the open of this one. */
    openBar(bar: number, at: number, open: number, volume: number): void {
      volumeLeft = fromFloat((volume * model.volumeSharePct) / 100, pair.quantityPrecision);
      for (const resting of orders) {
        if (resting.placedBar >= bar) continue;
        const { order } = resting;
        if (resting.cancel) continue;
        const side = order.side === 'Buy' ? 1 : -1;
        if (order.type === 'Market') {
          const price = open * (1 + (side * (model.halfSpreadPct + model.slippagePct)) / 100);
          fill(resting, toMultiple(fromFloat(price, pair.pricePrecision + 2), tick, side > 0 ? 'up' : 'down'), decimal(resting.left), at);
        } else {
          const offered = toMultiple(
            fromFloat(open * (1 + (side * model.halfSpreadPct) / 100), pair.pricePrecision + 2),
            tick,
            side > 0 ? 'up' : 'down',
          );
          const limit = decimal(order.price!);
          // Marketable at the open: taken at what is offered there, which is no worse than the limit.
          if (side > 0 ? !greaterThan(offered, limit) : !lessThan(offered, limit)) take(resting, offered, at);
        }
      }
      this.settle(at);
    },
    /** A price inside bar `bar`: resting limits fill when it trades through them by a tick. */
    trade(bar: number, price: number, at: number): void {
      const last = fromFloat(price, pair.pricePrecision);
      for (const resting of orders) {
        // What is decided in a bar is not filled by the same bar.
        if (resting.placedBar >= bar || resting.order.type !== 'Limit' || resting.cancel) continue;
        const limit = decimal(resting.order.price!);
        const through = resting.order.side === 'Buy' ? !greaterThan(last, subtract(limit, tick)) : !lessThan(subtract(last, tick), limit);
        if (!through) continue;
        take(resting, limit, at);
      }
      this.settle(at);
    },
    /** Drops what is filled; cancels take effect here. */
    settle(at: number): void {
      const open: Resting[] = [];
      const cancelled: Resting[] = [];
      for (const resting of orders) {
        if (!isPositive(decimal(resting.left))) continue;
        (resting.cancel ? cancelled : open).push(resting);
      }
      orders = open;
      for (const { order } of cancelled) deliver({ type: 'ended', clientOrderId: order.clientOrderId, status: 'CANCELED', code: null, at });
    },
  };
}
