import { expect, test } from 'vitest';
import { ruleFigures } from './rule-figures.ts';

const units = { currency: 'USDT', pricePrecision: 2 };
const shown = (rule: string, observed: string | null, limit: string | null) => ruleFigures({ rule, observed, limit }, units);

test.each([
  ['stop-loss', '64250.1', '63000', '64,250.10 / 63,000.00'],
  ['protected-cost', '64250.1', '64000.123456', '64,250.10 / 64,000.12'],
  ['trailing-cost-armed', '64250', '65000', '64,250.00 / 65,000.00'],
  ['target-price', '64250', '70000', '64,250.00 / 70,000.00'],
  ['take-profit', '64250', '70000.5', '64,250.00 / 70,000.50'],
  ['time-stop-gain', '64250', '64300.005', '64,250.00 / 64,300.00'],
  ['exit-gain', '64250', '64300', '64,250.00 / 64,300.00'],
  ['rebuy', '64250', '63000', '64,250.00 / 63,000.00'],
  ['protective-stop', '64250', null, '64,250.00'],
  ['budget', '1001.5', null, '1,001.50 USDT'],
  ['size', '4.5', '5', '4.50 / 5.00 USDT'],
  ['exposure', '1500.005', '1500', '1,500.00 / 1,500.00 USDT'],
  ['drop', '1.5', '3', '1.5 / 3.0'],
  ['slot-free', '1', '3', '1 / 3'],
])('%s is told in its unit', (rule, observed, limit, expected) => {
  expect(shown(rule, observed, limit)).toBe(expected);
});

test('words and moments are no figures, nor is nothing', () => {
  expect(shown('coin-not-paused', 'halt', '2030-01-01T00:00:00.000Z')).toBeUndefined();
  expect(shown('protective-stop', '-1013 MAX_NUM_ALGO_ORDERS', null)).toBeUndefined();
  expect(shown('manual', null, null)).toBeUndefined();
});
