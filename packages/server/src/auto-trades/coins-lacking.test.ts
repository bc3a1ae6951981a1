import { btcusdt } from '@pilotfish/core/testing/pairs';
import pino from 'pino';
import { expect, test } from 'vitest';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { coinsLacking } from './coins-lacking.ts';

const order = (clientOrderId: string, quantity: string, side = 'Sell', executed = '0') => ({
  symbol: 'BTCUSDT',
  order: { clientOrderId, quantity, side, executed },
});
/** The balances that the account answers with, one after the other; nothing is no answer. */
function stage(answers: ({ free: string; locked: string } | undefined)[], inFlight: readonly object[] = []) {
  const bot = (accountKey: string) => ({ accountKey, inFlight: () => inFlight });
  const lacking = coinsLacking({
    exchange: {
      account: async () => {
        const answer = answers.shift();
        if (!answer) throw new ExchangeError('unreachable', 'no answer');
        return { balances: [{ asset: 'BTC', ...answer }] };
      },
    } as never,
    market: { pair: (symbol: string) => (symbol === 'BTCUSDT' ? btcusdt : undefined) },
    running: new Map([['one', bot('live:a')]]) as never,
    log: pino({ level: 'silent' }),
  });
  return (tries = 5, symbol = 'BTCUSDT', key = 'live:a') =>
    lacking({ ...order('x', '1'), symbol, clientOrderId: 'x' } as never, { key, signer: {} } as never, async (tried) => tried < tries);
}

test('what is free, and what rests there less what rests for other positions of bots on the account', async () => {
  const beside = [order('x', '1'), order('y', '0.5', 'Sell', '0.1'), order('z', '7', 'Buy')];
  expect(await stage([{ free: '0.7', locked: '0.6' }], beside)()).toEqual({ free: '0.7', locked: '0.2' });
  expect(await stage([{ free: '0.7', locked: '0.3' }], beside)()).toEqual({ free: '0.7', locked: '0' });
  expect(await stage([{ free: '0.7', locked: '0.6' }], beside)(5, 'BTCUSDT', 'live:b')).toEqual({ free: '0.7', locked: '0.6' });
});

test('nothing is lacking where there is enough by now, or where the coin is not known', async () => {
  expect(await stage([{ free: '1.0', locked: '0' }])()).toBeUndefined();
  expect(await stage([])(5, 'NONEUSDT')).toBeUndefined();
});

test('an account that does not answer is asked again, until there is no next try', async () => {
  expect(await stage([undefined, undefined, { free: '0', locked: '0' }])()).toEqual({ free: '0', locked: '0' });
  expect(await stage([undefined, undefined])(1)).toBeUndefined();
});
