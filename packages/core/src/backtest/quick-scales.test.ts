import { expect, test } from 'vitest';
import { random } from '../../bench/series.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { divide, fromFloat, rescale, toText } from '../money/decimal.ts';
import { DEFAULT_FILL_MODEL } from './fill-model.ts';
import {
  ceilDivide,
  compareProducts,
  costText,
  createScales,
  floorDivide,
  NotCovered,
  nearestUnits,
  roundDivide,
  roundDivideBig,
  safe,
  textOf,
  unitsOf,
} from './quick-scales.ts';

// The arithmetic of the quick run against exact decimals.

const draw = random(11);
const upTo = (most: number): number => Math.floor(draw() * most);
const times = (count: number, check: () => void): void => {
  for (let index = 0; index < count; index += 1) check();
};

test('a double becomes the units that exact decimals make of it, halves included', () => {
  times(5000, () => {
    const places = upTo(9);
    const value = (upTo(10 ** (3 + upTo(9))) / 10 ** upTo(9)) * (draw() < 0.5 ? 1 : 1 + draw() / 1000);
    const exact = Number(fromFloat(value, places).units);
    if (Number.isSafeInteger(exact)) expect(nearestUnits(value, places)).toBe(exact);
    else expect(() => nearestUnits(value, places)).toThrow(NotCovered);
  });
  for (const value of [0.5, 1.5, 2.5, 0.125, 1.005, 8.345, 29_794.265, 0]) {
    for (const places of [0, 1, 2, 3]) expect(nearestUnits(value, places)).toBe(Number(fromFloat(value, places).units));
  }
});

test('units are the text of their amount', () => {
  times(5000, () => {
    const places = upTo(16);
    const units = upTo(10 ** (1 + upTo(15))) * (draw() < 0.2 ? -1 : 1);
    expect(textOf(units, places)).toBe(toText({ units: BigInt(units), scale: places }));
    expect(unitsOf(textOf(units, places), places)).toBe(units || 0);
  });
  expect(textOf(Number.MAX_SAFE_INTEGER, 15)).toBe('9.007199254740991');
  expect(costText(-(10n ** 27n))).toBe('-0.1');
});

test('quotients are rounded as decimals are: down, up, and half to even', () => {
  times(5000, () => {
    const [a, b] = [upTo(2 ** (1 + upTo(52))), 1 + upTo(2 ** (1 + upTo(40)))];
    const exact = (rounding: 'down' | 'up' | 'half-even') =>
      Number(divide({ units: BigInt(a), scale: 0 }, { units: BigInt(b), scale: 0 }, 0, rounding).units);
    expect(floorDivide(a, b)).toBe(exact('down'));
    expect(ceilDivide(a, b)).toBe(exact('up'));
    if (a < 2 ** 50) {
      expect(roundDivide(a, b)).toBe(exact('half-even'));
      expect(Number(roundDivideBig(BigInt(a), BigInt(b)))).toBe(exact('half-even'));
    }
  });
  expect([1, 3, 5, 7].map((half) => roundDivide(half, 2))).toEqual([0, 2, 2, 4]);
  expect(roundDivide(-3, 2)).toBe(-2);
});

test('products too large for doubles are compared exactly', () => {
  const large = 94_906_267;
  expect(compareProducts(large, large, large - 1, large + 1)).toBeGreaterThan(0);
  expect(compareProducts(large - 1, large + 1, large, large)).toBeLessThan(0);
  expect(compareProducts(large * 3, large, large, large * 3)).toBe(0);
});

test('what cannot be counted is refused, never rounded', () => {
  expect(() => safe(Number.MAX_SAFE_INTEGER + 2)).toThrow(NotCovered);
  expect(() => safe(Number.NaN)).toThrow(NotCovered);
  expect(() => unitsOf('1.23', 1)).toThrow(NotCovered);
  expect(() => unitsOf('99999999999', 8)).toThrow(NotCovered);
  const free = { ...btcusdt, filters: { ...btcusdt.filters, stepSize: '0' } };
  expect(() => createScales(free, DEFAULT_FILL_MODEL, 8)).toThrow(NotCovered);
});

test('values and fees are cut to the digits of their asset, as the exchange of a backtest cuts them', () => {
  const scales = createScales(btcusdt, { ...DEFAULT_FILL_MODEL, takerFee: '0.00075' }, 8);
  times(2000, () => {
    const [lots, price] = [1 + upTo(1e6), 1 + upTo(1e7)];
    const value = rescale({ units: BigInt(lots) * BigInt(price), scale: 7 }, 8, 'down');
    expect(scales.value(lots, price)).toBe(Number(value.units));
    expect(scales.feeOfSale(Number(value.units), scales.takerFee)).toBe(Number((value.units * 75n) / 100_000n));
    expect(scales.feeOfBuy(lots, scales.takerFee)).toBe(Number((BigInt(lots) * 1000n * 75n) / 100_000n));
  });
});
