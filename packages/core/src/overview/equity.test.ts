import { expect, test } from 'vitest';
import { decimal } from '../money/decimal.ts';
import { changeSince, heldInstead, withFlows } from './equity.ts';

const flow = (at: number, value: string) => ({ at, value: decimal(value) });

test('each point has the flows since the point before, the first none', () => {
  const points = [
    { at: 10, equity: '100' },
    { at: 20, equity: '160' },
    { at: 30, equity: '150' },
  ];
  expect(withFlows(points, [flow(25, '-10'), flow(5, '1000'), flow(11, '40'), flow(20, '10.5')]).map((each) => each.flow)).toEqual([
    '0',
    '50.5',
    '-10',
  ]);
});

test('a change counts what came after its point, and nothing before', () => {
  const now = { at: 30, equity: '170' };
  expect(changeSince({ at: 10, equity: '100' }, now, [flow(10, '1000'), flow(20, '50')], true)).toEqual({
    change: '20',
    pct: '13.3333',
    since: '1970-01-01T00:00:00.010Z',
    exact: true,
  });
});

test('the same money held in a coin: bought at the first point, flows at theirs; unknown without a price', () => {
  const points = withFlows(
    [
      { at: 1, equity: '1000' },
      { at: 2, equity: '1300' },
      { at: 3, equity: '900' },
    ],
    [flow(2, '200')],
  );
  const prices: Record<number, string> = { 1: '100', 2: '50', 3: '200' };
  // 10 coins, then 4 more at 50: 14.
  expect(heldInstead(points, (at) => prices[at])).toEqual([
    { at: 1, value: '1000' },
    { at: 2, value: '700' },
    { at: 3, value: '2800' },
  ]);
  expect(heldInstead(points, (at) => (at === 2 ? undefined : prices[at]))).toBeNull();
  expect(heldInstead([], () => undefined)).toEqual([]);
});
