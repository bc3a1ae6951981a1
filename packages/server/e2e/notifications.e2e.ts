import { createHmac } from 'node:crypto';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import type { Notification } from '@pilotfish/core/notifications/notifications-contract';
import { until } from '@pilotfish/core/testing/until';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { Simulator } from '@pilotfish/simulator/app/simulator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BotApiServer, type BotChat, startBotApiServer } from '../src/app/testing/bot-api-server.ts';
import { type MailServer, startMailServer } from '../src/app/testing/mail-server.ts';
import { type ReceivingServer, startReceivingServer } from '../src/app/testing/receiving-server.ts';
import type { SignedInUser, TestServer } from '../src/app/testing/test-server.ts';
import { signerFor } from '../src/exchange/signing.ts';
import { BUYS_AT_ONCE } from './bot-stage.ts';
import { type ExchangeStage, onClock, startExchangeStage } from './exchange-stage.ts';

// What a bot does reaches its owner by every channel once, whatever fails on the way.

let simulator: Simulator;
let server: TestServer;
let stage: ExchangeStage;
let telegram: BotApiServer;
let mail: MailServer;
let hook: ReceivingServer;
let user: SignedInUser;
let chat: BotChat;

beforeEach(async () => {
  telegram = await startBotApiServer();
  mail = await startMailServer();
  hook = await startReceivingServer();
  stage = await startExchangeStage(11, {
    telegramBotToken: telegram.token,
    telegramApiRoot: telegram.url,
    smtpUrl: mail.url,
    allowPrivateWebhooks: true,
  });
  ({ simulator, server } = stage);
  user = await server.register();
  await server.context.database.queries.updateTable('accounts').set({ email_confirmed: 1 }).execute();
  chat = onClock(stage.time, telegram.chat(4711));
  const { code } = (await user.call<{ code: string }>('/gateway/v2/account/connect/telegram')).body;
  const met = await chat.say(`/start ${code}`);
  const greeted = chat.next();
  await user.call('/gateway/v2/account/connect/telegram', {
    method: 'POST',
    headers: { code: /code=([\w-]+)/.exec(met.text)?.[1] ?? '' },
  });
  await greeted;
  await stage.time.during(server.context.mailer.settle());
  await stage.time.during(server.context.notifier.settle());
  mail.messages.length = 0;
});
afterEach(async () => {
  await stage?.close();
  await telegram?.close();
  await mail?.close();
  await hook?.close();
});

const QUIET = { enabled: false, from: '23:00', to: '08:00', timeZone: 'UTC' };
async function holding(notifications: Record<string, string>): Promise<AutoTrade> {
  const wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '5000' } })).body;
  const created = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
    body: {
      ...BUYS_AT_ONCE,
      name: 'Dip',
      walletId: wallet.id,
      stopLoss: { mode: 'percent', pct: '40' },
      notifications,
    },
  });
  const bot = created.body.autoTrade;
  await user.call(`/bff/v2/auto-trades/${bot.id}/enable`, { method: 'POST', body: {} });
  await untilMoved('a position', async () => (await detail(bot)).positions.some(({ state }) => state === 'Open'));
  return bot;
}
const detail = async (of: AutoTrade) => (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${of.id}/detail`)).body;
/** Moves the market until it is so. */
const untilMoved = (what: string, holds: () => Promise<boolean>) =>
  until(what, holds, { time: stage.time, meanwhile: () => simulator.clock.advance(1000) });
const list = async (query = '') => (await user.call<{ items: Notification[]; unread: number }>(`/bff/v2/notifications${query}`)).body.items;
const sellOf = async (bot: AutoTrade) => {
  const [position] = (await detail(bot)).positions;
  const sold = await user.call(`/bff/v2/auto-trades/${bot.id}/positions/${position?.id}/sell`, { method: 'POST' });
  expect(sold.status).toBe(200);
};

test('an exit reaches mail, webhook and chat exactly once, after failures of each', { tags: ['smoke'] }, async () => {
  const saved = await user.call<{ webhookSecret: string }>('/bff/v2/notifications/settings', {
    method: 'PUT',
    body: { channels: { 'bot-exit': ['email', 'webhook'] }, quietHours: QUIET, webhookUrl: `${hook.url}/in` },
  });
  const bot = await holding({ Exit: 'both' });
  mail.refuse(2);
  hook.answerWith(500, 503);
  telegram.fail('sendMessage', { status: 500, description: 'Internal Server Error' });
  await sellOf(bot);
  const inChat = () => chat.messages().filter(({ text }) => text.includes('closed'));
  await untilMoved('all three', async () => {
    // Retries wait a second and more; the clock is moved instead.
    server.advance(5000);
    server.context.notifier.wake();
    await stage.time.during(server.context.notifier.settle());
    return mail.messages.length > 0 && hook.calls.length >= 3 && inChat().length > 0;
  });
  server.advance(60_000);
  server.context.notifier.wake();
  await stage.time.during(server.context.notifier.settle());
  expect(mail.messages).toHaveLength(1);
  expect(inChat()).toHaveLength(1);
  expect(hook.calls).toHaveLength(3);
  expect(new Set(hook.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  const { headers, body } = hook.calls[2]!;
  const expected = createHmac('sha256', saved.body.webhookSecret)
    .update(`${headers['pilotfish-timestamp'] as string}.${body.toString()}`)
    .digest('hex');
  expect(headers['pilotfish-signature']).toBe(`v1=${expected}`);
  const [exit] = await list('?kind=bot-exit');
  const traces = (await user.call<{ items: StoredTrace[] }>(`/bff/v2/auto-trades/${bot.id}/traces?kind=Exit`)).body.items;
  expect(exit).toMatchObject({ code: 'bot-exit', undelivered: [], facts: { realised: String(traces[0]?.after.realised), bot: 'Dip' } });
  const logged = server.logged();
  expect(logged).not.toContain('canary');
  expect(logged).not.toContain(saved.body.webhookSecret);
  expect(logged).not.toContain(user.email);
});

test('a bot tells only what its settings say, once per order, and nothing again after a restart', async () => {
  const bot = await holding({ Buy: 'app', Entry: 'off', Exit: 'app' });
  await untilMoved('the buy is told', async () => (await list()).some(({ code }) => code === 'bot-buy'));
  await server.restart();
  await sellOf(bot);
  await untilMoved('the exit is told', async () => (await list()).some(({ code }) => code === 'bot-exit'));
  const codes = (await list()).map(({ code }) => code).filter((code) => code.startsWith('bot-'));
  expect(codes.toSorted((a, b) => a.localeCompare(b))).toEqual(['bot-buy', 'bot-exit']);
  expect(chat.messages().some(({ text }) => text.includes('Dip'))).toBe(false);
});

test('a halt and a new sign-in are told; the stream carries the item and the unread count', { tags: ['smoke'] }, async () => {
  const bot = await holding({});
  const stream = await stage.time.during(
    fetch(`${server.url}/bff/v2/stream?topics=notifications`, {
      headers: { authorization: `Bearer ${user.session.accessToken}`, 'accept-encoding': 'identity' },
    }),
  );
  const reader = stream.body!.getReader();
  let heard = '';
  const hear = (what: string) =>
    stage.time.during(async () => {
      while (!heard.includes(what)) heard += Buffer.from((await reader.read()).value ?? new Uint8Array()).toString();
    });
  await user.call('/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: bot.id, reason: 'enough <b>' } });
  await hear('bot-halted');
  expect(heard).toContain('"unread":');
  expect((await list('?kind=bot-halted'))[0]).toMatchObject({ title: 'Dip was halted', read: false });
  const login = await server.call<{ code: string }>('/gateway/v1/account/login', {
    body: { username: user.username, password: user.password },
  });
  const device = { 'user-agent': 'Another browser' };
  const body = { otpCode: server.nextCode(user.secretKey) };
  await server.call('/gateway/v1/account/verify-2fa', { body, token: login.body.code, headers: device });
  await hear('security-new-sign-in');
  expect((await list('?kind=security')).filter(({ code }) => code === 'security-new-sign-in')).toHaveLength(1);
  // The same device again is nothing new.
  await server.signIn(user);
  expect((await list('?kind=security')).filter(({ code }) => code === 'security-new-sign-in')).toHaveLength(1);
  await reader.cancel();
});

test('a position whose figures break is told, with what is wrong and where to mend it', async () => {
  const keys = await simulator.createAccount({ burnBnb: false, balances: { USDT: '1000', BTC: '1' } });
  const connected = await user.call('/gateway/v2/account/connect/binance', {
    body: { clientId: keys.apiKey, clientSecret: keys.apiSecret },
  });
  expect(connected.status).toBe(200);
  // Coins that nobody ever bought: what they cost is not known.
  const order = { type: 'MARKET', symbol: 'BTCUSDT', side: 'SELL', quantity: '0.1' };
  const told = () => list('?kind=position-broken');
  await stage.venue.placeOrder(signerFor(keys.apiKey, keys.apiSecret), order, { urgent: true, beforeSigning: () => undefined });
  await untilMoved('the broken position', async () => (await told()).length > 0);
  const [notice] = await told();
  expect(notice).toMatchObject({ title: 'Figures of BTCUSDT cannot be trusted', read: false, undelivered: [] });
  expect(notice!.text).toMatch(/Position \d+ of BTCUSDT: (more was sold than|part of it came in without)/);
  const id = /^\/positions\/detail\/([\w-]+)$/.exec(notice!.link ?? '')?.[1] ?? '';
  const rows = await server.context.database.queries.selectFrom('position_breakages').select('position_id').execute();
  expect(rows.map((row) => row.position_id)).toContain(id);
});
