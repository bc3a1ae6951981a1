import { expect, test } from 'vitest';
import { fetchCandles } from './candle-pages.ts';
import type { Candle } from './prices-contract.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);
const all: Candle[] = Array.from({ length: 25 }, (_, index) => ({
  openTime: new Date(START + index * MINUTE).toISOString(),
  open: String(100 + index),
  high: String(101 + index),
  low: String(99 + index),
  close: String(100.5 + index),
  volume: index === 7 ? '0' : '3',
  closed: index < 24,
}));
const page = (endTime: string) => Promise.resolve(all.filter(({ openTime }) => openTime <= endTime).slice(-10));

test('pages are put together oldest first, without the candle that is not closed', async () => {
  const told: number[] = [];
  const span = { symbol: 'BTCUSDT', intervalMs: MINUTE, from: START + 2 * MINUTE, to: START + 60 * MINUTE };
  const series = await fetchCandles(page, span, (done) => told.push(done));
  expect([...series.open]).toEqual(Array.from({ length: 22 }, (_, index) => 102 + index));
  expect(series.openTime[0]).toBe(START + 2 * MINUTE);
  expect(series.volume[5]).toBe(0);
  expect(told.at(-1)).toBe(1);
});

test('what lies before the first candle is not asked for again and again', async () => {
  const series = await fetchCandles(page, { symbol: 'BTCUSDT', intervalMs: MINUTE, from: 0, to: START + 3 * MINUTE });
  expect(series.openTime.length).toBe(3);
});
