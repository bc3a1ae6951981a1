import { expect, test } from 'vitest';
import { shownFacts } from './notification-facts.ts';

const text = (key: string) => ({ 'exitReasons.StopLoss': 'stop loss' })[key];
const shown = (facts: Record<string, string | number>) => shownFacts(facts, text, 'Europe/Istanbul');

test('figures are read as everywhere in the apps', () => {
  expect(shown({ price: '65000.10', quantity: '0.00100000', changePct: '-1.5', realised: '12.5', pnl: '-3.12345', trades: 3 })).toEqual({
    price: '65,000.1',
    quantity: '0.001',
    changePct: '-1.50%',
    realised: '+12.50',
    pnl: '-3.1234',
    trades: 3,
  });
});

test('sums and averages have as many digits as are read', () => {
  expect(
    shown({ reserved: '201.19258276', fees: '0.00012345', averageCost: '64123.4567890123456789', quote: '50', realised: '0.0000125' }),
  ).toEqual({
    reserved: '201.1926',
    fees: '0.00012345',
    averageCost: '64,123.4568',
    quote: '50.00',
    realised: '+0.0000125',
  });
});

test('names stay as they were written, even when they look like numbers', () => {
  expect(shown({ bot: '1000.00', wallet: '5000', note: '0001', symbol: '1INCHUSDT' })).toEqual({
    bot: '1000.00',
    wallet: '5000',
    note: '0001',
    symbol: '1INCHUSDT',
  });
});

test('keys become their texts and times the reader’s clock', () => {
  expect(shown({ reasonKey: 'exitReasons.StopLoss', otherKey: 'exitReasons.New', untilAt: Date.UTC(2026, 0, 15, 22, 30) })).toEqual({
    reason: 'stop loss',
    other: 'New',
    untilAt: '2026-01-16 01:30',
  });
});
