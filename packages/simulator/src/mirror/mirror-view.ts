import type { Book } from '../market/book.ts';
import type { Pair } from '../market/market-contract.ts';
import { type LastTrade, MarketView } from '../market/market-view.ts';
import type { MirroredPairs } from './mirrored-pairs.ts';

/** What is known of a pair: prices in ticks, quantities in lots. */
export type Seen = {
  last: LastTrade;
  /** Best first; empty until the exchange has shown its book. */
  book: Book & { lastUpdateId: number };
  /** Volume-weighted price of the last minutes, in ticks (a double). */
  average: { price: number; closeTime: number } | undefined;
};

export const NO_BOOK: Seen['book'] = { bids: [], asks: [], lastUpdateId: 0 };

const NOTHING: Seen = {
  last: { id: 0, time: 0, price: 0, quantity: 0, makerIsBuyer: false },
  book: NO_BOOK,
  average: undefined,
};

/** The mirrored market at this moment, as far as its exchange has shown it. */
export class MirrorView extends MarketView {
  private readonly seen = new Map<number, Seen>();
  private readonly mirrored: MirroredPairs;

  constructor(pairs: MirroredPairs, now: () => number) {
    super(pairs, now);
    this.mirrored = pairs;
  }

  /** Takes over what the exchange shows of a pair; the rest stays as it was. */
  see(pair: Pair, shown: Partial<Seen>): void {
    this.seen.set(pair.index, { ...this.of(pair), ...shown });
  }
  /** Forgets what counted in other units. */
  forget(pair: Pair): void {
    this.seen.delete(pair.index);
  }

  override isListed(pair: Pair): boolean {
    return this.mirrored.isListed(pair) && super.isListed(pair);
  }
  override last(pair: Pair): LastTrade {
    return this.of(pair).last;
  }
  override book(pair: Pair, depth?: number): Book & { lastUpdateId: number } {
    const { book } = this.of(pair);
    return depth === undefined ? book : { ...book, bids: book.bids.slice(0, depth), asks: book.asks.slice(0, depth) };
  }
  override best(pair: Pair): { bid: number; ask: number; bidQuantity: number; askQuantity: number } {
    const { bids, asks } = this.of(pair).book;
    return { bid: bids[0]?.price ?? 0, ask: asks[0]?.price ?? 0, bidQuantity: bids[0]?.quantity ?? 0, askQuantity: asks[0]?.quantity ?? 0 };
  }
  override average(pair: Pair, minutes = 5): { price: number; closeTime: number } {
    const { last, average } = this.of(pair);
    return minutes > 0 && average ? average : { price: last.price, closeTime: last.time };
  }

  private of(pair: Pair): Seen {
    return this.seen.get(pair.index) ?? NOTHING;
  }
}
