import { expect, test } from 'vitest';
import { choose, fold } from './prices.ts';

const ticker = (symbol: string, price: string, changePct: string, quoteVolume: string) => ({
  symbol,
  price,
  changePct,
  quoteVolume,
  open: '1',
  high: '1',
  low: '1',
  volume: '1',
  at: '2026-11-21T00:00:00.000Z',
});
const items = [ticker('LINKUSDT', '9', '-1', '100'), ticker('BTCUSDT', '100000', '2.5', '100'), ticker('ETHBTC', '0.03', '10', '20')];
const names = (options: Parameters<typeof choose>[1]) => choose(items, options).map(({ symbol }) => symbol);

test('figures largest first by value, not by text; ties by symbol', () => {
  expect(names({ sort: 'price' })).toEqual(['BTCUSDT', 'LINKUSDT', 'ETHBTC']);
  expect(names({ sort: 'changePct' })).toEqual(['ETHBTC', 'BTCUSDT', 'LINKUSDT']);
  expect(names({})).toEqual(['BTCUSDT', 'LINKUSDT', 'ETHBTC']);
  expect(names({ sort: 'symbol', limit: '2' })).toEqual(['BTCUSDT', 'ETHBTC']);
});
test('search finds what Turkish keyboards type', () => {
  for (const typed of ['link', 'LİNK', 'lınk', 'LINK']) expect(names({ search: typed }), typed).toEqual(['LINKUSDT']);
  expect(fold('Şığ')).toBe('sig');
  expect(names({ quote: 'btc' })).toEqual(['ETHBTC']);
});
test('a limit that is no count is refused', () => {
  for (const limit of ['0', '-1', '1.5', 'all']) expect(() => names({ limit })).toThrow('count');
});
