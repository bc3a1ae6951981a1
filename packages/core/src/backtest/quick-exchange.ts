import type { QuickBook, QuickOrder } from './quick-position.ts';
import { floorDivide, nearestUnits, type Scales, safe, ten } from './quick-scales.ts';

/** As `backtest-broker.ts` does it. */
const NEAR = 1e-9;
const SLIPPAGE = 0;
const SHARE = 1;
const PREVIOUS = 2;

/** What the exchange says of an order: an execution of `lots`, or (0) its end, `filled` or taken back. */
export type QuickNews = {
  readonly slot: number;
  readonly order: QuickOrder;
  readonly lots: number;
  readonly price: number;
  /** In units of the fee. */
  readonly fee: number;
  readonly filled: boolean;
  readonly at: number;
};

/** What is offered when the market stands at `price`, worse by a share of it, on the tick; in units of the price. */
export function offeredAt(scales: Scales, price: number, buys: boolean, worse: number): number {
  const tick = scales.tick * 100;
  const offered = nearestUnits(price * (buys ? 1 + worse : 1 - worse), scales.price + 2);
  const ticks = floorDivide(offered, tick);
  return (buys && ticks * tick !== offered ? ticks + 1 : ticks) * scales.tick;
}

/** The exchange of a quick run for one coin, as `backtest-broker.ts` fills orders. What it says is put at the end of `news`. */
export function createQuickExchange(book: QuickBook, news: QuickNews[]) {
  const { model, scales, slot, quote, units } = book;
  const half = model.halfSpreadPct / 100;
  const slip = half + model.slippagePct / 100;
  /** Rounding a volume moves it by less than this. */
  const roundings = 1 / ten(scales.volume) + 1 / scales.lotUnit;
  const orders: QuickOrder[] = [];
  /** In a column, because a variable that functions share is a new object with each number it takes: what orders at the
   * market paid beyond the open, the share of the bar's volume that limits may take, and the price before. */
  const numbers = new Float64Array(3);
  /** What was taken of that share, in lots. */
  let taken = 0;
  /** The newest bar that opened. */
  let now = -1;

  function fill(order: QuickOrder, price: number, lots: number, fee: number, at: number): void {
    order.left -= lots;
    news.push({ slot, order, lots, price, fee, filled: false, at });
    if (order.left === 0) news.push({ slot, order, lots: 0, price, fee, filled: true, at });
  }
  /** Lots of the bar's volume that are left. */
  function available(wanted: number): number {
    if (numbers[SHARE]! - taken / scales.lotUnit > (wanted / scales.lotUnit) * (1 + NEAR) + roundings) return wanted;
    const traded = nearestUnits(numbers[SHARE]!, scales.volume);
    const places = scales.lot - scales.volume;
    const most = places >= 0 ? safe(traded * ten(places)) : floorDivide(traded, ten(-places));
    return Math.max(0, floorDivide(Math.min(wanted, Math.max(0, most - taken)), scales.step) * scales.step);
  }
  function take(order: QuickOrder, price: number, fee: number, at: number): void {
    const lots = available(order.left);
    if (lots === 0) return;
    fill(order, price, lots, fee, at);
    taken += lots;
  }
  /** Takes what is offered while the market stands at `price`, when that is no worse than the limit. */
  function takeOffered(order: QuickOrder, price: number, at: number): void {
    const offered = offeredAt(scales, price, order.buys, half);
    if (order.buys ? offered <= order.limit : offered >= order.limit) take(order, offered, scales.takerFee, at);
  }
  function isTriggered(order: QuickOrder, price: number): boolean {
    order.triggered ||= price <= quote(order.stop);
    return order.triggered;
  }
  /** True when a price is past a limit by a tick or more. */
  function isThrough({ buys, limit }: QuickOrder, price: number): boolean {
    if (buys) return price <= quote(limit) * (1 + NEAR) && units(price) <= limit - scales.tick;
    return price >= quote(limit) * (1 - NEAR) && units(price) - scales.tick >= limit;
  }
  const isOver = ({ cancel, from, left }: QuickOrder): boolean => left === 0 || (cancel && from <= now);
  function settle(at: number): void {
    let over = false;
    for (const order of orders) over ||= isOver(order);
    if (!over) return;
    let kept = 0;
    for (const order of orders) {
      if (!isOver(order)) orders[kept++] = order;
      else if (order.left > 0) news.push({ slot, order, lots: 0, price: 0, fee: 0, filled: false, at });
    }
    orders.length = kept;
  }

  return {
    place(order: QuickOrder): void {
      orders.push(order);
    },
    get slippage(): number {
      return numbers[SLIPPAGE]!;
    },
    get idle(): boolean {
      return orders.length === 0;
    },
    /** True when only stops rest, that bars far from them cannot change. */
    get restsOnly(): boolean {
      for (const { stop, triggered, cancel } of orders) if (stop === 0 || triggered || cancel) return false;
      return true;
    },
    /** A price above this meets no stop that rests. */
    get clearAbove(): number {
      let highest = Number.NEGATIVE_INFINITY;
      for (const { stop } of orders) highest = Math.max(highest, quote(stop) * (1 + NEAR));
      return highest;
    },
    restsThrough(bar: number, low: number, _high: number): boolean {
      for (const { stop, from, triggered, cancel } of orders) {
        if (triggered || cancel || from > bar) return false;
        if (low <= quote(stop) * (1 + NEAR)) return false;
      }
      return true;
    },
    openBar(bar: number, at: number, open: number, volume: number): void {
      numbers[SHARE] = (volume * model.volumeSharePct) / 100;
      taken = 0;
      numbers[PREVIOUS] = open;
      now = bar;
      for (const order of orders) {
        if (order.from > bar) continue;
        if (order.limit === 0) {
          const price = offeredAt(scales, open, order.buys, slip);
          numbers[SLIPPAGE] = safe(numbers[SLIPPAGE]! + safe(order.left * Math.abs(price - units(open))));
          fill(order, price, order.left, scales.takerFee, at);
        } else if (isTriggered(order, open)) takeOffered(order, open, at);
      }
      settle(at);
    },
    trade(bar: number, price: number, at: number): void {
      for (const order of orders) {
        if (order.from > bar || order.limit === 0 || order.cancel) continue;
        if (!order.triggered) {
          if (!isTriggered(order, price)) continue;
          takeOffered(order, Math.min(numbers[PREVIOUS]!, quote(order.stop)), at);
        }
        // What is filled already waits for its end only.
        if (order.left > 0 && isThrough(order, price)) take(order, order.limit, scales.makerFee, at);
      }
      numbers[PREVIOUS] = price;
      settle(at);
    },
    settle,
  };
}
export type QuickExchange = ReturnType<typeof createQuickExchange>;
