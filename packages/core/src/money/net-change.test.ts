import { expect, test } from 'vitest';
import { decimal } from './decimal.ts';
import { netChange, unitsFor, worthOf } from './net-change.ts';

test('a change leaves out what came and went', () => {
  expect(netChange('1000', '1650', [decimal('600')])).toEqual({ change: '50', pct: '3.125' });
  expect(netChange('1000', '450', [decimal('-500')])).toEqual({ change: '-50', pct: '-5' });
  expect(netChange('1000', '1100', [])).toEqual({ change: '100', pct: '10' });
  expect(netChange('0', '0', [])).toEqual({ change: '0', pct: null });
  // What came in is what the result was made with.
  expect(netChange('0', '110', [decimal('100')])).toEqual({ change: '10', pct: '10' });
});

test('a sum in units of a coin, rounded down', () => {
  expect(unitsFor('2600', '100000')).toBe('0.026');
  expect(unitsFor('1', '3')).toBe('0.33333333');
  expect(unitsFor('1', undefined)).toBeNull();
  expect(unitsFor('1', '0')).toBeNull();
});

test('units at a price', () => {
  expect(worthOf('0.026', '100000')).toBe('2600');
  expect(worthOf('0.333333333', '0.1')).toBe('0.03333333');
});
