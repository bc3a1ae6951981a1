import { describe, expect, test } from 'vitest';
import { MARKET_START, TEST_PAIRS } from '../../testing/test-market.ts';
import { barBetween, candlesOf, findInterval } from './candles.ts';
import type { Pair } from './market-contract.ts';
import { SeededMarket } from './seeded-market.ts';

const NOW = Date.UTC(2026, 5, 15, 13, 7, 21, 400);
const MINUTE = 60_000;
const DAY = 86_400_000;
const interval = (name: string) => findInterval(name)!;

describe('the invented market', () => {
  const market = new SeededMarket('test');
  const pair = (symbol: string): Pair => market.find(symbol)!;

  test('lists more than 400 pairs and goes on listing', () => {
    const listed = (time: number): number => market.pairs.filter((one) => one.listedAt <= time).length;
    expect(listed(NOW)).toBeGreaterThan(420);
    expect(listed(NOW)).toBeGreaterThan(listed(NOW - 60 * DAY));
    for (const symbol of [
      'BTCUSDT',
      'ETHUSDT',
      'BNBUSDT',
      'SOLUSDT',
      'XRPUSDT',
      'DOGEUSDT',
      'ADAUSDT',
      'APTUSDT',
      'ETHBTC',
      'BTCTRY',
      'BTCFDUSD',
    ]) {
      expect(market.find(symbol)?.listedAt, symbol).toBeLessThan(NOW);
    }
  });

  test('lists the great pairs whatever the seed', () => {
    for (let seed = 0; seed < 12; seed += 1) {
      const other = new SeededMarket(seed);
      for (const symbol of ['BTCUSDT', 'BTCTRY', 'ETHTRY', 'BNBBTC', 'SOLUSDT', 'PEPEUSDT'].filter((one) => other.find(one))) {
        expect(other.find(symbol)!.listedAt, `${symbol} of seed ${seed}`).toBeLessThan(NOW);
      }
      expect(other.pairs.filter((one) => one.listedAt <= NOW).length).toBeGreaterThan(420);
    }
  });

  test('is the same for the same seed whatever was asked before, and another for another seed', () => {
    const again = new SeededMarket('test');
    again.ticks(again.find('DOGEUSDT')!, NOW - 5 * DAY);
    const query = { limit: 50, now: NOW };
    expect(candlesOf(again, again.find('SOLUSDT')!, interval('15m'), query)).toEqual(
      candlesOf(market, pair('SOLUSDT'), interval('15m'), query),
    );
    expect(again.ticks(again.find('SOLUSDT')!, NOW)).toEqual(market.ticks(pair('SOLUSDT'), NOW));
    const other = new SeededMarket('other');
    expect(candlesOf(other, other.find('SOLUSDT')!, interval('15m'), query)).not.toEqual(
      candlesOf(market, pair('SOLUSDT'), interval('15m'), query),
    );
  });

  test('lists the pairs of the tests when they begin, without a halt on that day', () => {
    for (const seed of [3, 5, 7, 11]) {
      const few = new SeededMarket(seed, TEST_PAIRS);
      expect(few.pairs.filter((one) => one.listedAt < MARKET_START - 30 * DAY)).toHaveLength(TEST_PAIRS.length);
      for (const one of few.pairs)
        for (let at = MARKET_START; at < MARKET_START + DAY; at += 5 * MINUTE) expect(few.status(one, at), one.symbol).toBe('TRADING');
    }
  });

  test('of a few pairs has the prices of the whole market', () => {
    const few = new SeededMarket('test', ['ETHBTC', 'SOLUSDT', 'BTCUSDT']);
    expect(few.pairs.map(({ symbol, index }) => [index, symbol])).toEqual([
      [0, 'BTCUSDT'],
      [1, 'SOLUSDT'],
      [2, 'ETHBTC'],
    ]);
    for (const symbol of ['BTCUSDT', 'SOLUSDT', 'ETHBTC']) {
      expect(few.ticks(few.find(symbol)!, NOW), symbol).toEqual(market.ticks(pair(symbol), NOW));
      expect(few.find(symbol)!.listedAt).toBe(pair(symbol).listedAt);
    }
    expect(few.find('DOGEUSDT')).toBeUndefined();
    expect(() => new SeededMarket('test', ['BTCUSDT', 'NOSUCHUSDT'])).toThrow('the invented market has no NOSUCHUSDT');
  });

  test.each(['BTCUSDT', 'PEPEUSDT', 'ETHBTC', 'BTCTRY', 'FDUSDUSDT'])('the trades of a minute of %s make its candle', (symbol) => {
    for (let at = NOW - 30 * MINUTE; at < NOW; at += MINUTE) {
      const start = Math.floor(at / MINUTE) * MINUTE;
      const bar = market.aggregate(pair(symbol), start, start + MINUTE)!;
      const { prices, quantities, times, firstId, count } = market.ticks(pair(symbol), start);
      expect(bar.open).toBe(prices[0]);
      expect(bar.close).toBe(prices.at(-1));
      expect(bar.high).toBe(Math.max(...prices));
      expect(bar.low).toBe(Math.min(...prices));
      expect(bar.volume).toBe(quantities.reduce((sum, quantity) => sum + quantity, 0));
      expect(bar.trades).toBe(count);
      expect([bar.firstId, bar.lastId]).toEqual([firstId, firstId + count - 1]);
      expect([...times]).toEqual([...times].sort((a, b) => a - b));
      expect(times[0]!).toBeGreaterThanOrEqual(start);
      expect(times.at(-1)!).toBeLessThan(start + MINUTE);
    }
  });

  test('candles of every interval come from the same minutes', () => {
    for (const name of ['3m', '15m', '1h', '4h', '1d']) {
      const whole = candlesOf(market, pair('LTCUSDT'), interval(name), { limit: 3, now: NOW }).slice(0, 2);
      for (const { openTime, closeTime, bar } of whole) {
        const minutes = candlesOf(market, pair('LTCUSDT'), interval('1m'), {
          startTime: openTime,
          endTime: closeTime,
          limit: 2000,
          now: NOW,
        });
        expect(minutes).toHaveLength((closeTime + 1 - openTime) / MINUTE);
        expect(bar.high).toBe(Math.max(...minutes.map((minute) => minute.bar.high)));
        expect(bar.low).toBe(Math.min(...minutes.map((minute) => minute.bar.low)));
        expect(bar.open).toBe(minutes[0]!.bar.open);
        expect(bar.close).toBe(minutes.at(-1)!.bar.close);
        expect(bar.volume).toBeCloseTo(
          minutes.reduce((sum, minute) => sum + minute.bar.volume, 0),
          3,
        );
      }
    }
  });

  test('minutes follow each other without a jump and days without a seam', () => {
    const candles = candlesOf(market, pair('ETHUSDT'), interval('1m'), { limit: 1000, now: NOW });
    for (let index = 1; index < candles.length; index += 1) {
      expect(candles[index]!.bar.open).toBe(candles[index - 1]!.bar.close);
      expect(candles[index]!.openTime).toBe(candles[index - 1]!.openTime + MINUTE);
    }
  });

  test('days join exactly', () => {
    for (const symbol of ['BTCUSDT', 'ADAUSDT', 'ETHBTC']) {
      for (let day = Math.floor(NOW / DAY) - 100; day * DAY < NOW; day += 1) {
        const before = market.aggregate(pair(symbol), day * DAY - MINUTE, day * DAY)!;
        expect(market.aggregate(pair(symbol), day * DAY, day * DAY + MINUTE)!.open).toBe(before.close);
      }
    }
  });

  test('tells nothing of the future', () => {
    const early = barBetween(market, pair('BTCUSDT'), NOW - 5 * MINUTE, NOW + DAY, NOW)!;
    const late = barBetween(market, pair('BTCUSDT'), NOW - 5 * MINUTE, NOW + DAY, NOW + 1000)!;
    expect(early.lastId).toBeLessThan(late.lastId);
    expect(candlesOf(market, pair('BTCUSDT'), interval('1m'), { endTime: NOW + DAY, limit: 1, now: NOW })[0]!.bar.lastId).toBe(
      early.lastId,
    );
  });

  test('pairs move together, cross rates agree with their legs', () => {
    const closes = (symbol: string): number[] =>
      candlesOf(market, pair(symbol), interval('1h'), { limit: 700, now: NOW }).map((candle) => Math.log(candle.bar.close));
    const moves = (values: number[]): number[] => values.slice(1).map((value, index) => value - values[index]!);
    const correlation = (a: number[], b: number[]): number => {
      const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
      const [ma, mb] = [mean(a), mean(b)];
      const product = mean(a.map((value, index) => (value - ma) * (b[index]! - mb)));
      return product / Math.sqrt(mean(a.map((value) => (value - ma) ** 2)) * mean(b.map((value) => (value - mb) ** 2)));
    };
    expect(correlation(moves(closes('BTCUSDT')), moves(closes('ETHUSDT')))).toBeGreaterThan(0.5);
    const last = (symbol: string): number => market.previousClose(pair(symbol), NOW) * pair(symbol).tick;
    expect(last('ETHBTC') / (last('ETHUSDT') / last('BTCUSDT'))).toBeCloseTo(1, 2);
  });

  test('some pairs stop trading for some minutes, and no trade happens meanwhile', () => {
    let stops = 0;
    for (const one of market.pairs) {
      if (one.listedAt > NOW) continue;
      for (let at = NOW; at < NOW + DAY; at += 5 * MINUTE) {
        if (market.status(one, at) === 'TRADING') continue;
        stops += 1;
        expect(market.ticks(one, at).count).toBe(0);
      }
    }
    expect(stops).toBeGreaterThan(0);
  });
});
