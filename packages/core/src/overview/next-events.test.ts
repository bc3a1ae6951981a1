import { expect, test } from 'vitest';
import { distanceTo, nearestFirst, withoutRepeats } from './next-events.ts';
import type { NextEvent } from './overview-contract.ts';

const event = (id: string, more: Partial<NextEvent> = {}): NextEvent => ({
  id,
  kind: 'bot',
  code: 'stop-loss',
  symbol: 'BTCUSDT',
  autoTradeId: null,
  botName: null,
  alertId: null,
  condition: null,
  mode: 'live',
  price: null,
  priceNow: null,
  distancePct: null,
  at: null,
  quantity: null,
  quote: null,
  currency: null,
  detail: null,
  ...more,
});

test('a distance is positive where the price must rise, and unknown without one of the two', () => {
  expect(distanceTo('98340.75', '97884.23')).toBe('0.4664');
  expect(distanceTo('95', '100')).toBe('-5');
  expect(distanceTo(null, '1')).toBeNull();
  expect(distanceTo('1', null)).toBeNull();
  expect(distanceTo('1', '0')).toBeNull();
});

test('nearest first whichever way, then by time, then what has neither; ties keep their order', () => {
  const events = [
    event('none'),
    event('late', { at: '2026-11-27T19:00:00.000Z' }),
    event('below', { distancePct: '-0.97' }),
    event('soon', { at: '2026-11-27T18:00:00.000Z' }),
    event('far', { distancePct: '10.5' }),
    event('same-b', { distancePct: '0.15' }),
    // Its time says when it is given up: the price is what is near.
    event('same-a', { distancePct: '-0.15', at: '2026-11-27T10:00:00.000Z' }),
  ];
  expect(nearestFirst(events).map(({ id }) => id)).toEqual(['same-a', 'same-b', 'below', 'far', 'soon', 'late', 'none']);
});

test('the pause of a bot is one event, whichever of its coins wait for it', () => {
  const pause = (id: string, bot: string, at = '2026-11-27T18:40:00.000Z', symbol = id) =>
    event(id, { kind: 'time', code: 'pause', autoTradeId: bot, symbol, at });
  const found = withoutRepeats([pause('BTCUSDT', 'a'), pause('ETHUSDT', 'a'), pause('SOLUSDT', 'b'), event('x'), event('y')]);
  expect(found.map(({ id, symbol }) => [id, symbol])).toEqual([
    ['a:pause:2026-11-27T18:40:00.000Z', null],
    ['SOLUSDT', 'SOLUSDT'],
    ['x', 'BTCUSDT'],
    ['y', 'BTCUSDT'],
  ]);
});
