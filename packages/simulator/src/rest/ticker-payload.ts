import { barBetween } from '../market/candles.ts';
import type { Bar, Pair } from '../market/market-contract.ts';
import { averageText, type MarketView, priceText, quantityText, quoteVolumeText } from '../market/market-view.ts';

const change = (pair: Pair, bar: Bar): string => {
  const ticks = bar.close - bar.open;
  return ticks < 0 ? `-${priceText(pair, -ticks)}` : priceText(pair, ticks);
};
const changePercent = (bar: Bar): string => (((bar.close - bar.open) / bar.open) * 100).toFixed(3);
const weightedAverage = (pair: Pair, bar: Bar): string =>
  bar.volume > 0 ? averageText(pair, bar.quoteVolume / (bar.volume * pair.step) / pair.tick) : '0.00000000';

/** GET /api/v3/ticker/24hr. */
export function dayTicker(view: MarketView, pair: Pair, mini: boolean): Record<string, unknown> {
  const { openTime, closeTime, bar } = view.day(pair);
  if (mini) return miniTicker(pair, bar, openTime, closeTime);
  const last = view.last(pair);
  const best = view.best(pair, last);
  return {
    symbol: pair.symbol,
    priceChange: change(pair, bar),
    priceChangePercent: changePercent(bar),
    weightedAvgPrice: weightedAverage(pair, bar),
    prevClosePrice: priceText(pair, bar.open),
    lastPrice: priceText(pair, last.price),
    lastQty: quantityText(pair, last.quantity),
    bidPrice: priceText(pair, best.bid),
    bidQty: quantityText(pair, best.bidQuantity),
    askPrice: priceText(pair, best.ask),
    askQty: quantityText(pair, best.askQuantity),
    openPrice: priceText(pair, bar.open),
    highPrice: priceText(pair, bar.high),
    lowPrice: priceText(pair, bar.low),
    volume: quantityText(pair, bar.volume),
    quoteVolume: quoteVolumeText(pair, bar.quoteVolume),
    openTime,
    closeTime,
    firstId: bar.firstId,
    lastId: bar.lastId,
    count: bar.trades,
  };
}

/** GET /api/v3/ticker and /ticker/tradingDay. */
export function windowTicker(view: MarketView, pair: Pair, from: number, closeTime: number, mini: boolean): Record<string, unknown> {
  const moment = view.momentOf(pair);
  const bar = barBetween(view.market, pair, Math.max(from, pair.listedAt), moment + 1, moment) ?? view.day(pair).bar;
  if (mini) return miniTicker(pair, bar, from, closeTime);
  return {
    symbol: pair.symbol,
    priceChange: change(pair, bar),
    priceChangePercent: changePercent(bar),
    weightedAvgPrice: weightedAverage(pair, bar),
    openPrice: priceText(pair, bar.open),
    highPrice: priceText(pair, bar.high),
    lowPrice: priceText(pair, bar.low),
    lastPrice: priceText(pair, bar.close),
    volume: quantityText(pair, bar.volume),
    quoteVolume: quoteVolumeText(pair, bar.quoteVolume),
    openTime: from,
    closeTime,
    firstId: bar.firstId,
    lastId: bar.lastId,
    count: bar.trades,
  };
}

function miniTicker(pair: Pair, bar: Bar, openTime: number, closeTime: number): Record<string, unknown> {
  return {
    symbol: pair.symbol,
    openPrice: priceText(pair, bar.open),
    highPrice: priceText(pair, bar.high),
    lowPrice: priceText(pair, bar.low),
    lastPrice: priceText(pair, bar.close),
    volume: quantityText(pair, bar.volume),
    quoteVolume: quoteVolumeText(pair, bar.quoteVolume),
    openTime,
    closeTime,
    firstId: bar.firstId,
    lastId: bar.lastId,
    count: bar.trades,
  };
}

/** `24hrMiniTicker` of the streams. */
export function miniTickerEvent(view: MarketView, pair: Pair): Record<string, unknown> {
  const { bar } = view.day(pair);
  return {
    e: '24hrMiniTicker',
    E: view.now(),
    s: pair.symbol,
    c: priceText(pair, bar.close),
    o: priceText(pair, bar.open),
    h: priceText(pair, bar.high),
    l: priceText(pair, bar.low),
    v: quantityText(pair, bar.volume),
    q: quoteVolumeText(pair, bar.quoteVolume),
  };
}

/** `24hrTicker` of the streams. */
export function tickerEvent(view: MarketView, pair: Pair): Record<string, unknown> {
  const { bar, openTime, closeTime } = view.day(pair);
  const last = view.last(pair);
  const best = view.best(pair, last);
  return {
    e: '24hrTicker',
    E: view.now(),
    s: pair.symbol,
    p: change(pair, bar),
    P: changePercent(bar),
    w: weightedAverage(pair, bar),
    x: priceText(pair, bar.open),
    c: priceText(pair, last.price),
    Q: quantityText(pair, last.quantity),
    b: priceText(pair, best.bid),
    B: quantityText(pair, best.bidQuantity),
    a: priceText(pair, best.ask),
    A: quantityText(pair, best.askQuantity),
    o: priceText(pair, bar.open),
    h: priceText(pair, bar.high),
    l: priceText(pair, bar.low),
    v: quantityText(pair, bar.volume),
    q: quoteVolumeText(pair, bar.quoteVolume),
    O: openTime,
    C: closeTime,
    F: bar.firstId,
    L: bar.lastId,
    n: bar.trades,
  };
}
