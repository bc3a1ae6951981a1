import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { expect, test } from 'vitest';
import { loadTexts } from '../app/texts.ts';
import { exactText, shownText } from '../ui/cell-text.ts';
import type { Colours } from '../ui/colour.ts';
import { wallets } from './wallets.ts';

const paint = new Proxy({}, { get: () => (text: string) => text }) as Colours;

test.each([
  ['USDT', ['0.0012', '1,234.50', '0.00000001', '-0.01']],
  ['BTC', ['0.00123000', '1,234.50000000', '0.00000001', '-0.00500100']],
])('the sums of a wallet are read with the decimals of its currency: %s', async (currency, expected) => {
  const { columns } = wallets(await loadTexts('en'));
  const row = { currency, free: '0.00123', reserved: '1234.5', invested: '0.00000001', realised: '-0.005001' } as unknown as Wallet;
  const sums = ['free', 'reserved', 'invested', 'realised'].map((key) => columns.find((column) => column.key === key)!);
  expect(sums.map((column) => shownText(column, row, paint))).toEqual(expected);
  expect(sums.map((column) => exactText(column, row))).toEqual(['0.00123', '1234.5', '0.00000001', '-0.005001']);
});
