import { expect, test } from 'vitest';
import { toText } from '../money/decimal.ts';
import { heldAt, realisedSince } from './held-at.ts';

const MIDNIGHT = Date.parse('2026-01-05T00:00:00Z');
const at = (hours: number) => new Date(MIDNIGHT + hours * 3_600_000).toISOString();
const buy = (
  hours: number,
  before: string,
  after: string,
  quoteQuantity: string,
  fee = { fee: '0', feeAsset: 'BTC', feeInQuote: '0' },
) => ({
  kind: 'Buy' as const,
  at: at(hours),
  before: { position: before },
  after: { position: after, quoteQuantity, ...fee },
});
const sell = (hours: number, before: string, after: string, matchedCost: string, realised: string) => ({
  kind: 'Sell' as const,
  at: at(hours),
  before: { position: before },
  after: { position: after, matchedCost, realised },
});
const held = (...given: Parameters<typeof heldAt>) => {
  const found = heldAt(...given);
  return found && [toText(found.quantity), toText(found.cost)];
};

test('what a position held at midnight is what it holds now with every fill since then undone', () => {
  const bnb = { fee: '0.001', feeAsset: 'BNB', feeInQuote: '0.6' };
  const fills = [
    buy(-5, '0', '1', '100'),
    sell(-2, '1', '0.75', '25', '5'),
    buy(1, '0.75', '1.25', '40', bnb),
    sell(2, '1.25', '0.25', '92.48', '7.5'),
  ];
  const now = { quantity: '0.25', cost: '23.12', baseAsset: 'BTC' };
  expect(held(fills, now, MIDNIGHT)).toEqual(['0.75', '75']);
  expect(toText(realisedSince(fills, MIDNIGHT))).toBe('7.5');
  // Nothing happened since.
  expect(held(fills, now, Date.parse(at(3)))).toEqual(['0.25', '23.12']);
});

test('a fill in the very moment of midnight is of the new day', () => {
  const fills = [buy(-1, '0', '1', '100'), sell(0, '1', '0.5', '50', '3')];
  expect(held(fills, { quantity: '0.5', cost: '50', baseAsset: 'BTC' }, MIDNIGHT)).toEqual(['1', '100']);
  expect(toText(realisedSince(fills, MIDNIGHT))).toBe('3');
});

test.each([
  ['its unit changed since the last fill', [buy(-1, '0', '1', '100')], '10'],
  ['its unit changed between two fills', [buy(-1, '0', '1', '100'), sell(1, '10', '5', '50', '1')], '5'],
  [
    'a fee had no value when it was paid',
    [buy(-1, '0', '1', '100'), buy(1, '1', '2', '90', { fee: '0.01', feeAsset: 'BNB', feeInQuote: '0' })],
    '2',
  ],
  ['no fill of it is known', [], '1'],
])('nothing is said of midnight when %s', (_, fills, quantity) => {
  expect(heldAt(fills, { quantity, cost: '100', baseAsset: 'BTC' }, MIDNIGHT)).toBeNull();
});
