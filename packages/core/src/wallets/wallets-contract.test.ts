import { expect, test } from 'vitest';
import { createWallet, updateWallet, walletSchema } from './wallets-contract.ts';

const wrongIn = (
  schema: { safeParse(value: unknown): { error?: { issues: readonly { path: readonly PropertyKey[] }[] } } },
  value: object,
) => schema.safeParse(value).error?.issues.map(({ path }) => path.join('.')) ?? [];

test.each<[object, string[]]>([
  [{}, []],
  [{ makerFeePct: '0', takerFeePct: '5', latencyMs: 3000 }, []],
  // Zeros at the end are no digits.
  [{ makerFeePct: '0.075', takerFeePct: '0.1234000000', latencyMs: 0 }, []],
  [{ makerFeePct: '5.0001' }, ['makerFeePct']],
  [{ takerFeePct: '0.12345' }, ['takerFeePct']],
  [{ takerFeePct: '-0.1', latencyMs: -1 }, ['takerFeePct', 'latencyMs']],
  [{ makerFeePct: 'much', latencyMs: 0.5 }, ['makerFeePct', 'latencyMs']],
  [{ latencyMs: 3001 }, ['latencyMs']],
])('terms of a paper wallet, opened and later: %j', (terms, wrong) => {
  expect(wrongIn(createWallet.body!, { name: 'Main', ...terms })).toEqual(wrong);
  expect(wrongIn(updateWallet.body!, terms)).toEqual(wrong);
});

test('a wallet of a server that knows no terms has none', () => {
  const sums = { free: '1', reserved: '0', invested: '0', realised: '0', deposits: '1', withdrawals: '0' };
  const wallet = {
    id: '01890000-0000-7000-8000-000000000001',
    name: 'Main',
    currency: 'USDT',
    mode: 'paper',
    reservePct: '1',
    status: 'Ready',
  };
  const read = walletSchema.parse({ ...wallet, ...sums, createdAt: '2026-01-15T12:00:00.000Z' });
  expect(read).toMatchObject({ makerFeePct: null, takerFeePct: null, latencyMs: null });
});
