import type { moveAutoTradePositionLevels } from '@pilotfish/core/auto-trades/auto-trade-actions-contract';
import type { AutoTrade, AutoTradePosition, PositionChange } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Order } from '@pilotfish/core/orders/orders-contract';
import { grammarViolation } from '@pilotfish/core/testing/trace-grammar';
import { walletBalances } from '@pilotfish/core/wallets/wallet-book';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { BUYS_AT_ONCE, botStageOfEachTest } from './bot-stage.ts';
import { flat, line, MINUTE } from './path-market.ts';

// Every rule of a bot once, over HTTP, on a market whose prices are known beforehand: minute by minute as written.

const QUIET = 30;
/** Prices after half an hour at 100,000: down to 96,000, up to 103,000, and quiet there. */
const PATH = [...flat(100_000, QUIET + 10), ...line(100_000, 96_000, 40), ...line(96_000, 103_000, 70), ...flat(103_000, 600)];

const stage = botStageOfEachTest({
  path: { closes: PATH, quiet: QUIET },
  balances: { USDT: '20000' },
  wallet: '10000',
  config: {
    name: 'Rules',
    takeProfit: { levels: [{ gainPct: '1.5', sellPct: '100' }] },
    cooldown: { afterWinMin: 600, afterLossMin: 600 },
  },
  stepMs: 20_000,
});
const { settings, create, ask, detail, traces, story, walletNow, until, untilStory, openOrders } = stage;

const entry = (over: Record<string, unknown>) => ({ entry: { ...BUYS_AT_ONCE.entry, ...over } });
/** Entries come at once: the market hardly moves meanwhile, so that they come at the price at which it begins. */
const untilOpen = (bot: AutoTrade) => until('an open position', stage.isIn(bot, 'Open'), 200);
const held = async (bot: AutoTrade): Promise<AutoTradePosition> => {
  const position = (await detail(bot)).positions.find(({ state }) => state === 'Open' || state === 'Protected');
  if (!position) throw new Error('nothing is held');
  return position;
};

/** The story of a closed position is whole, and the wallet's sums agree with it. */
async function expectSettled(bot: AutoTrade): Promise<void> {
  const all = await traces(bot);
  for (const positionId of new Set(all.map((trace) => trace.positionId)))
    expect(
      grammarViolation(
        all.filter((trace) => trace.positionId === positionId),
        true,
      ),
    ).toBeUndefined();
  const after = await walletNow();
  expect(walletBalances(after)).toBe(true);
  expect(after).toMatchObject({ reserved: '0', invested: '0' });
}

test('rebuys below the last buy: each level once, the average falls, one exit takes all', async () => {
  const bot = await create({ rebuys: { levels: [{ dropPct: '1' }, { dropPct: '1', sizeMultiplier: '2' }], minMinutesBetween: 0 } });
  await ask(bot, 'enable');
  await untilStory(bot, 'Exit TakeProfit');
  const all = await traces(bot);
  expect(all.map(({ kind }) => kind).filter((kind, n, kinds) => kind !== kinds[n - 1])).toEqual(['Entry', 'Buy', 'Sell', 'Exit']);
  const levels = new Set(all.filter(({ kind }) => kind === 'Buy').map(({ after }) => after.level));
  expect([...levels]).toEqual([0, 1, 2]);
  const averages = all.filter(({ kind }) => kind === 'Buy').map(({ after }) => Number(after.averageCost));
  expect(averages.at(-1)).toBeLessThan(averages[0]!);
  await expectSettled(bot);
});

test('a bot that waits for its owner enters on command, sells at the price that was set, and never by itself', async () => {
  const bot = await create({ ...entry({ trigger: { kind: 'manual' } }), takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] } });
  await ask(bot, 'enable');
  await stage.pass(2 * MINUTE);
  expect(await traces(bot)).toEqual([]);
  await until('a first price', async () => (await detail(bot)).evaluations[0]?.price !== null);
  const refused = await ask<{ code: string }>(bot, 'enter', { symbol: 'ETHUSDT' });
  expect(refused.status).toBe(404);
  const entered = await ask<{ entered: boolean }>(bot, 'enter', { symbol: 'BTCUSDT' });
  expect(entered.body).toMatchObject({ entered: true });
  await untilStory(bot, 'Buy Entry');
  await untilOpen(bot);
  const again = await ask<{ entered: boolean; evaluation: { stoppedBy: string } }>(bot, 'enter', { symbol: 'BTCUSDT' });
  expect(again.body.entered).toBe(false);
  expect(again.body.evaluation.stoppedBy).toBeTruthy();

  const position = await held(bot);
  const path = `/bff/v2/auto-trades/${bot.id}/positions/${position.id}`;
  const bad = await stage.user.call(`${path}/target-price`, { method: 'PATCH', body: { targetPrice: '-5' } });
  expect(bad.status).toBe(400);
  const set = await stage.user.call<AutoTradePosition>(`${path}/target-price`, { method: 'PATCH', body: { targetPrice: '101000' } });
  expect(set.body.lines.target).toBe('101000');
  await untilStory(bot, 'Exit TargetPrice');
  expect(Number((await traces(bot)).find(({ kind }) => kind === 'Sell')!.price)).toBeGreaterThanOrEqual(100_900);
  await expectSettled(bot);
});

test('what would sell at once says what, how much and with what result, and waits for a yes', async () => {
  const bot = await create({ takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] } });
  await ask(bot, 'enable');
  await untilOpen(bot);
  const position = await held(bot);
  const target = (body: unknown) =>
    stage.user.call<AutoTradePosition & { code: string; detail: string }>(
      `/bff/v2/auto-trades/${bot.id}/positions/${position.id}/target-price`,
      { method: 'PATCH', body },
    );
  const refused = await target({ targetPrice: '99000' });
  expect([refused.status, refused.body.code]).toEqual([409, 'would-sell-now']);
  expect(refused.body.detail).toMatch(
    /^BTCUSDT is at 100,\d+\.\d\d, so everything .* 0\.\d+ at about 100,\d+.* result of −\d+\.\d\d USDT\.$/,
  );

  // A stop above the price, taken on by what is held.
  const { config, configVersion } = await detail(bot);
  const settingsOf = (query: string) =>
    stage.user.call<{ code: string; detail: string; changes: { what: string }[] }>(
      `/bff/v2/auto-trades/${bot.id}?version=${configVersion}&applyToOpen=true${query}`,
      { method: 'PUT', body: { ...config, stopLoss: { mode: 'percent', pct: '0.05' } } },
    );
  expect((await settingsOf('&validateOnly=true')).body.changes.map(({ what }) => what)).toContain('sellsNow');
  const saved = await settingsOf('');
  expect([saved.status, saved.body.code]).toEqual([409, 'would-sell-now']);
  expect((await detail(bot)).configVersion).toBe(configVersion);
  await stage.pass(5 * MINUTE);
  expect(await held(bot)).toMatchObject({ id: position.id, lines: { target: null } });

  expect((await target({ targetPrice: '99000', sellNow: true })).status).toBe(200);
  await untilStory(bot, 'Exit TargetPrice');
  await expectSettled(bot);
});

test('a stop is moved after a look at what it changes, and sells where it was put', async () => {
  const bot = await create({ stopLoss: { mode: 'percent', pct: '30' }, takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] } });
  await ask(bot, 'enable');
  await untilOpen(bot);
  const position = await held(bot);
  const own = position.lines.stopLoss;
  type Moved = z.infer<typeof moveAutoTradePositionLevels.answer>;
  const move = (body: unknown) =>
    stage.user.call<Moved & { code: string; detail: string; errors: { path: string; code: string; message: string }[] }>(
      `/bff/v2/auto-trades/${bot.id}/positions/${position.id}/levels`,
      { method: 'PATCH', body },
    );
  const bad = await move({ stop: '99000', takeProfit: [{ level: 2, price: '120000' }] });
  expect([bad.status, bad.body.errors]).toMatchObject([
    400,
    [{ path: 'takeProfit.0.level', code: 'no_level', message: 'The last take-profit level is 1.' }],
  ]);

  const asked = await move({ stop: '99000', validateOnly: true });
  expect(asked.body).toMatchObject({ before: { stop: own }, after: { stop: '99000' }, sellsNow: false, position: null });
  expect(Number(asked.body.after.worst)).toBeGreaterThan(Number(asked.body.before.worst));
  expect((await held(bot)).lines).toMatchObject({ stopLoss: own, moved: [] });
  // Above the price it is a sale, and asked for as one.
  expect((await move({ stop: '120000', validateOnly: true })).body.sellsNow).toBe(true);
  expect(await move({ stop: '120000' })).toMatchObject({ status: 409, body: { code: 'would-sell-now' } });

  const moved = await move({ stop: '99000' });
  expect(moved.body.position?.lines).toMatchObject({ stopLoss: '99000', moved: ['stop'] });
  await stage.server.restart();
  await stage.until('the bot being at work', async () => (await detail(bot)).evaluations.some(({ price }) => price !== null));
  expect((await held(bot)).lines).toMatchObject({ stopLoss: '99000', moved: ['stop'] });
  // Settings that speak of the stop would take it back: said before they do.
  const { config } = await detail(bot);
  const preview = await stage.user.call<{ changes: PositionChange[] }>(`/bff/v2/auto-trades/${bot.id}?validateOnly=true&applyToOpen=true`, {
    method: 'PUT',
    body: { ...config, stopLoss: { mode: 'percent', pct: '20' }, takeProfit: { levels: [{ gainPct: '40', sellPct: '100' }] } },
  });
  expect(preview.body.changes.map(({ what, before, wasMoved }) => [what, what === 'stopLoss' ? before : '', wasMoved])).toEqual([
    ['stopLoss', '99000', true],
    ['takeProfit', '', false],
  ]);
  const put = await move({ stop: null });
  expect(put.body.position?.lines).toMatchObject({ stopLoss: own, moved: [] });
  await move({ stop: '120000', sellNow: true });
  await untilStory(bot, 'Exit StopLoss');
  await expectSettled(bot);
});

describe('exits that were held back are let go only with consent, once one of them is due', () => {
  const due = async (hold: (bot: AutoTrade) => Promise<{ status: number }>) => {
    const bot = await create({ takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] } });
    await ask(bot, 'enable');
    await untilOpen(bot);
    expect((await hold(bot)).status).toBe(200);
    const { id } = await held(bot);
    const body = { targetPrice: '99000', sellNow: true };
    const path = `/bff/v2/auto-trades/${bot.id}/positions/${id}/target-price`;
    expect((await stage.user.call(path, { method: 'PATCH', body })).status).toBe(200);
    await stage.pass(MINUTE);
    expect((await held(bot)).id).toBe(id);
    return bot;
  };
  const freeze = (bot: AutoTrade) => ask(bot, 'disable', { exits: 'freeze' });
  const halt = ({ id }: AutoTrade) => stage.user.call('/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: id } });

  const letGo: [string, typeof halt, string, object][] = [
    ['a frozen bot that is disabled', freeze, 'disable', { exits: 'continue' }],
    ['a frozen bot that is enabled', freeze, 'enable', {}],
    ['a halted bot that is enabled', halt, 'enable', { acknowledge: true }],
  ];
  for (const [index, [name, hold, call, body]] of letGo.entries())
    (index === 0 ? test : test)(name, async () => {
      const bot = await due(hold);
      const refused = await ask<{ code: string; detail: string }>(bot, call, body);
      expect([refused.status, refused.body.code]).toEqual([409, 'would-sell-now']);
      expect(refused.body.detail).toMatch(
        /^BTCUSDT is at \d+,\d+\.\d\d, so everything .* 0\.\d+ at about .* result of [−+]?\d+\.\d\d USDT\.$/,
      );
      await stage.pass(MINUTE);
      expect((await held(bot)).state).toBe('Open');
      expect((await ask(bot, call, { ...body, sellNow: true })).status).toBe(200);
      await untilStory(bot, 'Exit TargetPrice');
    });
});

test('sold by hand, and taken over by hand', async () => {
  const bot = await create({ takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] }, cooldown: { afterWinMin: 0, afterLossMin: 0 } });
  await ask(bot, 'enable');
  await untilOpen(bot);
  const first = await held(bot);
  expect((await ask(bot, `positions/${first.id}/sell`)).status).toBe(200);
  await untilStory(bot, 'Exit Manual');
  await until('a second position', async () => (await detail(bot)).positions.some(({ state }) => state === 'Open'));
  const second = await held(bot);
  expect((await ask<AutoTradePosition>(bot, `positions/${second.id}/detach`)).body.state).toBe('Detached');
  expect((await ask(bot, `positions/${second.id}/sell`)).status).toBe(404);
  expect(await walletNow()).toMatchObject({ invested: '0' });
  expect(walletBalances(await walletNow())).toBe(true);
});

describe('kill switches', () => {
  test('of a coin: no entry while it is in force, and its owner reads why; lifted, the bot enters', async () => {
    const halted = await stage.user.call<{ halted: number }>('/bff/v2/auto-trades/halt', {
      body: { scope: 'coin', symbol: 'BTCUSDT', hours: 2, reason: 'news' },
    });
    expect(halted.status).toBe(200);
    const tooLong = await stage.user.call('/bff/v2/auto-trades/halt', { body: { scope: 'coin', symbol: 'BTCUSDT', hours: 200 } });
    expect(tooLong.status).toBe(400);
    const bot = await create();
    await ask(bot, 'enable');
    await stage.pass(3 * MINUTE);
    expect(await traces(bot)).toEqual([]);
    const { coinHalts, evaluations } = await detail(bot);
    expect(coinHalts).toMatchObject([{ symbol: 'BTCUSDT', reason: 'news' }]);
    expect(evaluations).toMatchObject([{ symbol: 'BTCUSDT', waitsFor: { code: 'pause', at: coinHalts[0]!.until } }]);
    const [halt] = (await stage.user.call<{ id: string }[]>('/bff/v2/auto-trades/halts')).body;
    const stranger = await stage.server.register();
    expect((await stranger.call(`/bff/v2/auto-trades/halts/${halt!.id}`, { method: 'DELETE' })).status).toBe(404);
    await stage.server.restart();
    expect((await stage.user.call<unknown[]>('/bff/v2/auto-trades/halts')).body).toHaveLength(1);
    expect((await stage.user.call(`/bff/v2/auto-trades/halts/${halt!.id}`, { method: 'DELETE' })).status).toBe(204);
    await untilStory(bot, 'Buy Entry');
  });

  test('of a bot, selling off: the only orders signed after it are those that sell', async () => {
    const bot = await create({ takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] } });
    await ask(bot, 'enable');
    await untilOpen(bot);
    const answer = await stage.user.call('/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: bot.id, liquidate: true } });
    expect(answer.body).toEqual({ halted: 1, liquidating: 1 });
    await untilStory(bot, 'Exit KillSwitch');
    expect((await detail(bot)).state).toBe('Halted');
    await stage.pass(10 * MINUTE);
    expect((await story(bot)).at(-1)).toBe('Exit KillSwitch');
    await expectSettled(bot);
  });
});

test('new settings for what is held: told before, then obeyed', async () => {
  const bot = await create({ takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] } });
  await ask(bot, 'enable');
  await untilOpen(bot);
  const body = settings({ stopLoss: { mode: 'percent', pct: '2' } });
  type Saved = { valid: boolean; changes: { what: string; before: string | null; after: string | null }[] };
  const put = (query: string) => stage.user.call<Saved>(`/bff/v2/auto-trades/${bot.id}?${query}`, { method: 'PUT', body });
  const preview = await put('validateOnly=true&applyToOpen=true');
  expect(preview.body.changes.find(({ what }) => what === 'stopLoss')).toMatchObject({
    before: null,
    after: expect.stringMatching(/^98\d/),
  });
  expect((await held(bot)).lines.stopLoss).toBeNull();
  expect((await put('version=1&applyToOpen=true')).status).toBe(200);
  expect((await put('version=1&applyToOpen=true')).status).toBe(409);
  expect((await held(bot)).lines.stopLoss).toMatch(/^98\d/);
  const versions = await stage.user.call<{ version: number }[]>(`/bff/v2/auto-trades/${bot.id}/versions`);
  expect(versions.body.map(({ version }) => version)).toEqual([2, 1]);
  await untilStory(bot, 'Exit StopLoss');
  await expectSettled(bot);
});

test('a protection pauses the bot, a restart knows it, and the owner lifts it', async () => {
  const bot = await create({
    stopLoss: { mode: 'percent', pct: '1' },
    cooldown: { afterWinMin: 0, afterLossMin: 0 },
    protections: { lossStreak: { count: 1, lookbackHours: 24, pauseHours: 6 } },
  });
  await ask(bot, 'enable');
  await untilStory(bot, 'Exit StopLoss');
  await until('the pause', async () => (await detail(bot)).state === 'Paused');
  expect(await detail(bot)).toMatchObject({ state: 'Paused', stateReason: 'lossStreak', pausedUntil: expect.any(String) });
  const exits = (await story(bot)).length;
  await stage.server.restart();
  await until('the bot being at work again', async () => (await detail(bot)).evaluations.length > 0);
  await stage.pass(5 * MINUTE);
  expect((await detail(bot)).state).toBe('Paused');
  expect(await story(bot)).toHaveLength(exits);
  expect((await ask(bot, 'enable')).body).toMatchObject({ state: 'Running' });
  await until('a new entry', async () => (await story(bot)).length > exits);
});

test('conditions of the screener, judged at the close of the minute, with what they saw', async () => {
  const rules = { match: 'all', rules: [{ key: 'price', operation: 'lt', value: 99_000 }] };
  const bot = await create(entry({ trigger: { kind: 'conditions', rules } }));
  await ask(bot, 'enable');
  await until('the entry', async () => (await story(bot)).some((line) => line.startsWith('Entry')), 2000);
  const [first] = await traces(bot);
  expect(first).toMatchObject({ kind: 'Entry', reason: 'Conditions' });
  expect(Number(first!.price)).toBeLessThan(99_050);
  expect(Number(first!.after.price)).toBeLessThan(99_000);
});

test('coins of a filter; a filter in use cannot be deleted', async () => {
  const filter = await stage.user.call<{ id: string }>('/bff/v2/coin-filters', { body: { name: 'Only BTC', include: ['BTCUSDT'] } });
  expect(filter.status).toBe(201);
  const bot = await create({ coins: { coinFilterIds: [filter.body.id] } });
  const gone = await stage.user.call<{ code: string }>(`/bff/v2/coin-filters/${filter.body.id}`, { method: 'DELETE' });
  expect(gone).toMatchObject({ status: 409 });
  expect(JSON.stringify(gone.body)).toContain('Rules');
  await ask(bot, 'enable');
  await untilStory(bot, 'Buy Entry');
  expect((await detail(bot)).coins).toEqual(['BTCUSDT']);
  const stranger = await stage.server.register();
  const stolen = await stranger.call<{ errors: { path: string }[] }>('/bff/v2/auto-trades?validateOnly=true', {
    body: settings({ coins: { coinFilterIds: [filter.body.id] } }),
  });
  expect(JSON.stringify(stolen.body)).toContain('FILTER_UNKNOWN');
});

test('a protective stop rests at the exchange, and sells there when the price falls through it', async () => {
  const bot = await create({
    takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
    stopLoss: { mode: 'percent', pct: '2' },
    protectiveStop: { enabled: true, limitOffsetPct: '1' },
  });
  await ask(bot, 'enable');
  const rests = async () => (await openOrders()).some(({ type }) => type === 'STOP_LOSS_LIMIT');
  await until('the resting stop', async () => (await rests()) && (await detail(bot)).positions[0]?.lines.protectiveStop != null, 200);
  expect((await held(bot)).lines.protectiveStop).toMatch(/^98\d/);
  // Whose it is stands beside it; cancelled by hand, the bot places another one.
  const listed = async () => (await stage.user.call<Order[]>('/bff/v2/orders/Binance/BTCUSDT')).body;
  const [stop] = await listed();
  expect(stop?.bot).toEqual({ id: bot.id, name: 'Rules', purpose: 'protect' });
  const gone = await stage.user.call<Order>(`/bff/v2/orders/Binance/BTCUSDT/${stop!.orderId}`, { method: 'DELETE' });
  expect(gone.body).toMatchObject({ status: 'CANCELED', bot: { purpose: 'protect' } });
  await until(
    'another stop',
    async () => (await listed()).some(({ orderId, bot: of }) => orderId !== stop!.orderId && of?.id === bot.id),
    200,
  );
  await untilStory(bot, 'Exit StopLoss');
  expect(await openOrders()).toEqual([]);
  const sells = (await traces(bot)).filter(({ kind }) => kind === 'Sell');
  expect(Number(sells[0]!.price)).toBeGreaterThan(97_000);
  await expectSettled(bot);
});

test('a reset brings a paper wallet back to what was put into it', async () => {
  const paper = (await stage.user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Paper', mode: 'paper', initialBalance: '5000' } })).body;
  const bot = await create({ walletId: paper.id, stopLoss: { mode: 'percent', pct: '1' } });
  await ask(bot, 'enable');
  await untilStory(bot, 'Exit StopLoss');
  await ask(bot, 'disable');
  const lost = (await stage.user.call<Wallet>(`/bff/v2/wallets/${paper.id}`)).body;
  expect(Number(lost.free)).toBeLessThan(5000);
  expect((await ask(bot, 'reset')).body).toMatchObject({ runNo: 2 });
  const back = (await stage.user.call<Wallet>(`/bff/v2/wallets/${paper.id}`)).body;
  expect(back).toMatchObject({ free: '5000', invested: '0', reserved: '0' });
  expect(walletBalances(back)).toBe(true);
});

test('money taken out of the account behind the back of a wallet stops its entries, not its exits; put back, it goes on', async () => {
  const bot = await create({ takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] }, cooldown: { afterWinMin: 0, afterLossMin: 0 } });
  await ask(bot, 'enable');
  await untilOpen(bot);
  // 20,000 at first; the wallet promises 9,000 of what is left.
  const order = (side: 'BUY' | 'SELL', quantity: string) =>
    stage.askExchange({
      method: 'POST',
      path: '/api/v3/order',
      parameters: { symbol: 'BTCUSDT', side, type: 'MARKET', quantity },
      answer: z.object({ orderId: z.number() }),
    });
  await order('BUY', '0.15');
  await until('the wallet being short', async () => (await walletNow()).status === 'Underfunded', 0);
  expect(await detail(bot)).toMatchObject({ state: 'Blocked', stateReason: 'underfunded' });
  expect((await ask(bot, `positions/${(await held(bot)).id}/sell`)).status).toBe(200);
  await untilStory(bot, 'Exit Manual');
  // A restart remembers that the bot is blocked, and finds out by itself when it need not be any more.
  await stage.server.restart();
  await until('the bot being back', async () => (await detail(bot)).evaluations.length > 0, 0);
  expect((await detail(bot)).state).toBe('Blocked');
  await order('SELL', '0.149');
  await until('the wallet being funded', async () => (await walletNow()).status === 'Ready', 0);
  await until('the bot being at work', async () => (await detail(bot)).state === 'Running', 0);
});
