import { expect, test } from 'vitest';
import { weightBudget } from './weight-budget.ts';

/** A clock that moves only when something waits for it. */
function stage(limit = 100) {
  let time = 0;
  const waits: number[] = [];
  const budget = weightBudget({
    limit,
    now: () => time,
    wait: async (ms) => {
      waits.push(ms);
      time += ms;
    },
  });
  return { budget, waits, at: () => time, move: (ms: number) => (time += ms) };
}

test('ordinary requests stop at 80 %, urgent ones go on to 98 %', async () => {
  const { budget, waits } = stage();
  await budget.spend(80, false);
  await budget.spend(10, true);
  expect(waits).toEqual([]);
  await budget.spend(1, false);
  expect(waits).toEqual([60_000]);
  expect(budget.used).toBe(1);
});

test('what the exchange reports counts when it is more than ours', async () => {
  const { budget, waits } = stage();
  await budget.spend(1, false);
  budget.observe(79);
  await budget.spend(5, false);
  expect(waits).toEqual([60_000]);
});

test('after a ban nothing leaves before its end, urgent or not', async () => {
  const { budget, at } = stage();
  budget.pause(12_345);
  await budget.spend(1, true);
  expect(at()).toBeGreaterThanOrEqual(12_345);
});

test('one request larger than the budget still leaves, at the start of a minute', async () => {
  const { budget, waits } = stage(50);
  await budget.spend(80, false);
  expect(waits).toEqual([]);
});

test('what the exchange allows now counts, for requests that wait as well', async () => {
  const { budget, waits } = stage(100);
  budget.allow(1000);
  await budget.spend(800, false);
  expect(waits).toEqual([]);
  expect(budget.limit).toBe(1000);
  budget.allow(50);
  await budget.spend(10, true);
  expect(waits).toEqual([60_000]);
  expect(budget.used).toBe(10);
});
