import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamPayload } from '@pilotfish/core/http/stream-contract';
import type { Page } from '@pilotfish/core/http/wire';
import type { AlertFiring, PriceAlert, PriceAlertInput } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';

// Alerts over HTTP and the stream, on a market whose prices are known beforehand, minute by minute as written.

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 0, 5);
/** History before the first moment: enough for averages of closed minutes. */
const QUIET = 60;
const line = (from: number, to: number, minutes: number) =>
  Array.from({ length: minutes }, (_, n) => Math.round(from + ((to - from) * (n + 1)) / minutes));
/** Flat at 100,000; up to 103,000, down to 97,000, up to 101,500, and flat there. */
const PATH = [
  ...Array.from({ length: QUIET + 10 }, () => 100_000),
  ...line(100_000, 103_000, 30),
  ...line(103_000, 97_000, 60),
  ...line(97_000, 101_500, 45),
  ...Array.from({ length: 600 }, () => 101_500),
];
/** Minutes after the beginning in which the price passes a level for the first time on the way. */
const WHOLE = 10 + 30 + 60 + 45 + 5;

let folder: string;
let simulator: Simulator;
let server: TestServer;
let user: SignedInUser;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-alerts-'));
  const lines = PATH.map((price, n) => {
    const open = PATH[n - 1] ?? price;
    const at = BEGIN + n * MINUTE;
    const volume = n === QUIET + 20 ? 500 : 50;
    return [
      at,
      open,
      Math.max(open, price),
      Math.min(open, price),
      price,
      volume,
      at + MINUTE - 1,
      volume * price,
      100,
      25,
      25 * price,
      0,
    ].join(',');
  });
  writeFileSync(join(folder, 'BTCUSDT-1m-path.csv'), `${lines.join('\n')}\n`);
  simulator = await startSimulator({ market: { kind: 'replay', folder, start: BEGIN + QUIET * MINUTE }, paused: true });
  server = await startTestServer({ realClock: true, settings: { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin } });
  user = await server.register();
});
afterEach(async () => {
  await server?.close();
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

const send = (body: object, who: SignedInUser = user) => who.call<PriceAlert>('/bff/v2/price-alerts', { body });
async function create(body: PriceAlertInput, who: SignedInUser = user): Promise<PriceAlert> {
  const answer = await send(body, who);
  expect(answer.status, JSON.stringify(answer.body).slice(0, 400)).toBe(201);
  return answer.body;
}
const btc = (condition: PriceAlertInput['condition'], over: Partial<PriceAlertInput> = {}) =>
  create({ symbol: 'BTCUSDT', condition, ...over });
const list = async (who: SignedInUser = user) => (await who.call<PriceAlert[]>('/bff/v2/price-alerts')).body;
const alertNow = async (alert: PriceAlert) => (await list()).find(({ id }) => id === alert.id)!;
const firings = async (alert?: PriceAlert) =>
  (
    await user.call<Page<AlertFiring>>(`/bff/v2/price-alerts/history?pageSize=200${alert ? `&priceAlertId=${alert.id}` : ''}`)
  ).body.items.reverse();
const post = (alert: PriceAlert, what: string, body: unknown = {}) =>
  user.call<PriceAlert>(`/bff/v2/price-alerts/${alert.id}/${what}`, { method: 'POST', body });
const priceNow = async () =>
  Number(
    (await user.call<{ items: { symbol: string; price: string }[] }>('/bff/v1/tickers')).body.items.find(
      ({ symbol }) => symbol === 'BTCUSDT',
    )?.price,
  );

/** Waits for what should be so; the market stands still meanwhile unless `stepMs` moves it. */
async function until(what: string, holds: () => Promise<boolean>, stepMs = 0): Promise<void> {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    if (await holds()) return;
    if (stepMs > 0) await simulator.clock.advance(stepMs);
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`${what} did not happen`);
}
/** Moves the market to a minute after its beginning, and waits until the server has heard of all of it. */
async function moveTo(minute: number): Promise<void> {
  const target = BEGIN + (QUIET + minute) * MINUTE;
  const heardAt = async () => Date.parse((await user.call<{ asOf: string }>('/bff/v1/tickers')).body.asOf);
  // After a start the stream takes a moment; a market that ran away meanwhile would stand still when it is there.
  const before = await heardAt();
  await until('the market being heard', async () => (await heardAt()) > before, 1000);
  while (simulator.clock.now() < target) await simulator.clock.advance(Math.min(MINUTE, target - simulator.clock.now()));
  const expected = PATH[QUIET + minute - 1]!;
  await until(`the price of minute ${minute}`, async () => Math.abs((await priceNow()) - expected) < 1);
}
/** Hears the alerts' events until the test ends. */
async function hear(who: SignedInUser): Promise<StreamPayload<'price-alerts'>[]> {
  const heard: StreamPayload<'price-alerts'>[] = [];
  const response = await fetch(`${server.url}/bff/v2/stream?topics=price-alerts`, {
    headers: { authorization: `Bearer ${who.session.accessToken}`, accept: 'text/event-stream', 'accept-encoding': 'identity' },
  });
  expect(response.status).toBe(200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  void (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (/^event: price-alerts$/m.test(event) && data) heard.push(JSON.parse(data) as StreamPayload<'price-alerts'>);
      }
    }
  })().catch(() => undefined);
  return heard;
}

test('every kind of price condition fires when it must, once, and not before', async () => {
  const heard = await hear(user);
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
});

test('again and again: only after the price has left the level, and after the cooldown', async () => {
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

test('what happened while the market was not heard fires late, with the time of its minute, and once', async () => {
  const missed = await btc({ kind: 'above', level: '102950' });
  const both = await btc({ kind: 'above', level: '101000' });
  await moveTo(12);
  simulator.faults.dropSockets();
  // To 103,000 and back to 99,000.
  await simulator.clock.advance(68 * MINUTE);
  await until('the missed firing', async () => (await firings(missed)).length > 0, 1000);
  const [firing] = await firings(missed);
  expect(firing).toMatchObject({ late: true });
  expect(Date.parse(firing!.at) % MINUTE).toBe(0);
  expect(Date.parse(firing!.at)).toBeGreaterThanOrEqual(BEGIN + (QUIET + 39) * MINUTE);
  expect(Date.parse(firing!.at)).toBeLessThanOrEqual(BEGIN + (QUIET + 41) * MINUTE);
  expect(await firings(both)).toHaveLength(1);
  // What is told says when it was: the price of then is not that of now.
  const told = (await user.call<{ items: { title: string; text: string }[] }>('/bff/v2/notifications?kind=price-alert')).body.items;
  const late = told.filter(({ text }) => text.includes('It happened at 2026-01-05'));
  expect(late.map(({ title }) => title).sort()).toEqual(['BTCUSDT is above 101,000', 'BTCUSDT is above 102,950']);
  await moveTo(WHOLE);
  expect(await firings(missed)).toHaveLength(1);
});

test('a restart loses nothing and tells nothing twice', async () => {
  const before = await btc({ kind: 'above', level: '100500' });
  const after = await btc({ kind: 'above', level: '102000' });
  const again = await btc({ kind: 'crosses', direction: 'either', level: '101000' }, { repeat: 'every', cooldownMin: 1 });
  const candle = await btc({ kind: 'sma', relation: 'below', period: 10, interval: '1m' });
  await moveTo(25);
  await until('two firings', async () => (await firings()).length === 2);
  await server.restart();
  expect(await alertNow(before)).toMatchObject({ state: 'Fired', firedCount: 1 });
  expect(await alertNow(after)).toMatchObject({ state: 'Armed' });
  await moveTo(60);
  await server.restart();
  await moveTo(WHOLE);
  await until('the rest', async () => (await firings(again)).length === 3 && (await firings(candle)).length === 1);
  expect(await firings(before)).toHaveLength(1);
  expect(await firings(after)).toHaveLength(1);
  const keys = (await firings()).map(({ priceAlertId, at }) => `${priceAlertId} ${at}`);
  expect(new Set(keys).size).toBe(keys.length);
});

describe('how it is told', () => {
  const now = { kind: 'above', level: '1' } as const;
  const always = { timeZone: 'UTC', windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' }] };
  const notices = async () =>
    (await user.call<{ items: { kind: string; title: string; text: string }[] }>('/bff/v2/notifications?pageSize=100')).body.items;

  test('sixty an hour, then one message for all the others', async () => {
    const made: PriceAlert[] = [];
    for (let n = 0; n < 63; n += 1) {
      if (n % 20 === 19) server.advance(MINUTE);
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
      server.advance(minutes * MINUTE);
      user.session = await server.signIn(user);
    };
    await later(50);
    await fire(1);
    expect([await count('price-alert'), await count('price-alert-digest')]).toEqual([60, 1]);
    // The sixty of the first minutes are an hour old, the ones after them are not.
    await later(11);
    await fire(2);
    const told = (await user.call<{ total: number }>('/bff/v2/notifications?kind=price-alert&pageSize=1')).body.total;
    expect([told, await count('price-alert-digest')]).toEqual([62, 1]);
  });

  test('replaced at the same price it is told again; as many at one level as there are', async () => {
    const alert = await btc(now, { fireIfTrue: true });
    const others = [await btc(now, { fireIfTrue: true }), await btc(now, { fireIfTrue: true })];
    await until('the firings', async () => (await firings()).length === 3);
    const body = { symbol: 'BTCUSDT', condition: now, fireIfTrue: true };
    expect((await user.call(`/bff/v2/price-alerts/${alert.id}`, { method: 'PUT', body })).status).toBe(200);
    await until('the second firing', async () => (await alertNow(alert)).firedCount === 2);
    await until('its being told', async () => (await firings(alert)).length === 2);
    for (const other of others) expect(await firings(other)).toHaveLength(1);
    expect(await notices()).toHaveLength(4);
  });

  test('as many alerts as the instance allows', async () => {
    const most = await user.call('/bff/v2/admin/app-settings', { method: 'PUT', body: { values: { 'alerts.maxPerAccount': 2 } } });
    expect(most.status, JSON.stringify(most.body)).toBeLessThan(300);
    await btc({ kind: 'above', level: '200000' });
    const second = await btc({ kind: 'above', level: '200000' });
    const third = await send({ symbol: 'BTCUSDT', condition: now });
    expect(third).toMatchObject({ status: 400, body: { errors: [{ code: 'too_many', limit: '2' }] } });
    expect((await user.call(`/bff/v2/price-alerts/${second.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await send({ symbol: 'BTCUSDT', condition: now })).status).toBe(201);
  });

  test('quiet hours keep it, or tell it afterwards', async () => {
    const dropped = await btc(now, { fireIfTrue: true, quietHours: { ...always, onWake: 'drop' } });
    const held = await btc(now, { fireIfTrue: true, quietHours: { ...always, onWake: 'deliver' } });
    await until('both', async () => (await firings()).length === 2);
    expect((await firings(dropped))[0]).toMatchObject({ delivery: 'dropped', deliveries: [], heldUntil: null });
    const [kept] = await firings(held);
    expect(kept!.delivery).toBe('held');
    expect(Date.parse(kept!.heldUntil!)).toBeGreaterThan(server.now());
    expect(await notices()).toHaveLength(1);
  });

  test('until somebody says that it was seen', async () => {
    const alert = await btc(now, { fireIfTrue: true, repeat: 'untilAcknowledged', cooldownMin: 1 });
    await until('the firing', async () => (await firings(alert)).length === 1);
    server.advance(MINUTE);
    await until('a reminder', async () => (await firings(alert))[0]!.reminders === 1);
    expect(await notices()).toHaveLength(2);
    expect((await post(alert, 'acknowledge')).status).toBe(200);
    expect((await firings(alert))[0]!.acknowledgedAt).not.toBeNull();
    server.advance(5 * MINUTE);
    await simulator.clock.advance(MINUTE);
    await until('a later alert', async () => (await firings(await btc(now, { fireIfTrue: true }))).length === 1);
    expect((await firings(alert))[0]!.reminders).toBe(1);
  });
});

test('asleep, switched off, replaced, over', async () => {
  const asleep = await btc({ kind: 'above', level: '100500' });
  const off = await btc({ kind: 'above', level: '100500' });
  const replaced = await btc({ kind: 'above', level: '100500' });
  const over = await btc({ kind: 'above', level: '100500' }, { expiresAt: new Date(server.now() + MINUTE).toISOString() });
  expect((await post(asleep, 'snooze', { minutes: 600 })).body.snoozedUntil).not.toBeNull();
  expect((await post(off, 'disable')).body).toMatchObject({ state: 'Disabled', enabled: false });
  const put = await user.call<PriceAlert>(`/bff/v2/price-alerts/${replaced.id}`, {
    method: 'PUT',
    body: { symbol: 'BTCUSDT', condition: { kind: 'above', level: '102500' }, note: 'higher' },
  });
  expect(put.body).toMatchObject({ id: replaced.id, state: 'Armed', note: 'higher' });
  server.advance(2 * MINUTE);
  await until('the end of its time', async () => (await alertNow(over)).state === 'Expired');
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
  expect((await user.call(`/bff/v2/price-alerts/${off.id}`, { method: 'DELETE' })).status).toBe(204);
  expect(await firings(off)).toHaveLength(1);
});

test('a coin that comes into a filter, and a filter that is gone', async () => {
  const filter = (
    await user.call<{ id: string }>('/bff/v2/coin-filters', {
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
  expect((await user.call(`/bff/v2/coin-filters/${filter.id}`, { method: 'DELETE' })).status).toBe(204);
  await until('the failure', async () => (await alertNow(last)).state === 'Failed');
  expect(await alertNow(last)).toMatchObject({ reason: 'filter-gone' });
});

test('what a bot does, and what the position it bought returns', async () => {
  const keys = await simulator.createAccount({ burnBnb: false, balances: { USDT: '20000' } });
  await user.call('/gateway/v2/account/connect/binance', { body: { clientId: keys.apiKey, clientSecret: keys.apiSecret } });
  const wallet = (await user.call<{ id: string }>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '10000' } }))
    .body;
  const made = await user.call<{ autoTrade: { id: string } }>('/bff/v2/auto-trades', {
    body: {
      name: 'Dip',
      walletId: wallet.id,
      coins: { symbols: ['BTCUSDT'] },
      entry: {
        size: { mode: 'fixed', value: '1000' },
        trigger: { kind: 'immediate' },
        trailing: { enabled: false },
        order: { type: 'Market' },
        maxSpreadPct: '5',
      },
      takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
      stopLoss: { mode: 'none' },
    },
  });
  const bot = made.body.autoTrade;
  const buys = await create({ autoTradeId: bot.id, condition: { kind: 'botEvent', event: 'Buy' } });
  const profit = await btc({ kind: 'positionPnl', relation: 'above', pct: '1.5' });
  const loss = await btc({ kind: 'positionPnl', relation: 'below', pct: '-50' });
  // What there is is looked at before anything comes of it.
  await until('a look at the bot', async () => {
    const rows = await server.context.database.queries.selectFrom('price_alerts').select('memory').where('id', '=', buys.id).execute();
    return (JSON.parse(rows[0]!.memory) as { cursor?: string }).cursor !== undefined;
  });
  await user.call(`/bff/v2/auto-trades/${bot.id}/enable`, { method: 'POST', body: {} });
  await until('the purchase being told', async () => (await firings(buys)).length === 1, 5000);
  expect((await firings(buys))[0]).toMatchObject({ symbol: 'BTCUSDT', facts: { event: 'Buy', bot: 'Dip' } });
  await until('the position returning enough', async () => (await firings(profit)).length === 1, 5000);
  expect(Number((await firings(profit))[0]!.facts.value)).toBeGreaterThanOrEqual(1.5);
  expect(await firings(loss)).toEqual([]);
});

test('of somebody else, of nothing, and nonsense', async () => {
  const alert = await btc({ kind: 'above', level: '200000' });
  const stranger = await server.register();
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
    const answer = await user.call<{ code: string; errors: { path: string; message: string }[] }>('/bff/v2/price-alerts', { body: each });
    expect({ status: answer.status, code: answer.body.code, each }).toEqual({ status: 400, code: 'invalid', each });
    expect(
      answer.body.errors.map(({ path: at }) => at),
      JSON.stringify(each),
    ).toContain(field);
  }
});
