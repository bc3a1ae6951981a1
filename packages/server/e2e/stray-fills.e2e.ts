/** @module-tag smoke */
import type { AutoTrade, AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { clientOrderIdFor } from '@pilotfish/core/auto-trades/position/position-ids';
import type { OrderInFlight } from '@pilotfish/core/auto-trades/position/position-state';
import { expect, test } from 'vitest';
import { orderIntentsStore } from '../src/auto-trades/order-intents-store.ts';
import { placedOrderPayload } from '../src/exchange/payloads.ts';
import { botStageOfEachTest } from './bot-stage.ts';

// An order that counted as absent is executed all the same, long after its position was over.

const stage = botStageOfEachTest({ wallet: '5000' });
const { enabled, detail, get, kinds, until, isIn } = stage;

const strayLines = async (bot: AutoTrade) =>
  (await get<{ items: AutoTradeLog[] }>(`/bff/v2/auto-trades/${bot.id}/logs?pageSize=200`)).items.filter(({ code }) =>
    code.startsWith('STRAY'),
  );
const notices = async () =>
  (await get<{ items: { code: string; text: string }[] }>('/bff/v2/notifications?kind=bot-attention')).items.filter(({ code }) =>
    code.startsWith('bot-stray'),
  );
const errors = () => stage.server.logged().split('an order was executed that counts for no position').length - 1;

/** A bot that has bought and sold, and an order of that position that counts as never executed. */
async function withAbsentOrder(): Promise<{ bot: AutoTrade; clientOrderId: string }> {
  const bot = await enabled({ cooldown: { afterWinMin: 600, afterLossMin: 600 } });
  await until('an open position', isIn(bot, 'Open'));
  const { id } = (await detail(bot)).positions[0]!;
  await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
  await until('the exit', async () => (await kinds(bot)).includes('Exit'));
  const clientOrderId = clientOrderIdFor(id, 900, 0);
  const { database, newId } = stage.server.context;
  const intents = orderIntentsStore(database);
  const intent = {
    id: newId(),
    autoTradeId: bot.id,
    positionId: id,
    accountKey: `live:${await accountId()}`,
    clientOrderId,
    kind: 'place',
    symbol: 'BTCUSDT',
    order: { clientOrderId, side: 'Buy', type: 'Market', quantity: '0.01', placedAt: 0 } as OrderInFlight,
    maxSlippagePct: '1',
  } as const;
  await intents.appendIntents([intent], stage.time.now(), database.queries);
  await intents.setIntent(intent.id, 'refused', 'ABSENT', stage.server.now());
  return { bot, clientOrderId };
}
const accountId = async () =>
  (await stage.server.context.database.queries.selectFrom('accounts').select('id').executeTakeFirstOrThrow()).id;

const executed = (newClientOrderId: string, quantity = '0.01') =>
  stage.askExchange({
    method: 'POST',
    path: '/api/v3/order',
    parameters: { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity, newClientOrderId },
    answer: placedOrderPayload,
  });

test('its execution is told once: in the log of the bot, to its owner, and in the log of the server', async () => {
  const { bot, clientOrderId } = await withAbsentOrder();
  const before = await stage.traces(bot);
  await executed(clientOrderId);
  await until('the line', async () => (await strayLines(bot)).length > 0);
  await until('its being told', async () => (await notices()).length > 0 && errors() > 0, 0);
  expect(await strayLines(bot)).toMatchObject([
    { code: 'STRAY_BUY', level: 'error', symbol: 'BTCUSDT', facts: { quantity: '0.01', counted: '0' } },
  ]);
  expect(await notices()).toMatchObject([{ code: 'bot-stray-buy' }]);
  expect((await notices())[0]?.text).toMatch(/An order in BTCUSDT bought 0\.01 for [\d,.]+ USDT, although/);
  expect(errors()).toBe(1);
  // The next start finds the same order again.
  await stage.server.restart();
  await until('the bot being back', async () => (await detail(bot)).evaluations.length > 0, 0);
  await stage.pass(5000);
  expect([await strayLines(bot), await notices()].map(({ length }) => length)).toEqual([1, 1]);
  expect(errors()).toBe(1);
  // Nothing is traded on it.
  expect(await stage.traces(bot)).toEqual(before);
  expect(await stage.ordersAtExchange()).toHaveLength(3);
});

test('an execution that no stream told of is found by asking', async () => {
  const { bot, clientOrderId } = await withAbsentOrder();
  stage.simulator.faults.apply({ kind: 'events', action: 'drop', times: 20 });
  await executed(clientOrderId);
  await stage.server.restart();
  await until('the line', async () => (await strayLines(bot)).length > 0);
  await until('its being told', async () => (await notices()).length > 0, 0);
  expect(await notices()).toHaveLength(1);
});

test('an order of somebody else with an id like ours is no business of ours', async () => {
  const { bot, clientOrderId } = await withAbsentOrder();
  await executed(clientOrderIdFor('01890000-0000-7000-8000-000000000001', 1, 0));
  await executed(clientOrderId);
  // Looked at after the one before it.
  await until('the line', async () => (await strayLines(bot)).length > 0);
  await until('its being told', async () => errors() > 0, 0);
  expect(errors()).toBe(1);
});
