import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { expect, test } from 'vitest';
import { alertMarketOfEachTest } from './alert-market.ts';
import { flat, MINUTE } from './path-market.ts';

// How often, when and how long a firing is told.

const QUIET = 60;
const PATH = flat(100_000, QUIET + 600);

const world = alertMarketOfEachTest({ paths: { BTCUSDT: PATH }, quiet: QUIET });
const { alertNow, btc, firings, notices, post, send, until } = world;

const now = { kind: 'above', level: '1' } as const;
const always = { timeZone: 'UTC', windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' }] };

test('sixty an hour, then one message for all the others', async () => {
  const made: PriceAlert[] = [];
  for (let n = 0; n < 63; n += 1) {
    if (n % 20 === 19) world.server.advance(MINUTE);
    made.push(await btc(now, { fireIfTrue: true, note: `n${n}` }));
  }
  await until('all of them', async () => (await firings()).length === 63);
  expect((await firings()).filter(({ delivery }) => delivery === 'digest')).toHaveLength(3);
  const all = await notices();
  expect(all.filter(({ kind }) => kind === 'price-alert')).toHaveLength(60);
  expect(all.filter(({ kind }) => kind === 'price-alert-digest')).toHaveLength(1);
  expect(all.find(({ kind }) => kind === 'price-alert')!.title).toBe('BTCUSDT is above 1');
});

test('who fires all the time is told sixty an hour, every hour, and one message an hour for the rest', async () => {
  const count = async (kind: string) => (await notices()).filter((each) => each.kind === kind).length;
  let made = 0;
  const fire = async (times: number) => {
    for (const end = made + times; made < end; made += 1) await btc(now, { fireIfTrue: true, note: `n${made}` });
    await until('all of them', async () => (await firings()).length >= Math.min(200, made));
  };
  await fire(61);
  const later = async (minutes: number) => {
    world.server.advance(minutes * MINUTE);
    world.user.session = await world.server.signIn(world.user);
  };
  await later(50);
  await fire(1);
  expect([await count('price-alert'), await count('price-alert-digest')]).toEqual([60, 1]);
  // The sixty of the first minutes are an hour old, the ones after them are not.
  await later(11);
  await fire(2);
  const told = (await world.user.call<{ total: number }>('/bff/v2/notifications?kind=price-alert&pageSize=1')).body.total;
  expect([told, await count('price-alert-digest')]).toEqual([62, 1]);
});

test('replaced at the same price it is told again; as many at one level as there are', async () => {
  const alert = await btc(now, { fireIfTrue: true });
  const others = [await btc(now, { fireIfTrue: true }), await btc(now, { fireIfTrue: true })];
  await until('the firings', async () => (await firings()).length === 3);
  // Two firings of one alert in one millisecond would be the same one.
  await world.time.advance(1);
  const body = { symbol: 'BTCUSDT', condition: now, fireIfTrue: true };
  expect((await world.user.call(`/bff/v2/price-alerts/${alert.id}`, { method: 'PUT', body })).status).toBe(200);
  await until('the second firing', async () => (await alertNow(alert)).firedCount === 2);
  await until('its being told', async () => (await firings(alert)).length === 2);
  for (const other of others) expect(await firings(other)).toHaveLength(1);
  expect(await notices()).toHaveLength(4);
});

test('as many alerts as the instance allows', async () => {
  const most = await world.user.call('/bff/v2/admin/app-settings', { method: 'PUT', body: { values: { 'alerts.maxPerAccount': 2 } } });
  expect(most.status, JSON.stringify(most.body)).toBeLessThan(300);
  await btc({ kind: 'above', level: '200000' });
  const second = await btc({ kind: 'above', level: '200000' });
  const third = await send({ symbol: 'BTCUSDT', condition: now });
  expect(third).toMatchObject({ status: 409, body: { code: 'quota-reached', errors: [{ limit: '2', actual: '2' }] } });
  expect((await world.user.call(`/bff/v2/price-alerts/${second.id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await send({ symbol: 'BTCUSDT', condition: now })).status).toBe(201);
});

test('quiet hours keep it, or tell it afterwards', async () => {
  const dropped = await btc(now, { fireIfTrue: true, quietHours: { ...always, onWake: 'drop' } });
  const held = await btc(now, { fireIfTrue: true, quietHours: { ...always, onWake: 'deliver' } });
  await until('both', async () => (await firings()).length === 2);
  expect((await firings(dropped))[0]).toMatchObject({ delivery: 'dropped', deliveries: [], heldUntil: null });
  const [kept] = await firings(held);
  expect(kept!.delivery).toBe('held');
  expect(Date.parse(kept!.heldUntil!)).toBeGreaterThan(world.server.now());
  expect(await notices()).toHaveLength(1);
});

test('until somebody says that it was seen', async () => {
  const alert = await btc(now, { fireIfTrue: true, repeat: 'untilAcknowledged', cooldownMin: 1 });
  await until('the firing', async () => (await firings(alert)).length === 1);
  world.server.advance(MINUTE);
  await until('a reminder', async () => (await firings(alert))[0]!.reminders === 1);
  expect(await notices()).toHaveLength(2);
  expect((await post(alert, 'acknowledge')).status).toBe(200);
  expect((await firings(alert))[0]!.acknowledgedAt).not.toBeNull();
  world.server.advance(5 * MINUTE);
  await world.simulator.clock.advance(MINUTE);
  const later = await btc(now, { fireIfTrue: true });
  await until('a later alert', async () => (await firings(later)).length === 1);
  expect((await firings(alert))[0]!.reminders).toBe(1);
});

/** 01:00 UTC on the last Sunday of a month, from 0, after some moment: when Europe turns its clocks. */
function turnAfter(now: number, month: number): number {
  for (let year = new Date(now).getUTCFullYear(); ; year += 1) {
    const last = new Date(Date.UTC(year, month + 1, 0, 1));
    const turn = last.getTime() - last.getUTCDay() * 24 * 60 * MINUTE;
    if (turn - 24 * 60 * MINUTE > now) return turn;
  }
}

test.each([
  ['forward', 2, 5],
  ['back', 9, 6],
])('in the night in which the clocks go %s, what is held leaves at the hour the owner chose', async (_, month, hourOfDay) => {
  const nights = { timeZone: 'Europe/Berlin', windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '23:00', to: '07:00' }] };
  await world.server.context.database.queries.updateTable('accounts').set({ email_confirmed: 1 }).execute();
  const turn = turnAfter(world.server.now(), month);
  const moveTime = async (at: number) => {
    world.server.advance(at - world.server.now());
    world.user.session = await world.server.signIn(world.user);
  };
  await moveTime(turn - 90 * MINUTE);
  const alert = await btc(now, { fireIfTrue: true, channels: ['app', 'email'], quietHours: { ...nights, onWake: 'deliver' } });
  await until('the firing', async () => (await firings(alert)).length === 1, 10);
  const morning = new Date(turn);
  morning.setUTCHours(hourOfDay, 0, 0, 0);
  const held = (await firings(alert))[0]!;
  expect(held).toMatchObject({ delivery: 'held', heldUntil: morning.toISOString() });
  const mail = async () => (await firings(alert))[0]!.deliveries.find(({ channel }) => channel === 'email')?.state;
  await moveTime(morning.getTime() - 2 * MINUTE);
  world.server.context.notifier.wake();
  await world.time.during(world.server.context.notifier.settle());
  expect(await mail()).toBe('pending');
  await moveTime(morning.getTime());
  await until('its leaving', async () => (await mail()) === 'sent');
});
