import { add, decimal, equals, sum, toText } from '@pilotfish/core/money/decimal';
import { expect, test } from 'vitest';
import { BUYS_AT_ONCE, botStageOfEachTest } from './bot-stage.ts';

// What the exchange does by its own rules rather than by a fault: bounds around a reference price, fills that come in
// drops, few connections in five minutes, the end of a connection announced, and best prices that change without trades.

const stage = botStageOfEachTest({ wallet: '5000' });
const { ask, detail, enabled, isIn, ordersAtExchange, story, traces, until } = stage;
const held = async (bot: Parameters<typeof detail>[0]) => (await detail(bot)).positions.find(({ state }) => state === 'Open')!;
const sell = async (bot: Parameters<typeof detail>[0]) => ask(bot, `positions/${(await held(bot)).id}/sell`);
const evaluation = async (bot: Parameters<typeof detail>[0]) => (await detail(bot)).evaluations[0]!;
const downs = () => stage.server.logged().split('the market stream is down').length - 1;

const outOfRange = () =>
  stage.simulator.faults.apply({
    kind: 'range',
    symbol: 'BTCUSDT',
    referencePrice: '1000000.00',
    askLimitMultUp: '1.01',
    askLimitMultDown: '0.99',
  });
const REASON = 'EXECUTION_RULE_PRICE_RANGE_EXCEEDED';

test('an urgent sale outside of the price range expires, waits with its reason, and goes again by itself', async () => {
  const bot = await enabled();
  await until('the purchase', isIn(bot, 'Open'));
  outOfRange();
  const body = { scope: 'bot', autoTradeId: bot.id, liquidate: true, reason: 'range' };
  expect((await stage.user.call('/bff/v2/auto-trades/halt', { body })).status).toBe(200);
  await until('its next time being named', async () => (await evaluation(bot)).rules.some(({ rule }) => rule === 'sale-filled'), 0);
  expect((await evaluation(bot)).rules).toContainEqual({ rule: 'sale-filled', observed: REASON, limit: null, pass: false });
  stage.simulator.faults.clear();
  await until('the sale', async () => (await story(bot)).includes('Exit KillSwitch'));
  const sales = (await ordersAtExchange()).filter(({ side }) => side === 'SELL').map(({ status }) => status);
  expect([sales.at(-1), new Set(sales.slice(0, -1))]).toEqual(['FILLED', new Set(['EXPIRED'])]);
});

test('a sale by hand outside of the price range is tried once more, then its owner is asked, with the reason', async () => {
  const bot = await enabled();
  await until('the purchase', isIn(bot, 'Open'));
  const { id } = await held(bot);
  outOfRange();
  expect((await sell(bot)).status).toBe(200);
  await until('the question', isIn(bot, 'NeedsAttention'), 0);
  expect((await detail(bot)).positions.find((each) => each.id === id)).toMatchObject({ attention: REASON });
  stage.simulator.faults.clear();
  expect((await ask(bot, `positions/${id}/sell`)).status).toBe(200);
  await until('the sale', async () => (await story(bot)).includes('Exit Manual'));
});

test('an order that is filled in drops is one position, with the sum of them to the last digit', async () => {
  stage.simulator.faults.apply({ kind: 'trickle', share: 0.0005, symbol: 'BTCUSDT' });
  const order = { type: 'Limit', offsetPct: '0.1', timeoutSec: 36_000, onTimeout: 'cancel' };
  const bot = await enabled({ entry: { ...BUYS_AT_ONCE.entry, size: { mode: 'fixed', value: '4000' }, order } });
  const buys = async () => (await traces(bot)).filter(({ kind }) => kind === 'Buy');
  await until('three fills', async () => (await buys()).length >= 3);
  expect((await ask(bot, 'disable')).status).toBe(200);
  await until('nothing of it waiting', async () => (await stage.openOrders()).length === 0);
  await until('the position', isIn(bot, 'Open'), 0);
  const [one, ...others] = await ordersAtExchange();
  expect(others).toEqual([]);
  const after = (await buys()).map((each) => each.after as Record<string, string>);
  const total = (name: string) => sum(after.map((each) => decimal(each[name]!)));
  expect([toText(total('quantity')), toText(total('quoteQuantity'))]).toEqual([
    toText(decimal(one!.executedQty)),
    toText(decimal(one!.cummulativeQuoteQty)),
  ]);
  expect((await detail(bot)).positions.filter(({ state }) => state === 'Open')).toHaveLength(1);
  const { quantity } = await held(bot);
  expect(equals(add(decimal(quantity), total('fee')), total('quantity'))).toBe(true);
});

test('one connection too many in five minutes: the server waits for its turn, and the bot goes on', async () => {
  const bot = await enabled();
  await until('the purchase', isIn(bot, 'Open'));
  stage.simulator.faults.apply({ kind: 'limits', connectionsPer5Minutes: 0 });
  stage.simulator.faults.apply({ kind: 'streams', action: 'cut' });
  const cutAt = stage.simulator.clock.now();
  await stage.pass(120_000);
  expect(Date.parse((await evaluation(bot)).at!)).toBeLessThanOrEqual(cutAt + 1000);
  stage.simulator.faults.clear();
  await until('prices', async () => Date.parse((await evaluation(bot)).at!) > cutAt + 120_000);
  await until('the sale being taken', async () => (await sell(bot)).status === 200);
  await until('the sale', async () => (await story(bot)).includes('Exit Manual'));
});

test('an end that is announced is left in time: no gap, and no price is missed', async () => {
  const bot = await enabled();
  await until('the purchase', isIn(bot, 'Open'));
  stage.simulator.faults.apply({ kind: 'streams', action: 'shutdown', graceMs: 10_000 });
  const before = downs();
  const at = stage.simulator.clock.now();
  await stage.pass(20_000);
  expect(stage.simulator.clock.now() - at).toBe(20_000);
  expect(downs()).toBe(before);
  expect(Date.parse((await evaluation(bot)).at!)).toBeGreaterThan(at + 10_000);
  await until('the sale being taken', async () => (await sell(bot)).status === 200);
  await until('the sale', async () => (await story(bot)).includes('Exit Manual'));
});

test('best prices that change two hundred times a second cost no connection, and the bot trades on', async () => {
  stage.simulator.faults.apply({ kind: 'bookTickers', perSecond: 200 });
  const bot = await enabled();
  const before = downs();
  await until('the purchase', isIn(bot, 'Open'));
  await stage.pass(20_000);
  expect(downs()).toBe(before);
  expect((await evaluation(bot)).rules.find(({ rule }) => rule === 'take-profit')?.observed).toMatch(/^\d+(\.\d+)?$/);
  await until('the sale being taken', async () => (await sell(bot)).status === 200);
  await until('the sale', async () => (await story(bot)).includes('Exit Manual'));
});
