import { btcusdt } from '@pilotfish/core/testing/pairs';
import pino from 'pino';
import { expect, test } from 'vitest';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { withUnread } from '../exchange/exchange-rows.ts';
import { coinsLacking } from './coins-lacking.ts';

const NO_ANSWER = new ExchangeError('unreachable', 'no answer');
const order = (clientOrderId: string, quantity: string, over: object = {}) => ({
  symbol: 'BTCUSDT',
  attention: null,
  order: { clientOrderId, quantity, side: 'Sell', type: 'StopLimit', executed: '0', orderId: '7', ...over },
});
/** The balances that the account answers with, one after the other; nothing is no answer. */
function stage(answers: ({ free: string; locked: string } | 'odd' | Error)[], inFlight: readonly object[] = []) {
  const bot = (accountKey: string) => ({ accountKey, inFlight: () => inFlight });
  const lacking = coinsLacking({
    exchange: {
      account: async () => {
        const answer = answers.shift();
        if (!answer || answer instanceof Error) throw answer ?? NO_ANSWER;
        if (answer === 'odd')
          return { balances: withUnread([], [{ list: 'balances', name: 'BTC', field: 'free', given: { asset: 'BTC' } }]) };
        return { balances: [{ asset: 'BTC', ...answer }] };
      },
    } as never,
    accounts: { get: async () => ({ signer: {} }) } as never,
    market: { pair: (symbol: string) => (symbol === 'BTCUSDT' ? btcusdt : undefined) },
    running: new Map([['one', bot('live:a')]]) as never,
    log: pino({ level: 'silent' }),
  });
  return (tries = 5, symbol = 'BTCUSDT', key = 'live:a') =>
    lacking({ ...order('x', '1'), symbol, clientOrderId: 'x', accountKey: key } as never, async (tried) => tried < tries);
}

test('what is free, and what rests there less what rests for other positions of bots on the account', async () => {
  const beside = [order('x', '1'), order('y', '0.5', { executed: '0.1' }), order('z', '7', { side: 'Buy' })];
  expect(await stage([{ free: '0.7', locked: '0.6' }], beside)()).toEqual({ free: '0.7', locked: '0.2' });
  expect(await stage([{ free: '0.7', locked: '0.3' }], beside)()).toEqual({ free: '0.7', locked: '0' });
  expect(await stage([{ free: '0.7', locked: '0.6' }], beside)(5, 'BTCUSDT', 'live:b')).toEqual({ free: '0.7', locked: '0.6' });
});

test.each([
  ['at the market', { type: 'Market' }, null],
  ['not known to be there', { orderId: null }, null],
  ['lost', {}, 'VANISHED'],
])('an order that is %s is not said to hold coins', async (_, over, attention) => {
  expect(await stage([{ free: '0.5', locked: '0.5' }], [{ ...order('y', '0.5', over), attention }])()).toEqual({
    free: '0.5',
    locked: '0.5',
  });
});

test('enough by now, and what is not known', async () => {
  expect(await stage([{ free: '1.0', locked: '0' }])()).toBe('enough');
  expect(await stage([])(5, 'NONEUSDT')).toBe('unknown');
});

test('an account that does not answer is asked again, until there is no next try; keys that are refused are not', async () => {
  expect(await stage([NO_ANSWER, NO_ANSWER, { free: '0', locked: '0' }])()).toEqual({ free: '0', locked: '0' });
  expect(await stage([NO_ANSWER, NO_ANSWER])(1)).toBe('unknown');
  // Nor is a balance that cannot be read nothing: it is asked for again.
  expect(await stage(['odd', { free: '0.4', locked: '0' }])()).toEqual({ free: '0.4', locked: '0' });
  expect(await stage(['odd', 'odd'])(1)).toBe('unknown');
  const refused = new ExchangeError('refused', 'no key', { code: -2015, status: 401 });
  expect(await stage([refused, { free: '0', locked: '0' }])()).toBe('unknown');
});
