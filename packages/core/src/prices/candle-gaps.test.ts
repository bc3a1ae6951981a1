import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { aggregateCandles, type ExactCandle, fillGaps, nextOpenTime, openTimeAt } from './candle-gaps.ts';

const HOUR = 3_600_000;
const candle = (openTime: number, close: string, volume = '2'): ExactCandle => ({
  openTime,
  open: '1',
  high: '9',
  low: '0.5',
  close,
  volume,
  quoteVolume: '3.00000001',
  trades: 4,
});

describe('gaps', () => {
  test('are filled with the last close, volume nothing, and marked', () => {
    const filled = fillGaps([candle(0, '5'), candle(3 * HOUR, '6')], '1h', 4 * HOUR);
    expect(filled.map(({ openTime, close, volume, trades, filled: mark }) => [openTime / HOUR, close, volume, trades, mark])).toEqual([
      [0, '5', '2', 4, undefined],
      [1, '5', '0', 0, true],
      [2, '5', '0', 0, true],
      [3, '6', '2', 4, undefined],
      [4, '6', '0', 0, true],
    ]);
    expect(filled[1]).toMatchObject({ open: '5', high: '5', low: '5', quoteVolume: '0' });
  });

  test('the later telling of a candle wins, and times never fall', () => {
    const filled = fillGaps([candle(HOUR, '5'), candle(HOUR, '7'), candle(0, '1'), candle(2 * HOUR, '8')], '1h');
    expect(filled.map(({ openTime, close }) => [openTime / HOUR, close])).toEqual([
      [1, '7'],
      [2, '8'],
    ]);
  });

  test('nothing stays nothing, and a pair that was away for years fills no memory', () => {
    expect(fillGaps([], '1m', 1e12)).toEqual([]);
    expect(fillGaps([candle(0, '5'), candle(1e12, '6')], '1m').length).toBeLessThan(6000);
  });
});

test('weeks begin on Mondays, months on the first', () => {
  const sunday = Date.UTC(2026, 10, 22, 23);
  expect(new Date(openTimeAt('1w', sunday)).toISOString()).toBe('2026-11-16T00:00:00.000Z');
  expect(new Date(openTimeAt('1M', sunday)).toISOString()).toBe('2026-11-01T00:00:00.000Z');
  expect(new Date(nextOpenTime('1M', Date.UTC(2026, 11, 1))).toISOString()).toBe('2027-01-01T00:00:00.000Z');
  expect(openTimeAt('4h', 5 * HOUR)).toBe(4 * HOUR);
});

test('four hours are added exactly, and only whole groups count', () => {
  const hours = Array.from({ length: 10 }, (_, n) => candle((n + 3) * HOUR, String(n), `0.${'0'.repeat(17)}1`));
  const groups = aggregateCandles(hours, '1h', '4h');
  expect(
    groups.map(({ openTime, open, close, volume, quoteVolume, trades }) => [openTime / HOUR, open, close, volume, quoteVolume, trades]),
  ).toEqual([
    [4, '1', '4', '0.000000000000000004', '12.00000004', 16],
    [8, '1', '8', '0.000000000000000004', '12.00000004', 16],
  ]);
});

const FILE = join(dirname(fileURLToPath(import.meta.url)), '../../../../../shared/data/klines/BTCUSDT-1h-20170817-20240421.csv');
const recorded = existsSync(FILE)
  ? readFileSync(FILE, 'utf8')
  : existsSync(`${FILE}.gz`)
    ? gunzipSync(readFileSync(`${FILE}.gz`)).toString()
    : '';
test.skipIf(recorded === '')('the 28 outages of seven recorded years are found (needs ../shared/data)', () => {
  const hours = recorded
    .trim()
    .split('\n')
    .slice(1)
    .map((line): ExactCandle => {
      const [openTime, open, high, low, close, volume] = line.split(',') as [string, string, string, string, string, string];
      return { openTime: Number(openTime), open, high, low, close, volume, quoteVolume: '0', trades: 1 };
    });
  const filled = fillGaps(hours, '1h');
  expect(filled.every((row, n) => n === 0 || row.openTime - filled[n - 1]!.openTime === HOUR)).toBe(true);
  const first = filled.findIndex((row) => row.filled);
  expect(new Date(filled[first]!.openTime).toISOString()).toBe('2017-09-06T17:00:00.000Z');
  expect(filled.slice(first, first + 7).map((row) => row.filled === true)).toEqual([true, true, true, true, true, true, false]);
  expect(filled.filter((row, n) => row.filled && !filled[n - 1]!.filled)).toHaveLength(28);
});
