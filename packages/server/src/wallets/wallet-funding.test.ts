import { afterTransfer, emptySums } from '@pilotfish/core/wallets/wallet-book';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { walletFunding } from './wallet-funding.ts';
import type { WalletRow } from './wallets-store.ts';

const row = (id: string, mode: 'paper' | 'live', currency = 'USDT'): WalletRow => ({
  id,
  accountId: 'ann',
  name: id,
  currency,
  mode,
  reservePct: '1',
  createdAt: 0,
  terms: null,
});

function fixture(rows: WalletRow[], promised: Record<string, string>) {
  const state = { free: new Map([['USDT', '1000']]), looks: 0, between: (): void => {} };
  const changes: string[] = [];
  const looks: string[] = [];
  const last = new Set<string>();
  const funding = walletFunding({
    wallets: {
      list: async () => rows,
      book: async ({ id, currency, reservePct }) => ({ id, currency, reservePct, sums: afterTransfer(emptySums, promised[id] ?? '0') }),
    },
    freeOf: async () => {
      state.looks += 1;
      const free = new Map(state.free);
      state.between();
      return (asset) => free.get(asset) ?? '0';
    },
    onLook: (_, id, short) => {
      const told = `${id} ${short ? 'short' : 'funded'}`;
      looks.push(told);
      if (short !== last.has(id)) changes.push(told);
      if (short) last.add(id);
      else last.delete(id);
    },
    log: pino({ level: 'silent' }),
    timers: { wait: async () => undefined },
  });
  return { state, changes, looks, funding };
}

test('wallets of one currency are short together, and are told once when they are and when they are not any more', async () => {
  const rows = [row('a', 'live'), row('b', 'live'), row('c', 'paper'), row('d', 'live', 'BTC')];
  const { state, changes, funding } = fixture(rows, { a: '600', b: '400', c: '9999', d: '0' });
  await funding.check('ann');
  expect(changes).toEqual([]);
  state.free.set('USDT', '999.99');
  await funding.check('ann');
  await funding.check('ann');
  expect(changes).toEqual(['a short', 'b short']);
  expect([funding.isShort('a'), funding.isShort('c'), funding.isShort('d')]).toEqual([true, false, false]);
  state.free.set('USDT', '1000');
  await funding.check('ann');
  expect(changes.slice(2)).toEqual(['a funded', 'b funded']);
});

test('what is short for a moment only, because an order is on its way, has no consequence', async () => {
  const { state, changes, funding } = fixture([row('a', 'live')], { a: '1000' });
  state.free.set('USDT', '900');
  state.between = () => void state.free.set('USDT', '1000');
  await funding.check('ann');
  expect([changes, state.looks]).toEqual([[], 2]);
});

test('an exchange that cannot be asked proves nothing', async () => {
  const { state, changes, funding } = fixture([row('a', 'live')], { a: '2000' });
  state.between = () => {
    throw new Error('away');
  };
  await expect(funding.check('ann')).rejects.toThrow('away');
  expect(changes).toEqual([]);
});

test('a wallet that was never seen short is told to be funded, for bots that were blocked before a restart', async () => {
  const { looks, funding } = fixture([row('a', 'live'), row('c', 'paper')], { a: '1000' });
  await funding.check('ann');
  expect(looks).toEqual(['a funded']);
});
