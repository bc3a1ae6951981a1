import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Order } from '@pilotfish/core/orders/orders-contract';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Candle, Ticker } from '@pilotfish/core/prices/prices-contract';
import { expect, test } from 'vitest';
import { ordersPayload } from '../src/exchange/payloads.ts';
import { botStageOfEachTest } from './bot-stage.ts';

// A coin whose name is not of Latin letters trades like any other: signed requests, streams, addresses, the database.

const PAIR = '币安人生USDT';
const stage = botStageOfEachTest({ balances: { USDT: '20000' }, wallet: '10000', config: { coins: { symbols: [PAIR] } }, tapes: true });
const { enabled, detail, get, until, ask, user } = { ...stage, user: () => stage.user };

test('a bot buys and sells it, and everything about it can be asked for', async () => {
  const bot = await enabled();
  await until('the position being open', stage.isIn(bot, 'Open'));
  const [position] = (await detail(bot)).positions;
  expect(position).toMatchObject({ symbol: PAIR, state: 'Open' });
  const at = encodeURIComponent(PAIR);
  const executed = await stage.askExchange({
    method: 'GET',
    path: '/api/v3/allOrders',
    parameters: { symbol: PAIR },
    answer: ordersPayload,
  });
  expect(executed.map(({ symbol, side, status }) => [symbol, side, status])).toEqual([[PAIR, 'BUY', 'FILLED']]);

  const { items } = await get<{ items: Candle[] }>(`/bff/v1/candles/${at}?interval=1m&limit=5`);
  expect(items).toHaveLength(5);
  expect(await get<Order[]>(`/bff/v2/orders/Binance/${at}`)).toEqual([]);
  const { items: held } = await get<{ items: OpenPosition[] }>(`/bff/v2/positions/open?search=${encodeURIComponent('币安')}`);
  expect(held.map(({ symbol, quantity }) => [symbol, quantity])).toEqual([[PAIR, position!.quantity]]);

  expect((await ask<AutoTradeDetail>(bot, `positions/${position!.id}/sell`, {})).status).toBeLessThan(300);
  await until('the position being closed', async () => (await detail(bot)).positions.every(({ state }) => state !== 'Open'));
  expect((await user().call(`/bff/v2/auto-trades/${bot.id}/disable`, { method: 'POST', body: {} })).status).toBe(200);
  await stage.server.restart();
  expect((await detail(bot)).coins).toEqual([PAIR]);
  expect(stage.replayed(bot).length).toBeGreaterThan(0);
});

test('an alert of it fires', async () => {
  const { items } = await get<{ items: Ticker[] }>('/bff/v1/tickers');
  const price = items.find(({ symbol }) => symbol === PAIR)!.price;
  const { body } = await user().call<PriceAlert>('/bff/v2/price-alerts', {
    body: { symbol: PAIR, condition: { kind: 'step', pct: '0.05', anchor: price } },
  });
  expect(body).toMatchObject({ symbol: PAIR, state: 'Armed' });
  await until('the alert firing', async () => {
    const { items } = await get<{ items: { symbol: string }[] }>(`/bff/v2/price-alerts/history?symbol=${encodeURIComponent(PAIR)}`);
    return items.length > 0;
  });
});
