import { describe, expect, test } from 'vitest';
import { overlaysOf, panesOf } from './chart-indicators.ts';

const wave = (count: number, size: number) => Float64Array.from({ length: count }, (_, index) => size * (1 + 0.1 * Math.sin(index / 7)));

describe('lines over the candles', () => {
  test('unknown until warm, then known to the end', () => {
    const [ema] = overlaysOf(wave(60, 100), ['ema20']);
    expect(ema?.values.length).toBe(60);
    expect(Number.isNaN(ema?.values[18])).toBe(true);
    expect([...(ema?.values ?? [])].slice(19).every(Number.isFinite)).toBe(true);
  });
  test('bands of a coin worth a millionth are as wide, in proportion, as those of one worth a hundred', () => {
    const width = (size: number) => {
      const [upper, lower] = overlaysOf(wave(60, size), ['bollinger']);
      return (upper!.values[59]! - lower!.values[59]!) / size;
    };
    expect(width(1e-6)).toBeGreaterThan(0.01);
    expect(width(1e-6)).toBeCloseTo(width(100), 6);
  });
  test('only what was asked for', () => {
    expect(overlaysOf(wave(30, 1), [])).toEqual([]);
    expect(panesOf(wave(30, 1), ['ema20'])).toEqual([]);
    expect(panesOf(wave(30, 1), ['rsi'])[0]?.values[20]).toBeGreaterThan(0);
  });
});
