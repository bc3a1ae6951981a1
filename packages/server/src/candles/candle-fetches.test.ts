import { monthStart } from '@pilotfish/core/candles/candle-month';
import type { ExactCandle } from '@pilotfish/core/prices/candle-gaps';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { candleFetches, type FetchParts } from './candle-fetches.ts';
import type { CandleMonthStore, NewMonth } from './candle-month-store.ts';
import { candlesFromExchange } from './month-from-exchange.ts';

const HOUR = 3_600_000;
const START = monthStart('2024-02');
const candle = (openTime: number): ExactCandle => ({
  openTime,
  open: '1',
  high: '1',
  low: '1',
  close: '1',
  volume: '1',
  quoteVolume: '1',
  trades: 1,
});
const wish = { symbol: 'BTCUSDT', interval: '1h', from: '2024-02', source: 'exchange' } as const;

function stage(parts: Pick<FetchParts, 'fromExchange' | 'venueNow'>) {
  const written: NewMonth[] = [];
  const store = {
    list: async () => [],
    write: async (month: NewMonth) => {
      written.push(month);
      return { rows: month.candles.length, bytes: 1 };
    },
  } as unknown as CandleMonthStore;
  const fetches = candleFetches({ store, fromArchive: undefined, now: parts.venueNow, log: pino({ level: 'silent' }), ...parts });
  return { fetches, written };
}

test.each([
  ['an hour that the exchange does not tell yet is asked for again', START + 5 * HOUR, START + 4 * HOUR],
  ['hours at the end of a month that just ended are, too', monthStart('2024-03') + HOUR, START + 4 * HOUR],
  ['a day later there were none', monthStart('2024-03') + 25 * HOUR, monthStart('2024-03')],
])('%s', async (_, at, coveredTo) => {
  const { fetches, written } = stage({
    fromExchange: async () => [START, START + 3 * HOUR].map(candle),
    venueNow: () => at + 2000,
  });
  fetches.start('a', { ...wish, to: '2024-02' });
  await vi.waitFor(() => expect(fetches.get('a')?.state).toBe('done'));
  expect(written.map((month) => month.coveredTo)).toEqual([coveredTo]);
});

test('fetches that were ended and still wait count among those that run', async () => {
  let answer: (candles: ExactCandle[]) => void = () => undefined;
  const answered = new Promise<ExactCandle[]>((resolve) => {
    answer = resolve;
  });
  const { fetches } = stage({ fromExchange: () => answered, venueNow: () => START + 5 * HOUR });
  for (let time = 0; time < 3; time += 1) {
    fetches.start('a', wish);
    fetches.end('a');
  }
  expect(() => fetches.start('a', wish)).toThrow(expect.objectContaining({ code: 'rate-limited' }));
  answer([]);
  await vi.waitFor(() => expect(fetches.start('a', wish).state).toBe('running'));
});

test.each([
  ['off the grid', [START, START + HOUR + 1]],
  ['twice', [START, START]],
  ['out of order', [START + HOUR, START]],
])('candles that the exchange tells %s are not stored', async (_, times) => {
  const reader = {
    exchange: { candles: async () => times.map((time) => [time, '1', '1', '1', '1', '1', time + HOUR - 1, '1', 1]) },
    pacer: { take: async () => true, pause: () => undefined },
    timers: { wait: async () => undefined, running: () => 0 },
    rowsPerRequest: 1000,
    rest: 0,
  } as unknown as Parameters<typeof candlesFromExchange>[0];
  const span = { symbol: 'BTCUSDT', interval: '1h', from: START, to: START + 5 * HOUR };
  const asked = candlesFromExchange(reader, span, { signal: new AbortController().signal, onShare: () => undefined });
  await expect(asked).rejects.toMatchObject({ code: 'unreadable' });
});
