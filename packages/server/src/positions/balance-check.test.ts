import { decimal, toText } from '@pilotfish/core/money/decimal';
import { realTimers } from '@pilotfish/core/time/timers';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Rows, withUnread } from '../exchange/exchange-rows.ts';
import { balanceCheck } from './balance-check.ts';

let balances: Rows<{ asset: string; free: string; locked: string }>;
let compared: number;
let check: ReturnType<typeof balanceCheck>;

beforeEach(() => {
  vi.useFakeTimers();
  compared = 0;
  balances = [{ asset: 'BTC', free: '2', locked: '0' }];
  check = balanceCheck({
    timers: realTimers,
    exchange: { account: async () => ({ balances, updateTime: 7 }) as never },
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

test('when an account changed last is known until an event says that it did again', async () => {
  expect(check.updatedBefore('ada', 0)).toBeUndefined();
  await check.compare('ada');
  expect([check.updatedBefore('ada', 0), check.updatedBefore('ada', -1)]).toEqual([7, undefined]);
  check.poke('ada');
  expect(check.updatedBefore('ada', 0)).toBeUndefined();
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

test('what lies in Simple Earn is the coin: moving it there is no difference, and what is missing of both is one', async () => {
  const market = { pairs: () => ['BTC', 'LDO'].map((base) => ({ baseAsset: base, quoteAsset: 'USDT', filters: { stepSize: '0.00001' } })) };
  let balances = [
    { asset: 'BTC', free: '0.05', locked: '0' },
    { asset: 'LDBTC', free: '0.05', locked: '0' },
    { asset: 'LDO', free: '3', locked: '0' },
  ];
  let flows = { BTC: '0.1', LDO: '3' } as Record<string, string>;
  const of = balanceCheck({
    timers: realTimers,
    exchange: { account: async () => ({ balances }) as never },
    market: market as never,
    signerOf: async () => ({}) as never,
    written: async () => undefined,
    flowsOf: async () => new Map(Object.entries(flows).map(([asset, amount]) => [asset, decimal(amount)])),
    onCompared: () => undefined,
    now: () => 0,
    log: pino({ level: 'silent' }),
  });
  const differences = async () => [...(await of.compare('ada')).differences.values()].map((each) => [each.asset, toText(each.difference)]);
  expect(await differences()).toEqual([]);
  // A ledger that has the movement itself counts it once.
  flows = { BTC: '0.05', LDBTC: '0.05', LDO: '3' };
  expect(await differences()).toEqual([]);
  balances = balances.filter(({ asset }) => asset !== 'LDBTC');
  expect(await differences()).toEqual([['BTC', '-0.05']]);
});

test('a balance that cannot be read is not nothing: it is not compared, and said to be unread', async () => {
  const row = (given: unknown) => ({ list: 'balances', name: 'BTC', field: 'free', given });
  balances = withUnread([], [row({ asset: 'BTC' })]);
  await check.compare('ada');
  expect([check.last('ada')?.differences.size, check.last('ada')?.unread.length]).toEqual([0, 1]);
  balances = withUnread([], [row(null)]);
  await check.compare('ada');
  expect(check.last('ada')?.differences.size).toBe(0);
  balances = withUnread([], [row({ asset: 'ETH' })]);
  await check.compare('ada');
  expect(check.last('ada')?.differences.has('BTC')).toBe(true);
});
