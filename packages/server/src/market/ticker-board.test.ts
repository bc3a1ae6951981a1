import { decimal, divide, multiply, subtract, toFixedText } from '@pilotfish/core/money/decimal';
import { runs } from '@pilotfish/core/testing/tiers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changePct, tickerBoard } from './ticker-board.ts';

const event = (s: string, more: Record<string, unknown> = {}) => ({
  e: '24hrMiniTicker',
  E: 1000,
  s,
  c: '1.50000000',
  o: '1.00000000',
  h: '2.00000000',
  l: '0.50000000',
  v: '10.00000000',
  q: '100.10000000',
  ...more,
});

test('answers are the exchange’s own digits, columns are numbers', () => {
  const board = tickerBoard();
  board.apply([event('AAAUSDT'), event('BBBUSDT', { c: '0.00000812', o: '0.00000580', E: 2000 })]);
  expect(board.row('AAAUSDT')).toEqual({
    symbol: 'AAAUSDT',
    price: '1.5',
    open: '1',
    high: '2',
    low: '0.5',
    volume: '10',
    quoteVolume: '100.1',
    changePct: '50.00',
    at: 1000,
  });
  expect(board.price('BBBUSDT')).toBe('0.00000812');
  expect(board.column('price')[board.index('BBBUSDT')!]).toBe(0.00000812);
  expect(board.column('bid')[0]).toBeNaN();
  expect(board.asOf).toBe(2000);
  expect(board.takeChanged()).toEqual([
    ['AAAUSDT', '1.5', '50.00', '100.1', '2', '0.5'],
    ['BBBUSDT', '0.00000812', '40.00', '100.1', '2', '0.5'],
  ]);
  expect(board.takeChanged()).toEqual([]);
});

test.each([
  undefined,
  null,
  'text',
  {},
  [null],
  [1],
  [event('AAAUSDT', { c: 'NaN' })],
  [event('AAAUSDT', { c: '0.00000000' })],
  [event('AAAUSDT', { c: 1.5 })],
  [event('AAAUSDT', { c: '-1' })],
  [event('AAAUSDT', { c: '1e5' })],
  [event('AAAUSDT', { E: 'now' })],
  [event('AAAUSDT', { E: Number.NaN })],
  [{ ...event('AAAUSDT'), s: 5 }],
])('nonsense changes nothing: %j', (events) => {
  const board = tickerBoard();
  board.apply(events);
  expect(board.all()).toEqual([]);
  expect(board.takeChanged()).toEqual([]);
});

test('of two connections that tell the same, the slower one takes nothing back', () => {
  const board = tickerBoard();
  board.apply([event('AAAUSDT', { c: '5', E: 2000 })]);
  board.apply([event('AAAUSDT', { c: '4', E: 1980 })]);
  expect(board.row('AAAUSDT')).toMatchObject({ price: '5', at: 2000 });
  board.apply([event('AAAUSDT', { c: '6', E: 2000 })]);
  expect(board.price('AAAUSDT')).toBe('6');
});

test('a broken figure keeps the one before', () => {
  const board = tickerBoard();
  board.apply([event('AAAUSDT')]);
  board.apply([event('AAAUSDT', { h: '<script>', q: undefined, c: '1.6' })]);
  expect(board.row('AAAUSDT')).toMatchObject({ price: '1.6', high: '2', quoteVolume: '100.1' });
});

test('thousands of symbols keep their places', () => {
  const board = tickerBoard();
  board.apply(Array.from({ length: 5000 }, (_, n) => event(`S${n}USDT`, { c: String(n + 1) })));
  expect(board.size).toBe(5000);
  expect([board.index('S0USDT'), board.index('S4999USDT')]).toEqual([0, 4999]);
  expect(board.column('price')[4321]).toBe(4322);
  expect(board.symbolAt(4321)).toBe('S4321USDT');
  board.set('S4999USDT', 'bid', 7);
  board.set('NONE', 'bid', 7);
  expect(board.column('bid')[4999]).toBe(7);
});

test('changes round as exact arithmetic does', () => {
  const price = fc.integer({ min: 1, max: 10 ** 9 }).map((units) => (units / 10 ** 8).toFixed(8));
  fc.assert(
    fc.property(price, price, (open, close) => {
      const exact = divide(multiply(subtract(decimal(close), decimal(open)), decimal('100')), decimal(open), 12);
      expect(changePct(open, close)).toBe(toFixedText(exact, 2));
    }),
    { numRuns: runs(2000) },
  );
  expect([changePct('0', '1'), changePct('3', '2.99999'), changePct('20000', '20001'), changePct('20000', '20003')]).toEqual([
    '0',
    '0.00',
    '0.00',
    '0.02',
  ]);
});
