import { expect, test } from 'vitest';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { cancelOnce } from './orders-routes.ts';

const cancelling = (cancel: ExchangeError, question: ExchangeError) => {
  const sent: string[] = [];
  const failing = (name: string, error: ExchangeError) => async () => {
    sent.push(name);
    throw error;
  };
  const exchange = { cancelOrder: failing('cancel', cancel), order: failing('ask', question) } as never;
  const done = cancelOnce(exchange, {} as never, { symbol: 'BTCUSDT', orderId: '1' }, { wait: async () => undefined });
  return { sent, done };
};
const limited = new ExchangeError('limited', 'Too many requests.', { retryAfterMs: 1000 });
const badKey = new ExchangeError('refused', 'Invalid API-key.', { code: -2015 });

test.each([
  ['slowed down', limited, 5],
  ['refused for the key', badKey, 2],
] as const)('a lost cancel is never told as refused because the questions after it were %s', async (_, question, calls) => {
  const { sent, done } = cancelling(new ExchangeError('unknown', 'No answer.'), question);
  await expect(done).rejects.toMatchObject({ code: 'exchange-unreachable' });
  expect(sent).toEqual(['cancel', ...Array(calls - 1).fill('ask')]);
});

test('a cancel that was turned away is told as that, unasked', async () => {
  const { sent, done } = cancelling(limited, badKey);
  await expect(done).rejects.toMatchObject({ code: 'exchange-rate-limited' });
  expect(sent).toEqual(['cancel']);
});
