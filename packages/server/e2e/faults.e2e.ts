/** @module-tag smoke */
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Quantity } from '@pilotfish/core/money/figure';
import { beforeEach, describe, expect, test } from 'vitest';
import { BUYS_AT_ONCE, botStageOfEachTest } from './bot-stage.ts';

// The simulated exchange stands still unless it is moved, so every fault falls where the test puts it.

const stage = botStageOfEachTest({
  wallet: '1000',
  config: { entry: { ...BUYS_AT_ONCE.entry, size: { mode: 'fixed', value: '500' } } },
});
const { create, ask, detail, kinds, until, ordersAtExchange } = stage;
let bot: AutoTrade;
/** Kinds of its traces; one for all fills of an order. */
const steps = async () => (await kinds(bot)).filter((kind, n, all) => kind !== all[n - 1]);
beforeEach(async () => {
  bot = await create();
});

describe('an order is never doubled and never lost', () => {
  test('the exchange executes it and the answer is lost', async () => {
    stage.simulator.faults.next({ method: 'POST', path: '/api/v3/order', times: 1, loseAnswer: true });
    await ask(bot, 'enable');
    await until('the buy', async () => (await kinds(bot)).includes('Buy'));
    expect(await steps()).toEqual(['Entry', 'Buy']);
    expect(await ordersAtExchange()).toHaveLength(1);
  });

  test('the exchange answers 502 and had not executed it', async () => {
    stage.simulator.faults.next({ method: 'POST', path: '/api/v3/order', times: 1, status: 502 });
    await ask(bot, 'enable');
    await until('the entry to be given up', async () => (await kinds(bot)).includes('Exit'));
    expect((await kinds(bot)).slice(0, 2)).toEqual(['Entry', 'Exit']);
    const orders = await ordersAtExchange();
    const bought = (await kinds(bot)).filter((kind) => kind === 'Buy').length;
    expect(orders.length).toBe(bought);
  });

  test('its answer is lost, and the trades cannot be read after the order was placed', async () => {
    stage.simulator.faults.next({ method: 'POST', path: '/api/v3/order', times: 1, loseAnswer: true });
    stage.simulator.faults.next({ method: 'GET', path: '/api/v3/myTrades', times: 2, status: 503 });
    await ask(bot, 'enable');
    await until('the buy', async () => (await kinds(bot)).includes('Buy'));
    expect(await steps()).toEqual(['Entry', 'Buy']);
    expect(await ordersAtExchange()).toHaveLength(1);
  });

  test('its answer is lost, and the list of trades lags behind the order that is filled', async () => {
    stage.simulator.faults.next({ method: 'POST', path: '/api/v3/order', times: 1, loseAnswer: true });
    stage.simulator.faults.apply({ kind: 'trades', symbol: 'BTCUSDT', times: 2 });
    stage.simulator.faults.apply({ kind: 'events', action: 'drop', times: 10 });
    await ask(bot, 'enable');
    await until('the position being open', async () => (await detail(bot)).positions[0]?.state === 'Open');
    expect(await steps()).toEqual(['Entry', 'Buy']);
    const [order, ...others] = await ordersAtExchange();
    expect(others).toEqual([]);
    const [position] = (await detail(bot)).positions;
    expect(Number(position!.quantity)).toBeCloseTo(Number(order!.executedQty) * 0.999, 5);
  });

  test('it arrives after its time on an exchange that set its clock back, and is counted', async () => {
    // Longer than we wait for an answer; whether the order is still in time is judged by the exchange's own clock.
    stage.simulator.faults.apply({ kind: 'request', method: 'POST', path: '/api/v3/order', delayMs: 11_000 });
    await ask(bot, 'enable');
    await until('the entry', async () => (await kinds(bot)).includes('Entry'));
    stage.simulator.faults.apply({ kind: 'clock', skewMs: -10_000 });
    await until('the buy', async () => (await kinds(bot)).length > 1, 0);
    expect(await steps()).toEqual(['Entry', 'Buy']);
    stage.simulator.faults.clear();
    expect(await ordersAtExchange()).toHaveLength(1);
  });

  test('the server restarts while the position is open', async () => {
    await ask(bot, 'enable');
    await until('the buy', async () => (await kinds(bot)).includes('Buy'));
    await until('the position being open', async () => (await detail(bot)).positions[0]?.state === 'Open');
    const before = (await detail(bot)).positions[0];
    await stage.server.restart();
    await until('the bot being back', async () => (await detail(bot)).evaluations.length > 0, 0);
    expect((await detail(bot)).positions[0]).toEqual(before);
    await stage.pass(5000);
    expect(await ordersAtExchange()).toHaveLength(1);
  });

  test('the account stream is open and says nothing: an order without its event has it opened anew', async () => {
    const renewals = () => stage.server.logged().split('an order was not told of').length - 1;
    stage.simulator.faults.apply({ kind: 'streams', action: 'silence', of: 'user' });
    await ask(bot, 'enable');
    await until('the buy, known by the answer', async () => (await kinds(bot)).includes('Buy'));
    await until('the doubt', async () => renewals() === 1, 0);
    await until('the stream being asked what it missed', async () => stage.server.logged().includes('the account stream is down'), 0);
    expect(await ordersAtExchange()).toHaveLength(1);
  });

  test('the streams are cut while the position is open', async () => {
    await ask(bot, 'enable');
    await until('the buy', async () => (await kinds(bot)).includes('Buy'));
    stage.simulator.faults.dropSockets();
    await until('prices coming again', async () => {
      const at = (await detail(bot)).evaluations[0]?.at;
      return at !== null && at !== undefined && Date.parse(at) > stage.simulator.clock.now() - 1500;
    });
    expect(await ordersAtExchange()).toHaveLength(1);
  });
});

/** A quantity of BTC in its smallest unit. */
const units = (quantity: Quantity = ''): bigint => BigInt(Math.round(Number(quantity) * 1e8));

test('lots that the exchange changes while something is held: a sale that is refused for them leaves by those of now', async () => {
  await ask(bot, 'enable');
  await until('the position being open', async () => (await detail(bot)).positions[0]?.state === 'Open');
  const position = (await detail(bot)).positions[0];
  // What is held follows the price at which it was bought. Not a whole lot of the new ones: as it is, it would be refused.
  const held = units(position?.quantity);
  const lot = ['0.00010000', '0.00007000', '0.00003000'].find((step) => held % units(step) !== 0n)!;
  const coarse = { minQty: lot, maxQty: '9000.00000000', stepSize: lot };
  stage.simulator.faults.apply({ kind: 'filters', symbol: 'BTCUSDT', filters: [{ filterType: 'LOT_SIZE', ...coarse }] });
  expect((await ask(bot, `positions/${position?.id}/sell`)).status).toBe(200);
  await until('the sale', async () => (await kinds(bot)).includes('Exit') || (await detail(bot)).positions[0]?.state === 'NeedsAttention');
  expect((await detail(bot)).positions.map(({ state }) => state)).not.toContain('NeedsAttention');
  const sales = (await ordersAtExchange()).filter(({ side }) => side === 'SELL');
  // What is tried again may be a lot smaller, in case that was the reason; then the lot follows.
  expect(sales.map(({ status }) => status)).toEqual(sales.map(() => 'FILLED'));
  expect(sales.filter(({ origQty }) => units(origQty) % units(lot) !== 0n)).toEqual([]);
  expect(sales.reduce((sum, { origQty }) => sum + units(origQty), 0n)).toBe(held - (held % units(lot)));
});

describe('the kill switch', () => {
  test('from its answer on nothing is signed', async () => {
    // The order waits for the exchange's weight; the switch falls while it waits.
    await ask(bot, 'enable');
    const halted = await stage.user.call('/bff/v2/auto-trades/halt', { body: { scope: 'all', reason: 'test' } });
    expect(halted.body).toEqual({ halted: 1, liquidating: 0 });
    const before = (await ordersAtExchange()).length;
    await stage.pass(20_000);
    expect((await ordersAtExchange()).length).toBe(before);
    expect((await detail(bot)).state).toBe('Halted');
    const again = await ask(bot, 'enable');
    expect(again.status).toBe(409);
    await stage.server.restart();
    expect((await detail(bot)).state).toBe('Halted');
    const acknowledged = await ask(bot, 'enable', { acknowledge: true });
    expect(acknowledged.body).toMatchObject({ state: 'Running' });
  });
});

test('a key that no longer works blocks the bot instead of trying on', async () => {
  stage.simulator.faults.next({
    method: 'POST',
    path: '/api/v3/order',
    times: 1,
    status: 401,
    code: -2015,
    msg: 'Invalid API-key, IP, or permissions for action.',
  });
  await ask(bot, 'enable');
  await until('the bot being blocked', async () => (await detail(bot)).state === 'Blocked');
  expect((await detail(bot)).stateReason).toBe('invalid-key');
  expect(await ordersAtExchange()).toHaveLength(0);
});
