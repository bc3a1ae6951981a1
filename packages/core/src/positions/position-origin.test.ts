import { expect, test } from 'vitest';
import { type OwnFill, positionOrigins } from './position-origin.ts';

const fill = (
  autoTradeId: string,
  side: 'Buy' | 'Sell',
  at: number,
  reason: OwnFill['reason'] = side === 'Sell' ? 'TakeProfit' : null,
): OwnFill => ({
  autoTradeId,
  symbol: 'BTCUSDT',
  side,
  at,
  reason,
});
const span = (openedAt: number, closedAt: number, more: { trades?: number; closedBy?: 'sell' | 'gone' | 'hand' } = {}) => ({
  symbol: 'BTCUSDT',
  openedAt,
  closedAt,
  closedBy: 'sell' as const,
  trades: 2,
  ...more,
});

test('a position is of the bot that bought and sold it, and ends for the reason of its last sale', () => {
  const originOf = positionOrigins([fill('a', 'Buy', 1001), fill('a', 'Sell', 1500), fill('a', 'Sell', 2001, 'StopLoss')]);
  expect(originOf(span(1001, 2001, { trades: 3 }))).toEqual({ bots: ['a'], byHand: false, exit: 'StopLoss' });
});

test('one without a bot is by hand; so is one that a person ended', () => {
  const originOf = positionOrigins([fill('a', 'Buy', 1001)]);
  expect(originOf(span(5001, 6001))).toEqual({ bots: [], byHand: true, exit: 'hand' });
  expect(originOf({ ...span(1001, 2001), symbol: 'ETHUSDT' })).toEqual({ bots: [], byHand: true, exit: 'hand' });
  // Its last sale, at 2001, is no bot's.
  expect(originOf(span(1001, 2001))).toEqual({ bots: ['a'], byHand: true, exit: 'hand' });
});

test('several bots in one position, in the order in which they came', () => {
  const originOf = positionOrigins([fill('b', 'Sell', 2001, 'Manual'), fill('b', 'Buy', 1200), fill('a', 'Buy', 1001)]);
  expect(originOf(span(1001, 2001, { trades: 3 }))).toEqual({ bots: ['a', 'b'], byHand: false, exit: 'Manual' });
});

test('where one ends in the moment in which the next begins, the sale is of the first', () => {
  const originOf = positionOrigins([
    fill('a', 'Buy', 1001),
    fill('a', 'Sell', 2001),
    fill('b', 'Buy', 2001),
    fill('b', 'Sell', 3001, 'TimeStop'),
  ]);
  expect(originOf(span(1001, 2001))).toEqual({ bots: ['a'], byHand: false, exit: 'TakeProfit' });
  expect(originOf(span(2001, 3001))).toEqual({ bots: ['b'], byHand: false, exit: 'TimeStop' });
  expect(positionOrigins([fill('c', 'Buy', 7001), fill('c', 'Sell', 7001)])(span(7001, 7001))).toEqual({
    bots: ['c'],
    byHand: false,
    exit: 'TakeProfit',
  });
});

test('coins that went without a sale, and a closing by hand, end for no reason of a bot', () => {
  const originOf = positionOrigins([fill('a', 'Buy', 1001), fill('a', 'Sell', 2001)]);
  expect(originOf(span(1001, 2001, { closedBy: 'gone' })).exit).toBe('gone');
  expect(originOf(span(1001, 2001, { closedBy: 'hand' })).exit).toBe('hand');
});

test('of files, which say whole seconds, the fill that ended it counts too', () => {
  const originOf = positionOrigins([fill('a', 'Buy', 1734), fill('a', 'Sell', 2734, 'StopLoss')]);
  expect(originOf(span(1000, 2000))).toEqual({ bots: ['a'], byHand: false, exit: 'StopLoss' });
});
