import { expect, test } from 'vitest';
import en from '../locales/en.json' with { type: 'json' };
import type { AutoTrade, AutoTradeDetail } from './auto-trades-contract.ts';
import { heldPositions } from './held-positions.ts';
import { saleOutlook, saleWords } from './sale-outlook.ts';

// A fee of 0.1 %: what cost 99.9 each is even at 100.
const held = { quantity: '2', averageCost: '99.9', breakEven: '100' };

test('proceeds are what is left after the fee, the result what they are above the cost', () => {
  // 2 × 110 × 0.999 = 219.78; it cost 199.8.
  expect(saleOutlook(held, '110')).toEqual({ quantity: '2', price: '110', proceeds: '219.78', result: '19.98' });
  expect(saleOutlook(held, '90')).toMatchObject({ proceeds: '179.82', result: '-19.98' });
  expect(saleOutlook(held, '100')).toMatchObject({ result: '0' });
});

test('figures that divide endlessly are cut to what can be written', () => {
  expect(saleOutlook({ quantity: '0.00998001', averageCost: '100100.1001001001', breakEven: '100200.31' }, '100000')).toEqual({
    quantity: '0.00998001',
    price: '100000',
    proceeds: '997.00290348',
    result: '-1.99709652',
  });
});

test('nothing held, or no price: nothing is said of money', () => {
  expect(saleOutlook({ ...held, quantity: '0' }, '110')).toBeUndefined();
  expect(saleOutlook(held, null)).toBeUndefined();
  expect(saleOutlook({ ...held, averageCost: null }, '1')).toBeUndefined();
});

test('as a sentence: rounded for reading, with its currency', () => {
  const t = (key: string, values: Record<string, string> = {}) =>
    en.autoTrades.sale[key.replace('autoTrades.sale.', '') as keyof typeof en.autoTrades.sale].replace(
      /\{\{(\w+)\}\}/g,
      (_, name: string) => values[name] ?? '',
    );
  expect(saleWords(t, { ...held, quantity: '0.3333333333' }, '110', { currency: 'USDT', pricePrecision: 2 })).toBe(
    '0.33333333 at about 110.00: about 36.63 USDT after the fee, a result of +3.33 USDT.',
  );
  expect(saleWords(t, held, undefined, { currency: 'USDT', pricePrecision: undefined })).toBe(
    '2 at the market price, which is unknown now.',
  );
  // A price that stands since trading stopped is none.
  expect(saleWords(t, held, '110', { currency: 'USDT', pricePrecision: 2, isTraded: false })).toBe(
    '2 cannot be sold now: the exchange is not trading this pair, so no price is known.',
  );
});

test('a coin that the exchange does not trade has no price by which it could be sold', async () => {
  const rule = { rule: 'coin-trading', observed: 'BREAK', limit: null, pass: false };
  const seen = (symbol: string, rules: object[]) => ({ symbol, price: '110', rules });
  const detail = {
    evaluations: [seen('BTCUSDT', []), seen('ETHUSDT', [rule])],
    positions: ['BTCUSDT', 'ETHUSDT'].map((symbol) => ({ symbol, state: 'Open' })),
  } as unknown as AutoTradeDetail;
  const found = await heldPositions([{ id: 'dip', openPositions: 2 } as AutoTrade], async () => detail);
  expect(found.map(({ position, price, isTraded }) => [position.symbol, price, isTraded])).toEqual([
    ['BTCUSDT', '110', true],
    ['ETHUSDT', null, false],
  ]);
});
