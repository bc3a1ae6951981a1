import type { StoredTrace, Trace } from '@pilotfish/core/auto-trades/trace';
import { expect, test } from 'vitest';
import { firstDifference } from './replay.ts';

const buy = {
  seq: 1,
  at: '2030-01-01T00:00:00.000Z',
  symbol: 'BTCUSDT',
  kind: 'Buy',
  reason: 'Entry',
  price: '97000.5',
} as unknown as Trace;
const sell = { ...buy, seq: 2, kind: 'Sell', reason: 'StopLoss', price: '96000' } as unknown as Trace;
const stored = (trace: Trace): StoredTrace => ({ ...trace, id: 'x', recordedAt: '2030-01-02T00:00:00.000Z' }) as unknown as StoredTrace;
const places = (symbol: string) => (symbol === 'BTCUSDT' ? 2 : undefined);

test('the difference is told with the digits of the pair, and a side without a trace with a dash', () => {
  expect(firstDifference([buy, sell], [stored(buy), stored({ ...sell, price: '96000.1' } as Trace)], places)).toEqual({
    seq: 2,
    replayed: 'Sell StopLoss 96,000.00',
    stored: 'Sell StopLoss 96,000.10',
  });
  expect(firstDifference([buy], [stored(buy), stored(sell)], places)).toMatchObject({ replayed: '–', stored: 'Sell StopLoss 96,000.00' });
});

test('the row id and the time of writing are no difference', () => {
  expect(firstDifference([buy, sell], [stored(buy), stored(sell)], places)).toBeUndefined();
});
