import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { until as untilSeen } from '@pilotfish/core/testing/until';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import { BUYS_AT_ONCE } from './bot-stage.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

/** Stands for the real exchange: nobody has a key of it, and it knows no account. */
let stage: ExchangeStage;
let user: SignedInUser;
beforeEach(async () => {
  stage = await startExchangeStage(11, { exchange: 'binance' });
  user = await stage.server.register();
});
afterEach(() => stage?.close());

const until = (what: string, holds: () => Promise<boolean>) =>
  untilSeen(what, holds, { time: stage.time, stepMs: 1000, meanwhile: () => stage.simulator.clock.advance(1000) });
const openWallet = (name: string, terms: object = {}) =>
  user.call<Wallet>('/bff/v2/wallets', { body: { name, mode: 'paper', currency: 'USDT', initialBalance: '1000', ...terms } });
const wallet = async () => (await user.call<Wallet[]>('/bff/v2/wallets')).body[0]!;
const settingsOf = (walletId: string, over: object = {}) => ({
  ...BUYS_AT_ONCE,
  walletId,
  entry: { ...BUYS_AT_ONCE.entry, size: { mode: 'fixed', value: '500' } },
  ...over,
});
async function enabledBot(walletId: string): Promise<AutoTrade> {
  const { body, status } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: settingsOf(walletId) });
  expect(status, JSON.stringify(body)).toBe(200);
  expect((await ask(body.autoTrade, 'enable')).status).toBe(200);
  return body.autoTrade;
}
const fillsOf = (bot: AutoTrade) =>
  stage.server.context.database.queries
    .selectFrom('auto_trade_fills')
    .selectAll()
    .where('auto_trade_id', '=', bot.id)
    .orderBy('at')
    .execute();
const intentsOf = (bot: AutoTrade) =>
  stage.server.context.database.queries
    .selectFrom('order_intents')
    .selectAll()
    .where('auto_trade_id', '=', bot.id)
    .orderBy('created_at')
    .execute();
const detail = async (bot: AutoTrade) => (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`)).body;
const ask = (bot: AutoTrade, what: string) => user.call(`/bff/v2/auto-trades/${bot.id}/${what}`, { method: 'POST', body: {} });

test('a bot on paper buys and sells at the prices of an exchange that has no account of ours, through a restart', async () => {
  await until('the market is read', async () => (await openWallet('Paper')).status === 201);
  const bot = await enabledBot((await wallet()).id);
  const isHolding = async () => (await detail(bot)).positions.some(({ state }) => state === 'Open');
  await until('it has bought', isHolding);

  await stage.server.restart();
  await until('it goes on', isHolding);
  const [position] = (await detail(bot)).positions;
  await until('it may be sold', async () => (await ask(bot, `positions/${position!.id}/sell`)).status === 200);
  await until('it has sold', async () => (await detail(bot)).positions.some(({ id, state }) => id === position!.id && state === 'Closed'));
  expect((await ask(bot, 'disable')).status).toBe(200);
  const after = await wallet();
  // Half of it bought and sold: the spread and twice 0.1 % are gone, and no more.
  expect(Number(after.free)).toBeLessThan(1000);
  expect(Number(after.free)).toBeGreaterThan(995);
  expect(stage.simulator.status()).toMatchObject({ accounts: 0, userStreams: 0 });
});

test('a wallet pays its own fees and its orders take their way: what is changed is for later orders, and all of it outlives a restart', async () => {
  const terms = { makerFeePct: '0.05', takerFeePct: '0.50', latencyMs: 300 };
  await until('the market is read', async () => (await openWallet('Paper', terms)).status === 201);
  const { id } = await wallet();
  expect(await wallet()).toMatchObject({ makerFeePct: '0.05', takerFeePct: '0.5', latencyMs: 300 });
  const takeProfit = { levels: [{ gainPct: '0.9', sellPct: '100' }] };
  const preview = async () => {
    const body = settingsOf(id, { name: 'Planned', takeProfit });
    return (await user.call<{ errors: { code: string }[] }>('/bff/v2/auto-trades?validateOnly=true', { body })).body.errors;
  };
  // A gain below twice the fee is a loss.
  expect((await preview()).map(({ code }) => code)).toContain('GAIN_BELOW_FEES');
  const bot = await enabledBot(id);
  await until('it has bought', async () => (await detail(bot)).positions.some(({ state }) => state === 'Open'));
  const [intent] = await intentsOf(bot);
  const bought = await fillsOf(bot);
  const shareOf = ({ fee, quantity }: { fee: string; quantity: string }) => Number(fee) / Number(quantity);
  for (const fill of bought) {
    expect(shareOf(fill)).toBeCloseTo(0.005, 4);
    // By the clock of the exchange, which is counted on from its last answer.
    expect(Math.abs(fill.at - intent!.created_at - 300)).toBeLessThan(10);
  }
  const [position] = (await detail(bot)).positions;
  expect(Number(position!.breakEven) / Number(position!.averageCost)).toBeCloseTo(1 / 0.995, 5);

  await stage.server.restart();
  await until('it goes on', async () => (await detail(bot)).positions.some(({ state }) => state === 'Open'));
  expect(await wallet()).toMatchObject({ makerFeePct: '0.05', takerFeePct: '0.5', latencyMs: 300 });
  expect((await preview()).map(({ code }) => code)).toContain('GAIN_BELOW_FEES');
  const change = (body: object) => user.call<Wallet>(`/bff/v2/wallets/${id}`, { method: 'PATCH', body });
  await until('the market is read again', async () => (await change({ takerFeePct: '0' })).status === 200);
  expect((await change({ latencyMs: 0 })).body).toMatchObject({ makerFeePct: '0.05', takerFeePct: '0', latencyMs: 0 });
  expect(await preview()).toEqual([]);
  await until('it may be sold', async () => (await ask(bot, `positions/${position!.id}/sell`)).status === 200);
  await until('it has sold', async () =>
    (await detail(bot)).positions.some(({ id: one, state }) => one === position!.id && state === 'Closed'),
  );
  const sold = (await fillsOf(bot)).filter(({ side }) => side === 'Sell');
  expect([sold.length > 0, new Set(sold.map(({ fee }) => Number(fee)))]).toEqual([true, new Set([0])]);
  expect((await fillsOf(bot)).filter(({ side }) => side === 'Buy')).toEqual(bought);
});

test('terms that cannot be are refused by their names, and a live wallet has none', async () => {
  await until('the market is read', async () => (await openWallet('Paper')).status === 201);
  type Refused = { errors: { path: string; code: string; message: string }[] };
  const refusal = async (path: string, method: string, body: object, language = 'en') => {
    const { status, body: said } = await user.call<Refused>(`/bff/v2/wallets${path}`, {
      method,
      body,
      headers: { 'accept-language': language },
    });
    return [status, said.errors?.map(({ path: field, code, message }) => [field, code, message])];
  };
  const { id } = await wallet();
  expect(await wallet()).toMatchObject({ makerFeePct: '0.1', takerFeePct: '0.1', latencyMs: 0 });
  expect(await refusal(`/${id}`, 'PATCH', { makerFeePct: '5.1', takerFeePct: '0.12345', latencyMs: 3001 })).toEqual([
    400,
    [
      ['makerFeePct', 'too_big', 'At most 5.'],
      ['takerFeePct', 'too_many_places', 'Enter at most 4 decimal places.'],
      ['latencyMs', 'too_big', 'At most 3000.'],
    ],
  ]);
  const live = { name: 'Live', mode: 'live', currency: 'USDT', initialBalance: '1', latencyMs: 1 };
  expect(await refusal('', 'POST', live, 'tr')).toEqual([400, [['latencyMs', 'paper_only', expect.stringContaining('sanal')]]]);
  expect(await wallet()).toMatchObject({ makerFeePct: '0.1', takerFeePct: '0.1', latencyMs: 0 });
});

test('an order that is under way when the server ends is waited for: it is neither lost nor placed twice', async () => {
  await until('the market is read', async () => (await openWallet('Paper', { latencyMs: 3000 })).status === 201);
  const bot = await enabledBot((await wallet()).id);
  const { time } = stage;
  await untilSeen('its order is under way', async () => (await intentsOf(bot)).length > 0, {
    time,
    stepMs: 100,
    meanwhile: () => stage.simulator.clock.advance(100),
  });
  await time.advance(1000);
  expect(await fillsOf(bot)).toEqual([]);
  await stage.server.restart();
  await until('it has bought', async () => (await detail(bot)).positions.some(({ state }) => state === 'Open'));
  expect((await intentsOf(bot)).map(({ status }) => status)).toEqual(['done']);
  expect(new Set((await fillsOf(bot)).map(({ order_id }) => order_id)).size).toBe(1);
});
