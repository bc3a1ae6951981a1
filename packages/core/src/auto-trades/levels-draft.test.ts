import { expect, test } from 'vitest';
import { askedOf, fieldOf, isAskablePrice, isReached, outlookPrice, pointedPrice, steppedPrice, tickOf } from './levels-draft.ts';

const cents = tickOf('0.01', 2);

test('what an owner may move has a name, under which it is asked for and found in the answer', () => {
  const levels = [
    { kind: 'stopLoss', number: null },
    { kind: 'arm', number: null },
    { kind: 'takeProfit', number: 2 },
    { kind: 'protectedCost', number: null },
    { kind: 'rebuy', number: 1 },
  ] as const;
  const fields = levels.map(fieldOf);
  expect(fields).toEqual(['stop', 'trailingStart', 'takeProfit.2', undefined, undefined]);
  expect(askedOf('stop', '95')).toEqual({ stop: '95' });
  expect(askedOf('trailingStart', null)).toEqual({ trailingStart: null });
  expect(askedOf('takeProfit.2', '108')).toEqual({ takeProfit: [{ level: 2, price: '108' }] });
  const outlook = { stop: '95', trailingStart: null, takeProfit: ['104', '108'], worst: null };
  expect([outlookPrice(outlook, 'stop'), outlookPrice(outlook, 'trailingStart'), outlookPrice(outlook, 'takeProfit.2')]).toEqual([
    '95',
    null,
    '108',
  ]);
});

test('a step is one tick; from between two ticks it goes to the nearer end of the way first, and never below one tick', () => {
  expect(steppedPrice('95.5', cents, 1)).toBe('95.51');
  expect(steppedPrice('95.5', cents, -10)).toBe('95.4');
  expect(steppedPrice('95.505', cents, 1)).toBe('95.51');
  expect(steppedPrice('95.505', cents, -1)).toBe('95.5');
  expect(steppedPrice('0.02', cents, -10)).toBe('0.01');
  expect(steppedPrice('100', tickOf('0.25', 2), 3)).toBe('100.75');
  expect(tickOf('0', 3)).toEqual({ units: 1n, scale: 3 });
});

test('what a hand points at is the nearest tick', () => {
  expect(pointedPrice(95.506, cents)).toBe('95.51');
  expect(pointedPrice(95.38, tickOf('0.25', 2))).toBe('95.5');
  expect(pointedPrice(-3, cents)).toBe('0.01');
});

test('a stop is reached from above, all else from below', () => {
  expect([isReached('stop', '95', '95.01'), isReached('stop', '95', '95')]).toEqual([false, true]);
  expect([isReached('takeProfit.1', '105', '104.99'), isReached('trailingStart', '105', '105')]).toEqual([false, true]);
});

test('only a price above zero is asked for', () => {
  expect(['95.5', '0', '', '-1', '9,5', '0.00'].map(isAskablePrice)).toEqual([true, false, false, false, false, false]);
});
