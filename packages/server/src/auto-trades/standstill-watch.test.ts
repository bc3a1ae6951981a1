import { decimal } from '@pilotfish/core/money/decimal';
import { expect, test } from 'vitest';
import { standstillWatch } from './standstill-watch.ts';

const AT = 1_700_000_000_000;

/** A bot that holds a coin, and an account that is asked what it has of it. */
function fixture() {
  const account = { held: '10', booked: '4', transferred: '0', asked: 0, fails: false, listFails: false };
  const coin = { status: 'TRADING' as 'TRADING' | 'BREAK', quantity: '4' };
  const told: unknown[] = [];
  let asOf = AT;
  const watch = standstillWatch({
    accountKey: 'live:a',
    engine: {
      symbols: ['LUNAUSDT'],
      openPositions: 1,
      inspect: () => ({ context: { quantity: coin.quantity } }) as never,
    },
    market: {
      get asOf() {
        return asOf;
      },
      pair: () => ({ status: coin.status, baseAsset: 'LUNA' }),
    },
    ask: {
      holding: async () => {
        account.asked += 1;
        if (account.fails) throw new Error('away');
        return { held: decimal(account.held), booked: decimal(account.booked) };
      },
      transferred: async () => {
        if (account.listFails) throw new Error('no list');
        return decimal(account.transferred);
      },
    },
    tell: (record) => void told.push(record),
    onError: () => undefined,
  });
  return {
    account,
    coin,
    told,
    watch,
    /** It halts, something happens to the account, and it trades again: what the engine is told. */
    over: async (change: Partial<typeof account>) => {
      coin.status = 'BREAK';
      watch.note();
      watch.note();
      await Promise.resolve();
      Object.assign(account, change);
      coin.status = 'TRADING';
      asOf = AT + 60_000;
      watch.met('LUNAUSDT', asOf);
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      return told;
    },
  };
}
const hold = { type: 'hold', symbol: 'LUNAUSDT', until: AT + 90_000 };
const answer = (factor: string | null) => ({ type: 'balance', symbol: 'LUNAUSDT', factor, at: AT + 60_000 });

test.each([
  ['as much as before', {}, null],
  ['a hundred times as much', { held: '1000' }, '100'],
  ['a tenth', { held: '1' }, '0.1'],
  ['nothing any more', { held: '0' }, '0'],
  ['half as much again', { held: '15' }, '1.5'],
  ['a little more, an airdrop', { held: '14.9' }, null],
  ['what our fills bought meanwhile', { held: '20', booked: '14' }, null],
  ['a hundred times what our fills left', { held: '1500', booked: '9' }, '100'],
  ['what was deposited', { held: '30', transferred: '20' }, null],
  ['what was withdrawn', { held: '2', transferred: '-8' }, null],
  ['more than what was deposited', { held: '3000', transferred: '20' }, '100'],
  ['much more, while transfers cannot be read', { held: '1000', listFails: true }, '100'],
  ['what cannot be asked', { fails: true }, null],
] as const)('an account that holds %s', async (_what, change, factor) => {
  const { over, account } = fixture();
  expect(await over(change)).toEqual([hold, answer(factor)]);
  expect(account.asked).toBe(2);
});

test('a coin that never stood still, or of which nothing is held, is not asked about', async () => {
  const { watch, told, account, coin } = fixture();
  watch.note();
  watch.met('LUNAUSDT', AT);
  coin.status = 'BREAK';
  coin.quantity = '0';
  watch.note();
  watch.met('LUNAUSDT', AT);
  expect([told, account.asked]).toEqual([[], 0]);
});

test('an account that cannot be asked when the halt is seen is asked at the next look', async () => {
  const { watch, account, coin, over } = fixture();
  coin.status = 'BREAK';
  account.fails = true;
  watch.note();
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  account.fails = false;
  expect(await over({ held: '1000' })).toEqual([hold, answer('100')]);
});
