import { decimal } from '@pilotfish/core/money/decimal';
import { realTimers } from '@pilotfish/core/time/timers';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { balanceCheck } from './balance-check.ts';

let compared: number;
let check: ReturnType<typeof balanceCheck>;

beforeEach(() => {
  vi.useFakeTimers();
  compared = 0;
  check = balanceCheck({
    timers: realTimers,
    exchange: { account: async () => ({ balances: [{ asset: 'BTC', free: '2', locked: '0' }] }) as never },
    market: { pairs: () => [] },
    signerOf: async () => ({}) as never,
    written: async () => undefined,
    flowsOf: async () => new Map([['BTC', decimal('1')]]),
    onCompared: () => {
      compared += 1;
    },
    now: () => 0,
    log: pino({ level: 'silent' }),
  });
});
afterEach(() => {
  check.stop();
  vi.useRealTimers();
});

test('events that come together are compared after once', async () => {
  for (let event = 0; event < 5; event += 1) check.poke('ada');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(compared).toBe(1);
  expect(check.last('ada')?.differences.has('BTC')).toBe(true);
});

test('events that never end postpone it only so long', async () => {
  for (let second = 0; second < 35; second += 1) {
    check.poke('ada');
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(compared).toBe(1);
  check.forget('ada');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(compared).toBe(1);
});
