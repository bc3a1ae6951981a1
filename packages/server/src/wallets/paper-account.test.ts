import { STANDARD_PAPER_TERMS } from '@pilotfish/core/money/trading-terms';
import { afterEach, expect, test, vi } from 'vitest';
import { unknownFeeOf } from '../auto-trades/bot-rules.ts';
import { accountTerms, setAccountTerms } from './paper-account.ts';

afterEach(() => void vi.unstubAllGlobals());

const timers = { deadline: () => new AbortController().signal };
const origins = { rest: 'http://127.0.0.1:1', stream: '', api: '', controlKey: 'own' };
const terms = { makerFeePct: '0.075', takerFeePct: '0.0001', latencyMs: 150 };

test('terms go to the account as fractions, to the last digit, with the key of the process', async () => {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response('{}'));
  vi.stubGlobal('fetch', fetch);
  await setAccountTerms(origins, 'a/b', terms, timers);
  const [url, init] = fetch.mock.calls[0]!;
  expect([url, init.method, new Headers(init.headers).get('x-sim-key')]).toEqual([
    'http://127.0.0.1:1/sim/v1/accounts/a%2Fb',
    'PATCH',
    'own',
  ]);
  expect(JSON.parse(init.body as string)).toEqual({ makerCommission: '0.00075', takerCommission: '0.000001', latencyMs: 150 });
  expect(accountTerms(STANDARD_PAPER_TERMS)).toEqual({ makerCommission: '0.001', takerCommission: '0.001', latencyMs: 0 });
});

test.each([
  ['refuses', async () => new Response('{"code":-1130}', { status: 400 })],
  ['is away', async () => Promise.reject(new TypeError('fetch failed'))],
])('an exchange that %s is an error: nothing may be stored that does not hold there', async (_, fetch) => {
  vi.stubGlobal('fetch', fetch);
  await expect(setAccountTerms(origins, 'a', terms, timers)).rejects.toMatchObject({ code: 'exchange-unreachable' });
});

test('where the exchange has not said what a pair costs, a paper wallet reckons with its own taker fee', () => {
  expect([unknownFeeOf({ terms }), unknownFeeOf({ terms: null }), unknownFeeOf(undefined)]).toEqual(['0.000001', '0.001', '0.001']);
});
