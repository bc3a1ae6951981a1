import { expect, test } from 'vitest';
import { type Decimal, decimal, toText } from '../money/decimal.ts';
import { exitTally } from './exit-tally.ts';

const text = (value: Decimal | null) => value && toText(value);
function tallied(results: readonly string[], points = 60, reason = 'TakeProfit') {
  const tally = exitTally(points);
  for (const [n, result] of results.entries()) tally.add({ at: n, result: decimal(result), heldMs: (n + 1) * 1000, reason });
  return tally;
}

test('exits are won and lost by their result, and the newest points of the curve are kept', () => {
  const figures = tallied(['10', '-4', '6', '-2', '0'], 3).figures(decimal('1000'));
  expect({ exits: figures.exits, wins: figures.wins, held: figures.averageHeldMs }).toEqual({ exits: 5, wins: 2, held: 3000 });
  expect([figures.winRatePct, figures.profitFactor].map(text)).toEqual(['40', '2.6667']);
  expect(figures.curve.map(({ at, value }) => [at, text(value)])).toEqual([
    [2, '12'],
    [3, '10'],
    [4, '10'],
  ]);
});

test('the largest drawdown is in percent of its own peak: a smaller fall from a lower peak can be deeper', () => {
  // 40 of 100 first, then 60 of 300: 40 %, and 20 %.
  expect(text(tallied(['-40', '240', '-60']).figures(decimal('100')).maxDrawdownPct)).toBe('40');
  // 5 of 110, then 30 of 125.
  expect(text(tallied(['10', '-5', '20', '-30']).figures(decimal('100')).maxDrawdownPct)).toBe('24');
  expect(text(tallied(['10']).figures(decimal('100')).maxDrawdownPct)).toBe('0');
  expect(tallied(['10', '-5']).figures(decimal('0')).maxDrawdownPct).toBeNull();
});

test('what is not there yet is not said, and a change of unit is neither won nor lost', () => {
  const none = tallied([]).figures(decimal('100'));
  expect([none.winRatePct, none.profitFactor, none.averageHeldMs]).toEqual([null, null, null]);
  const jumped = tallied(['0'], 60, 'PriceJump').figures(decimal('100'));
  expect([jumped.exits, jumped.winRatePct]).toEqual([1, null]);
});
