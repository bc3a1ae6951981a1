import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { expect, test } from 'vitest';
import { alertMarketOfEachTest } from './alert-market.ts';
import { BUYS_AT_ONCE } from './bot-stage.ts';
import { flat, line } from './path-market.ts';

// Alerts about filters, bots and positions.

const QUIET = 60;
/** Flat at 100,000; up to 103,000, down to 97,000, up to 101,500, and flat there. */
const PATH = [
  ...flat(100_000, QUIET + 10),
  ...line(100_000, 103_000, 30),
  ...line(103_000, 97_000, 60),
  ...line(97_000, 101_500, 45),
  ...flat(101_500, 600),
];

const world = alertMarketOfEachTest({ paths: { BTCUSDT: PATH }, quiet: QUIET });
const { alertNow, btc, create, firings, until, moveTo } = world;

/** What the judge of an alert goes on from, as it was stored last. */
async function memoryOf({ id }: PriceAlert): Promise<{ cursor?: string; target?: string; states?: object }> {
  const { queries } = world.server.context.database;
  const row = await queries.selectFrom('price_alerts').select('memory').where('id', '=', id).executeTakeFirstOrThrow();
  return JSON.parse(row.memory) as Awaited<ReturnType<typeof memoryOf>>;
}
const looked = (alert: PriceAlert) => until('a look at the target', async () => (await memoryOf(alert)).target !== undefined, 10);

test('a coin that comes into a filter, and a filter that is gone', async () => {
  const filter = (
    await world.user.call<{ id: string }>('/bff/v2/coin-filters', {
      body: {
        name: 'High',
        conditions: { match: 'all', rules: [{ key: 'price', operation: 'gt', value: 101_500 }] },
        minAgeDays: 0,
        minQuoteVolume24h: '0',
        maxSpreadPct: '100',
        refreshMinutes: 5,
      },
    })
  ).body;
  const enters = await create({ coinFilterId: filter.id, condition: { kind: 'screener', event: 'enter' } });
  const leaves = await create({ coinFilterId: filter.id, condition: { kind: 'screener', event: 'exit' } });
  await until('a first look', async () => (await alertNow(enters)).state === 'Armed', 1000);
  await until('the coin coming in', async () => (await firings(enters)).length === 1, 10_000);
  expect((await firings(enters))[0]).toMatchObject({ symbol: 'BTCUSDT', facts: { entered: 'BTCUSDT' } });
  await until('the coin going out', async () => (await firings(leaves)).length === 1, 10_000);
  const last = await create({ coinFilterId: filter.id, condition: { kind: 'screener' } });
  expect((await world.user.call(`/bff/v2/coin-filters/${filter.id}`, { method: 'DELETE' })).status).toBe(204);
  await until('the failure', async () => (await alertNow(last)).state === 'Failed');
  expect(await alertNow(last)).toMatchObject({ reason: 'filter-gone' });
});

test('what a bot does, and what the position it bought returns', async () => {
  const keys = await world.simulator.createAccount({ burnBnb: false, balances: { USDT: '20000' } });
  await world.user.call('/gateway/v2/account/connect/binance', { body: { clientId: keys.apiKey, clientSecret: keys.apiSecret } });
  const wallet = (
    await world.user.call<{ id: string }>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '10000' } })
  ).body;
  const made = await world.user.call<{ autoTrade: { id: string } }>('/bff/v2/auto-trades', {
    body: {
      ...BUYS_AT_ONCE,
      name: 'Dip',
      walletId: wallet.id,
    },
  });
  const bot = made.body.autoTrade;
  const buys = await create({ autoTradeId: bot.id, condition: { kind: 'botEvent', event: 'Buy' } });
  // Of no bot by name: every bot of its owner, and of nobody else.
  const stranger = await world.server.register();
  const ofStranger = await create({ condition: { kind: 'botEvent', event: 'any' } }, stranger);
  const profit = await btc({ kind: 'positionPnl', relation: 'above', pct: '1.5' });
  const loss = await btc({ kind: 'positionPnl', relation: 'below', pct: '-50' });
  const near = await btc({ kind: 'positionTarget', pct: '1.2' });
  // So near that the price is past it between two looks.
  const reached = await btc({ kind: 'positionTarget', pct: '0.01' });
  // What there is is looked at before anything comes of it.
  for (const each of [buys, ofStranger]) await until('a look at the bots', async () => (await memoryOf(each)).cursor !== undefined);
  await world.user.call(`/bff/v2/auto-trades/${bot.id}/enable`, { method: 'POST', body: {} });
  await until('the purchase being told', async () => (await firings(buys)).length === 1, 100);
  expect((await firings(buys))[0]).toMatchObject({ symbol: 'BTCUSDT', facts: { event: 'Buy', bot: 'Dip' } });
  // The exchange's history is read on its own time; until the position is known the market hardly moves.
  const open = async () => (await world.user.call<{ items: { id: string }[] }>('/bff/v2/positions/open')).body.items;
  await until('the position', async () => (await open()).length === 1, 10);
  const [position] = await open();
  const target = { method: 'PATCH', body: { targetPrice: '102000' } };
  expect((await world.user.call(`/bff/v2/positions/open/${position!.id}/target-price`, target)).status).toBe(200);
  await looked(near);
  expect([await firings(profit), await firings(near), await firings(reached)]).toEqual([[], [], []]);
  await moveTo(25);
  await until('the target being near', async () => (await firings(near)).length === 1, 10);
  expect(Math.abs(Number((await firings(near))[0]!.facts.value))).toBeLessThanOrEqual(1.2);
  expect(await firings(reached)).toEqual([]);
  await moveTo(39);
  await until('the position returning enough', async () => (await firings(profit)).length === 1, 10);
  expect(Number((await firings(profit))[0]!.facts.value)).toBeGreaterThanOrEqual(1.5);
  await until('the target being reached', async () => (await firings(reached)).length === 1, 10);
  expect(Number((await firings(reached))[0]!.price)).toBeGreaterThan(101_900);
  await moveTo(50);
  expect([await firings(near), await firings(reached)].map((each) => each.length)).toEqual([1, 1]);
  expect(await firings(loss)).toEqual([]);
  const told = await stranger.call<{ items: unknown[] }>('/bff/v2/price-alerts/history?pageSize=200');
  expect(told.body.items).toEqual([]);
});
