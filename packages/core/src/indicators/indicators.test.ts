import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownCandleFile } from '../../testing/own-market.ts';
import { type CandleSeries, parseCandles } from '../prices/candle-series.ts';
import { createAtr } from './atr.ts';
import { createBollinger } from './bollinger.ts';
import { createEma } from './ema.ts';
import { createMacd } from './macd.ts';
import { createRsi } from './rsi.ts';
import { createSma } from './sma.ts';
import { correlation, logReturns, standardDeviation } from './statistics.ts';

const DATA = join(dirname(fileURLToPath(import.meta.url)), '../../../../../shared/data');
const hasGolden = existsSync(join(DATA, 'golden'));
if (!hasGolden) console.warn(`No golden files in ${DATA}: the indicators are held against their definitions only, not against TA-Lib.`);
type Golden = Record<string, { firstIndex: number } & Record<string, number[]>> & { firstRow: number; rows: number };

/** Feeds every close and answers what was said from the first value on. */
function outputs(series: CandleSeries, rows: number, next: (close: number, index: number) => number): number[] {
  const all = Array.from({ length: rows }, (_, index) => next(series.close[index]!, index));
  return all.slice(all.findIndex((value) => !Number.isNaN(value)));
}

describe.skipIf(!hasGolden)('bit by bit as TA-Lib computes it, over recorded candles (needs ../shared/data)', () => {
  test.each([
    ['talib-BTCUSDT-1m-rows0-2000.json.gz', 'BTCUSDT-1m-20250520-20250818.csv'],
    ['talib-ETHUSDT-1m-rows50000-2000.json.gz', 'ETHUSDT-1m-20250520-20250818.csv'],
  ])('%s', (goldenFile, candleFile) => {
    const golden = JSON.parse(gunzipSync(readFileSync(join(DATA, 'golden', goldenFile))).toString()) as Golden;
    const path = join(DATA, 'klines', candleFile);
    const lines = (existsSync(path) ? readFileSync(path, 'utf8') : gunzipSync(readFileSync(`${path}.gz`)).toString()).split('\n');
    const series = parseCandles([lines[0], ...lines.slice(1 + golden.firstRow, 1 + golden.firstRow + golden.rows)].join('\n'), 'X');
    const run = (next: (close: number, index: number) => number) => outputs(series, golden.rows, next);
    const [sma, ema, rsi, atr] = [createSma(20), createEma(20), createRsi(14), createAtr(14)];
    expect(run(sma.next)).toEqual(golden.SMA20!.value);
    expect(run(ema.next)).toEqual(golden.EMA20!.value);
    expect(run(rsi.next)).toEqual(golden.RSI14!.value);
    expect(run((close, index) => atr.next(series.high[index]!, series.low[index]!, close))).toEqual(golden.ATR14!.value);
    for (const band of ['upper', 'middle', 'lower'] as const) {
      const bands = createBollinger(20, 2);
      expect(
        run((close) => {
          bands.next(close);
          return bands[band];
        }),
        band,
      ).toEqual(golden.BBANDS20_2![band]);
    }
    for (const part of ['macd', 'signal', 'histogram'] as const) {
      const macd = createMacd(12, 26, 9);
      const expected = golden.MACD_12_26_9![part] ?? golden.MACD_12_26_9!.hist;
      expect(
        run((close) => {
          macd.next(close);
          return macd[part];
        }),
        part,
      ).toEqual(expected);
    }
  });
});

/** What the indicators are by definition: every value anew from all it is made of, NaN where that is not there yet. */
function definitions({ high, low, close }: CandleSeries): Record<string, number[]> {
  const closes = [...close];
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const mean = (values: readonly number[]) => sum(values) / values.length;
  const windows = (make: (window: readonly number[]) => number) =>
    closes.map((_, index) => (index < 19 ? Number.NaN : make(closes.slice(index - 19, index + 1))));
  /** The first `period` values as their mean, all later ones weighted by age. */
  const smoothed = (values: readonly number[], period: number, weight = 2 / (period + 1)) =>
    values.map((_, index) => {
      const age = index + 1 - period;
      if (age < 0) return Number.NaN;
      const later = values.slice(period, index + 1).map((value, n) => value * weight * (1 - weight) ** (age - 1 - n));
      return mean(values.slice(0, period)) * (1 - weight) ** age + sum(later);
    });
  const wilder = (values: readonly number[]) => smoothed(values, 14, 1 / 14);
  const after = (missing: number, values: readonly number[]) => [...Array.from({ length: missing }, () => Number.NaN), ...values];
  const changes = closes.slice(1).map((price, index) => price - closes[index]!);
  const [gains, losses] = [1, -1].map((sign) => wilder(changes.map((change) => Math.max(sign * change, 0)))) as [number[], number[]];
  const strengths = gains.map((gain, n) => 100 - 100 / (1 + gain / losses[n]!));
  const ranges = closes.slice(1).map((_, n) => Math.max(high[n + 1]!, closes[n]!) - Math.min(low[n + 1]!, closes[n]!));
  const band = (width: number) =>
    windows((window) => mean(window) + width * Math.sqrt(mean(window.map((value) => (value - mean(window)) ** 2))));
  // Both means begin with candle 26.
  const slow = smoothed(closes, 26).slice(25);
  const differences = smoothed(closes.slice(14), 12)
    .slice(11)
    .map((fast, n) => fast - slow[n]!);
  const signals = smoothed(differences, 9);
  const histogram = differences.map((difference, n) => difference - signals[n]!);
  return {
    sma: windows(mean),
    ema: smoothed(closes, 20),
    rsi: after(1, strengths),
    atr: after(1, wilder(ranges)),
    upper: band(2),
    middle: band(0),
    lower: band(-2),
    // Told with the first signal only.
    macd: after(33, differences.slice(8)),
    signal: after(25, signals),
    histogram: after(25, histogram),
  };
}

test('over a market of our own they are what their definitions say', () => {
  const series = parseCandles(ownCandleFile({ seed: 31, bars: 300, intervalMs: 60_000, openCents: 10_000 }), 'X');
  const [sma, ema, rsi, atr] = [createSma(20), createEma(20), createRsi(14), createAtr(14)];
  const [bands, macd] = [createBollinger(20, 2), createMacd(12, 26, 9)];
  const expected = Object.entries(definitions(series));
  series.close.forEach((close, index) => {
    bands.next(close);
    macd.next(close);
    const { upper, middle, lower } = bands;
    const { macd: difference, signal, histogram } = macd;
    const range = atr.next(series.high[index]!, series.low[index]!, close);
    const averages = { sma: sma.next(close), ema: ema.next(close), rsi: rsi.next(close), atr: range };
    const found: Record<string, number> = { ...averages, upper, middle, lower, macd: difference, signal, histogram };
    for (const [name, values] of expected) {
      if (Number.isNaN(values[index])) expect(found[name], `${name} at ${index}`).toBeNaN();
      else expect(found[name], `${name} at ${index}`).toBeCloseTo(values[index]!, 7);
    }
  });
});

test('the first value comes with the candle that completes the window', () => {
  const [sma, rsi, atr] = [createSma(3), createRsi(2), createAtr(2)];
  expect([1, 2, 3, 6].map(sma.next)).toEqual([Number.NaN, Number.NaN, 2, 11 / 3]);
  expect([10, 11, 10, 10].map(rsi.next)).toEqual([Number.NaN, Number.NaN, 50, 50]);
  expect([atr.next(12, 10, 11), atr.next(15, 11, 14), atr.next(14, 13, 13)]).toEqual([Number.NaN, Number.NaN, 2.5]);
});

test('a market that stands still: no strength, no bands', () => {
  const [rsi, bands, macd] = [createRsi(14), createBollinger(20, 2), createMacd()];
  for (let index = 0; index < 60; index += 1) {
    rsi.next(5);
    bands.next(5);
    macd.next(5);
  }
  expect([rsi.value, bands.upper, bands.lower, macd.histogram]).toEqual([0, 5, 5, 0]);
  expect(bands.percentB(5)).toBeNaN();
});

describe('whatever the prices', () => {
  const prices = fc.array(fc.double({ min: 0.0001, max: 100_000, noNaN: true }), { minLength: 40, maxLength: 200 });
  test('RSI stays within 0 and 100, the mean within its window, bands around it', () =>
    fc.assert(
      fc.property(prices, (values) => {
        const [rsi, sma, bands] = [createRsi(14), createSma(20), createBollinger(20, 2)];
        values.forEach((value, index) => {
          const [strength, mean] = [rsi.next(value), sma.next(value)];
          bands.next(value);
          if (Number.isNaN(mean)) return;
          const window = values.slice(index - 19, index + 1);
          const slack = Math.max(...values) * 1e-9;
          expect(strength).toBeGreaterThanOrEqual(0);
          expect(strength).toBeLessThanOrEqual(100);
          expect(mean).toBeGreaterThanOrEqual(Math.min(...window) - slack);
          expect(mean).toBeLessThanOrEqual(Math.max(...window) + slack);
          expect(bands.upper).toBeGreaterThanOrEqual(bands.lower);
        });
      }),
    ));
});

describe('statistics', () => {
  test('log returns, deviation and correlation of hand-made rows', () => {
    expect([...logReturns([1, Math.E, Math.E])]).toEqual([1, 0]);
    expect(logReturns([1, 0, 1])[0]).toBeNaN();
    expect(standardDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(2.1380899, 6);
    expect(standardDeviation([1])).toBeNaN();
    expect(correlation([1, 2, 3], [2, 4, 6], 3)).toBeCloseTo(1, 12);
    expect(correlation([9, 1, 2, 3], [-2, -4, -6], 3)).toBeCloseTo(-1, 12);
    expect(correlation([1, 2, 3], [1, Number.NaN, 3], 3)).toBeNaN();
    expect(correlation([1, 1, 1], [1, 2, 3], 3)).toBeNaN();
  });
});
