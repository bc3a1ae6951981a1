import type { Candle, Pair } from '@pilotfish/core/prices/prices-contract';
import { SPARKLINE_HOURS } from '@pilotfish/core/prices/sparkline';
import { until } from '@pilotfish/core/testing/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// The last 24 hours of pairs, over HTTP, from the hours that the server reads at the exchange.

const PATH = '/bff/v2/prices/sparklines';
const HOUR = 3_600_000;
type Lines = { until: string; items: { symbol: string; points: number[] }[] };

let stage: ExchangeStage;
beforeAll(async () => {
  stage = await startExchangeStage(7);
});
afterAll(async () => {
  await stage?.close();
});

/** Guests may ask. */
async function lines(query = ''): Promise<Lines> {
  const { status, body } = await stage.server.call<Lines>(PATH + query);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
const known = (what: string, holds: () => Promise<boolean>) =>
  until(what, holds, {
    time: stage.time,
    stepMs: 1000,
    meanwhile: async () => {
      await stage.simulator.clock.advance(1000);
    },
  });

/** The closes of an hour's candles that are over, as points of the same scale; computed from what the exchange says. */
async function expected(symbol: string): Promise<number[]> {
  const { body } = await stage.server.call<{ items: Candle[] }>(`/bff/v1/candles/${symbol}?interval=1h&limit=${SPARKLINE_HOURS + 1}`);
  const closes = body.items.slice(0, SPARKLINE_HOURS).map(({ close }) => Number(close));
  const [low, high] = [Math.min(...closes), Math.max(...closes)];
  return closes.map((close) => Math.round(((close - low) / (high - low)) * 100));
}

test('every pair that is traded has one once its hours are read; each is made of its last 24 closes', { tags: ['smoke'] }, async () => {
  const pairs = (await stage.server.call<Pair[]>('/bff/v1/pairs')).body.filter(({ status }) => status === 'TRADING');
  await known('the lines of all pairs', async () => (await lines()).items.length === pairs.length);
  const { items, until: closed } = await lines();
  expect(items.map(({ symbol }) => symbol).sort()).toEqual(pairs.map(({ symbol }) => symbol).sort());
  const newest = Math.floor(stage.time.now() / HOUR) * HOUR;
  expect(closed).toBe(new Date(newest).toISOString());
  for (const symbol of ['BTCUSDT', 'ETHUSDT'])
    expect(items.find((item) => item.symbol === symbol)?.points, symbol).toEqual(await expected(symbol));
});

test('of the pairs that are named, and no more than a hundred', async () => {
  const { items } = await lines('?symbols=ETHUSDT,NOPEUSDT');
  expect(items).toEqual([{ symbol: 'ETHUSDT', points: await expected('ETHUSDT') }]);
  const many = Array.from({ length: 101 }, (_, n) => `C${n}USDT`).join(',');
  expect((await stage.server.call(`${PATH}?symbols=${many}`)).status).toBe(400);
});

test('what has not changed is not sent again', async () => {
  const first = await stage.server.call(PATH);
  const again = await fetch(stage.server.url + PATH, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
});

test('an hour later a point has come, and the oldest has gone', async () => {
  const before = await lines('?symbols=BTCUSDT');
  await stage.simulator.clock.advance(HOUR);
  await known('the next hour', async () => (await lines('?symbols=BTCUSDT')).until > before.until);
  await known('the line of BTCUSDT', async () => (await lines('?symbols=BTCUSDT')).items.length === 1);
  const after = await lines('?symbols=BTCUSDT');
  expect(Date.parse(after.until) - Date.parse(before.until)).toBe(HOUR);
  expect(after.items[0]?.points).toEqual(await expected('BTCUSDT'));
});
