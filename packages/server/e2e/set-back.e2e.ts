import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { decimal, isZero } from '@pilotfish/core/money/decimal';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { sqliteFile } from '../src/database/sqlite.ts';
import { placedOrderPayload } from '../src/exchange/payloads.ts';
import { botStageOfEachTest } from './bot-stage.ts';

const BY_HAND = {
  entry: { size: { mode: 'fixed', value: '1000' }, trigger: { kind: 'manual' }, order: { type: 'Market' }, maxSpreadPct: '5' },
};
const RESTS = {
  entry: {
    ...BY_HAND.entry,
    order: { type: 'Limit', offsetPct: '3', timeoutSec: 3600, onTimeout: 'cancel', maxReprices: 0, maxSlippagePct: '0.5' },
  },
};

const stage = botStageOfEachTest({ wallet: '5000', config: { ...BY_HAND, cooldown: { afterWinMin: 0, afterLossMin: 0 } } });
const { ask, detail, enabled, kinds, ordersAtExchange, until } = stage;

const copyFile = () => join(stage.server.dataDir, 'copy.db');
/** A copy of the database while the server works with it. */
const copyDatabase = () => sql`vacuum into ${copyFile()}`.execute(stage.server.context.database.queries);
/** The server ends, and the next one finds the copy. */
const restoreCopy = () =>
  stage.server.restart(async () => {
    const file = sqliteFile(stage.server.dataDir);
    for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true });
    copyFileSync(copyFile(), file);
  });
const enter = async (bot: AutoTrade) => {
  const entries = (await kinds(bot)).filter((kind) => kind === 'Entry').length;
  expect((await ask(bot, 'enter', { symbol: 'BTCUSDT' })).status).toBe(200);
  await until('the entry', async () => (await kinds(bot)).filter((kind) => kind === 'Entry').length > entries);
};
const buy = async (bot: AutoTrade): Promise<void> => {
  await enter(bot);
  await until('an open position', stage.isIn(bot, 'Open'));
};
const sell = async (bot: AutoTrade): Promise<void> => {
  const { id } = (await detail(bot)).positions.find(({ state }) => state === 'Open')!;
  await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
  await until('a flat bot', async () => (await detail(bot)).openPositions === 0);
};
const stateOf = async (bot: AutoTrade) => {
  const { state, stateReason } = await detail(bot);
  return [state, stateReason];
};
const lines = async (bot: AutoTrade) =>
  (await stage.get<{ items: { code: string; facts: Record<string, string> }[] }>(`/bff/v2/auto-trades/${bot.id}/logs`)).items;
const idsAtExchange = async () => (await ordersAtExchange()).map(({ clientOrderId }) => clientOrderId);
const notices = async () => (await stage.get<{ items: { code: string; text: string }[] }>('/bff/v2/notifications')).items;
const running = async (bot: AutoTrade) => until('the bot at work', async () => (await detail(bot)).evaluations.length > 0, 0);

describe.skipIf(process.env.PILOTFISH_TEST_DIALECT === 'postgres')('a database that was set back', () => {
  test('forty seconds of trades are missing: nothing is traded, and the owner is told why', async () => {
    const bot = await enabled();
    await buy(bot);
    await copyDatabase();
    await sell(bot);
    await buy(bot);
    await sell(bot);
    await stage.pass(40_000);
    const before = await ordersAtExchange();
    expect(before).toHaveLength(4);

    await restoreCopy();
    await until('the halt', async () => (await stateOf(bot))[0] === 'Halted', 0);
    await stage.pass(20_000);
    expect(await stateOf(bot)).toEqual(['Halted', 'database-set-back']);
    // What it holds by the database it does not hold at the exchange, and nobody sells it.
    expect(await ordersAtExchange()).toEqual(before);
    const found = (await lines(bot)).filter(({ code }) => code.startsWith('UNKNOWN_'));
    expect(new Set(found.map(({ facts }) => facts.clientOrderId))).toEqual(
      new Set(before.slice(1).map(({ clientOrderId }) => clientOrderId)),
    );
    expect(found.map(({ code }) => code).sort()).toEqual(['UNKNOWN_BUY', 'UNKNOWN_SELL', 'UNKNOWN_SELL']);
    const told = (await notices()).filter(({ code }) => code === 'bot-halted');
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toContain('database was restored to an earlier state');

    // Once its owner has seen to it, it goes on; the next start finds nothing new, and no id comes twice.
    expect((await ask(bot, 'enable')).status).toBe(409);
    const { id } = (await detail(bot)).positions.find(({ state }) => state === 'Open')!;
    expect((await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/detach`, { method: 'POST', body: {} })).status).toBe(200);
    expect((await ask(bot, 'enable', { acknowledge: true })).status).toBe(200);
    await stage.server.restart();
    await running(bot);
    await buy(bot);
    await sell(bot);
    const ids = await idsAtExchange();
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
    expect((await stateOf(bot))[0]).toBe('Running');
  });

  test('what was bought and sold again leaves its trace in the money only, and is found', async () => {
    const bot = await enabled();
    await copyDatabase();
    await buy(bot);
    await sell(bot);
    await restoreCopy();
    await until('the halt', async () => (await stateOf(bot))[0] === 'Halted', 0);
    expect(await stateOf(bot)).toEqual(['Halted', 'database-set-back']);
  });

  test('an order that rests and has executed nothing is withdrawn, and the bot goes on under other ids', async () => {
    const bot = await enabled(RESTS);
    await copyDatabase();
    await enter(bot);
    await until('the resting order', async () => (await stage.openOrders()).length === 1);
    await restoreCopy();
    await running(bot);
    expect(await stateOf(bot)).toEqual(['Running', null]);
    expect(await stage.openOrders()).toEqual([]);
    await enter(bot);
    await until('the next order', async () => (await stage.openOrders()).length === 1);
    const orders = await ordersAtExchange();
    expect(orders.map(({ status, executedQty }) => [status, isZero(decimal(executedQty))])).toEqual([
      ['CANCELED', true],
      ['NEW', true],
    ]);
    expect(new Set(orders.map(({ clientOrderId }) => clientOrderId)).size).toBe(2);
  });

  test('a copy that missed nothing goes on where it was', async () => {
    const bot = await enabled();
    await buy(bot);
    await copyDatabase();
    await restoreCopy();
    await running(bot);
    await sell(bot);
    expect(await stateOf(bot)).toEqual(['Running', null]);
    expect(await kinds(bot)).toEqual(['Entry', 'Buy', 'Sell', 'Exit']);
  });

  test('a deposit and a trade by hand are the owner’s own business', async () => {
    const bot = await enabled();
    await buy(bot);
    await stage.server.restart(async () => {
      await stage.askExchange({
        method: 'POST',
        path: '/api/v3/order',
        parameters: { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.001', newClientOrderId: 'mine' },
        answer: placedOrderPayload,
      });
    });
    await running(bot);
    await sell(bot);
    expect(await stateOf(bot)).toEqual(['Running', null]);
  });
});
