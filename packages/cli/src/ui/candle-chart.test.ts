import { expect, test } from 'vitest';
import { candleChart, type DrawnCandle } from './candle-chart.ts';
import { colours } from './colour.ts';

process.env.TZ = 'UTC';
const paint = (color: 'always' | 'never') => colours({ env: {}, globals: { color } as never }, { write: () => true });
const HOUR = 3_600_000;
const candle = (n: number, open: number, high: number, low: number, close: number, more: Partial<DrawnCandle> = {}): DrawnCandle => ({
  openTime: Date.UTC(2026, 10, 20, 22 + n),
  open,
  high,
  low,
  close,
  volume: 10,
  ...more,
});
const options = { width: 30, height: 9, unicode: true, paint: paint('never'), coloured: false, places: 1, intervalMs: HOUR } as const;

test('a wick is one column of dots, a body two, from the highest to the lowest price', () => {
  // Prices 0 to 23 over six rows of four dots: one dot is one unit.
  const lines = candleChart([candle(0, 8, 23, 0, 15)], options);
  const column = lines.slice(0, 6).map((line) => line[0]);
  expect(column).toEqual(['⡇', '⡇', '⣿', '⣿', '⡇', '⡇']);
  expect(lines).toHaveLength(9);
  // A falling body has gaps where there is no colour to tell.
  const falling = candleChart([candle(0, 15, 23, 0, 8)], options);
  expect(falling[2]?.[0]).toBe('⡯');
  const coloured = candleChart([candle(0, 15, 23, 0, 8)], { ...options, paint: paint('always'), coloured: true });
  expect(coloured[2]).toContain('\u001b[31m⣿');
});
test('the last price stands at its row, round prices beside the others, the newest candles fit', () => {
  const many = Array.from({ length: 200 }, (_, n) => candle(n, 100 + n, 102 + n, 99 + n, 101 + n));
  const lines = candleChart(many, options);
  expect(lines[0]).toMatch(/◄ 300\.0$/);
  expect(lines.join('\n')).toMatch(/┤ 280\.0/);
  for (const line of lines) expect(Array.from(line).length).toBeLessThanOrEqual(30);
});
test('letters in place of dots; a pair that does not move is a line; nothing is nothing', () => {
  const lines = candleChart([candle(0, 8, 23, 0, 15), candle(1, 15, 16, 7, 8)], { ...options, unicode: false });
  expect(lines.join('\n')).toMatch(/#/);
  expect(lines.join('\n')).toMatch(/o/);
  expect(lines.join('\n')).toMatch(/^[\x20-\x7e\n]*$/);
  const still = candleChart([candle(0, 5, 5, 5, 5), candle(1, 5, 5, 5, 5, { volume: 0, filled: true })], options);
  expect(still.join('\n')).toContain('◄ 5.0');
  expect(candleChart([], options)).toEqual([]);
});
test('the time axis tells the day where one begins', () => {
  const lines = candleChart(
    Array.from({ length: 20 }, (_, n) => candle(n, 5, 6, 4, 5)),
    { ...options, width: 60 },
  );
  expect(lines.at(-1)).toMatch(/^20 Nov 2026 +21 Nov 2026 +\d\d?:00/);
});
