import { decimal, subtract, toText } from '@pilotfish/core/money/decimal';
import { walletBalances } from '@pilotfish/core/wallets/wallet-book';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { describe, expect, test } from 'vitest';
import { auditBots } from '../src/app/testing/bot-audit.ts';
import { BUYS_AT_ONCE, botStageOfEachTest } from './bot-stage.ts';

// A kill switch, a reset and a take-over that come at the worst moment. The market stands still unless it is moved.

const stage = botStageOfEachTest({
  wallet: '5000',
  config: { stopLoss: { mode: 'percent', pct: '40' }, cooldown: { afterWinMin: 600, afterLossMin: 600 } },
});
const { enabled, ask, get, detail, story, walletNow, until, isIn, openOrders } = stage;

test('a kill switch that sells off sells also what an entry on its way has bought, once that is known', async () => {
  // The entry is executed, and for a while nobody can say so.
  stage.simulator.faults.apply({ kind: 'request', method: 'POST', path: '/api/v3/order', loseAnswer: true });
  stage.simulator.faults.apply({ kind: 'events', action: 'drop', times: 20 });
  stage.simulator.faults.apply({ kind: 'request', method: 'GET', path: '/api/v3/order', delayMs: 1500, times: 2 });
  const bot = await enabled();
  await until('an entry in flight', async () => (await story(bot)).includes('Entry Immediate'));
  const halted = await stage.user.call('/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: bot.id, liquidate: true } });
  expect(halted.status).toBe(200);
  expect(await story(bot)).toEqual(['Entry Immediate']);
  await until('the sale of all', async () => (await story(bot)).includes('Exit KillSwitch'));
  expect((await detail(bot)).state).toBe('Halted');
  const counts = await auditBots({
    get,
    origin: stage.simulator.origin,
    keys: stage.keys,
    autoTradeIds: [bot.id],
    walletIds: [stage.wallet.id],
    symbols: ['BTCUSDT'],
    began: { USDT: '10000' },
  });
  expect(counts).toMatchObject({ positions: 1, executed: 2 });
});

test('settings that were changed after they were agreed to are not started', async () => {
  const bot = await stage.create();
  const changed = await stage.user.call(`/bff/v2/auto-trades/${bot.id}`, { method: 'PUT', body: stage.settings({ name: 'Other' }) });
  expect(changed.status).toBe(200);
  const refused = await ask<{ code: string; detail: string }>(bot, 'enable', { version: bot.configVersion });
  expect(refused).toMatchObject({ status: 409, body: { code: 'version-conflict', detail: expect.stringContaining('settings') } });
  const { state, allowed, configVersion: newest } = await detail(bot);
  expect([state, allowed.includes('enable')]).toEqual(['Disabled', true]);
  expect((await ask(bot, 'enable', { version: newest })).body).toMatchObject({ state: 'Running', configVersion: newest });
});

test('a frozen bot says that it sends no exit, and sells what is due once it is unfrozen', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  expect(await detail(bot)).toMatchObject({ allowed: ['disable', 'freeze', 'halt'], exits: 'continue' });
  expect((await detail(bot)).positions[0]?.allowed).toEqual(['sell', 'detach', 'target', 'levels']);
  expect((await ask(bot, 'disable', { exits: 'freeze' })).status).toBe(200);
  const frozen = await detail(bot);
  expect(frozen).toMatchObject({ state: 'Disabled', exits: 'freeze', allowed: ['enable', 'unfreeze', 'reset', 'delete', 'halt'] });
  // A sale would not be signed: it is not offered.
  expect(frozen.positions[0]?.allowed).toEqual(['detach', 'target', 'levels']);
  const seen = frozen.evaluations.find(({ symbol }) => symbol === 'BTCUSDT');
  expect(seen?.rules[0]).toEqual({ rule: 'exits-sent', observed: 'frozen', limit: null, pass: false });
  expect(seen?.waitsFor?.code).toBe('frozen');
  const { items } = await get<{ items: { code: string; title: string; text: string }[] }>('/bff/v2/notifications?pageSize=5');
  expect(items[0]).toMatchObject({ title: expect.stringContaining('frozen'), text: expect.stringContaining('not even a stop') });
  // A target the market has reached already: due, and not sold while it is frozen.
  const { id } = frozen.positions[0]!;
  const target = `/bff/v2/auto-trades/${bot.id}/positions/${id}/target-price`;
  const set = await stage.user.call(target, { method: 'PATCH', body: { targetPrice: '1', sellNow: true } });
  expect(set.status).toBe(200);
  const seenAt = async () => Date.parse((await detail(bot)).evaluations.find(({ symbol }) => symbol === 'BTCUSDT')?.at ?? '');
  const before = await seenAt();
  await until('prices of ten seconds', async () => (await seenAt()) >= before + 10_000);
  expect(await story(bot)).not.toContain('Exit TargetPrice');
  expect(await ask(bot, 'disable', { exits: 'continue' })).toMatchObject({ status: 409, body: { code: 'would-sell-now' } });
  const unfrozen = await ask(bot, 'disable', { exits: 'continue', sellNow: true });
  expect(unfrozen.body).toMatchObject({ state: 'Disabled', exits: 'continue' });
  await stage.untilStory(bot, 'Exit TargetPrice');
});

test('a position that needs attention goes on only with consent where an exit is due', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  const { id } = (await detail(bot)).positions[0]!;
  await stage.server.context.database.queries.updateTable('auto_trade_positions').set({ state: 'needsAttention' }).execute();
  await stage.server.restart();
  await until('the bot being at work', async () => (await detail(bot)).evaluations.some(({ price }) => price !== null));
  const path = `/bff/v2/auto-trades/${bot.id}/positions/${id}`;
  await stage.user.call(`${path}/target-price`, { method: 'PATCH', body: { targetPrice: '1', sellNow: true } });
  const refused = await stage.user.call<{ code: string; detail: string }>(`${path}/resume`, { method: 'POST', body: {} });
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([409, 'would-sell-now', expect.stringContaining('BTCUSDT')]);
  expect((await detail(bot)).positions[0]?.state).toBe('NeedsAttention');
  expect((await stage.user.call(`${path}/resume`, { method: 'POST', body: { sellNow: true } })).status).toBe(200);
  await stage.untilStory(bot, 'Exit TargetPrice');
});

const guarded = { protectiveStop: { enabled: true, limitOffsetPct: '0.5' }, stopLoss: { mode: 'percent', pct: '5' } };
const stopRests = async () => (await openOrders()).length === 1;

test('a bot whose stop rests at the exchange is reset when its position is let go, and the stop goes with it', async () => {
  const bot = await enabled(guarded);
  await until('a stop at the exchange', stopRests);
  await ask(bot, 'disable');
  expect((await ask(bot, 'reset')).status).toBe(409);
  expect((await ask(bot, 'reset', { detach: true })).status).toBe(200);
  await until('the end of the stop', async () => (await openOrders()).length === 0, 0);
  expect(await walletNow()).toMatchObject({ reserved: '0', invested: '0' });
});

test('a bot that is disabled and enabled while a protection pauses it is still paused, and says so', async () => {
  const bot = await enabled({
    cooldown: { afterWinMin: 0, afterLossMin: 0 },
    protections: { lossStreak: { count: 1, lookbackHours: 1, pauseHours: 6 } },
  });
  await until('an open position', isIn(bot, 'Open'));
  const { id } = (await detail(bot)).positions[0]!;
  await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
  const isPaused = async () => (await detail(bot)).state === 'Paused';
  await until('the pause', isPaused);
  const { stateReason, pausedUntil } = await detail(bot);
  await ask(bot, 'disable');
  expect((await ask(bot, 'enable')).status).toBe(200);
  await until('the pause being told', isPaused, 0);
  expect(await detail(bot)).toMatchObject({ stateReason, pausedUntil });
  // Enabled in spite of it.
  await ask(bot, 'enable');
  await until('the next entry', async () => (await story(bot)).filter((row) => row.startsWith('Entry')).length === 2);
  expect((await detail(bot)).state).toBe('Running');
});

test('a bot that is blocked while a protection pauses it is paused again when the block is gone, and says so', async () => {
  const bot = await enabled({ protections: { lossStreak: { count: 1, lookbackHours: 1, pauseHours: 6 } } });
  await until('an open position', isIn(bot, 'Open'));
  const { id } = (await detail(bot)).positions[0]!;
  await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
  await until('the pause', async () => (await detail(bot)).state === 'Paused');
  const { stateReason, pausedUntil } = await detail(bot);
  // As if the exchange had refused its key meanwhile.
  const { queries } = stage.server.context.database;
  const { context } = await queries.selectFrom('auto_trades').select('context').where('id', '=', bot.id).executeTakeFirstOrThrow();
  const blocked = JSON.stringify({ ...(JSON.parse(context) as object), reason: 'invalid-key', pausedUntil: null });
  await queries.updateTable('auto_trades').set({ state: 'blocked', context: blocked }).where('id', '=', bot.id).execute();
  await stage.server.restart();
  await until('the bot being at work', async () => (await detail(bot)).evaluations.length > 0, 0);
  expect((await detail(bot)).state).toBe('Blocked');
  expect((await ask(bot, 'enable')).status).toBe(200);
  expect(await detail(bot)).toMatchObject({ state: 'Paused', stateReason, pausedUntil });
});

test('a disabled bot whose rebuy was on its way when the process ended is at work again: what it holds has its exits', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  await ask(bot, 'disable');
  await stage.server.context.database.queries.updateTable('auto_trade_positions').set({ state: 'adding' }).execute();
  await stage.server.restart();
  await until('the bot being at work', async () => (await detail(bot)).evaluations.length > 0, 0);
  expect((await detail(bot)).openPositions).toBe(1);
});

test('a coin that left the settings while it is held can still be sold after a restart', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  const { id } = (await detail(bot)).positions[0]!;
  const body = {
    ...(await detail(bot)).config,
    coins: { symbols: ['ETHUSDT'] },
    entry: { ...BUYS_AT_ONCE.entry, trigger: { kind: 'manual' } },
  };
  expect((await stage.user.call(`/bff/v2/auto-trades/${bot.id}`, { method: 'PUT', body })).status).toBe(200);
  await stage.server.restart();
  await until('the bot being at work', async () => (await detail(bot)).evaluations.length > 0, 0);
  await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
  await stage.untilStory(bot, 'Exit Manual');
});

test('a sell-off that a restart interrupts goes on afterwards', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  // No sale gets through while this process runs.
  stage.simulator.faults.apply({ kind: 'request', method: 'POST', path: '/api/v3/order', status: 503, times: 1000 });
  const halted = await stage.user.call('/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: bot.id, liquidate: true } });
  expect(halted.status).toBe(200);
  await stage.server.restart(async () => stage.simulator.faults.clear());
  await stage.untilStory(bot, 'Exit KillSwitch');
});

describe('a fee that has a price only when its position is over', () => {
  /** A position that is over, with a fee in another coin that had no price then. */
  async function sold() {
    const bot = await enabled();
    await until('an open position', isIn(bot, 'Open'));
    const { id } = (await detail(bot)).positions[0]!;
    await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
    await stage.untilStory(bot, 'Exit Manual');
    await ask(bot, 'disable');
    // From when the fee is there a round of the server may book it at any moment.
    const before = await walletNow();
    const { queries } = stage.server.context.database;
    const [fill] = await queries.selectFrom('auto_trade_fills').selectAll().where('position_id', '=', id).execute();
    const row = await queries.selectFrom('auto_trade_positions').select('context').where('id', '=', id).executeTakeFirstOrThrow();
    const unvalued = [{ tradeId: fill!.trade_id, fee: '0.01', feeAsset: 'ETH' }];
    const context = JSON.stringify({ ...(JSON.parse(row.context) as object), unvalued });
    await queries.updateTable('auto_trade_positions').set({ context }).where('id', '=', id).execute();
    // The minute of the fill is over.
    await stage.pass(120_000);
    return { bot, id, before };
  }
  async function expectBooked(id: string, before: Wallet) {
    const contextNow = async () => {
      const { queries } = stage.server.context.database;
      const { context } = await queries.selectFrom('auto_trade_positions').select('context').where('id', '=', id).executeTakeFirstOrThrow();
      return JSON.parse(context) as { unvalued: unknown[]; lateFees: string };
    };
    await until('the value of the fee', async () => (await contextNow()).unvalued.length === 0, 0);
    const { lateFees } = await contextNow();
    expect(Number(lateFees)).toBeGreaterThan(0);
    const expectOnce = async () => {
      const after = await walletNow();
      expect(toText(subtract(decimal(before.free), decimal(after.free)))).toBe(lateFees);
      expect(toText(subtract(decimal(before.realised), decimal(after.realised)))).toBe(lateFees);
      expect(walletBalances(after)).toBe(true);
    };
    await expectOnce();
    // Folded from the ledger, and looked at again, it is the same.
    await stage.server.restart();
    await expectOnce();
  }
  test('is paid by the wallet of a bot that is disabled', async () => {
    const { id, before } = await sold();
    await stage.server.restart();
    await expectBooked(id, before);
  });
  test('and by that of a run that is over, while the next one is at work', async () => {
    const { bot, id, before } = await sold();
    expect((await ask(bot, 'reset')).status).toBe(200);
    await stage.server.restart();
    expect((await detail(bot)).runNo).toBe(2);
    await expectBooked(id, before);
  });
  test('and by that of a bot that is deleted', async () => {
    const { bot, id, before } = await sold();
    expect((await stage.user.call(`/bff/v2/auto-trades/${bot.id}`, { method: 'DELETE' })).status).toBe(204);
    await stage.server.restart();
    await expectBooked(id, before);
  });
  test('and by the wallet that it was of, not by the one that its bot has moved to', async () => {
    const { bot, id, before } = await sold();
    const other = await stage.user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Other', mode: 'live', initialBalance: '3000' } });
    const trigger = { kind: 'manual' };
    const body = { ...(await detail(bot)).config, walletId: other.body.id, entry: { ...BUYS_AT_ONCE.entry, trigger } };
    expect((await stage.user.call(`/bff/v2/auto-trades/${bot.id}`, { method: 'PUT', body })).status).toBe(200);
    expect((await ask(bot, 'enable')).status).toBe(200);
    await stage.server.restart();
    await expectBooked(id, before);
    expect(await get(`/bff/v2/wallets/${other.body.id}`)).toMatchObject({ free: '3000', realised: '0' });
  });
});

describe('dust that waits for the next position of its coin', () => {
  async function soldButDust() {
    const bot = await enabled({ dust: { policy: 'includeInNext' } });
    await until('an open position', isIn(bot, 'Open'));
    const { id } = (await detail(bot)).positions[0]!;
    await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
    await stage.untilStory(bot, 'Exit Manual');
    expect(Number((await walletNow()).invested)).toBeGreaterThan(0);
    return bot;
  }
  test('leaves the budget with its bot', async () => {
    const bot = await soldButDust();
    expect((await stage.user.call(`/bff/v2/auto-trades/${bot.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await walletNow()).toMatchObject({ reserved: '0', invested: '0' });
  });
  test('leaves the budget when its coin leaves the settings', async () => {
    const bot = await soldButDust();
    const body = {
      ...(await detail(bot)).config,
      coins: { symbols: ['ETHUSDT'] },
      entry: { ...BUYS_AT_ONCE.entry, trigger: { kind: 'manual' } },
    };
    const changed = await stage.user.call(`/bff/v2/auto-trades/${bot.id}`, { method: 'PUT', body });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    await until('the dust being let go', async () => (await walletNow()).invested === '0', 0);
  });
  test('does not follow its bot to another wallet', async () => {
    const bot = await soldButDust();
    const other = await stage.user.call<{ id: string }>('/bff/v2/wallets', {
      body: { name: 'Other', mode: 'live', initialBalance: '3000' },
    });
    const body = { ...(await detail(bot)).config, walletId: other.body.id, cooldown: { afterWinMin: 0, afterLossMin: 0 } };
    const moved = await stage.user.call(`/bff/v2/auto-trades/${bot.id}`, { method: 'PUT', body });
    expect(moved.status, JSON.stringify(moved.body)).toBe(200);
    expect(await walletNow()).toMatchObject({ reserved: '0', invested: '0' });
    await until('an open position', isIn(bot, 'Open'));
    const { invested, quantity } = (await detail(bot)).positions.find(({ closedAt }) => closedAt === null)!;
    expect(await get(`/bff/v2/wallets/${other.body.id}`)).toMatchObject({ invested });
    expect((await stage.traces(bot)).filter(({ kind }) => kind === 'Buy').at(-1)?.after.position).toBe(quantity);
  });
});

test('a position of a coin that the exchange does not list any more is seen and can be let go', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  await ask(bot, 'disable');
  // As if the coin had been another one.
  const positions = stage.server.context.database.queries.updateTable('auto_trade_positions');
  await positions.set({ symbol: 'GONEUSDT' }).where('auto_trade_id', '=', bot.id).execute();
  await stage.server.restart();
  await until('the bot being at work', async () => (await detail(bot)).evaluations.some(({ symbol }) => symbol === 'BTCUSDT'), 0);
  expect((await detail(bot)).positions).toMatchObject([{ symbol: 'GONEUSDT', state: 'Open' }]);
  expect((await ask(bot, 'reset')).status).toBe(409);
  const reset = await ask(bot, 'reset', { detach: true });
  expect(reset.status, JSON.stringify(reset.body)).toBe(200);
  expect(await walletNow()).toMatchObject({ reserved: '0', invested: '0' });
});

test('a bot that holds a coin that the exchange does not list any more can be deleted', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  await ask(bot, 'disable');
  // As if the coin had been another one.
  const positions = stage.server.context.database.queries.updateTable('auto_trade_positions');
  await positions.set({ symbol: 'GONEUSDT' }).where('auto_trade_id', '=', bot.id).execute();
  await stage.server.restart();
  await until('the bot being at work', async () => (await detail(bot)).evaluations.some(({ symbol }) => symbol === 'BTCUSDT'), 0);
  const remove = (query: string) => stage.user.call(`/bff/v2/auto-trades/${bot.id}${query}`, { method: 'DELETE' });
  expect((await remove('')).status).toBe(409);
  expect((await remove('?detach=true')).status).toBe(204);
  expect(await walletNow()).toMatchObject({ reserved: '0', invested: '0' });
});

test('an order whose coin was taken off the list while nobody listened needs its owner, and holds no money', async () => {
  const resting = { ...BUYS_AT_ONCE.entry, order: { type: 'Limit', offsetPct: '3', timeoutSec: 36_000 } };
  const bot = await enabled({ entry: resting });
  await until('a resting entry', async () => (await openOrders()).length === 1);
  expect(Number((await walletNow()).reserved)).toBeGreaterThan(0);
  await stage.server.restart(async () => stage.simulator.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status: 'DELISTED' }));
  await until('the attention', isIn(bot, 'NeedsAttention'), 0);
  expect((await detail(bot)).positions).toMatchObject([{ attention: 'UNLISTED', quantity: '0' }]);
  expect(await walletNow()).toMatchObject({ reserved: '0', invested: '0', free: '5000' });
  const { items } = await get<{ items: { code: string }[] }>(`/bff/v2/auto-trades/${bot.id}/logs`);
  expect(items.map(({ code }) => code)).toEqual(expect.arrayContaining(['PAIR_UNLISTED', 'NEEDS_ATTENTION']));
  // It comes back: what became of the order can be asked again, and its owner lets the bot go on.
  await stage.server.restart(async () => stage.simulator.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status: 'TRADING' }));
  const { id } = (await detail(bot)).positions[0]!;
  const resume = () => stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/resume`, { method: 'POST', body: {} });
  await until('its going on', async () => (await resume()).status === 200);
  await stage.untilStory(bot, 'Exit Abandoned');
});

test('a stop that was to be cancelled when the process ended is cancelled by the next one', async () => {
  const bot = await enabled(guarded);
  await until('a stop at the exchange', stopRests);
  const position = (await detail(bot)).positions.find(({ closedAt }) => closedAt === null)!;
  await ask(bot, 'disable');
  stage.simulator.faults.apply({ kind: 'request', method: 'DELETE', path: '/api/v3/order', status: 503, when: 'before', times: 1000 });
  const detached = await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${position.id}/detach`, { method: 'POST', body: {} });
  expect(detached.status, JSON.stringify(detached.body)).toBe(200);
  expect(await openOrders()).toHaveLength(1);
  await stage.server.restart();
  stage.simulator.faults.clear();
  await until('the end of the stop', async () => (await openOrders()).length === 0, 0);
});

test('a sale while trading of its coin pauses is no reason to need a person: it is decided anew', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  const { id } = (await detail(bot)).positions[0]!;
  const sell = () => stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
  stage.simulator.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status: 'BREAK' });
  expect((await sell()).status).toBe(200);
  const refusals = async () => (await get<{ items: { facts: object }[] }>(`/bff/v2/auto-trades/${bot.id}/logs`)).items;
  await until('the refusal', async () => (await refusals()).some(({ facts }) => JSON.stringify(facts).includes('MARKET_CLOSED')));
  expect((await detail(bot)).positions[0]).toMatchObject({ state: 'Open', attention: null });
  stage.simulator.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status: 'TRADING' });
  expect((await sell()).status).toBe(200);
  await until('the exit', async () => (await story(bot)).includes('Exit Manual'));
});

test('a coin is halted for whole milliseconds, however short', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  const body = { scope: 'coin', symbol: 'BTCUSDT', hours: 0.00012345 };
  expect((await stage.user.call('/bff/v2/auto-trades/halt', { body })).status).toBe(200);
  const { queries } = stage.server.context.database;
  const rows = await queries.selectFrom('coin_halts').select('until').execute();
  expect(rows.map(({ until: end }) => Number.isInteger(end))).toEqual([true]);
});
