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
const openWallet = (name: string) =>
  user.call<Wallet>('/bff/v2/wallets', { body: { name, mode: 'paper', currency: 'USDT', initialBalance: '1000' } });
const detail = async (bot: AutoTrade) => (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`)).body;
const ask = (bot: AutoTrade, what: string) => user.call(`/bff/v2/auto-trades/${bot.id}/${what}`, { method: 'POST', body: {} });

test('a bot on paper buys and sells at the prices of an exchange that has no account of ours, through a restart', async () => {
  await until('the market is read', async () => (await openWallet('Paper')).status === 201);
  const [wallet] = (await user.call<Wallet[]>('/bff/v2/wallets')).body;
  const config = { ...BUYS_AT_ONCE, walletId: wallet!.id, entry: { ...BUYS_AT_ONCE.entry, size: { mode: 'fixed', value: '500' } } };
  const { body, status } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: config });
  expect(status, JSON.stringify(body)).toBe(200);
  const bot = body.autoTrade;
  expect((await ask(bot, 'enable')).status).toBe(200);
  const isHolding = async () => (await detail(bot)).positions.some(({ state }) => state === 'Open');
  await until('it has bought', isHolding);

  await stage.server.restart();
  await until('it goes on', isHolding);
  const [position] = (await detail(bot)).positions;
  await until('it may be sold', async () => (await ask(bot, `positions/${position!.id}/sell`)).status === 200);
  await until('it has sold', async () => (await detail(bot)).positions.some(({ id, state }) => id === position!.id && state === 'Closed'));
  expect((await ask(bot, 'disable')).status).toBe(200);
  const after = (await user.call<Wallet[]>('/bff/v2/wallets')).body[0]!;
  // Half of it bought and sold: the spread and twice 0.1 % are gone, and no more.
  expect(Number(after.free)).toBeLessThan(1000);
  expect(Number(after.free)).toBeGreaterThan(995);
  expect(stage.simulator.status()).toMatchObject({ accounts: 0, userStreams: 0 });
});
