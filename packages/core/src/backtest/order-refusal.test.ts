import { expect, test } from 'vitest';
import { btcusdt } from '../../testing/pairs.ts';
import { decimal } from '../money/decimal.ts';
import { type AskedOrder, refusalOf } from './order-refusal.ts';

// Lots, prices and stops are held against the simulator by the stories of the backtest.

const worth = (quantity: string, type: AskedOrder['type'], filters: object): string | undefined => {
  const price = type === 'Market' ? null : decimal('1000');
  const order = { side: 'Sell', type, quantity: decimal(quantity), price, stopPrice: null } as const;
  return refusalOf(order, { ...btcusdt.filters, ...filters }, decimal('1000'), 0)?.rule;
};

test('the value of market orders is held against the bounds that bind them, that of others against all', () => {
  const filters = { minNotional: '10', maxNotional: '5000', marketMinNotional: '0', marketMaxNotional: '2000' };
  expect([worth('0.005', 'Market', filters), worth('0.005', 'Limit', filters)]).toEqual([undefined, 'NOTIONAL']);
  expect([worth('3', 'Market', filters), worth('3', 'Limit', filters)]).toEqual(['NOTIONAL', undefined]);
  expect([worth('0.005', 'Market', { minNotional: '10' }), worth('6', 'Market', { maxNotional: '5000' })]).toEqual([
    'NOTIONAL',
    'NOTIONAL',
  ]);
});

test('a kind of order that the pair does not take is refused', () => {
  expect([worth('1', 'Market', { withoutOrders: ['Market'] }), worth('1', 'Limit', { withoutOrders: ['Market'] })]).toEqual([
    'ORDER_TYPE',
    undefined,
  ]);
});
