import { decimal, toText } from '@pilotfish/core/money/decimal';
import { expect, test } from 'vitest';
import { accountHoldings } from './account-holdings.ts';

test('coins that were moved to Simple Earn are held as before: no jump of the balance', async () => {
  const of = (asset: string, free: string) => ({ asset, free, locked: '0' });
  let balances = [of('BTC', '0.04'), of('LDBTC', '0.06'), of('LDO', '5')];
  const holdings = accountHoldings({
    exchange: { account: async () => ({ balances }), transferred: async () => [] } as never,
    market: { pairs: () => ['BTC', 'LDO', 'O'].map((baseAsset) => ({ baseAsset, quoteAsset: 'USDT' })) as never },
    accounts: { get: async () => ({ signer: {} }) as never },
    expected: async () => new Map([['BTC', decimal('0.1')]]),
  });
  const holding = async (asset: string) => {
    const { held, booked } = await holdings.holding('live:1', asset);
    return [toText(held), toText(booked)];
  };
  expect(await holding('BTC')).toEqual(['0.1', '0.1']);
  expect(await holding('O')).toEqual(['0', '0']);
  balances = [of('BTC', '0.1')];
  expect(await holding('BTC')).toEqual(['0.1', '0.1']);
});
