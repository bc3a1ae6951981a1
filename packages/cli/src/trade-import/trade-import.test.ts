import type { ImportAnswer } from '@pilotfish/core/trade-import/trade-import-contract';
import { expect, test } from 'vitest';
import { mappingOf } from './import.ts';
import { sayWarnings } from './import-answer.ts';
import { tradeOf } from './migrate.ts';

test('a mapping names the field first, so that a column may hold anything', () => {
  expect(mappingOf(['time=When = then', 'price=Rate'])).toEqual({ 'When = then': 'time', Rate: 'price' });
  expect(mappingOf([])).toBeUndefined();
  for (const wrong of ['When', 'colour=When', 'time=']) expect(() => mappingOf([wrong])).toThrow('mapping');
});

test('a trade as one writes it down', () => {
  expect(tradeOf('btcusdt buy 0.5 @ 40000 2024-05-01T10:00Z')).toEqual({
    symbol: 'BTCUSDT',
    side: 'Buy',
    quantity: '0.5',
    price: '40000',
    at: '2024-05-01T10:00:00.000Z',
  });
  expect(tradeOf('ETHBTC SELL 1@0.05 2024-05-01')).toMatchObject({ side: 'Sell', price: '0.05', at: '2024-05-01T00:00:00.000Z' });
  for (const wrong of ['BTCUSDT hold 1 @ 2 2024-05-01', 'BTCUSDT buy 1,5 @ 2 2024-05-01', 'BTCUSDT buy 1 @ 2'])
    expect(() => tradeOf(wrong)).toThrow('trade');
  for (const wrong of ['BTCUSDT buy 1 @ 2 01.05.2024', 'BTCUSDT buy 1 @ 2 2024-05-01T10:00']) expect(() => tradeOf(wrong)).toThrow('time');
});

test('each kind of warning says once what to do, before what it is about', async () => {
  const said: string[] = [];
  const say = async (key: string, { asset = '' }: { asset?: string } = {}) => void said.push(`${key} ${asset}`.trim());
  const warning = { at: '2024-05-01T10:00:00.000Z', amount: '1' };
  const warnings = [
    { code: 'HALF_SWAP', asset: 'GAL', ...warning },
    { code: 'NEGATIVE_HOLDING', asset: 'BTC', ...warning },
    { code: 'HALF_SWAP', asset: 'MATIC', ...warning },
  ];
  await sayWarnings({ say } as never, { warnings } as ImportAnswer);
  expect(said).toEqual([
    'imports.warning.HALF_SWAP.title',
    'imports.warning.HALF_SWAP.asset GAL',
    'cli.swaps.hint GAL',
    'imports.warning.HALF_SWAP.asset MATIC',
    'cli.swaps.hint MATIC',
    'imports.warning.NEGATIVE_HOLDING.title',
    'imports.warning.NEGATIVE_HOLDING.asset BTC',
  ]);
});
