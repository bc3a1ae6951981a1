import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketCandles, type CandleColumns, summarise } from './bucket-candles.ts';

const columns = (closes: number[]): CandleColumns => ({
  time: closes.map((_, index) => index * 60),
  open: closes.map((close, index) => closes[index - 1] ?? close),
  high: closes.map((close, index) => Math.max(close, closes[index - 1] ?? close) + 1),
  low: closes.map((close, index) => Math.min(close, closes[index - 1] ?? close) - 1),
  close: closes,
  volume: closes.map(() => 2),
});
const series = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 400 }).map(columns);

test('nothing of the range is lost: extremes, first open and last close survive the merging', () => {
  fc.assert(
    fc.property(series, fc.integer({ min: 1, max: 300 }), (candles, width) => {
      const last = candles.time.length - 1;
      const drawn = bucketCandles(candles, 0, last, { offset: 0, scale: width / 60 / (last + 1) });
      expect(drawn.length).toBeLessThanOrEqual(width + 1);
      expect(Math.max(...drawn.map(({ high }) => high))).toBe(Math.max(...Array.from(candles.high)));
      expect(Math.min(...drawn.map(({ low }) => low))).toBe(Math.min(...Array.from(candles.low)));
      expect(drawn.reduce((sum, { volume }) => sum + volume, 0)).toBe(candles.time.length * 2);
      expect(drawn[0]?.open).toBe(candles.open[0]);
      expect(drawn.at(-1)?.close).toBe(candles.close[last]);
      expect(drawn.every(({ x }, index) => index === 0 || x > drawn[index - 1]!.x)).toBe(true);
    }),
  );
});

test('wide enough, every candle is drawn as it is', () => {
  const candles = columns([5, 7, 3]);
  expect(bucketCandles(candles, 0, 2, { offset: 0, scale: 1 })).toEqual([
    { x: 0, open: 5, high: 6, low: 4, close: 5, volume: 2 },
    { x: 60, open: 5, high: 8, low: 4, close: 7, volume: 2 },
    { x: 120, open: 7, high: 8, low: 2, close: 3, volume: 2 },
  ]);
});

test('the table has at most as many rows as asked for and accounts for all volume', () => {
  fc.assert(
    fc.property(series, fc.integer({ min: 1, max: 100 }), (candles, rows) => {
      const table = summarise(candles, rows);
      expect(table.length).toBeLessThanOrEqual(rows);
      expect(table.reduce((total, { volume }) => total + volume, 0)).toBe(candles.time.length * 2);
      expect(Math.max(...table.map(({ high }) => high))).toBe(Math.max(...Array.from(candles.high)));
    }),
  );
});
