import { realTimers } from '@pilotfish/core/time/timers';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { slowComparison } from './slow-comparison.ts';

const MINUTE = 60_000;
let now: number;
let accounts: string[];
let compared: string[];
let last: Map<string, number>;
let busy: string | undefined;

beforeEach(() => {
  now = 1_000_000_000;
  accounts = ['ada', 'bob'];
  compared = [];
  last = new Map();
  busy = undefined;
});
const slow = () =>
  slowComparison({
    timers: realTimers,
    accounts: () => accounts,
    isBusy: (accountId) => accountId === busy,
    check: {
      last: (accountId) => (last.has(accountId) ? ({ at: last.get(accountId) } as never) : undefined),
      compare: async (accountId) => {
        compared.push(accountId);
        if (accountId === 'bad') throw new Error('refused');
        last.set(accountId, now);
        return {} as never;
      },
    },
    weightLimit: () => 6000,
    now: () => now,
    log: pino({ level: 'silent' }),
  });

test('an account of which nothing was heard for ten minutes is compared, one that was just compared is not', async () => {
  const comparison = slow();
  await comparison.round();
  now += 9 * MINUTE;
  last.set('ada', now);
  await comparison.round();
  expect(compared).toEqual([]);
  now += MINUTE;
  await comparison.round();
  expect(compared).toEqual(['bob']);
  now += 9 * MINUTE;
  busy = 'ada';
  await comparison.round();
  expect(compared).toEqual(['bob']);
  busy = undefined;
  await comparison.round();
  expect(compared).toEqual(['bob', 'ada']);
});

test('a thousand accounts take a twentieth of the weight, each its turn, and one that fails holds up nobody', async () => {
  accounts = ['bad', ...Array.from({ length: 999 }, (_, index) => `account ${index}`)];
  const comparison = slow();
  await comparison.round();
  now += 10 * MINUTE;
  for (let quarter = 0; quarter < 4; quarter += 1) {
    now += 15_000;
    await comparison.round();
  }
  expect(compared.length * 20).toBeLessThanOrEqual(300);
  expect(compared.length).toBeGreaterThan(8);
  for (let quarter = 0; quarter < 400; quarter += 1) {
    now += 15_000;
    await comparison.round();
  }
  expect(new Set(compared).size).toBe(1000);
});
