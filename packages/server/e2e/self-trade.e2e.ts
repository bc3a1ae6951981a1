import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { placedOrderPayload } from '../src/exchange/payloads.ts';
import { BUYS_AT_ONCE, botStageOfEachTest } from './bot-stage.ts';

// An order of the account's owner lies in the way of an order of a bot: the exchange lets them not trade with each other.

const stage = botStageOfEachTest({ wallet: '5000', balances: { USDT: '10000', BTC: '500' } });
const { ask, askExchange, detail, enabled, isIn, ordersAtExchange, story, until } = stage;

const ended = async (bot: AutoTrade) => (await detail(bot)).positions.every(({ state }) => state === 'Closed');
const PAIR = 'BTCUSDT';
const bidOf = async () => {
  const answer = z.looseObject({ bidPrice: z.string() });
  return (await askExchange({ method: 'GET', path: '/api/v3/ticker/bookTicker', parameters: { symbol: PAIR }, answer })).bidPrice;
};
const ofOwner = (parameters: Record<string, string>) =>
  askExchange({ method: 'POST', path: '/api/v3/order', parameters: { symbol: PAIR, ...parameters }, answer: placedOrderPayload });
/** The owner's purchase is the best bid, and orders that name no mode expire where they would meet it. */
async function inTheWay() {
  const [defaultSelfTradePreventionMode, allowedSelfTradePreventionModes] = ['EXPIRE_TAKER', ['NONE', 'EXPIRE_TAKER']];
  const fields = { defaultSelfTradePreventionMode, allowedSelfTradePreventionModes };
  stage.simulator.faults.apply({ kind: 'row', symbol: PAIR, fields });
  return ofOwner({ side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: await bidOf() });
}

test('a sale that expires in the match is tried once more, then its owner is asked and can sell once nothing is in its way', async () => {
  const bot = await enabled({ cooldown: { afterWinMin: 600, afterLossMin: 600 } });
  await until('an open position', isIn(bot, 'Open'));
  const purchase = await inTheWay();
  const { id } = (await detail(bot)).positions[0]!;
  expect((await ask(bot, `positions/${id}/sell`)).status).toBe(200);
  await until('the question', isIn(bot, 'NeedsAttention'), 0);
  const sales = async () => (await ordersAtExchange()).filter(({ side }) => side === 'SELL').map(({ status }) => status);
  expect(await sales()).toEqual(['EXPIRED_IN_MATCH', 'EXPIRED_IN_MATCH']);
  const [position] = (await detail(bot)).positions;
  expect(position).toMatchObject({ attention: 'EXPIRED_IN_MATCH', allowed: expect.arrayContaining(['sell', 'detach']) });
  const parameters = { symbol: PAIR, orderId: purchase.orderId };
  await askExchange({ method: 'DELETE', path: '/api/v3/order', parameters, answer: z.unknown() });
  expect((await ask(bot, `positions/${id}/sell`)).status).toBe(200);
  await until('the exit', async () => (await story(bot)).includes('Exit Manual'), 0);
  expect((await sales()).at(-1)).toBe('FILLED');
  expect(await ended(bot)).toBe(true);
});

test('a purchase that rests and expires because the owner sells at its price is over, and nothing of it counts', async () => {
  const bot = await enabled({ entry: { ...BUYS_AT_ONCE.entry, order: { type: 'Limit', offsetPct: '0.1', timeoutSec: 36_000 } } });
  await until('a purchase that rests', async () => (await stage.openOrders()).length > 0);
  const [purchase] = await stage.openOrders();
  const statusOf = async () => (await ordersAtExchange()).find(({ orderId }) => orderId === purchase!.orderId)?.status;
  // What others bid above it is sold to first, as much at a time as one order may be worth.
  for (let sold = 0; sold < 5 && (await statusOf()) === 'NEW'; sold += 1)
    await ofOwner({ side: 'SELL', type: 'LIMIT', timeInForce: 'IOC', quantity: '90', price: purchase!.price });
  expect(await statusOf()).toBe('EXPIRED_IN_MATCH');
  await until('the position over', () => ended(bot), 0);
  expect(await story(bot)).not.toContain('Buy Entry');
});
