import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { expect, test } from 'vitest';
import { alertMarketOfEachTest } from './alert-market.ts';
import { BEGIN, flat, line, MINUTE } from './path-market.ts';

// What alerts miss while nobody listens: told late, with the time of its minute, once, and only what was still awaited.

const QUIET = 60;
/** Flat at 100,000; up to 103,000, down to 97,000, up to 101,500, and flat there. */
const PATH = [
  ...flat(100_000, QUIET + 10),
  ...line(100_000, 103_000, 30),
  ...line(103_000, 97_000, 60),
  ...line(97_000, 101_500, 45),
  ...flat(101_500, 600),
];
/** Minutes after the beginning until all of it has happened. */
const WHOLE = 10 + 30 + 60 + 45 + 5;

const world = alertMarketOfEachTest({ paths: { BTCUSDT: PATH }, quiet: QUIET });
const { alertNow, btc, firings, moveTo, notices, post, until } = world;

test('what happened while the market was not heard fires late, with the time of its minute, and once', async () => {
  const missed = await btc({ kind: 'above', level: '102950' });
  const both = await btc({ kind: 'above', level: '101000' });
  await moveTo(12);
  world.simulator.faults.dropSockets();
  // To 103,000 and back to 99,000.
  await world.simulator.clock.advance(68 * MINUTE);
  await until('the missed firing', async () => (await firings(missed)).length > 0, 1000);
  const [firing] = await firings(missed);
  expect(firing).toMatchObject({ late: true });
  expect(Date.parse(firing!.at) % MINUTE).toBe(0);
  expect(Date.parse(firing!.at)).toBeGreaterThanOrEqual(BEGIN + (QUIET + 39) * MINUTE);
  expect(Date.parse(firing!.at)).toBeLessThanOrEqual(BEGIN + (QUIET + 41) * MINUTE);
  expect(await firings(both)).toHaveLength(1);
  // What is told says when it was: the price of then is not that of now.
  const told = (await world.user.call<{ items: { title: string; text: string }[] }>('/bff/v2/notifications?kind=price-alert')).body.items;
  const late = told.filter(({ text }) => text.includes('It happened at 5 Jan 2026'));
  expect(late.map(({ title }) => title).sort()).toEqual(['BTCUSDT is above 101,000', 'BTCUSDT is above 102,950']);
  await moveTo(WHOLE);
  expect(await firings(missed)).toHaveLength(1);
});

test('cooldowns, ends and sleep that fall into a gap count from their own moment', async () => {
  const often = await btc({ kind: 'crosses', direction: 'either', level: '101000' }, { repeat: 'every', cooldownMin: 5 });
  const rarely = await btc({ kind: 'crosses', direction: 'either', level: '101000' }, { repeat: 'every', cooldownMin: 60 });
  await moveTo(12);
  const inMinutes = (minutes: number) => new Date(world.server.now() + minutes * MINUTE).toISOString();
  const ended = await btc({ kind: 'above', level: '102000' }, { expiresAt: inMinutes(10) });
  const ending = await btc({ kind: 'above', level: '102000' }, { expiresAt: inMinutes(30) });
  const asleep = await btc({ kind: 'crosses', direction: 'either', level: '101500' });
  expect((await post(asleep, 'snooze', { until: inMinutes(30) })).status).toBe(200);
  await world.server.restart(async () => {
    world.server.advance(68 * MINUTE);
    await world.simulator.clock.advance(68 * MINUTE);
  });
  world.user.session = await world.server.signIn(world.user);
  await until('the past being read', async () => (await firings(ending)).length === 1 && (await firings(often)).length >= 2, 1000);
  const minutesOf = async (alert: PriceAlert) =>
    (await firings(alert)).map(({ late, at }) => [late, Math.floor((Date.parse(at) - world.at(0)) / MINUTE)]);
  // A bar is told with its beginning.
  expect(await minutesOf(often)).toEqual([
    [true, 19],
    [true, 60],
  ]);
  expect(await minutesOf(rarely)).toEqual([[true, 19]]);
  expect(await minutesOf(ending)).toEqual([[true, 30]]);
  expect(await minutesOf(asleep)).toEqual([[true, 55]]);
  await until('the end of its time', async () => (await alertNow(ended)).state === 'Expired', 10);
  expect(await firings(ended)).toEqual([]);
});

test('a reminder that was due while the server was away comes once, and then in its time', async () => {
  const alert = await btc({ kind: 'above', level: '1' }, { fireIfTrue: true, repeat: 'untilAcknowledged', cooldownMin: 30 });
  await until('the firing', async () => (await firings(alert)).length === 1);
  /** Told after everything that was due before it. */
  const aLaterOne = async () => {
    const later = await btc({ kind: 'above', level: '1' }, { fireIfTrue: true });
    await until('a later alert', async () => (await firings(later)).length === 1, 10);
  };
  const reminders = async () => (await firings(alert))[0]!.reminders;
  await world.server.restart();
  world.server.advance(29 * MINUTE);
  world.user.session = await world.server.signIn(world.user);
  await aLaterOne();
  expect(await reminders()).toBe(0);
  world.server.advance(100 * MINUTE);
  await world.server.restart();
  world.user.session = await world.server.signIn(world.user);
  await until('the reminder', async () => (await reminders()) === 1);
  await world.server.restart();
  world.server.advance(29 * MINUTE);
  world.user.session = await world.server.signIn(world.user);
  await aLaterOne();
  expect(await reminders()).toBe(1);
  world.server.advance(2 * MINUTE);
  await until('the second one', async () => (await reminders()) === 2);
  expect((await notices()).filter(({ title }) => title === 'BTCUSDT is above 1')).toHaveLength(5);
});

test('a restart loses nothing and tells nothing twice', async () => {
  const before = await btc({ kind: 'above', level: '100500' });
  const after = await btc({ kind: 'above', level: '102000' });
  const again = await btc({ kind: 'crosses', direction: 'either', level: '101000' }, { repeat: 'every', cooldownMin: 1 });
  const candle = await btc({ kind: 'sma', relation: 'below', period: 10, interval: '1m' });
  await moveTo(25);
  await until('two firings', async () => (await firings()).length === 2);
  await world.server.restart();
  expect(await alertNow(before)).toMatchObject({ state: 'Fired', firedCount: 1 });
  expect(await alertNow(after)).toMatchObject({ state: 'Armed' });
  await moveTo(60);
  await world.server.restart();
  await moveTo(WHOLE);
  await until('the rest', async () => (await firings(again)).length === 3 && (await firings(candle)).length === 1);
  expect(await firings(before)).toHaveLength(1);
  expect(await firings(after)).toHaveLength(1);
  const keys = (await firings()).map(({ priceAlertId, at }) => `${priceAlertId} ${at}`);
  expect(new Set(keys).size).toBe(keys.length);
});
