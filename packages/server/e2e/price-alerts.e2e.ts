import type { Problem } from '@pilotfish/core/http/problem-document';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { expect, test } from 'vitest';
import { alertMarketOfEachTest } from './alert-market.ts';
import { BEGIN, flat, line, MINUTE } from './path-market.ts';

// Alerts over HTTP and the stream: what fires, when, how often, and what its owner may do with it.

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

const world = alertMarketOfEachTest({ paths: { BTCUSDT: PATH }, quiet: QUIET, volume: (minute) => (minute === QUIET + 20 ? 500 : 50) });
const { alertNow, btc, firings, hear, list, moveTo, post, until } = world;

test('every kind of price condition fires when it must, once, and not before', { tags: ['smoke'] }, async () => {
  const heard = await hear(world.user);
  const above = await btc({ kind: 'above', level: '102000' });
  const already = await btc({ kind: 'above', level: '90000' });
  const ifTrue = await btc({ kind: 'above', level: '90000' }, { fireIfTrue: true, note: 'at once' });
  const down = await btc({ kind: 'crosses', direction: 'down', level: '98000' });
  const never = await btc({ kind: 'crosses', direction: 'up', level: '103500' });
  const exit = await btc({ kind: 'channel', event: 'exit', lower: '99000', upper: '101000' });
  const enter = await btc({ kind: 'channel', event: 'enter', lower: '97000', upper: '98000' });
  const rise = await btc({ kind: 'change', direction: 'up', pct: '1', window: '15m' });
  const fall = await btc({ kind: 'change', direction: 'down', pct: '1', window: '15m' });
  const step = await btc({ kind: 'step', pct: '1' }, { repeat: 'every', cooldownMin: 1 });
  const rsi = await btc({ kind: 'rsi', relation: 'above', value: '70', interval: '1m' });
  const sma = await btc({ kind: 'sma', relation: 'below', period: 10, interval: '1m' });
  const ema = await btc({ kind: 'ema', relation: 'above', period: 5, slowPeriod: 20, interval: '1m' });
  const macd = await btc({ kind: 'macd', relation: 'below', interval: '1m' });
  const bands = await btc({ kind: 'bollinger', band: 'upper', relation: 'above', interval: '1m' });
  const spike = await btc({ kind: 'volumeSpike', times: '5', interval: '1m' });
  const far = await btc({ kind: 'volume', amount: '100000000000' });
  expect(await alertNow(above)).toMatchObject({ state: 'Armed', firedCount: 0, distancePct: '2.0000', lastPrice: '100000.00' });
  await until('the one that holds already', async () => (await firings(ifTrue)).length === 1);
  expect(await firings()).toHaveLength(1);

  await moveTo(10);
  expect((await firings()).map(({ priceAlertId }) => priceAlertId)).toEqual([ifTrue.id]);
  await moveTo(WHOLE);
  await until('the candles being judged', async () => (await firings(macd)).length > 0 && (await firings(sma)).length > 0);

  const only = async (alert: PriceAlert) => {
    const all = await firings(alert);
    expect(all, JSON.stringify(alert.condition)).toHaveLength(1);
    return all[0]!;
  };
  const first = await only(above);
  expect(first).toMatchObject({ late: false, symbol: 'BTCUSDT', delivery: 'sent', deliveries: [{ channel: 'app', state: 'sent' }] });
  expect(Number(first.price)).toBeGreaterThan(102_000);
  expect(Number(first.price)).toBeLessThan(102_150);
  expect(await alertNow(above)).toMatchObject({ state: 'Fired', firedCount: 1, lastFiredAt: first.at });
  expect(Number((await only(down)).price)).toBeLessThan(98_000);
  expect(Number((await only(exit)).price)).toBeGreaterThan(101_000);
  expect(Number((await only(enter)).price)).toBeLessThan(98_000);
  expect((await only(rise)).facts.change).toBeGreaterThanOrEqual(1);
  expect((await only(fall)).facts.change).toBeLessThanOrEqual(-1);
  expect(await firings(already)).toEqual([]);
  expect(await firings(never)).toEqual([]);
  expect(await firings(far)).toEqual([]);
  // 1 % at a time from where it fired last: up, down, and up again.
  const steps = [100_000, ...(await firings(step)).map(({ price }) => Number(price))];
  expect(steps.length).toBeGreaterThan(9);
  for (const [n, price] of steps.entries()) {
    const moved = n === 0 ? 1 : Math.abs((price / steps[n - 1]! - 1) * 100);
    expect(moved).toBeGreaterThanOrEqual(1);
    expect(moved).toBeLessThan(1.2);
  }
  expect((await alertNow(step)).anchor).not.toBeNull();
  for (const alert of [rsi, sma, ema, macd, bands, spike]) {
    const firing = await only(alert);
    expect(Date.parse(firing.at) % MINUTE).toBe(0);
    expect(Object.keys(firing.facts).length).toBeGreaterThan(1);
  }
  expect(await only(spike)).toMatchObject({ facts: { times: 10 } });
  // The minute's end, or its beginning when the server came to it late.
  expect([20, 21]).toContain((Date.parse((await only(spike)).at) - BEGIN) / MINUTE - QUIET);
  // Everything could be shown from the events alone.
  const told = heard.filter(({ firing }) => firing !== undefined).map(({ firing }) => firing!.id);
  expect([...told].sort()).toEqual((await firings()).map(({ id }) => id).sort());

  // To its owner only, also where somebody else knows its id.
  const stranger = await world.server.register();
  const shown = await stranger.call<{ items: unknown[] }>(`/bff/v2/price-alerts/history?priceAlertId=${above.id}`);
  expect(shown).toMatchObject({ status: 200, body: { items: [], total: 0 } });
});

test('again and again: only after the price has left the level, and after the cooldown', { tags: ['smoke'] }, async () => {
  const often = await btc({ kind: 'crosses', direction: 'either', level: '101000' }, { repeat: 'every', cooldownMin: 1 });
  const rarely = await btc({ kind: 'crosses', direction: 'either', level: '101000' }, { repeat: 'every', cooldownMin: 60 });
  const wide = await btc({ kind: 'above', level: '100500' }, { repeat: 'every', cooldownMin: 1, hysteresisPct: '5' });
  await moveTo(22);
  expect(await alertNow(rarely)).toMatchObject({ state: 'Cooldown', firedCount: 1 });
  expect((await alertNow(rarely)).cooldownUntil).not.toBeNull();
  await moveTo(WHOLE);
  await until('the last crossing', async () => (await firings(often)).length >= 3);
  expect(await firings(often)).toHaveLength(3);
  expect(await firings(rarely)).toHaveLength(2);
  expect(await firings(wide)).toHaveLength(1);
});

test('asleep, switched off, replaced, over', async () => {
  const asleep = await btc({ kind: 'above', level: '100500' });
  const off = await btc({ kind: 'above', level: '100500' });
  const replaced = await btc({ kind: 'above', level: '100500' });
  const over = await btc({ kind: 'above', level: '100500' }, { expiresAt: new Date(world.server.now() + MINUTE).toISOString() });
  expect((await post(asleep, 'snooze', { minutes: 600 })).body.snoozedUntil).not.toBeNull();
  expect((await post(off, 'disable')).body).toMatchObject({ state: 'Disabled', enabled: false });
  const put = await world.user.call<PriceAlert>(`/bff/v2/price-alerts/${replaced.id}`, {
    method: 'PUT',
    body: { symbol: 'BTCUSDT', condition: { kind: 'above', level: '102500' }, note: 'higher' },
  });
  expect(put.body).toMatchObject({ id: replaced.id, state: 'Armed', note: 'higher' });
  world.server.advance(2 * MINUTE);
  // Its time is over once the market was heard after it.
  await until('the end of its time', async () => (await alertNow(over)).state === 'Expired', 10);
  await moveTo(35);
  expect(await firings()).toEqual([]);
  await moveTo(39);
  await until('the replaced one', async () => (await firings(replaced)).length === 1);
  expect(await firings()).toHaveLength(1);
  // Switched on again it begins anew: the price is above already.
  expect((await post(off, 'enable')).body).toMatchObject({ state: 'Armed' });
  expect((await post(asleep, 'snooze', { until: null })).body.snoozedUntil).toBeNull();
  await moveTo(WHOLE);
  await until('both on the way up again', async () => (await firings(off)).length === 1 && (await firings(asleep)).length === 1);
  expect(await firings(over)).toEqual([]);
  expect((await world.user.call(`/bff/v2/price-alerts/${off.id}`, { method: 'DELETE' })).status).toBe(204);
  expect(await firings(off)).toHaveLength(1);
});

test('what the machine refuses is refused, in words, and nothing of it is kept', { tags: ['smoke'] }, async () => {
  const over = await btc({ kind: 'above', level: '200000' }, { expiresAt: new Date(world.server.now() + MINUTE).toISOString() });
  const armed = await btc({ kind: 'above', level: '200000' });
  expect(armed.allowed).toEqual(['snooze', 'disable']);
  const unseen = await world.user.call<Problem>(`/bff/v2/price-alerts/${armed.id}/acknowledge`, { method: 'POST', body: {} });
  expect(unseen).toMatchObject({ status: 409, body: { code: 'not-possible-now', detail: expect.stringContaining('has not fired') } });
  world.server.advance(2 * MINUTE);
  await until('the end of its time', async () => (await alertNow(over)).state === 'Expired', 10);
  expect((await alertNow(over)).allowed).toEqual(['enable', 'disable']);
  const snoozed = await world.user.call<Problem>(`/bff/v2/price-alerts/${over.id}/snooze`, {
    method: 'POST',
    body: { minutes: 5 },
    headers: { 'accept-language': 'tr' },
  });
  expect(snoozed).toMatchObject({ status: 409, body: { code: 'not-possible-now', detail: expect.stringContaining('Önce açın') } });
  expect(await alertNow(over)).toMatchObject({ state: 'Expired', snoozedUntil: null });
  // Switched on it watches again; what was off and rests goes on resting until its time.
  expect((await post(over, 'enable')).body).toMatchObject({ state: 'Armed', allowed: ['snooze', 'disable'] });
  expect((await post(armed, 'disable')).body).toMatchObject({ state: 'Disabled', allowed: ['snooze', 'enable'] });
  const { snoozedUntil } = (await post(armed, 'snooze', { minutes: 600 })).body;
  expect((await post(armed, 'enable')).body).toMatchObject({ state: 'Armed', snoozedUntil, allowed: ['wake', 'snooze', 'disable'] });
  expect((await post(armed, 'enable')).status).toBe(200);
});

test('of somebody else, of nothing, and nonsense', async () => {
  const alert = await btc({ kind: 'above', level: '200000' });
  const stranger = await world.server.register();
  const path = `/bff/v2/price-alerts/${alert.id}`;
  const body = { symbol: 'BTCUSDT', condition: { kind: 'above', level: '1' } };
  expect((await stranger.call(path, { method: 'PUT', body })).status).toBe(404);
  expect((await stranger.call(path, { method: 'DELETE' })).status).toBe(404);
  for (const what of ['snooze', 'acknowledge', 'enable', 'disable'])
    expect((await stranger.call(`${path}/${what}`, { method: 'POST', body: what === 'snooze' ? { minutes: 5 } : {} })).status).toBe(404);
  expect(await list(stranger)).toEqual([]);
  const filters = (await stranger.call<{ id: string }>('/bff/v2/coin-filters', { body: { name: 'Mine' } })).body;
  const wrong: [object, string][] = [
    [{ ...body, symbol: 'NOPEUSDT' }, 'symbol'],
    [{ condition: body.condition }, 'symbol'],
    [{ symbol: 'BTCUSDT', condition: { kind: 'above' } }, 'condition.level'],
    [{ symbol: 'BTCUSDT', condition: { kind: 'above', level: '-1' } }, 'condition.level'],
    [{ symbol: 'BTCUSDT', condition: { kind: 'channel', event: 'exit', lower: '5', upper: '4' } }, 'condition.upper'],
    [{ symbol: 'BTCUSDT', condition: { kind: 'rsi', relation: 'above', value: '101' } }, 'condition.value'],
    [{ ...body, hysteresisPct: '11' }, 'hysteresisPct'],
    [{ ...body, cooldownMin: 0 }, 'cooldownMin'],
    [{ ...body, note: 'x'.repeat(201) }, 'note'],
    [{ ...body, expiresAt: '2020-01-01T00:00:00.000Z' }, 'expiresAt'],
    [{ ...body, expiresAt: '2040-01-01T00:00:00.000Z' }, 'expiresAt'],
    [{ ...body, channels: [] }, 'channels'],
    [{ ...body, quietHours: { timeZone: 'Mars/Olympus', windows: [{ days: [1], from: '00:00', to: '01:00' }] } }, 'quietHours.timeZone'],
    [{ coinFilterId: filters.id, condition: { kind: 'screener' } }, 'coinFilterId'],
    [{ autoTradeId: filters.id, condition: { kind: 'botEvent' } }, 'autoTradeId'],
  ];
  for (const [each, field] of wrong) {
    const answer = await world.user.call<{ code: string; errors: { path: string; message: string }[] }>('/bff/v2/price-alerts', {
      body: each,
    });
    expect({ status: answer.status, code: answer.body.code, each }).toEqual({ status: 400, code: 'invalid', each });
    expect(
      answer.body.errors.map(({ path: at }) => at),
      JSON.stringify(each),
    ).toContain(field);
  }
});
