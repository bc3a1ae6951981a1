import type { Account } from '@pilotfish/core/account/account-contract';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Permissions } from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { botStageOfEachTest } from './bot-stage.ts';

// Keys may lose the permission to trade while bots hold positions, and get it back. What trades at its owner's word is
// refused with its reason meanwhile; what a bot owes is attempted, and the exchange decides.

const stage = botStageOfEachTest({
  balances: { USDT: '20000' },
  wallet: '5000',
  config: { stopLoss: { mode: 'percent', pct: '40' }, cooldown: { afterWinMin: 600, afterLossMin: 600 } },
});
const { enabled, create, ask, get, detail, story, until, isIn } = stage;

const mayTrade = (may: boolean) => stage.time.during(stage.simulator.restrict(stage.keys.apiKey, { enableSpotAndMarginTrading: may }));
/** As the page of the connection does when it is opened: the server asks the exchange. */
const lookAtKeys = () => get<Permissions>('/gateway/v2/account/connect/binance');
const tradeEnabled = async () => (await get<Account>('/bff/v2/account')).exchanges;
const refused = { status: 422, body: { code: 'trading-disabled' } };

/** A buy far below the market, placed by its owner at the exchange. */
async function restingOrder(): Promise<string> {
  const parameters = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '50000', quantity: '0.01' };
  await stage.askExchange({ method: 'POST', path: '/api/v3/order', parameters, answer: z.unknown() });
  return String((await stage.openOrders())[0]!.orderId);
}

test('keys that lose the permission: what trades is refused with its reason, and offered again when they get it back', {
  tags: ['smoke'],
}, async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  const idle = await create({ name: 'Idle' });
  const order = await restingOrder();
  const position = (await detail(bot)).positions[0]!;
  expect(position).toMatchObject({ allowed: ['sell', 'detach', 'target', 'levels'], withheld: [] });

  await mayTrade(false);
  expect((await lookAtKeys()).warnings).toContain('trading-disabled');
  expect(await tradeEnabled()).toEqual([{ name: 'Binance', tradeEnabled: false }]);
  await until('the bot to stand still', async () => (await detail(bot)).state === 'Blocked');
  const blocked = await detail(bot);
  expect(blocked).toMatchObject({ stateReason: 'trading-disabled', allowed: ['disable', 'freeze', 'halt'] });
  const reason = 'trading-disabled';
  expect(blocked.positions[0]).toMatchObject({ allowed: ['detach', 'target', 'levels'], withheld: [{ action: 'sell', reason }] });
  expect(await get<AutoTrade>(`/bff/v2/auto-trades/${idle.id}`)).toMatchObject({
    allowed: ['reset', 'delete', 'halt'],
    withheld: [{ action: 'enable', reason }],
  });

  const at = `positions/${position.id}`;
  const write = (path: string, method: string, body?: object) => stage.user.call(`/bff/v2/${path}`, { method, body });
  expect(await ask(idle, 'enable')).toMatchObject(refused);
  expect(await ask(bot, `${at}/sell`)).toMatchObject(refused);
  expect(await ask(bot, 'enter', { symbol: 'BTCUSDT' })).toMatchObject(refused);
  expect(await write(`auto-trades/${bot.id}/${at}/target-price`, 'PATCH', { targetPrice: '1', sellNow: true })).toMatchObject(refused);
  expect(await write(`orders/Binance/BTCUSDT/${order}`, 'DELETE')).toMatchObject(refused);
  expect(await write('wallets', 'POST', { name: 'More', mode: 'live', initialBalance: '1' })).toMatchObject(refused);
  expect(await story(bot)).toEqual(['Entry Immediate', 'Buy Entry']);
  expect(await stage.openOrders()).toHaveLength(1);
  const turkish = await stage.user.call(`/bff/v2/auto-trades/${idle.id}/enable`, {
    method: 'POST',
    body: {},
    headers: { 'accept-language': 'tr' },
  });
  expect(turkish.body).toMatchObject({ code: 'trading-disabled', detail: expect.stringContaining('spot alım satım iznini') });

  // Paper trades as before.
  const paper = await stage.user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Paper', mode: 'paper', initialBalance: '5000' } });
  const onPaper = await create({ name: 'On paper', walletId: paper.body.id });
  expect(onPaper).toMatchObject({ withheld: [], allowed: expect.arrayContaining(['enable']) });
  expect((await ask(onPaper, 'enable')).status).toBe(200);

  // Whoever allows it at the exchange needs to tell nobody: a "no" that is remembered is asked again before it is used.
  await mayTrade(true);
  expect(await write(`orders/Binance/BTCUSDT/${order}`, 'DELETE')).toMatchObject({ status: 200, body: { status: 'CANCELED' } });
  expect(await tradeEnabled()).toEqual([{ name: 'Binance', tradeEnabled: true }]);
  await until('the bot to go on', async () => (await detail(bot)).state === 'Running');
  expect((await detail(bot)).positions[0]).toMatchObject({ allowed: ['sell', 'detach', 'target', 'levels'], withheld: [] });
  expect((await ask(bot, `${at}/sell`)).status).toBe(200);
});

test('a role that does not allow live trading works like keys that may not, and says so', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  const admin = await stage.server.register();
  const idOf = async (name: string) =>
    (await stage.user.call<{ items: { id: string }[] }>(`/bff/v2/admin/users?search=${name}`)).body.items[0]!.id;
  const [own, other] = [await idOf(stage.user.username), await idOf(admin.username)];
  expect((await stage.user.call(`/bff/v2/admin/users/${other}/roles`, { method: 'PATCH', body: { roles: ['Admin'] } })).status).toBe(200);
  admin.session = await stage.server.signIn(admin);
  const made = { name: 'Paper only', permissions: ['bots'] };
  const role = await admin.call<{ id: string }>('/bff/v2/admin/roles', { body: made });
  expect((await admin.call(`/bff/v2/admin/users/${own}/roles`, { method: 'PATCH', body: { roles: ['Paper only'] } })).status).toBe(200);
  stage.user.session = await stage.server.signIn(stage.user);

  expect(await tradeEnabled()).toEqual([{ name: 'Binance', tradeEnabled: false }]);
  await until('the bot to stand still', async () => (await detail(bot)).state === 'Blocked');
  const detailed = { ...refused.body, detail: expect.stringContaining('roles do not allow live trading') };
  expect(await ask(bot, 'enter', { symbol: 'BTCUSDT' })).toMatchObject({ ...refused, body: detailed });
  const paper = { name: 'Paper', mode: 'paper', initialBalance: '5000' };
  expect((await stage.user.call('/bff/v2/wallets', { body: paper })).status).toBe(201);

  const body = { ...made, permissions: ['bots', 'live-trading'] };
  expect((await admin.call(`/bff/v2/admin/roles/${role.body.id}`, { method: 'PUT', body })).status).toBe(200);
  expect(await tradeEnabled()).toEqual([{ name: 'Binance', tradeEnabled: true }]);
  await until('the bot to go on', async () => (await detail(bot)).state === 'Running');
  expect((await ask(bot, `positions/${(await detail(bot)).positions[0]!.id}/sell`)).status).toBe(200);
});

test('an exit that is owed is attempted all the same; what the exchange refuses is found out without being asked', async () => {
  const bot = await enabled({ timeStop: { hours: 1 } });
  await until('an open position', isIn(bot, 'Open'));
  // The server looks at all keys a minute after its start, and then hours later.
  await stage.pass(70_000);
  // Nobody looks: the time stop falls due, the exchange refuses the order, and the server asks why.
  await mayTrade(false);
  await until('the reason', async () => (await detail(bot)).stateReason === 'trading-disabled', 10_000);
  expect(await tradeEnabled()).toEqual([{ name: 'Binance', tradeEnabled: false }]);
  const [position] = (await detail(bot)).positions;
  // Going on with it is letting the bot sell what is due: asked for as a sale, and never refused by us.
  expect(position).toMatchObject({
    state: 'NeedsAttention',
    allowed: expect.arrayContaining(['resume']),
    withheld: [{ action: 'sell', reason: 'trading-disabled' }],
  });
  // A restart remembers it. Once the exchange takes orders again, so it does this one, whoever knows of it.
  await stage.server.restart();
  await until('the bot at work', async () => (await detail(bot)).evaluations.some(({ price }) => price !== null));
  expect(await detail(bot)).toMatchObject({ state: 'Blocked', stateReason: 'trading-disabled' });
  expect(await tradeEnabled()).toEqual([{ name: 'Binance', tradeEnabled: false }]);
  await mayTrade(true);
  expect((await ask(bot, `positions/${position!.id}/resume`, { sellNow: true })).status).toBe(200);
  await stage.untilStory(bot, 'Exit TimeStop');
});

test('keys that may trade no more are found by the look at all keys', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  await mayTrade(false);
  // A minute after the start, and again each few hours. No order is due meanwhile.
  await until('the reason', async () => (await detail(bot)).stateReason === 'trading-disabled');
  expect(await story(bot)).toEqual(['Entry Immediate', 'Buy Entry']);
});
