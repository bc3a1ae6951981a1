import { type Book, bestPrices, bookAround, bookVersion, lastTradeIndex } from './book.ts';
import { addTicks, barBetween } from './candles.ts';
import { type Bar, type Market, type Pair, type PairStatus, unitsText } from './market-contract.ts';
import { anchorOf } from './symbol-table.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

export type LastTrade = { id: number; time: number; price: number; quantity: number; makerIsBuyer: boolean };

/** What can be seen of the market at this moment of market time: last trades, books, averages, 24 h statistics. */
export class MarketView {
  readonly market: Market;
  readonly now: () => number;
  private readonly overrides = new Map<number, { status: PairStatus | 'DELISTED'; since: number }>();
  private readonly rows = new Map<number, Readonly<Record<string, unknown>>>();
  private readonly dayCache = new Map<number, { from: number; to: number; bar: Bar | undefined }>();

  constructor(market: Market, now: () => number) {
    this.market = market;
    this.now = now;
  }

  isListed(pair: Pair): boolean {
    return pair.listedAt <= this.now() && this.overrides.get(pair.index)?.status !== 'DELISTED';
  }

  status(pair: Pair): PairStatus {
    const asked = this.overrides.get(pair.index)?.status;
    return asked === undefined ? this.market.status(pair, this.now()) : asked === 'DELISTED' ? 'BREAK' : asked;
  }

  /** Sets a pair's status whatever the market says; TRADING gives it back to the market. Any other stops its trades. */
  setStatus(pair: Pair, status: PairStatus | 'DELISTED'): void {
    if (status === 'TRADING') this.overrides.delete(pair.index);
    else this.overrides.set(pair.index, { status, since: this.momentOf(pair) });
  }

  /** Fields in place of those of its row in the list of symbols. */
  setRow(pair: Pair, fields: Readonly<Record<string, unknown>>): void {
    this.rows.set(pair.index, fields);
  }
  rowOf(pair: Pair): Readonly<Record<string, unknown>> {
    return this.rows.get(pair.index) ?? {};
  }

  /** Fields that were set, by symbol. */
  changedRows(): Record<string, Readonly<Record<string, unknown>>> {
    return Object.fromEntries([...this.rows].map(([index, fields]) => [this.market.pairs[index]!.symbol, fields]));
  }

  /** Every pair is the market's again, and its row its own. */
  clearChanges(): void {
    this.overrides.clear();
    this.rows.clear();
  }

  /** Statuses that were set, by symbol. */
  statuses(): Record<string, string> {
    return Object.fromEntries([...this.overrides].map(([index, { status }]) => [this.market.pairs[index]!.symbol, status]));
  }

  /** False for a pair whose trades somebody stopped. */
  isMoving(pair: Pair): boolean {
    return !this.overrides.has(pair.index);
  }

  /** Market time as the pair knows it: it stands still for one whose trades were stopped. */
  momentOf(pair: Pair): number {
    return this.overrides.get(pair.index)?.since ?? this.now();
  }

  /** The pair of a symbol if it is listed by now. */
  find(symbol: string): Pair | undefined {
    const pair = this.market.find(symbol);
    return pair && this.isListed(pair) ? pair : undefined;
  }

  listed(): Pair[] {
    return this.market.pairs.filter((pair) => this.isListed(pair));
  }

  last(pair: Pair): LastTrade {
    const now = this.momentOf(pair);
    const length = this.market.barLength(pair);
    let time = now;
    for (let back = 0; back < 3 && time >= pair.listedAt; back += 1, time -= length) {
      const block = this.market.ticks(pair, time);
      const index = back === 0 ? lastTradeIndex(block, now) : block.count - 1;
      if (index >= 0) {
        return {
          id: block.firstId + index,
          time: block.times[index]!,
          price: block.prices[index]!,
          quantity: block.quantities[index]!,
          makerIsBuyer: block.makerIsBuyer[index] === 1,
        };
      }
    }
    const block = this.market.ticks(pair, now);
    return { id: block.firstId - 1, time: block.start, price: this.market.previousClose(pair, now), quantity: 0, makerIsBuyer: false };
  }

  best(pair: Pair, last = this.last(pair)): { bid: number; ask: number; bidQuantity: number; askQuantity: number } {
    const { bid, ask } = bestPrices(pair, last.price, last.makerIsBuyer);
    const top = this.book(pair, 1, last);
    return { bid, ask, bidQuantity: top.bids[0]?.quantity ?? 0, askQuantity: top.asks[0]?.quantity ?? 0 };
  }

  book(pair: Pair, depth?: number, last = this.last(pair)): Book & { lastUpdateId: number } {
    const now = this.momentOf(pair);
    const book = bookAround(pair, last.price, last.makerIsBuyer, now, anchorOf(pair.quote), depth);
    return { ...book, lastUpdateId: bookVersion(last.id, now) };
  }

  /** Volume-weighted price of the last minutes (five as a rule) in ticks (a double), else the last price. */
  average(pair: Pair, minutes = 5): { price: number; closeTime: number } {
    const now = this.momentOf(pair);
    const last = this.last(pair);
    if (minutes === 0) return { price: last.price, closeTime: last.time };
    const length = Math.max(minutes * MINUTE, this.market.barLength(pair));
    const bar = barBetween(this.market, pair, Math.max(pair.listedAt, now - length), now + 1, now);
    if (!bar || bar.volume === 0) return { price: last.price, closeTime: last.time };
    return { price: bar.quoteVolume / (bar.volume * pair.step) / pair.tick, closeTime: last.time };
  }

  /** The last 24 hours, to the minute (or the pair's own bar, if longer). */
  day(pair: Pair): { openTime: number; closeTime: number; bar: Bar } {
    const now = this.momentOf(pair);
    const length = this.market.barLength(pair);
    const running = Math.floor(now / length) * length;
    const from = Math.max(running - DAY + length, Math.ceil(pair.listedAt / length) * length);
    let cached = this.dayCache.get(pair.index);
    if (!cached || cached.from !== from || cached.to !== running) {
      cached = { from, to: running, bar: from < running ? this.market.aggregate(pair, from, running) : undefined };
      this.dayCache.set(pair.index, cached);
    }
    const bar = addTicks(cached.bar && { ...cached.bar }, pair, this.market.ticks(pair, now), running, now + 1);
    if (bar) return { openTime: from, closeTime: now, bar };
    const last = this.last(pair);
    const price = last.price;
    const still: Bar = {
      open: price,
      high: price,
      low: price,
      close: price,
      volume: 0,
      quoteVolume: 0,
      trades: 0,
      takerVolume: 0,
      takerQuoteVolume: 0,
      firstId: -1,
      lastId: -1,
    };
    return { openTime: from, closeTime: now, bar: still };
  }
}

export const priceText = (pair: Pair, ticks: number): string => unitsText(ticks, pair.tickSize);
export const quantityText = (pair: Pair, lots: number): string => unitsText(lots, pair.stepSize);
/** An average in ticks as text; averages are rounded to eight digits. */
export const averageText = (pair: Pair, ticks: number): string => (ticks * pair.tick).toFixed(8);
/** A quote volume (a double) as text with the digits it can have. */
export function quoteVolumeText(pair: Pair, volume: number): string {
  const places = Math.min(8, pair.pricePlaces + pair.quantityPlaces);
  return places === 0 ? `${volume.toFixed(0)}.00000000` : volume.toFixed(places) + '0'.repeat(8 - places);
}
