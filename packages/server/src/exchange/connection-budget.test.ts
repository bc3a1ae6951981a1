import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { expect, test } from 'vitest';
import { connectionBudget } from './connection-budget.ts';

test('connections beyond what five minutes allow wait, urgent ones less; they open one by one', async () => {
  const time = virtualTime();
  const moments: [string, number][] = [];
  const budget = connectionBudget({ now: time.now, timers: time.timers, random: () => 0.5 });
  const enter = (name: string, isUrgent: boolean) => budget.enter(() => void moments.push([name, time.elapsed]), isUrgent);
  for (let count = 0; count < 200; count += 1) enter('first', false);
  expect(moments).toHaveLength(200);
  enter('ordinary', false);
  await time.advance(60_000);
  for (let count = 0; count < 50; count += 1) enter('urgent', true);
  expect(moments.slice(200)).toEqual(Array(50).fill(['urgent', 60_000]));
  enter('another', false);
  enter('urgent late', true);
  enter('gone', true)();
  await time.advance(10 * 60_000);
  // The urgent one first, each half a second after the one before it, and never more than 250 in five minutes.
  expect(moments.slice(250)).toEqual([
    ['urgent late', 300_500],
    ['ordinary', 301_000],
    ['another', 301_500],
  ]);
});

test('an urgent connection does not wait for one that may not open yet', () => {
  const time = virtualTime();
  const opened: string[] = [];
  const budget = connectionBudget({ now: time.now, timers: time.timers, random: () => 0.5 });
  for (let count = 0; count < 201; count += 1) budget.enter(() => void opened.push('ordinary'), false);
  budget.enter(() => void opened.push('urgent'), true);
  expect([opened.length, opened.at(-1)]).toEqual([201, 'urgent']);
});
