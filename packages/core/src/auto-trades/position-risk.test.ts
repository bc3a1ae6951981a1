import { expect, test } from 'vitest';
import { type Decimal, decimal, subtract, toText } from '../money/decimal.ts';
import { openResult } from '../positions/position-figures.ts';
import type { Evaluation } from './auto-trades-contract.ts';
import { amountAtRisk, distancePct, nearestTarget, nextOfBot, stopInForce } from './position-risk.ts';

const text = (value: Decimal | null) => value && toText(value);
const TAKER = decimal('0.001');

test('the stop that sells first is the higher floor, and without exits only what rests at the exchange', () => {
  const lines = { stopLoss: '94', protectedCost: '101.5', protectiveStop: '94' };
  expect(text(stopInForce(lines, true))).toBe('101.5');
  expect(text(stopInForce({ ...lines, protectedCost: null }, true))).toBe('94');
  expect(text(stopInForce(lines, false))).toBe('94');
  expect(stopInForce({ ...lines, protectiveStop: null }, false)).toBeNull();
  expect(stopInForce({ stopLoss: null, protectedCost: null, protectiveStop: null }, true)).toBeNull();
});

test('at risk is what the open result falls by when the stop fills, never below zero', () => {
  const held = { quantity: decimal('0.41'), cost: decimal('1518.066') };
  const [price, stop] = [decimal('3664.10'), decimal('3628.55')];
  const risk = amountAtRisk(held.quantity, price, stop, TAKER);
  expect(text(risk)).toBe('14.5609245');
  expect(text(subtract(openResult(held, price, TAKER), risk))).toBe(text(openResult(held, stop, TAKER)));
  // A price below the stop, while its confirmation runs.
  expect(text(amountAtRisk(held.quantity, stop, price, TAKER))).toBe('0');
});

test('the nearest target is the lowest level to come, or what its owner set below it', () => {
  const level = (price: string, done = false) => ({ price, sellPct: '50', done });
  expect(text(nearestTarget({ takeProfit: [level('105', true), level('110'), level('120')], target: null }))).toBe('110');
  expect(text(nearestTarget({ takeProfit: [level('110')], target: '108' }))).toBe('108');
  expect(text(nearestTarget({ takeProfit: [level('110')], target: '140' }))).toBe('110');
  expect(nearestTarget({ takeProfit: [level('105', true)], target: null })).toBeNull();
});

test('a distance is what the price must rise by, below zero to fall', () => {
  expect([distancePct('97884.23', '98340.75'), distancePct('100', '99.03'), distancePct(null, '1'), distancePct('1', null)]).toEqual([
    '0.4664',
    '-0.97',
    null,
    null,
  ]);
});

test('a bot waits next for a coin it holds, the nearest of these, before a refused and a watched one', () => {
  const waits = (symbol: string, state: Evaluation['state'], price: string | null, code = 'arm') => ({
    symbol,
    state,
    price: '100',
    waitsFor: { code, price, at: null },
  });
  const far = waits('BTCUSDT', 'Open', '110');
  const near = waits('ETHUSDT', 'Protected', '99');
  const timed = waits('ADAUSDT', 'Adding', null, 'order');
  const watched = waits('SOLUSDT', 'Watching', '99.9', 'drop');
  const refused = waits('XRPUSDT', 'Watching', null, 'refused');
  const idle = { symbol: 'LTCUSDT', state: 'Watching' as const, price: '1', waitsFor: null };
  expect(nextOfBot([watched, timed, far, near])).toEqual({ symbol: 'ETHUSDT', waitsFor: near.waitsFor, distancePct: '-1' });
  expect(nextOfBot([idle, watched, refused])).toMatchObject({ symbol: 'XRPUSDT', distancePct: null });
  expect(nextOfBot([idle, watched])?.symbol).toBe('SOLUSDT');
  expect(nextOfBot([idle])).toBeNull();
});
