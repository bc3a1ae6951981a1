import { decimal, toText } from '@pilotfish/core/money/decimal';
import { intervalLength } from '@pilotfish/core/prices/candle-gaps';
import type { Candle } from '@pilotfish/core/prices/prices-contract';
import { expect, test } from 'vitest';
import { dayCloses, daysBetween } from './day-closes.ts';

const HOUR = 3_600_000;
const at = (iso: string) => Date.parse(iso);

/** A market whose price is the number of hours since the given moment; what was asked of it. */
function marketSince(since: number) {
  const asked: string[] = [];
  const candles = async (_: string, interval: string, { limit, endTime = 0 }: { limit: number; endTime?: number }) => {
    asked.push(interval);
    const length = intervalLength(interval)!;
    const last = Math.floor(endTime / length) * length;
    return Array.from({ length: limit }, (__, index) => last - (limit - 1 - index) * length)
      .filter((open) => open >= since)
      .map((open) => ({ openTime: new Date(open).toISOString(), close: String((open + length - since) / HOUR) }) as Candle);
  };
  return { asked, candles };
}

async function closes(from: string, to: string, timeZone: string) {
  const days = daysBetween(at(from), at(to), timeZone);
  const market = marketSince(days[0]!.start);
  const closeOf = await dayCloses(market, 'BTCUSDT', days, null, decimal('-1'));
  return { asked: market.asked, days, closes: days.map(({ day }) => [day, toText(closeOf(day).price), closeOf(day).interpolated]) };
}

test.each([
  ['UTC', '1d'],
  ['Asia/Singapore', '4h'],
  ['Europe/Istanbul', '1h'],
  ['Asia/Kolkata', '30m'],
  ['Asia/Kathmandu', '15m'],
])('a day of %s ends with the close of its last candle of %s', async (timeZone, interval) => {
  const found = await closes('2026-01-10T22:30:00Z', '2026-01-12T01:00:00Z', timeZone);
  expect(found.asked).toEqual([interval]);
  expect(found.closes.map(([, price]) => price)).toEqual(['24', '48', '72'].slice(0, found.days.length));
  expect(found.closes.every(([, , guessed]) => guessed === false)).toBe(true);
});

test('the day of a sale at 22:30 UTC is the next one in Istanbul', async () => {
  const found = await closes('2026-11-20T22:30:00Z', '2026-11-21T00:30:00Z', 'Europe/Istanbul');
  expect(found.closes).toEqual([['2026-11-21', '24', false]]);
});

test('days on which clocks change have 23 and 25 hours', async () => {
  const forward = await closes('2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z', 'Europe/Berlin');
  expect(forward.closes).toEqual([
    ['2026-03-28', '24', false],
    ['2026-03-29', '47', false],
    ['2026-03-30', '71', false],
  ]);
  const back = await closes('2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z', 'Europe/Berlin');
  expect(back.closes.map(([, price]) => price)).toEqual(['24', '49', '73']);
});

test('very many days are told from the closes of UTC, and marked', async () => {
  const found = await closes('2020-01-01T12:00:00Z', '2025-12-31T12:00:00Z', 'Europe/Istanbul');
  expect(new Set(found.asked)).toEqual(new Set(['1d']));
  expect(found.days.length).toBe(2192);
  expect(found.closes.every(([, , guessed]) => guessed)).toBe(true);
  // Midnight of UTC is three in the morning there: what the day ended with is the close three hours after it.
  expect(found.closes.slice(1, 3)).toEqual([
    ['2020-01-02', '51', true],
    ['2020-01-03', '75', true],
  ]);
});
