import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { expect, test } from 'vitest';
import { missedReports } from './missed-reports.ts';

test('reports that cannot be read are asked for soon, seldom while they go on, and after the last one in any case', async () => {
  const time = virtualTime();
  const asked: number[] = [];
  const reports = missedReports({ now: time.now, timers: time.timers, ask: () => void asked.push(time.elapsed / 1000) });
  for (let second = 0; second < 120; second += 1) {
    reports.missed();
    reports.missed();
    await time.advance(1000);
  }
  expect(asked).toEqual([1, 3, 7, 15, 31, 61, 91]);
  await time.advance(30_000);
  expect(asked.at(-1)).toBe(121);
  // After a calm time one is asked for soon again.
  await time.advance(60_000);
  reports.missed();
  await time.advance(1000);
  expect(asked.at(-1)).toBe(time.elapsed / 1000);
  reports.missed();
  reports.stop();
  await time.advance(60_000);
  expect(asked).toHaveLength(9);
});
