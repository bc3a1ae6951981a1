import { expect, test } from 'vitest';
import { ladderSchema } from './auto-trades-contract.ts';

test('a plan of a server that does not know what stands after each step can be read', () => {
  const rung = { symbol: 'BTCUSDT', level: 0, price: '60000', quantity: '0.01', quote: '600' };
  const told = { rungs: [rung], exits: [], stops: [], worstCaseTotal: '606', worstLoss: null, currency: 'USDT' };
  const [read] = ladderSchema.parse(told).rungs;
  expect(read).toEqual({ ...rung, stopPrice: null, lossAtStop: null, sells: [] });
});
