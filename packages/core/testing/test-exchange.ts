import type { OrderInput } from '../src/auto-trades/engine/auto-trade-engine.ts';
import { LATE, type OrderInFlight } from '../src/auto-trades/position/position-state.ts';
import { add, compare, decimal, isPositive, maximum, minimum, multiply, subtract, sum, toMultiple, toText } from '../src/money/decimal.ts';
import type { Pair } from '../src/prices/prices-contract.ts';

/** What becomes of one order. Shares are of the whole quantity, taken at one price after the other. */
export type Fate = {
  readonly kind: 'normal' | 'refused' | 'absent' | 'late' | 'lost' | 'unfilled';
  /** Part that each price fills; the rest stays in the book. */
  readonly share: number;
  readonly feeAsset: 'base' | 'quote' | 'third' | 'unvalued' | 'none';
  /** Prices by which everything about it arrives late. */
  readonly delay: number;
  /** Each execution is told twice. */
  readonly twice: boolean;
  /** What a refusal says; of an order that ends `unfilled` the exchange's expiry reason. */
  readonly said?: { readonly code: string; readonly detail?: string };
};
const CODES = { refused: '-2010', absent: 'ABSENT', late: LATE };
export const NORMAL: Fate = { kind: 'normal', share: 1, feeAsset: 'quote', delay: 0, twice: false };

type Standing = { order: OrderInFlight; left: string; fate: Fate; triggered: boolean; cancel: boolean };

/**
 * An exchange for tests: fills what the next prices reach, in the parts that an order's fate says. It can refuse an
 * order, never have heard of it, or not know what became of it; it tells late and tells twice.
 */
export function createTestExchange(pair: Pair, fateOf: (order: OrderInFlight) => Fate = () => NORMAL) {
  let standing: Standing[] = [];
  let news: { due: number; input: OrderInput }[] = [];
  let now = 0;
  let trades = 0;
  /** What the account holds of the coin: what was bought here, less what was sold or went away. */
  let account = decimal('0');
  /** Fees that were told without a value, to be valued later. */
  const unvalued: { clientOrderId: string; tradeId: string; fee: string }[] = [];
  const tell = (fate: Fate, input: OrderInput): void => void news.push({ due: now + fate.delay, input });
  const end = ({ order, fate }: Standing, status: 'FILLED' | 'CANCELED' | 'EXPIRED' | 'REJECTED', code: string | null, at: number) =>
    tell(fate, { type: 'ended', clientOrderId: order.clientOrderId, status, code, at });
  const selling = () => sum(standing.filter(({ order }) => order.side === 'Sell').map(({ left }) => decimal(left)));

  function fill(each: Standing, price: string, at: number): void {
    const { order, fate } = each;
    const wanted = toMultiple(multiply(decimal(order.quantity), decimal(fate.share.toFixed(3))), decimal(pair.filters.stepSize), 'up');
    const quantity = minimum(decimal(each.left), wanted);
    if (!isPositive(quantity)) return;
    each.left = toText(subtract(decimal(each.left), quantity));
    const quote = multiply(quantity, decimal(price));
    const asset = fate.feeAsset === 'base' && order.side === 'Sell' ? 'quote' : fate.feeAsset;
    const inBase = asset === 'base';
    const fee = asset === 'none' ? decimal('0') : multiply(inBase ? quantity : quote, decimal('0.001'));
    account = subtract(order.side === 'Buy' ? add(account, quantity) : subtract(account, quantity), inBase ? fee : decimal('0'));
    trades += 1;
    const input: OrderInput = {
      type: 'filled',
      clientOrderId: order.clientOrderId,
      orderId: `o${order.clientOrderId}`,
      tradeId: String(trades),
      price,
      quantity: toText(quantity),
      quoteQuantity: toText(quote),
      fee: toText(fee),
      feeAsset: inBase ? pair.baseAsset : asset === 'third' || asset === 'unvalued' ? 'BNB' : pair.quoteAsset,
      feeInQuote: inBase || asset === 'unvalued' ? null : toText(fee),
      at,
    };
    if (asset === 'unvalued') unvalued.push({ clientOrderId: order.clientOrderId, tradeId: input.tradeId, fee: toText(fee) });
    tell(fate, input);
    if (fate.twice) tell(fate, input);
  }

  return {
    unvalued,
    place(order: OrderInFlight): void {
      const fate = fateOf(order);
      const each = { order, left: order.quantity, fate, triggered: order.type !== 'StopLimit', cancel: false };
      if (fate.kind === 'refused' || fate.kind === 'absent' || fate.kind === 'late') {
        // Heard of with the next price: what is tried again at once would otherwise be refused for ever.
        const { clientOrderId, placedAt: at } = order;
        const said = fate.said ?? { code: CODES[fate.kind] };
        tell({ ...fate, delay: fate.delay + 1 }, { type: 'ended', clientOrderId, status: 'REJECTED', ...said, at });
        return;
      }
      if (fate.kind === 'unfilled') {
        const { clientOrderId, placedAt: at } = order;
        const why = fate.said ? { expiryReason: fate.said.code } : {};
        tell(fate, { type: 'ended', clientOrderId, status: 'EXPIRED', code: null, ...why, at });
        return;
      }
      const free = maximum(decimal('0'), subtract(account, selling()));
      if (order.side === 'Sell' && compare(decimal(order.quantity), free) > 0) {
        const { clientOrderId, placedAt: at } = order;
        const balance = { free: toText(free), locked: '0' };
        tell(NORMAL, { type: 'ended', clientOrderId, status: 'REJECTED', code: '-2010', balance, at });
        return;
      }
      if (fate.kind === 'lost') tell(fate, { type: 'lost', clientOrderId: order.clientOrderId, code: 'AMBIGUOUS' });
      else tell(fate, { type: 'accepted', clientOrderId: order.clientOrderId, orderId: `o${order.clientOrderId}` });
      standing.push(each);
    },
    /** Coins leave the account in another way, as far as they are there: those in orders stay, unless these are to lose them, too. */
    take(quantity: string, from: 'beside orders' | 'with orders' = 'beside orders'): void {
      const kept = from === 'with orders' ? decimal('0') : selling();
      account = subtract(account, minimum(decimal(quantity), maximum(decimal('0'), subtract(account, kept))));
    },
    cancel(clientOrderId: string): void {
      for (const each of standing) if (each.order.clientOrderId === clientOrderId) each.cancel = true;
    },
    /** The market trades at a price: what it reaches is filled, then what was asked for is cancelled. */
    trade(price: string, at: number): void {
      now += 1;
      const kept: Standing[] = [];
      for (const each of standing) {
        const { order } = each;
        if (order.type === 'StopLimit' && compare(decimal(price), decimal(order.stopPrice!)) <= 0) each.triggered = true;
        const reached =
          order.type === 'Market' ||
          (each.triggered &&
            compare(decimal(order.side === 'Buy' ? price : order.price!), decimal(order.side === 'Buy' ? order.price! : price)) <= 0);
        if (reached) fill(each, order.type === 'Market' ? price : order.price!, at);
        if (!isPositive(decimal(each.left))) end(each, 'FILLED', null, at);
        else if (each.cancel) end(each, 'CANCELED', null, at);
        else kept.push(each);
      }
      standing = kept;
    },
    /** What is heard by now, oldest first. */
    heard(): OrderInput[] {
      const due = news.filter((each) => each.due <= now);
      news = news.filter((each) => each.due > now);
      return due.map(({ input }) => input);
    },
    get idle(): boolean {
      return standing.length === 0 && news.length === 0;
    },
    /** The most that may be sold at once by orders that stand, to be compared with what is owned. */
    get selling(): string {
      return toText(selling());
    },
  };
}
