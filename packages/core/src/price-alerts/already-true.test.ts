import { expect, test } from 'vitest';
import type { AlertCondition } from './alert-kinds.ts';
import { startOfTrue } from './already-true.ts';

const at = (condition: object, price: string | undefined, more: object = {}) =>
  startOfTrue({ condition: condition as AlertCondition, fireIfTrue: false, priceSource: 'last', ...more }, price as never);
const channel = (event: 'enter' | 'exit') => ({ kind: 'channel', event, lower: '90', upper: '110' });

test.each([
  [{ kind: 'above', level: '100' }, '100', undefined],
  [{ kind: 'above', level: '100' }, '100.01', 'waits'],
  [{ kind: 'below', level: '100' }, '100', undefined],
  [{ kind: 'below', level: '100' }, '99.99', 'waits'],
  [channel('enter'), '90', 'waits'],
  [channel('enter'), '111', undefined],
  [channel('exit'), '111', 'waits'],
  [channel('exit'), '100', undefined],
  // A price is always on one side of what it is to cross.
  [{ kind: 'crosses', direction: 'up', level: '100' }, '101', undefined],
  // Judged by the server, from candles.
  [{ kind: 'rsi', period: 14, interval: '1h', relation: 'above', level: '1' }, '101', undefined],
  [{ kind: 'above', level: '100' }, undefined, undefined],
])('%o at %s: %s', (condition, price, expected) => {
  expect(at(condition, price)).toBe(expected);
});

test('one that is to fire if it is already true fires at once; of another source nothing is said', () => {
  expect(at({ kind: 'above', level: '100' }, '101', { fireIfTrue: true })).toBe('fires');
  expect(at({ kind: 'crosses', direction: 'up', level: '100' }, '101', { fireIfTrue: true })).toBe('fires');
  expect(at({ kind: 'above', level: '100' }, '99', { fireIfTrue: true })).toBeUndefined();
  expect(at({ kind: 'above', level: '100' }, '101', { priceSource: 'mid' })).toBeUndefined();
});
