import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { expect, test } from 'vitest';
import { alertMarketOfEachTest } from './alert-market.ts';
import { flat, line, MINUTE } from './path-market.ts';

// Pairs that come and go, and changes over hours and a day, on a market with more than a day of history.

const QUIET = 26 * 60;
/** 95,000 a day ago, 98,000 four hours ago, 99,000 an hour ago; then up to 99,900. */
const BTC = [
  ...flat(95_000, QUIET - 250),
  ...flat(98_000, 180),
  ...flat(99_000, 70 + 10),
  ...line(99_000, 99_900, 30),
  ...flat(99_900, 120),
];
const ETH = flat(3000, BTC.length);

const world = alertMarketOfEachTest({ paths: { BTCUSDT: BTC, ETHUSDT: ETH }, quiet: QUIET });
const { alertNow, btc, create, firings, moveTo, notices, until } = world;

const setStatus = (symbol: string, status: 'TRADING' | 'BREAK' | 'DELISTED') =>
  world.simulator.faults.apply({ kind: 'symbol', symbol, status });
/** Pairs are asked for once a minute. */
const nextLook = () => world.server.advance(MINUTE);
/** The pairs that the server knows, as they are stored. */
const known = async () => {
  const row = await world.server.context.database.queries.selectFrom('price_alert_feed').select('pairs').executeTakeFirst();
  return Object.keys(JSON.parse(row?.pairs ?? '{}') as object).sort();
};

test('a pair that goes away and comes back', async () => {
  const listed = await create({ condition: { kind: 'newListing' }, repeat: 'every', cooldownMin: 1 });
  const elsewhere = await create({ condition: { kind: 'newListing', quoteAsset: 'EUR' } });
  const status = await create({ symbol: 'ETHUSDT', condition: { kind: 'statusChange' }, repeat: 'every', cooldownMin: 1 });
  const onlyBreak = await create({ symbol: 'ETHUSDT', condition: { kind: 'statusChange', status: 'BREAK' } });
  const level = await create({ symbol: 'ETHUSDT', condition: { kind: 'above', level: '4000' } });
  await until('a first look', async () => (await known()).length === 2);
  expect(await firings()).toEqual([]);

  setStatus('ETHUSDT', 'DELISTED');
  nextLook();
  await until('the delisting', async () => (await firings(status)).length === 1);
  expect((await firings(status))[0]).toMatchObject({ symbol: 'ETHUSDT', facts: { before: 'TRADING', status: 'DELISTED' } });
  expect(await alertNow(level)).toMatchObject({ state: 'Failed', reason: 'pair-delisted' });
  expect(await alertNow(onlyBreak)).toMatchObject({ state: 'Armed' });
  expect(await firings(listed)).toEqual([]);

  // Also what happened while the server was away is news.
  await until('its being stored', async () => (await known()).length === 1);
  await world.server.restart(async () => {
    await world.simulator.clock.advance(2 * MINUTE);
    setStatus('ETHUSDT', 'TRADING');
  });
  nextLook();
  await until('the listing', async () => (await firings(listed)).length === 1, 1000);
  expect((await firings(listed))[0]).toMatchObject({ symbol: 'ETHUSDT', facts: { found: 'ETHUSDT', quoteAsset: 'USDT' } });
  await until('its status', async () => (await firings(status)).length === 2, 1000);
  expect((await firings(status))[1]).toMatchObject({ facts: { before: 'DELISTED', status: 'TRADING' } });

  setStatus('ETHUSDT', 'BREAK');
  nextLook();
  await until('the break', async () => (await firings(onlyBreak)).length === 1);
  expect(await firings(elsewhere)).toEqual([]);
  expect(await firings(listed)).toHaveLength(1);
  const titles = (await notices()).map(({ title }) => title);
  expect(titles.filter((title) => title.includes('ETHUSDT')).length).toBeGreaterThanOrEqual(3);
});

test('changes over an hour, four hours and a day count from the price of then', async () => {
  const rise = (window: '1h' | '4h' | '24h', pct: string) => btc({ kind: 'change', direction: 'up', pct, window });
  const hour = await rise('1h', '0.5');
  const four = await rise('4h', '1.5');
  const day = await rise('24h', '5');
  const never = [await rise('1h', '1'), await rise('4h', '2'), await rise('24h', '5.5')];
  const fall = await btc({ kind: 'change', direction: 'down', pct: '0.1', window: '24h' });
  for (const alert of [hour, four, day]) await until('the past being known', async () => (await alertNow(alert)).state === 'Armed', 100);
  await moveTo(24);
  expect(await firings()).toEqual([]);
  const only = async (alert: PriceAlert) => {
    await until('the firing', async () => (await firings(alert)).length > 0, 10);
    const all = await firings(alert);
    expect(all).toHaveLength(1);
    return { change: Number(all[0]!.facts.change), from: Number(all[0]!.facts.from), price: Number(all[0]!.price) };
  };
  await moveTo(33);
  const [overHour, overFour] = [await only(hour), await only(four)];
  expect(await firings(day)).toEqual([]);
  await moveTo(45);
  const overDay = await only(day);
  for (const [found, from, pct] of [
    [overHour, 99_000, 0.5],
    [overFour, 98_000, 1.5],
    [overDay, 95_000, 5],
  ] as const) {
    expect(Math.abs(found.from - from)).toBeLessThan(10);
    expect(found.change).toBeGreaterThanOrEqual(pct);
    expect(found.change).toBeLessThan(pct + 0.1);
    expect(found.price / found.from - 1).toBeCloseTo(found.change / 100, 4);
  }
  for (const alert of [...never, fall]) expect(await firings(alert)).toEqual([]);
});
