import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Notification } from '@pilotfish/core/notifications/notifications-contract';
import { expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';

// The exchange serves a row of its list that cannot be read: a server that starts by it checks no account that holds the pair.

const stage = botStageOfEachTest({ wallet: '5000' });
const { detail, enabled, get, until, ordersAtExchange } = stage;

test('bots of an account that holds such a pair stand still, its owner is told once what is open, and they go on when it can be read', async () => {
  const bot = await enabled({ coins: { symbols: ['ETHUSDT', 'BTCUSDT'] }, maxOpenPositions: 2 });
  const open = async () => (await detail(bot)).positions.filter(({ state }) => state === 'Open').length;
  await until('both being held', async () => (await open()) === 2);
  const orders = (await ordersAtExchange()).length;
  const told = async () =>
    (await get<{ items: Notification[] }>('/bff/v2/notifications')).items.filter(({ code }) => code.startsWith('bots-pair-unread'));

  stage.simulator.faults.apply({ kind: 'row', symbol: 'ETHUSDT', fields: { baseAssetPrecision: 'eight' } });
  stage.simulator.faults.apply({ kind: 'symbol', symbol: 'BNBUSDT', status: 'BREAK' });
  await stage.server.restart();
  await until('its owner being told', async () => (await told()).length > 0);
  const [notice] = await told();
  expect(notice).toMatchObject({
    kind: 'bot-attention',
    code: 'bots-pair-unread-open',
    link: '/auto-trade',
    facts: { symbol: 'ETHUSDT', open: 2 },
  });
  expect(notice?.text).toContain('send no exit. Open positions: 2 (');
  expect(notice?.text).toMatch(/ETHUSDT \(Now\).*BTCUSDT \(Now\)|BTCUSDT \(Now\).*ETHUSDT \(Now\)/);
  // What is stored can be read: it is the pair that cannot.
  expect(await get('/bff/v2/account/unreadable')).toEqual({ items: [] });
  const [listed] = await get<AutoTrade[]>('/bff/v2/auto-trades');
  expect(listed).toMatchObject({ id: bot.id, unreadPair: 'ETHUSDT', openPositions: 2 });
  const { positions, evaluations } = await detail(bot);
  expect(Object.fromEntries(positions.map(({ symbol, state }) => [symbol, state]))).toEqual({ BTCUSDT: 'Open', ETHUSDT: 'Open' });
  const stoppedBy = Object.fromEntries(evaluations.map((each) => [each.symbol, each.stoppedBy]));
  expect(stoppedBy).toEqual({ BTCUSDT: 'pair-read', ETHUSDT: 'pair-read' });

  await stage.server.restart();
  await until('the bot standing still again', async () => (await detail(bot)).unreadPair === 'ETHUSDT');
  await stage.pass(10_000);
  expect([(await told()).length, (await ordersAtExchange()).length]).toEqual([1, orders]);

  // The list is read again every 15 minutes, or when a pair of it that rested trades: as here.
  stage.simulator.faults.clear();
  await until('the bot going on', async () => (await detail(bot)).unreadPair === null);
  expect(await open()).toBe(2);
});
