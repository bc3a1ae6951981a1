import type { Candle } from '@pilotfish/core/prices/prices-contract';
import { describe, expect, test } from 'vitest';
import { emptyHistory, historyStep } from './candle-history.ts';

const candle = (minute: number, close = '1'): Candle => ({
  openTime: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
  open: '1',
  high: '2',
  low: '1',
  close,
  volume: '1',
  closed: true,
});
const minutes = (from: number, to: number, close?: string) =>
  Array.from({ length: to - from + 1 }, (_, index) => candle(from + index, close));
const shown = (items: readonly Candle[]) => items.map(({ openTime }) => new Date(openTime).getUTCMinutes());
const begun = historyStep(emptyHistory('A'), { type: 'newest', key: 'A', items: minutes(10, 14) });

describe('candles of a pair', () => {
  test('older ones come before, newer ones after, and the newest answer of a candle counts', () => {
    const older = historyStep(begun, { type: 'older.came', key: 'A', items: minutes(5, 9), wanted: 5 });
    const newer = historyStep(older, { type: 'newest', key: 'A', items: minutes(12, 16, '9') });
    expect(shown(newer.items)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    expect(newer.items.filter(({ close }) => close === '9')).toHaveLength(5);
  });
  test('a page that is not full is the last one', () => {
    expect(historyStep(begun, { type: 'older.came', key: 'A', items: minutes(5, 9), wanted: 5 }).complete).toBe(false);
    expect(historyStep(begun, { type: 'older.came', key: 'A', items: minutes(8, 9), wanted: 5 }).complete).toBe(true);
  });
  test('an answer for another pair or interval is dropped', () => {
    expect(historyStep(begun, { type: 'older.came', key: 'B', items: minutes(5, 9), wanted: 5 })).toBe(begun);
    expect(historyStep(begun, { type: 'older.failed', key: 'B' })).toBe(begun);
    expect(shown(historyStep(begun, { type: 'newest', key: 'B', items: minutes(1, 2) }).items)).toEqual([1, 2]);
  });
  test('after a long absence nothing is drawn over a hole', () => {
    expect(shown(historyStep(begun, { type: 'newest', key: 'A', items: minutes(30, 32) }).items)).toEqual([30, 31, 32]);
  });
});
