import { expect, test } from 'vitest';
import { requestGate } from './request-gate.ts';
import { weightBudget } from './weight-budget.ts';

/** A clock that moves only when something waits for it. */
function stage() {
  let time = 0;
  const timers = {
    wait: async (ms: number) => {
      time += ms;
    },
  };
  const now = () => time;
  const gate = requestGate({ budget: weightBudget({ limit: 100, now, timers }), timers, now });
  return { gate, at: now, move: (ms: number) => (time += ms) };
}
const order = (apiKey: string) => ({ method: 'POST', path: '/api/v3/order', weight: 1, signer: { apiKey } });
const sale = { ...order('bob'), urgent: true };
const account = { method: 'GET', path: '/api/v3/account', weight: 20, signer: { apiKey: 'ada' } };
const deposits = { method: 'GET', path: '/sapi/v1/capital/deposit/hisrec', weight: 1, signer: { apiKey: 'ada' } };
const TOO_MUCH = -1003;

test('an account with too many orders places none until it may; all else goes on', async () => {
  const { gate, at, move } = stage();
  gate.limited(order('ada'), 429, -1015, 7000);
  await expect(gate.enter(order('ada'))).rejects.toMatchObject({ kind: 'limited', code: -1015, retryAfterMs: 7000 });
  for (const request of [account, { ...order('ada'), method: 'DELETE' }, order('bob'), sale]) await gate.enter(request);
  expect(at()).toBe(0);
  move(7000);
  await gate.enter(order('ada'));
  expect(at()).toBe(7000);
});

test('the weight of the wallet is counted apart: reading it dry holds back no sale', async () => {
  const { gate, at } = stage();
  gate.answered(deposits, new Headers({ 'x-sapi-used-ip-weight-1m': '11999', 'x-mbx-used-weight-1m': '99' }));
  gate.limited(deposits, 429, TOO_MUCH, 50_000);
  await gate.enter(sale);
  await gate.enter(account);
  expect(at()).toBe(0);
  await gate.enter(deposits);
  expect(at()).toBeGreaterThanOrEqual(50_000);
});

test('what an answer says of the weight counts', async () => {
  const { gate, at } = stage();
  gate.answered(account, new Headers({ 'x-mbx-used-weight-1m': '79' }));
  await gate.enter(sale);
  expect(at()).toBe(0);
  await gate.enter(account);
  expect(at()).toBe(60_000);
});

test('during a ban nothing leaves, whatever it is', async () => {
  for (const request of [sale, account, deposits]) {
    const { gate, at } = stage();
    gate.limited(deposits, 418, TOO_MUCH, 120_000);
    await gate.enter(request);
    expect(at()).toBeGreaterThanOrEqual(120_000);
  }
});
