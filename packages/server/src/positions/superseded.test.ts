import type { TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import { expect, test } from 'vitest';
import { superseded } from './superseded.ts';

const T = Date.UTC(2026, 0, 1);
const fill = (id: string, more: Partial<TradeEntry> = {}): TradeEntry => ({
  kind: 'trade',
  id,
  at: T,
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  side: 'Buy',
  price: '100',
  quantity: '1',
  quoteQuantity: '100',
  fee: '0',
  feeAsset: 'USDT',
  tradeId: null,
  orderId: '7',
  source: 'api',
  feeInQuote: null,
  feeInPrimary: null,
  quoteRate: '1',
  ...more,
});

test('rows of files give way to the fills the exchange tells of, pair by pair', async () => {
  const stored: TradeEntry[] = [
    fill('row', { source: 'trade-history', orderId: null }),
    fill('order', { source: 'order-history', aggregate: true, at: T - 3_600_000, quantity: '3' }),
    fill('other', { source: 'trade-history', orderId: null, at: T + 5000 }),
  ];
  const asked: string[] = [];
  const ledger = {
    entries: async (_: string, { symbol = '', from = 0, to = 0 } = {}) => {
      asked.push(symbol);
      return stored.filter((entry) => entry.symbol === symbol && entry.at >= from && entry.at <= to);
    },
  };
  expect(await superseded(ledger, 'a', [fill('api'), fill('eth', { symbol: 'ETHUSDT' })])).toEqual(['row', 'order']);
  expect(asked).toEqual(['BTCUSDT', 'ETHUSDT']);
  expect(await superseded(ledger, 'a', [])).toEqual([]);
});
