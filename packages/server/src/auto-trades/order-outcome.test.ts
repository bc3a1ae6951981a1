import { expect, test } from 'vitest';
import { orderEnd, toldExecutions } from './order-outcome.ts';

const placed = {
  symbol: 'BTCUSDT',
  orderId: '7',
  clientOrderId: 'a',
  transactTime: 1000,
  status: 'FILLED',
  executedQty: '3.00000000',
  cummulativeQuoteQty: '30.01000000',
  fills: [
    { price: '10.00000000', qty: '2.00000000', commission: '0.02', commissionAsset: 'USDT', tradeId: '1' },
    { price: '10.01000000', qty: '1.00000000', commission: '0.01', commissionAsset: 'BNB', tradeId: '2' },
  ],
};

test('the answer to an order tells its executions, each with its amount', () => {
  expect(toldExecutions(placed)).toEqual([
    { id: '1', price: '10.00000000', qty: '2.00000000', quoteQty: '20', commission: '0.02', commissionAsset: 'USDT', time: 1000 },
    { id: '2', price: '10.01000000', qty: '1.00000000', quoteQty: '10.01', commission: '0.01', commissionAsset: 'BNB', time: 1000 },
  ]);
  expect(toldExecutions({ ...placed, executedQty: '0.00', cummulativeQuoteQty: '0', fills: [] })).toEqual([]);
});

test.each([
  ['an execution is missing', { fills: placed.fills.slice(1) }],
  ['none is told', { fills: [] }],
  ['the amounts make up something else', { cummulativeQuoteQty: '30.00999999' }],
  ['the amount is not told', { cummulativeQuoteQty: undefined }],
])('when %s they have to be asked for', (_, change) => {
  expect(toldExecutions({ ...placed, ...change })).toBeUndefined();
});

test('an order that expired ends with the reason of the exchange, where it gives one', () => {
  expect(orderEnd('EXPIRED', 'INSUFFICIENT_LIQUIDITY')).toEqual({ status: 'EXPIRED', expiryReason: 'INSUFFICIENT_LIQUIDITY' });
  expect(orderEnd('FILLED', 'NONE')).toEqual({ status: 'FILLED' });
  expect(orderEnd('EXPIRED_IN_MATCH', 'NONE')).toEqual({ status: 'EXPIRED', expiryReason: 'EXPIRED_IN_MATCH' });
  expect(orderEnd('NEW', undefined)).toBeUndefined();
});
