import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketCandles, drawnCandles, type PixelScale, summarise } from './bucket-candles.ts';
import type { CandleColumns } from './candle-columns.ts';

const columns = (closes: number[]): CandleColumns => ({
  time: closes.map((_, index) => index * 60),
  open: closes.map((close, index) => closes[index - 1] ?? close),
  high: closes.map((close, index) => Math.max(close, closes[index - 1] ?? close) + 1),
  low: closes.map((close, index) => Math.min(close, closes[index - 1] ?? close) - 1),
  close: closes,
  volume: closes.map(() => 2),
});
type Drawn = { x: number; open: number; high: number; low: number; close: number; volume: number };
const drawn = drawnCandles(500);
const bucketed = (candles: CandleColumns, from: number, to: number, scale: PixelScale): Drawn[] => {
  bucketCandles(candles, from, to, scale, drawn);
  const { count, x, open, high, low, close, volume } = drawn;
  return Array.from({ length: count }, (_, at) => ({
    // No minus zero.
    x: x[at]! + 0,
    open: open[at]!,
    high: high[at]!,
    low: low[at]!,
    close: close[at]!,
    volume: volume[at]!,
  }));
};
const series = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 400 }).map(columns);

test('nothing of the range is lost: extremes, first open and last close survive the merging', () => {
  fc.assert(
    fc.property(series, fc.integer({ min: 1, max: 300 }), (candles, width) => {
      const last = candles.time.length - 1;
      const all = bucketed(candles, 0, last, { offset: 0, scale: width / 60 / (last + 1) });
      expect(all.length).toBeLessThanOrEqual(width + 1);
      expect(Math.max(...all.map(({ high }) => high))).toBe(Math.max(...Array.from(candles.high)));
      expect(Math.min(...all.map(({ low }) => low))).toBe(Math.min(...Array.from(candles.low)));
      expect(all.reduce((sum, { volume }) => sum + volume, 0)).toBe(candles.time.length * 2);
      expect(all[0]?.open).toBe(candles.open[0]);
      expect(all.at(-1)?.close).toBe(candles.close[last]);
      expect(all.every(({ x }, index) => index === 0 || x > all[index - 1]!.x)).toBe(true);
    }),
  );
});

test('wide enough, every candle is drawn as it is', () => {
  const candles = columns([5, 7, 3]);
  expect(bucketed(candles, 0, 2, { offset: 0, scale: 1 })).toEqual([
    { x: 0, open: 5, high: 6, low: 4, close: 5, volume: 2 },
    { x: 60, open: 5, high: 8, low: 4, close: 7, volume: 2 },
    { x: 120, open: 7, high: 8, low: 2, close: 3, volume: 2 },
  ]);
});

const NAMES = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
type Row = Record<(typeof NAMES)[number], number>;
/** What every pixel column stands for, by reading all of its candles. */
const naive = (rows: readonly Row[], { offset, scale }: PixelScale): Drawn[] => {
  const byColumn = new Map<number, Row[]>();
  for (const row of rows) {
    const x = Math.round(offset + row.time * scale);
    byColumn.set(x, [...(byColumn.get(x) ?? []), row]);
  }
  return [...byColumn].map(([x, merged]) => ({
    x,
    open: merged[0]!.open,
    high: Math.max(...merged.map(({ high }) => high)),
    low: Math.min(...merged.map(({ low }) => low)),
    close: merged.at(-1)!.close,
    volume: merged.reduce((sum, { volume }) => sum + volume, 0),
  }));
};

const price = fc.integer({ min: 1, max: 1000 });
const candle = fc.record({ steps: fc.integer({ min: 1, max: 3 }), open: price, high: price, low: price, close: price, volume: price });
const some = fc.array(candle, { minLength: 1, maxLength: 300 });
const change = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), candles: some }),
  fc.record({ kind: fc.constant('last' as const), candle }),
  fc.record({ kind: fc.constant('correct' as const), at: fc.nat(), candle }),
  fc.record({ kind: fc.constant('prepend' as const), candles: some }),
  // Another pair or interval: nothing stays.
  fc.record({ kind: fc.constant('switch' as const), candles: some }),
);
const sight = fc.record({
  from: fc.nat(),
  to: fc.nat(),
  width: fc.integer({ min: 1, max: 400 }),
  offset: fc.double({ min: -50, max: 50, noNaN: true }),
});

test('whatever happened to the candles before, what is drawn of any window is what its candles read one by one come to', () => {
  fc.assert(
    fc.property(some, fc.array(fc.tuple(change, sight), { minLength: 1, maxLength: 20 }), (first, steps) => {
      const room = 8000;
      const started = (at: number, candles: readonly { steps: number }[]) => {
        let time = at;
        return candles.map(({ steps: gap, ...rest }) => {
          time += gap * 60;
          return { ...rest, time } as Row;
        });
      };
      let buffers = NAMES.map(() => new Float64Array(room));
      let rows: Row[] = [];
      const write = (from: number) => {
        for (const [column, name] of NAMES.entries())
          for (let index = from; index < rows.length; index += 1) buffers[column]![index] = rows[index]![name];
      };
      const anew = (all: Row[]) => {
        buffers = NAMES.map(() => new Float64Array(room));
        rows = all;
        write(0);
      };
      anew(started(0, first));
      for (const [step, { from, to, width, offset }] of steps) {
        const last = rows.at(-1)!;
        if (step.kind === 'append') {
          const before = rows.length;
          rows = [...rows, ...started(last.time, step.candles)];
          write(before);
        } else if (step.kind === 'last') {
          rows = rows.with(-1, { ...step.candle, time: last.time });
          write(rows.length - 1);
        } else if (step.kind === 'correct') {
          const at = step.at % rows.length;
          anew(rows.with(at, { ...step.candle, time: rows[at]!.time }));
        } else if (step.kind === 'prepend') {
          const older = started(0, step.candles);
          const by = rows[0]!.time - older.at(-1)!.time - 60;
          anew([...older.map((row) => ({ ...row, time: row.time + by })), ...rows]);
        } else anew(started(7, step.candles));
        const now = Object.fromEntries(
          NAMES.map((name, column) => [name, buffers[column]!.subarray(0, rows.length)]),
        ) as unknown as CandleColumns;
        const [left, right] = [from % rows.length, to % rows.length].sort((a, b) => a - b) as [number, number];
        const scale = { offset, scale: width / (rows[right]!.time - rows[left]!.time + 60) };
        expect(bucketed(now, left, right, scale)).toEqual(naive(rows.slice(left, right + 1), scale));
      }
    }),
  );
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
