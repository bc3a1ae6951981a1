import { expect, test } from 'vitest';
import { weightBudget } from './weight-budget.ts';

/** A clock that moves only when something waits for it. */
function stage(limit = 100) {
  let time = 0;
  const waits: number[] = [];
  const budget = weightBudget({
    limit,
    now: () => time,
    timers: {
      wait: async (ms) => {
        waits.push(ms);
        time += ms;
      },
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

test('a report that is behind our own count frees nothing: it was made before what was sent since', async () => {
  const { budget, waits } = stage();
  await budget.spend(70, false);
  budget.observe(10);
  expect(budget.used).toBe(70);
  await budget.spend(20, false);
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

test('one owner alone leaves room for one who comes later', async () => {
  const { budget, waits } = stage();
  for (let n = 0; n < 70; n += 1) await budget.spend(1, false, 'ada');
  expect(waits).toEqual([]);
  // Somebody else is answered at once, as is what is asked for everybody, and what is urgent.
  for (let n = 0; n < 5; n += 1) await budget.spend(1, false, 'bob');
  await budget.spend(1, false);
  await budget.spend(1, true, 'ada');
  expect(waits).toEqual([]);
  await budget.spend(1, false, 'ada');
  expect(waits).toEqual([60_000]);
});

test('of two, the one with many bots gets no more than an equal share where it is scarce', async () => {
  const { budget, waits, move } = stage();
  await budget.spend(1, false, 'ada');
  await budget.spend(1, false, 'bob');
  move(60_000);
  for (let n = 0; n < 40; n += 1) await budget.spend(1, false, 'ada');
  expect(waits).toEqual([]);
  for (let n = 0; n < 30; n += 1) await budget.spend(1, false, 'bob');
  expect(waits).toEqual([]);
  await budget.spend(1, false, 'ada');
  expect(waits).toHaveLength(1);
});

test('who has not come for two minutes takes no share', async () => {
  const { budget, waits, move } = stage();
  await budget.spend(1, false, 'bob');
  move(120_000);
  for (let n = 0; n < 70; n += 1) await budget.spend(1, false, 'ada');
  expect(waits).toEqual([]);
});
