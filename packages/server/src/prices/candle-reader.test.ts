import type { AppError } from '@pilotfish/core/http/problem';
import { expect, test } from 'vitest';
import { candleReader } from './candle-reader.ts';

const NOW = Date.UTC(2026, 0, 2, 12);
const MINUTE = 60_000;

function stage() {
  const asked: number[] = [];
  const clock = { at: NOW };
  const exchange = {
    candles: async (_symbol: string, _interval: string, { endTime }: { endTime?: number }) => {
      asked.push(endTime ?? 0);
      return [];
    },
  };
  const reader = candleReader({
    exchange: exchange as never,
    market: { board: { asOf: NOW } } as never,
    history: { stored: async () => undefined },
    now: () => clock.at,
  });
  return { asked, clock, reader };
}

test('any moment within a candle asks for the end of that candle, once', async () => {
  const { asked, reader } = stage();
  const at = NOW - 100 * MINUTE;
  for (const offset of [0, 1, 59_999]) await reader.candles('BTCUSDT', '1m', { limit: 10, endTime: at + offset });
  expect(asked).toEqual([at + MINUTE - 1]);
});

test('nobody can use up by looking at charts what bots and orders need', async () => {
  const { asked, clock, reader } = stage();
  const look = (index: number) => reader.candles('BTCUSDT', '1m', { limit: 10, endTime: NOW - (index + 2) * MINUTE });
  const answers = await Promise.allSettled(Array.from({ length: 1000 }, (_, index) => look(index)));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as AppError] : []));
  expect(asked.length).toBeLessThan(200);
  expect(refused).toHaveLength(1000 - asked.length);
  expect(refused[0]).toMatchObject({ code: 'rate-limited', retryAfter: expect.any(Number) });
  clock.at += MINUTE;
  await expect(look(2000)).resolves.toEqual([]);
});
