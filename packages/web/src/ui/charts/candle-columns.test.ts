import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CandleColumns, candleAt, mergeCandles, mergeValues } from './candle-columns.ts';

const candles = fc
  .array(fc.tuple(fc.nat({ max: 1000 }), fc.nat({ max: 50 }), fc.nat({ max: 50 }), fc.nat({ max: 1000 })), { minLength: 1, maxLength: 300 })
  .map((rows): CandleColumns => {
    const column = (pick: (row: (typeof rows)[number], index: number) => number) => Float64Array.from(rows, pick);
    return {
      time: column((_, index) => index * 60),
      open: column(([open]) => open),
      high: column(([open, up, , close]) => Math.max(open, close) + up),
      low: column(([open, , down, close]) => Math.min(open, close) - down),
      close: column(([, , , close]) => close),
      volume: column(() => 2),
    };
  });

test('merged candles keep the ends, the extremes and the volume of those they stand for', () => {
  fc.assert(
    fc.property(candles, fc.integer({ min: 1, max: 40 }), (all, size) => {
      const merged = mergeCandles(all, size);
      const groups = Math.ceil(all.time.length / size);
      expect(merged.time).toHaveLength(groups);
      for (let group = 0; group < groups; group += 1) {
        const part = (column: keyof CandleColumns) => [...all[column]].slice(group * size, (group + 1) * size);
        expect([merged.time[group], merged.open[group], merged.close[group]]).toEqual([
          part('time')[0],
          part('open')[0],
          part('close').at(-1),
        ]);
        expect([merged.high[group], merged.low[group]]).toEqual([Math.max(...part('high')), Math.min(...part('low'))]);
        expect(merged.volume[group]).toBe(part('volume').length * 2);
      }
    }),
  );
});

test('a line over merged candles has the value at the end of each', () => {
  expect([...mergeValues([1, 2, 3, 4, 5], 2)]).toEqual([2, 4, 5]);
  expect([...mergeValues([Number.NaN, 2, Number.NaN], 2)]).toEqual([2, Number.NaN]);
});

test('a moment lies in the candle that has begun last', () => {
  const time = [60, 120, 180];
  expect([59, 60, 119, 120, 500].map((moment) => candleAt(time, moment))).toEqual([-1, 0, 0, 1, 2]);
  expect(candleAt([], 60)).toBe(-1);
});
