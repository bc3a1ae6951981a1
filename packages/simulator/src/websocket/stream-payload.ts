import { bookVersion } from '../market/book.ts';
import { barBetween, candleAfter, candleStart, type Interval } from '../market/candles.ts';
import type { Pair, Tick } from '../market/market-contract.ts';
import { averageText, type MarketView, priceText, quantityText, quoteVolumeText } from '../market/market-view.ts';

export const tradeEvent = (tick: Tick): Record<string, unknown> => ({
  e: 'trade',
  E: tick.time,
  s: tick.pair.symbol,
  t: tick.id,
  p: priceText(tick.pair, tick.price),
  q: quantityText(tick.pair, tick.quantity),
  T: tick.time,
  m: tick.makerIsBuyer,
  M: true,
});

/** Every trade of this market is its own aggregate. */
export const aggregateTradeEvent = (tick: Tick): Record<string, unknown> => ({
  e: 'aggTrade',
  E: tick.time,
  s: tick.pair.symbol,
  a: tick.id,
  p: priceText(tick.pair, tick.price),
  q: quantityText(tick.pair, tick.quantity),
  f: tick.id,
  l: tick.id,
  T: tick.time,
  m: tick.makerIsBuyer,
  M: true,
});

export function bookTickerEvent(view: MarketView, tick: Tick) {
  const { pair } = tick;
  const best = view.best(pair, tick);
  return {
    u: bookVersion(tick.id, tick.time),
    s: pair.symbol,
    b: priceText(pair, best.bid),
    B: quantityText(pair, best.bidQuantity),
    a: priceText(pair, best.ask),
    A: quantityText(pair, best.askQuantity),
  };
}

/** The candle that contains `at` (≤ now), or null when nothing traded in it. */
export function klineEvent(view: MarketView, pair: Pair, interval: Interval, at: number, offset: number): Record<string, unknown> | null {
  const now = view.now();
  const start = candleStart(interval, at, offset);
  const next = candleAfter(interval, start, 1, offset);
  const moment = view.momentOf(pair);
  const bar = start > moment ? undefined : barBetween(view.market, pair, start, next, moment);
  if (!bar) return null;
  return {
    e: 'kline',
    E: now,
    s: pair.symbol,
    k: {
      t: start,
      T: next - 1,
      s: pair.symbol,
      i: interval.name,
      f: bar.firstId,
      L: bar.lastId,
      o: priceText(pair, bar.open),
      c: priceText(pair, bar.close),
      h: priceText(pair, bar.high),
      l: priceText(pair, bar.low),
      v: quantityText(pair, bar.volume),
      n: bar.trades,
      x: now >= next - 1,
      q: quoteVolumeText(pair, bar.quoteVolume),
      V: quantityText(pair, bar.takerVolume),
      Q: quoteVolumeText(pair, bar.takerQuoteVolume),
      B: '0',
    },
  };
}

export function averageEvent(view: MarketView, pair: Pair): Record<string, unknown> {
  const average = view.average(pair);
  return { e: 'avgPrice', E: view.now(), s: pair.symbol, i: '5m', w: averageText(pair, average.price), T: average.closeTime };
}

/** A book as the partial-depth stream and the local copies of the diff stream see it: price in ticks → quantity text. */
export type BookCopy = { version: number; bids: Map<number, number>; asks: Map<number, number> };

export function copyBook(view: MarketView, pair: Pair): BookCopy {
  const book = view.book(pair);
  return {
    version: book.lastUpdateId,
    bids: new Map(book.bids.map((level) => [level.price, level.quantity])),
    asks: new Map(book.asks.map((level) => [level.price, level.quantity])),
  };
}

function difference(pair: Pair, before: Map<number, number>, after: Map<number, number>): string[][] {
  const rows: string[][] = [];
  for (const price of before.keys()) if (!after.has(price)) rows.push([priceText(pair, price), quantityText(pair, 0)]);
  for (const [price, quantity] of after)
    if (before.get(price) !== quantity) rows.push([priceText(pair, price), quantityText(pair, quantity)]);
  return rows;
}

/** What changed between two books, levels that vanished with quantity 0; null when nothing did. */
export function depthEvent(view: MarketView, pair: Pair, before: BookCopy, after: BookCopy): Record<string, unknown> | null {
  if (after.version <= before.version) return null;
  const b = difference(pair, before.bids, after.bids);
  const a = difference(pair, before.asks, after.asks);
  return { e: 'depthUpdate', E: view.now(), s: pair.symbol, U: before.version + 1, u: after.version, b, a };
}

export function partialBook(view: MarketView, pair: Pair, levels: number): Record<string, unknown> {
  const book = view.book(pair, levels);
  return {
    lastUpdateId: book.lastUpdateId,
    bids: book.bids.map((level) => [priceText(pair, level.price), quantityText(pair, level.quantity)]),
    asks: book.asks.map((level) => [priceText(pair, level.price), quantityText(pair, level.quantity)]),
  };
}
