import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { permittedPairs } from './permitted-pairs.ts';

const SETS: Readonly<Record<string, string[][]>> = {
  EITHER: [['SPOT', 'MARGIN']],
  BOTH: [['SPOT'], ['TRD_GRP_004', 'TRD_GRP_005']],
  GROUP: [['TRD_GRP_025']],
  HIDDEN: [[]],
  UNSAID: [],
};
const PAIRS = Object.keys(SETS);
const log = pino({ level: 'silent' });

/** An exchange whose account has the permissions of `account`, or is away. */
function stage(account: { permissions?: string[] | undefined } | 'away', hasPaperVenue = false) {
  const time = virtualTime();
  const state = { account, asked: 0, pairsRead: 0 };
  const permitted = permittedPairs({
    exchange: {
      hasPaperVenue,
      permissionSets: (symbol) => SETS[symbol] ?? [],
      account: async () => {
        state.asked += 1;
        if (state.account === 'away') throw new Error('away');
        return state.account as never;
      },
    },
    accounts: { get: async () => ({ signer: undefined }) as never },
    readPairs: async () => {
      state.pairsRead += 1;
    },
    now: time.now,
    timers: time.timers,
    log,
  });
  return { time, state, permitted };
}

test('an account needs one permission of each set; what the exchange does not say forbids nothing', async () => {
  const spot = stage({ permissions: ['SPOT'] });
  expect(await spot.permitted.forbidden('live:a', PAIRS)).toEqual(['BOTH', 'GROUP']);
  expect(await stage({ permissions: ['SPOT', 'TRD_GRP_005'] }).permitted.forbidden('live:a', PAIRS)).toEqual(['GROUP']);
  for (const unsaid of [{}, { permissions: [] }]) expect(await stage(unsaid).permitted.forbidden('live:a', PAIRS)).toEqual([]);
  expect(await spot.permitted.forbidden('live:a', ['GONE'])).toEqual([]);
  expect(await stage({ permissions: ['SPOT'] }, true).permitted.forbidden('paper:w', PAIRS)).toEqual([]);
});

test('an account is asked once an hour; while it cannot be asked, what was known stays', async () => {
  const { time, state, permitted } = stage({ permissions: ['SPOT'] });
  const asked = async () => [(await permitted.forbidden('live:a', PAIRS)).length, state.asked];
  expect(await asked()).toEqual([2, 1]);
  state.account = 'away';
  expect(await asked()).toEqual([2, 1]);
  await time.advance(3_600_000);
  expect(await asked()).toEqual([2, 2]);
  state.account = { permissions: ['SPOT', 'TRD_GRP_004', 'TRD_GRP_025'] };
  await time.advance(60_000);
  expect(await asked()).toEqual([0, 3]);
  permitted.forget('live:a');
  state.account = 'away';
  expect(await asked()).toEqual([0, 4]);
});

test('a refused order has the account asked at once, and once a minute at most', async () => {
  const { time, state, permitted } = stage({ permissions: ['SPOT', 'TRD_GRP_004', 'TRD_GRP_025'] });
  expect(await permitted.forbidden('live:a', PAIRS)).toEqual([]);
  state.account = { permissions: ['SPOT'] };
  const doubt = async () => {
    permitted.doubt('live:a');
    permitted.doubt('live:a');
    await time.settled();
    expect(state.pairsRead).toBe(state.asked - 1);
    return state.asked;
  };
  expect(await doubt()).toBe(2);
  expect(await permitted.forbidden('live:a', PAIRS)).toEqual(['BOTH', 'GROUP']);
  await time.advance(59_999);
  expect(await doubt()).toBe(2);
  await time.advance(1);
  expect(await doubt()).toBe(3);
});

test('an answer that comes after new keys is not theirs', async () => {
  let answer: (account: object) => void = () => undefined;
  const { permitted, state } = stage({ permissions: ['SPOT'] });
  state.account = new Promise((resolve) => {
    answer = resolve;
  }) as never;
  const before = permitted.forbidden('live:a', PAIRS);
  await Promise.resolve();
  permitted.forget('live:a');
  answer({ permissions: ['NONE'] });
  await before;
  state.account = { permissions: ['SPOT', 'TRD_GRP_004'] };
  expect(await permitted.forbidden('live:a', PAIRS)).toEqual(['GROUP']);
});
