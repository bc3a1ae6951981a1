import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { realTimers } from '@pilotfish/core/time/timers';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMarket } from './market.ts';

const SECOND = 1000;
const BEGIN = 1_800_000_000_000;
let listeners: Record<string, (data: unknown) => void>;
let market: ReturnType<typeof createMarket>;
let renewed: number;
let away: boolean;
let rows: Record<string, { price: string; at: number }>;
const row = (symbol: string) => {
  const { price, at } = rows[symbol]!;
  const figures = { openPrice: '1', highPrice: '1', lowPrice: '1', volume: '1', quoteVolume: '1' };
  return { symbol, lastPrice: price, closeTime: at, ...figures };
};
const ticker = (s: string, c: string) =>
  listeners['!miniTicker@arr']!([{ e: '24hrMiniTicker', E: Date.now(), s, c, o: '1', h: '1', l: '1', v: '1', q: '1' }]);
const trade = (symbol: string, p: string) => listeners[`${symbol}@trade`]!({ T: Date.now(), p });

let listed: Pair[];
let readings: number;
beforeEach(async () => {
  vi.useFakeTimers({ now: BEGIN });
  listeners = {};
  renewed = 0;
  away = false;
  readings = 0;
  listed = [];
  rows = { AUSDT: { price: '10', at: BEGIN }, BUSDT: { price: '20', at: BEGIN } };
  const stream = {
    connected: true,
    get lastEventAt() {
      return Date.now();
    },
    subscribe: (name: string, listener: (data: unknown) => void) => {
      listeners[name] = listener;
      return () => undefined;
    },
    renew: () => {
      renewed += 1;
    },
  };
  market = createMarket({
    timers: realTimers,
    exchange: {
      stream,
      rest: { time: () => Date.now(), syncClock: async () => undefined, request: async () => [], weightUsed: 0, weightLimit: 6000 },
      pairs: async () => {
        readings += 1;
        if (away) throw new Error('away');
        return listed;
      },
      tickers: async () => {
        if (away) throw new Error('away');
        return Object.keys(rows).map(row);
      },
    } as never,
    now: () => Date.now(),
    log: pino({ level: 'silent' }),
    hub: { publish: () => undefined, provideState: () => undefined } as never,
  });
  await market.start();
});
afterEach(async () => {
  await market.stop();
  vi.useRealTimers();
});

test('a pair that traded during a gap and not since shows the price of now; one that was told of later keeps its own', async () => {
  rows = { AUSDT: { price: '11', at: BEGIN + 60 * SECOND }, BUSDT: { price: '21', at: BEGIN + 60 * SECOND } };
  await vi.advanceTimersByTimeAsync(61 * SECOND);
  ticker('BUSDT', '22');
  market.onGap(60 * SECOND);
  await vi.advanceTimersByTimeAsync(0);
  expect([market.price('AUSDT'), market.price('BUSDT')]).toEqual(['11', '22']);
});

test('a coin is valued by its own pair, over another coin, and in Simple Earn as what it is; LDO is LDO', async () => {
  listed = ['BTC', 'ETH', 'LDO', 'O', 'BETH'].map((base) => ({ symbol: `${base}USDT`, baseAsset: base, quoteAsset: 'USDT' }) as Pair);
  await market.readPairs();
  const prices = { BTCUSDT: '100000', ETHUSDT: '4000', LDOUSDT: '2', OUSDT: '7', BETHETH: '0.99', NEWBTC: '0.00001', USDTTRY: '40' };
  for (const [symbol, price] of Object.entries(prices)) rows[symbol] = { price, at: BEGIN + 60 * SECOND };
  await vi.advanceTimersByTimeAsync(61 * SECOND);
  market.onGap(60 * SECOND);
  await vi.advanceTimersByTimeAsync(0);
  const rates = ['LDBTC', 'LDUSDT', 'LDO', 'LDLDO', 'BETH', 'NEW', 'TRY', 'LDODD', 'ODD'].map((asset) => market.rate(asset, 'USDT'));
  expect(rates).toEqual(['100000', '1', '2', '2', '3960', '1', '0.025', undefined, undefined]);
});

test('a pair whose trades do not come while its price moves has the stream opened anew, and not again and again', async () => {
  market.watch('AUSDT', () => undefined);
  trade('ausdt', '10');
  ticker('AUSDT', '12');
  await vi.advanceTimersByTimeAsync(29 * SECOND);
  expect(renewed).toBe(0);
  await vi.advanceTimersByTimeAsync(3 * SECOND);
  expect(renewed).toBe(1);
  market.onGap(100);
  await vi.advanceTimersByTimeAsync(1200 * SECOND);
  expect(renewed).toBe(1);
});

test('a gap that is filled while a watched pair stays quiet looks like no lost subscription', async () => {
  market.watch('AUSDT', () => undefined);
  trade('ausdt', '10');
  rows.AUSDT = { price: '15', at: BEGIN + 100 * SECOND };
  await vi.advanceTimersByTimeAsync(100 * SECOND);
  market.onGap(90 * SECOND);
  await vi.advanceTimersByTimeAsync(1200 * SECOND);
  expect(market.price('AUSDT')).toBe('15');
  expect(renewed).toBe(0);
});

test('until what a gap hid is read, the figures are old, however the stream speaks; then whoever asked is told', async () => {
  const told: number[] = [];
  market.afterGap((since) => told.push(since));
  away = true;
  await vi.advanceTimersByTimeAsync(180 * SECOND);
  market.onGap(180 * SECOND);
  ticker('BUSDT', '22');
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect([market.stale(), told]).toEqual([true, []]);
  away = false;
  rows.AUSDT = { price: '11', at: BEGIN + 190 * SECOND };
  await vi.advanceTimersByTimeAsync(31 * SECOND);
  expect([market.stale(), market.price('AUSDT'), told]).toEqual([false, '11', [BEGIN]]);
});

test('a connection of single pairs that was away while the market spoke: since when it was away is told, not since now', async () => {
  const told: number[] = [];
  market.afterGap((since) => told.push(since));
  await vi.advanceTimersByTimeAsync(600 * SECOND);
  ticker('BUSDT', '22');
  market.onGap(500 * SECOND);
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([BEGIN + 100 * SECOND]);
});

test('who fails at what a gap hid keeps the next gap from being read by nobody', async () => {
  const leave = market.afterGap(() => {
    throw new Error('mine');
  });
  market.onGap(10 * SECOND);
  await vi.advanceTimersByTimeAsync(0);
  leave();
  rows.AUSDT = { price: '13', at: BEGIN + 1 };
  market.onGap(10 * SECOND);
  expect(market.stale()).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect([market.stale(), market.price('AUSDT')]).toEqual([false, '13']);
});

test('a gap of a moment makes nothing old', async () => {
  market.onGap(1000);
  expect(market.stale()).toBe(false);
  await vi.advanceTimersByTimeAsync(0);
});

test('a gap of two seconds: figures go on, and its highs are read, once a minute at most', async () => {
  const told: number[] = [];
  market.afterGap((since) => told.push(since));
  ticker('AUSDT', '10');
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  const fell = Date.now() - 2 * SECOND;
  ticker('AUSDT', '10');
  market.onGap(2 * SECOND);
  expect(market.stale()).toBe(false);
  await vi.advanceTimersByTimeAsync(1100);
  expect(told).toEqual([fell]);
  // A connection that comes and goes: the oldest of its gaps is what is read from, from the last that was heard.
  const next = market.asOf;
  for (let times = 0; times < 10; times += 1) {
    market.onGap(SECOND);
    await vi.advanceTimersByTimeAsync(2 * SECOND);
  }
  expect(told).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  expect(told).toEqual([fell, next]);
});

test('nobody is told of a gap after the end', async () => {
  const told: number[] = [];
  market.afterGap((since) => told.push(since));
  market.onGap(SECOND);
  await market.stop();
  await vi.advanceTimersByTimeAsync(120 * SECOND);
  expect(told).toEqual([]);
});

test('the pairs are read again for whoever is refused by what is known of them: once for all who ask within ten seconds', async () => {
  const before = readings;
  listed = [{ symbol: 'AUSDT' } as Pair];
  await Promise.all([market.readPairs(), market.readPairs()]);
  expect([readings - before, market.pair('AUSDT')]).toEqual([1, listed[0]]);
  await vi.advanceTimersByTimeAsync(9 * SECOND);
  await market.readPairs();
  expect(readings - before).toBe(1);
  // Where they cannot be read they stay as they are, and nobody fails for it.
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  away = true;
  listed = [{ symbol: 'AUSDT', pricePrecision: 1 } as Pair];
  await market.readPairs();
  expect([readings - before, market.pair('AUSDT')?.pricePrecision]).toEqual([2, undefined]);
  await vi.advanceTimersByTimeAsync(11 * SECOND);
  away = false;
  await market.readPairs();
  expect(market.pair('AUSDT')?.pricePrecision).toBe(1);
});

test('a pair that somebody follows and that falls silent is asked for once, and not every few minutes; one that nobody follows is not', async () => {
  const before = readings;
  const minute = async (price: number) => {
    ticker('BUSDT', String(price));
    await vi.advanceTimersByTimeAsync(60 * SECOND);
    ticker('BUSDT', String(price + 0.5));
    await vi.advanceTimersByTimeAsync(2 * SECOND);
  };
  await minute(20);
  expect(readings - before).toBe(0);
  const stop = market.watch('AUSDT', () => undefined);
  trade('ausdt', '10');
  listed = [{ symbol: 'AUSDT', status: 'BREAK' } as Pair];
  await minute(21);
  expect([readings - before, market.pair('AUSDT')?.status]).toEqual([1, 'BREAK']);
  for (let n = 0; n < 8; n += 1) await minute(22 + n);
  expect(readings - before).toBe(1);
  // It trades, and falls silent again.
  trade('ausdt', '10');
  await minute(40);
  expect(readings - before).toBe(2);
  // The next silence comes too soon after that.
  trade('ausdt', '10');
  await minute(41);
  expect(readings - before).toBe(2);
  stop();
});
