import { expect, test } from 'vitest';
import { moneyOf } from './real-money.ts';

test('money is named by wallet and exchange; that of an unknown exchange is real', () => {
  const named = (mode: 'paper' | 'live') =>
    (['simulated', 'binance-demo', 'binance-testnet', 'binance', undefined] as const).map((exchange) => moneyOf({ mode, exchange }));
  expect(named('live')).toEqual(['test', 'test', 'test', 'live', 'live']);
  expect(new Set(named('paper'))).toEqual(new Set(['paper']));
});
