import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Notification } from '@pilotfish/core/notifications/notifications-contract';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { until } from '@pilotfish/core/testing/until';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { Simulator } from '@pilotfish/simulator/app/simulator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BotApiServer, type BotChat, startBotApiServer } from '../src/app/testing/bot-api-server.ts';
import type { SignedInUser, TestServer } from '../src/app/testing/test-server.ts';
import { BUYS_AT_ONCE } from './bot-stage.ts';
import { type ExchangeStage, onClock, startExchangeStage } from './exchange-stage.ts';

// The Telegram bot over a real server and a simulated exchange; the other end speaks the Bot API's protocol.

let simulator: Simulator;
let server: TestServer;
let stage: ExchangeStage;
let telegram: BotApiServer;
let user: SignedInUser;
let chat: BotChat;

beforeEach(async () => {
  telegram = await startBotApiServer();
  stage = await startExchangeStage(11, { telegramBotToken: telegram.token, telegramApiRoot: telegram.url });
  ({ simulator, server } = stage);
  user = await server.register();
  chat = onClock(stage.time, telegram.chat(4711));
  // Answers are waited for by their chat: no notice of a halt may come in between.
  const quietHours = { enabled: false, from: '23:00', to: '08:00', timeZone: 'UTC' };
  const body = { channels: { 'bot-halted': [] }, quietHours };
  expect((await user.call('/bff/v2/notifications/settings', { method: 'PUT', body })).status).toBe(200);
});
afterEach(async () => {
  await stage?.close();
  await telegram?.close();
});

type Link = { available: boolean; connected: boolean; link?: string; code?: string; botName?: string };
const getLink = async (who = user) => (await who.call<Link>('/gateway/v2/account/connect/telegram')).body;
const connect = (code: string, who = user) => who.call('/gateway/v2/account/connect/telegram', { method: 'POST', headers: { code } });
const codeIn = (text: string) => /telegram-connect\?code=([\w-]+)/.exec(text)?.[1] ?? '';

/** Through the deep link, back to the app, and linked. */
async function link(): Promise<void> {
  const { link: deep } = await getLink();
  const met = await chat.say(`/start ${new URL(deep ?? '').searchParams.get('start') ?? ''}`);
  const greeted = chat.next();
  expect((await connect(codeIn(met.text))).status).toBe(204);
  expect((await greeted).text).toContain(user.username);
}

async function bot(over: Record<string, unknown> = {}): Promise<AutoTrade> {
  const wallets = (await user.call<Wallet[]>('/bff/v2/wallets')).body;
  const wallet =
    wallets[0] ?? (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '5000' } })).body;
  const body = {
    ...BUYS_AT_ONCE,
    name: 'Dip <b>&amp;</b>',
    walletId: wallet.id,
    stopLoss: { mode: 'percent', pct: '40' },
    notifications: {},
    ...over,
  };
  const { body: answer, status } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body });
  expect(status, JSON.stringify(answer).slice(0, 300)).toBe(200);
  return answer.autoTrade;
}
const detail = async (of: AutoTrade) => (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${of.id}/detail`)).body;
/** Moves the market until it is so. */
const untilMoved = (what: string, holds: () => Promise<boolean>) =>
  until(what, holds, { time: stage.time, meanwhile: () => simulator.clock.advance(1000) });
/** A bot that holds a position. */
async function holding(over: Record<string, unknown> = {}): Promise<AutoTrade> {
  const created = await bot(over);
  await user.call(`/bff/v2/auto-trades/${created.id}/enable`, { method: 'POST', body: {} });
  await untilMoved('a position', async () => (await detail(created)).positions.some(({ state }) => state === 'Open'));
  return created;
}

test('a chat is linked by two codes, each of which works once, and unlinked again', { tags: ['smoke'] }, async () => {
  const first = await getLink();
  expect(first).toMatchObject({ available: true, connected: false, botName: 'pilotfish_test_bot' });
  expect(first.link).toBe(`https://t.me/pilotfish_test_bot?start=${first.code}`);
  const { code = '' } = await getLink();
  // A newer link makes the older one useless.
  expect((await chat.say(`/start ${first.code}`)).text).toContain('no longer works');
  const met = await chat.say(`/start ${code}`);
  const back = codeIn(met.text);
  expect(back).not.toBe(code);
  expect((await chat.say(`/start ${code}`)).text).toContain('no longer works');
  // Neither the app's own code nor another account's use of the bot's code links anything.
  expect((await connect(code)).body).toMatchObject({ code: 'wrong-code', detail: expect.stringContaining('Telegram page') as string });
  const other = await server.register();
  expect((await connect(back, other)).body).toMatchObject({ code: 'wrong-code' });
  expect((await user.call<{ hasTelegram: boolean }>('/bff/v2/account')).body.hasTelegram).toBe(false);
  expect((await connect(back)).status).toBe(204);
  expect((await connect(back)).body).toMatchObject({ code: 'code-used', detail: expect.stringContaining('Telegram page') as string });
  expect((await user.call<{ hasTelegram: boolean }>('/bff/v2/account')).body.hasTelegram).toBe(true);
  expect(await getLink()).toMatchObject({ connected: true });
  const farewell = chat.next();
  expect((await user.call('/gateway/v2/account/connect/telegram', { method: 'DELETE' })).status).toBe(204);
  expect((await farewell).text.length).toBeGreaterThan(5);
  expect((await user.call('/gateway/v2/account/connect/telegram', { method: 'DELETE' })).body).toMatchObject({
    code: 'telegram-not-connected',
  });
  expect((await chat.say('/balance')).text).toContain('linked accounts only');
});

test('codes end after ten minutes', async () => {
  const { code } = await getLink();
  server.advance(10 * 60_000);
  expect((await chat.say(`/start ${code}`)).text).toContain('no longer works');
  const met = await chat.say(`/start ${(await getLink()).code}`);
  server.advance(10 * 60_000);
  user.session = await server.signIn(user);
  expect((await connect(codeIn(met.text))).body).toMatchObject({ code: 'code-expired' });
});

test('an unknown chat learns only how to link, and not for long; groups are refused', async () => {
  const stranger = onClock(stage.time, telegram.chat(99));
  const answers = [];
  for (const text of ['/balance', '/stopall', 'hello', '/bots', '/sell 1']) answers.push((await stranger.say(text)).text);
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('/user/telegram-connect');
  stranger.post('/status');
  const group = onClock(stage.time, telegram.chat(-5, 'group'));
  expect((await group.say('/status')).text).toContain('private chats only');
  expect(stranger.messages()).toHaveLength(5);
});

test('a position is sold by the second tap, once, and everything that was written is escaped', { tags: ['smoke'] }, async () => {
  await link();
  const created = await holding();
  const status = await chat.say('/status');
  expect(status.text).toContain('Open positions of bots: 1');
  const list = await chat.say('/positions');
  expect(list.text).toContain('<b>BTCUSDT</b>');
  expect(list.text).toContain('Dip &lt;b&gt;&amp;amp;&lt;/b&gt;');
  const asked = await chat.say('/sell btc');
  expect(asked.buttons).toHaveLength(2);
  expect((await detail(created)).positions[0]?.state).toBe('Open');
  // Another chat's tap on it does nothing.
  const thief = onClock(stage.time, telegram.chat(99));
  void thief.tap(asked, 0);
  const done = await chat.tap(asked, 0);
  expect(done.text).toContain('BTCUSDT');
  await untilMoved('the sale', async () =>
    (await detail(created)).positions.every(({ state }) => state !== 'Open' && state !== 'ExitPending'),
  );
  expect((await chat.tap(asked, 0)).text).toContain('Too late');
  const { items } = (await user.call<{ items: { kind: string; reason: string }[] }>(`/bff/v2/auto-trades/${created.id}/traces?kind=Exit`))
    .body;
  expect(items.map(({ reason }) => reason)).toEqual(['Manual']);
  expect((await chat.say('/pnl day')).text).toContain('Paper bots');
  const audit = (await user.call<{ items: { action: string; device: string }[] }>('/gateway/v1/account/audit-log')).body;
  expect(JSON.stringify(audit)).not.toContain('4711');
});

test('keys that may not trade: neither a sale nor a live bot is asked about, paper goes on', { tags: ['smoke'] }, async () => {
  await link();
  const { apiKey, apiSecret } = await simulator.createAccount({ balances: { USDT: '10000' } });
  expect((await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } })).status).toBe(
    200,
  );
  const wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Live', mode: 'live', initialBalance: '5000' } })).body;
  const held = await holding({ name: 'Held' });
  expect(held.mode).toBe('live');
  await bot({ name: 'Idle', walletId: wallet.id });
  await stage.time.during(simulator.restrict(apiKey, { enableSpotAndMarginTrading: false }));
  await user.call('/gateway/v2/account/connect/binance');
  for (const command of ['/sell btc', '/enable idle']) {
    const answer = await chat.say(command);
    expect(answer.buttons ?? []).toEqual([]);
    expect(answer.text).toContain('may not trade');
  }
  const paper = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Paper', mode: 'paper', initialBalance: '5000' } })).body;
  await bot({ name: 'On paper', walletId: paper.id });
  expect((await chat.say('/enable on')).text).toBe('On paper: Running');
});

test('a second tap after a minute changes nothing', async () => {
  await link();
  const created = await holding();
  const asked = await chat.say('/stopall');
  server.advance(60_000);
  expect((await chat.tap(asked, 0)).text).toContain('Too late');
  expect((await detail(created)).state).toBe('Running');
  const again = await chat.say('/stopall');
  expect((await chat.tap(again, 1)).text).toContain('Cancelled. Nothing was changed');
  expect((await detail(created)).state).toBe('Running');
  const last = await chat.say('/stopall');
  expect((await chat.tap(last, 0)).text).toContain('Halted: 1');
  expect((await detail(created)).state).toBe('Halted');
  expect((await chat.say('/enable 1')).text).toContain('enable it there');
});

test('a bot whose exits were held back is let go only after the sale that follows was named', async () => {
  await link();
  const created = await holding({ takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] } });
  const positionNow = async () => (await detail(created)).positions[0];
  const path = `/bff/v2/auto-trades/${created.id}`;
  await user.call(`${path}/disable`, { body: { exits: 'freeze' } });
  const target = { targetPrice: '1', sellNow: true };
  await user.call(`${path}/positions/${(await positionNow())?.id}/target-price`, { method: 'PATCH', body: target });
  // The first tap is for what was typed, the second for what it would sell.
  expect((await chat.tap(await chat.say('/disable 1'), 0)).text).toMatch(/BTCUSDT stands at .*: everything would be sold at once/);
  await until('the second question', async () => chat.messages().at(-1)?.buttons.length === 2, { time: stage.time });
  const enabling = await chat.say('/enable 1');
  expect(enabling.text).toMatch(/BTCUSDT stands at .*: everything would be sold at once.* USDT/);
  expect((await positionNow())?.state).toBe('Open');
  expect((await chat.tap(enabling, 0)).text).toContain(': Running');
  await untilMoved('the sale', async () => (await positionNow())?.state === 'Closed');
});

test('disabling a halted bot promises no exits, and sends none', async () => {
  await link();
  const created = await holding();
  const path = `/bff/v2/auto-trades/${created.id}`;
  await user.call('/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: created.id } });
  const { id } = (await detail(created)).positions[0]!;
  await user.call(`${path}/positions/${id}/target-price`, { method: 'PATCH', body: { targetPrice: '1', sellNow: true } });
  const asked = await chat.say('/disable 1');
  expect(asked.text).toContain('It stays halted: nothing is signed for it, exits included');
  expect((await chat.tap(asked, 0)).text).toContain('Disabled');
  const seenAt = async () => Date.parse((await detail(created)).evaluations[0]?.at ?? '');
  const before = await seenAt();
  await untilMoved('prices of ten seconds', async () => (await seenAt()) >= before + 10_000);
  expect((await detail(created)).positions[0]).toMatchObject({ id, state: 'Open' });
});

test('commands do what the apps do', async () => {
  await link();
  const created = await bot({ name: 'Dip' });
  expect((await chat.say('/bots')).text).toContain('1. <b>Dip</b> · Disabled');
  expect((await chat.say('/enable dip')).text).toBe('Dip: Running');
  expect((await detail(created)).state).toBe('Running');
  expect((await chat.say('/bot 1')).text).toContain('<b>Dip</b>');
  expect((await chat.say('/bot 7')).text).toContain('Bots: Dip');
  expect((await chat.say('/pause btc 30')).text).toContain('BTCUSDT');
  expect((await detail(created)).coinHalts.map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
  expect((await chat.say('/pause nope 30')).text).toContain('NOPE');
  expect((await chat.say('/balance')).text).toContain('Main');
  expect((await chat.say('/help')).text).toContain('/stopall');
  expect((await chat.say('/nonsense')).text).toContain('/help');
});

test('the bot speaks the language of the account', async () => {
  await link();
  await server.context.database.queries.updateTable('accounts').set({ language: 'tr' }).execute();
  expect((await chat.say('/bots')).text).toBe('Henüz bot yok.');
  expect((await chat.say('/positions')).text).toBe('Açık pozisyon yok.');
});

test('alerts are set, listed and snoozed in one line', async () => {
  await link();
  expect((await chat.say('/alerts')).text).toContain('No alerts');
  expect((await chat.say('/alert BTC > 700k')).text).toContain('BTCUSDT');
  const [alert] = (await user.call<PriceAlert[]>('/bff/v2/price-alerts')).body;
  expect(alert).toMatchObject({ symbol: 'BTCUSDT', channels: ['app', 'telegram'] });
  expect((await chat.say('/alerts')).text).toContain('1. ');
  expect((await chat.say('/snooze 1 30')).text).toContain('BTCUSDT');
  expect((await user.call<PriceAlert[]>('/bff/v2/price-alerts')).body[0]?.snoozedUntil).not.toBeNull();
  // Thousands and money as a phone writes them; what was understood is said, and what fits no pair is offered.
  expect((await chat.say('/alert BTC > 700’000')).text).toContain('700,000');
  const refused = (await chat.say('/alert BTCUSDT > €700000')).text;
  expect(refused).toContain('€700000');
  expect(refused).toContain('BTCUSDT &gt; 700000');
  expect((await chat.say('/alert BTC grows')).text).not.toContain('Alert set');
  // A currency that the Admin no longer offers is not found here either.
  const offer = (enabled: boolean | null) => user.call('/bff/v2/admin/currencies/ETH', { method: 'PUT', body: { enabled } });
  expect((await chat.say('/alert ETH > 700k')).text).toContain('Alert set');
  expect((await offer(false)).status).toBe(200);
  await stage.time.advance(6_000);
  expect((await chat.say('/alert ETH > 700k')).text).not.toContain('Alert set');
  expect((await offer(null)).status).toBe(200);
});

test('a replay after a crash does not act twice, and what was on its way is read after a restart', { tags: ['smoke'] }, async () => {
  await link();
  const created = await bot({ name: 'Dip' });
  await chat.say('/enable 1');
  await chat.say('/disable 1');
  expect((await detail(created)).state).toBe('Disabled');
  const before = chat.messages().length;
  telegram.replay();
  expect((await chat.say('/bots')).text).toContain('Disabled');
  await server.restart();
  telegram.replay();
  expect((await chat.say('/bots')).text).toContain('Disabled');
  expect(chat.messages()).toHaveLength(before + 2);
});

test('what happens is told in the chat once, after Telegram asked to wait; muted it is not', { tags: ['smoke'] }, async () => {
  await link();
  const created = await holding({ notifications: { Entry: 'both', Exit: 'both' } });
  const told = () => chat.messages().filter(({ text }) => text.includes('entering') || text.includes('alınıyor'));
  await untilMoved('the notice of the entry', async () => told().length > 0);
  telegram.fail('sendMessage', { status: 429, description: 'Too Many Requests', retryAfter: 1 });
  const tested = await user.call<{ delivered: boolean; failure: string }>('/bff/v2/notifications/test', { body: { channel: 'telegram' } });
  expect(tested.body).toEqual({ delivered: false, failure: 'telegram-busy' });
  const arrives = chat.next();
  server.advance(1500);
  server.context.notifier.wake();
  expect((await arrives).text).toContain('It works');
  await chat.say('/mute 2');
  const { positions } = await detail(created);
  await user.call(`/bff/v2/auto-trades/${created.id}/positions/${positions[0]?.id}/sell`, { method: 'POST' });
  const exits = async () =>
    (await user.call<{ items: Notification[] }>('/bff/v2/notifications?kind=bot-exit')).body.items.filter(
      ({ code }) => code === 'bot-exit',
    );
  await untilMoved('the exit', async () => (await exits()).length > 0);
  await stage.time.during(server.context.notifier.settle());
  expect(await exits()).toHaveLength(1);
  expect(chat.messages().some(({ text }) => text.includes('closed'))).toBe(false);
  expect(told()).toHaveLength(1);
});

test('a chat that blocked the bot is unlinked, and the list says what it missed', async () => {
  await link();
  telegram.fail('sendMessage', { status: 403, description: 'Forbidden: bot was blocked by the user' });
  expect((await user.call('/bff/v2/notifications/test', { body: { channel: 'telegram' } })).body).toEqual({
    delivered: false,
    failure: 'chat-blocked',
  });
  expect(await getLink()).toMatchObject({ connected: false });
  const { items } = (await user.call<{ items: Notification[] }>('/bff/v2/notifications?kind=test')).body;
  expect(items[0]?.undelivered).toEqual([{ channel: 'telegram', reason: 'chat-blocked', attempts: 1 }]);
});

test('nothing secret is logged', { tags: ['smoke'] }, async () => {
  await link();
  const { code } = await getLink();
  telegram.fail('sendMessage', { status: 500, description: 'Internal' });
  await user.call('/bff/v2/notifications/test', { body: { channel: 'telegram' } });
  await telegram.close();
  await server.restart();
  const logged = server.logged();
  expect(logged).not.toContain('canary');
  expect(logged).not.toContain('4711');
  if (code !== undefined) expect(logged).not.toContain(code);
  for (const { text } of chat.messages()) if (codeIn(text) !== '') expect(logged).not.toContain(codeIn(text));
});
