import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Answer } from '@pilotfish/core/http/endpoint';
import { add, decimal, multiply, subtract, sum, toText } from '@pilotfish/core/money/decimal';
import { digits } from '@pilotfish/core/money/figure';
import type { overviewContract } from '@pilotfish/core/overview/overview-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';
import { startExchangeStage } from './exchange-stage.ts';

// The home screen by bots that trade: what it says must be what their own pages say. Beside it stands what paper is worth.

const stage = botStageOfEachTest({ wallet: '5000' });
const { enabled, ask, get, detail, until, isIn, story } = stage;

type Of<Id extends keyof typeof overviewContract> = Answer<(typeof overviewContract)[Id]>;
const needs = () => get<Of<'getNeeds'>>('/bff/v2/overview/needs');
const next = (query = '') => get<Of<'getNextEvents'>>(`/bff/v2/overview/next${query}`);
const activity = (query = '') => get<Of<'getActivity'>>(`/bff/v2/overview/activity${query}`);
const equity = (query = '') => get<Of<'getEquity'>>(`/bff/v2/overview/equity${query}`);

test('a live bot without a stop: it is said first, its levels are next, its trades are of today', { tags: ['smoke'] }, async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  const [position] = (await detail(bot)).positions;
  const { items } = await needs();
  expect(items[0]).toMatchObject({
    id: `no-stop:${position!.id}`,
    kind: 'no-stop',
    rank: 1,
    mode: 'live',
    autoTradeId: bot.id,
    botName: 'Now',
    symbol: 'BTCUSDT',
    action: 'set-stop',
    link: `/auto-trade/detail/${bot.id}/edit`,
  });

  const upcoming = await next();
  const takeProfit = upcoming.items.find(({ code }) => code === 'take-profit');
  const level = position!.lines.takeProfit[0]!.price;
  expect(takeProfit).toMatchObject({
    kind: 'bot',
    mode: 'live',
    symbol: 'BTCUSDT',
    price: level,
    quantity: position!.quantity,
    currency: 'USDT',
  });
  expect(takeProfit?.quote).toBe(toText(multiply(decimal(level), decimal(position!.quantity))));
  const distances = upcoming.items.flatMap(({ distancePct }) => (distancePct === null ? [] : [Math.abs(Number(digits(distancePct)))]));
  expect(distances).toEqual([...distances].sort((a, b) => a - b));
  expect(upcoming.total).toBe(upcoming.items.length);
  expect((await next('?limit=1')).items).toEqual(upcoming.items.slice(0, 1));

  expect((await ask(bot, `positions/${position!.id}/sell`)).status).toBe(200);
  await until('sold', async () => (await story(bot)).includes('Exit Manual'));
  const closed = (await detail(bot)).positions.find(({ id }) => id === position!.id)!;
  await ask(bot, 'disable');
  const today = await activity();
  const [sale, buy] = today.items.filter(({ autoTradeId }) => autoTradeId === bot.id).slice(-2);
  expect(sale).toMatchObject({
    kind: 'sell',
    code: 'Manual',
    symbol: 'BTCUSDT',
    botName: 'Now',
    mode: 'live',
    result: closed.realised,
    currency: 'USDT',
    link: `/auto-trade/detail/${bot.id}`,
  });
  expect(buy).toMatchObject({ kind: 'buy', code: 'entry', result: null });
  // All of the day, and what the bot's own page says of it.
  const { realisedToday } = await get<AutoTrade>(`/bff/v2/auto-trades/${bot.id}`);
  expect(today.totals).toMatchObject([{ mode: 'live', currency: 'USDT', realised: realisedToday }]);
  expect(today.totals[0]!.sells).toBe(today.items.filter(({ kind }) => kind === 'sell').length);
  expect([today.complete, (await activity('?limit=1')).complete]).toEqual([true, false]);
  // From a later moment on there is nothing.
  const later = new Date(stage.simulator.clock.now() + 1000).toISOString();
  expect(await activity(`?from=${later}`)).toMatchObject({ items: [], totals: [], complete: true });
});

test('a frozen bot that holds coins, and then a halted one', async () => {
  const bot = await enabled({ stopLoss: { mode: 'percent', pct: '40' } });
  await until('an open position', isIn(bot, 'Open'));
  const about = async () => (await needs()).items.filter(({ rank }) => rank < 3).map(({ kind, rank, action }) => [kind, rank, action]);
  expect(await about()).toEqual([]);
  expect((await ask(bot, 'disable', { exits: 'freeze' })).status).toBe(200);
  expect(await about()).toEqual([['exits-frozen', 1, 'unfreeze']]);
  // Frozen: nothing of it happens next.
  expect((await next()).items).toEqual([]);
  expect((await activity()).items[0]).toMatchObject({ kind: 'halt', code: 'bot-frozen', autoTradeId: bot.id, mode: 'live' });
  await stage.user.call('/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: bot.id, reason: 'too wild' } });
  expect((await needs()).items[0]).toMatchObject({ kind: 'bot-halted', rank: 1, code: 'too wild', facts: { reason: 'too wild' } });
});

test('equity of the connected account is its balances, by points that the server keeps', async () => {
  await until('the history is read', async () => (await get<{ state: string }>('/bff/v2/positions/sync')).state === 'idle');
  const first = await equity();
  expect(first).toMatchObject({ mode: 'live', range: '30d', currency: 'USDT', now: { equity: '10000', free: '10000', invested: '0' } });
  // The point of this answer is nothing to compare with.
  expect(first).toMatchObject({
    sinceMidnight: null,
    month: null,
    change: null,
    benchmark: null,
    series: [{ equity: '10000', flow: '0' }],
  });
  expect(first.other.btc).not.toBeNull();
  stage.server.advance(16 * 60_000);
  const second = await equity('?range=today');
  expect(second.sinceMidnight).toMatchObject({ change: '0', pct: '0', since: first.asOf, exact: false });
  expect(second.series.map((point) => point.equity)).toEqual(['10000', '10000']);
  expect(second.benchmark?.series).toHaveLength(2);
  expect(second.benchmark?.series[0]?.value).toBe('10000');
});

test('paper: free, set aside and the coins at the prices of now; what is put in is a flow', async () => {
  const { user } = stage;
  const paper = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Paper', mode: 'paper', initialBalance: '3000' } })).body;
  const began = await equity('?mode=paper&range=1d');
  expect(began).toMatchObject({ now: { equity: '3000', free: '3000', invested: '0', unpriced: [] }, sinceMidnight: null });
  const bot = await enabled({ walletId: paper.id, name: 'On paper' });
  await until('an open position', isIn(bot, 'Open'));
  const [position] = (await detail(bot)).positions;
  const { free, reserved } = (await user.call<Wallet>(`/bff/v2/wallets/${paper.id}`)).body;
  const { items } = await get<{ items: { symbol: string; price: string }[] }>('/bff/v1/tickers');
  const ticker = items.find(({ symbol }) => symbol === 'BTCUSDT');
  const worth = sum([decimal(free), decimal(reserved), multiply(decimal(position!.quantity), decimal(ticker!.price))]);
  const held = await equity('?mode=paper&range=1d');
  expect(Number(digits(held.now.equity))).toBeCloseTo(Number(toText(worth)), 6);
  expect(held.now.free).toBe(free);
  // No stop on paper costs nobody anything.
  expect((await needs()).items.filter(({ mode }) => mode === 'paper')).toEqual([]);

  expect((await user.call(`/bff/v2/wallets/${paper.id}/add-balance`, { body: { amount: '500' } })).status).toBe(200);
  stage.server.advance(16 * 60_000);
  const after = await equity('?mode=paper&range=1d');
  expect(after.series.at(-1)).toMatchObject({ equity: after.now.equity });
  const flows = after.series.map(({ flow }) => decimal(flow));
  expect(toText(sum(flows))).toBe('500');
  const result = subtract(subtract(decimal(after.now.equity), decimal('500')), decimal(began.now.equity));
  expect(after.change?.change).toBe(toText(result));
  expect(after.sinceMidnight).toMatchObject({ change: toText(result), since: began.asOf });
  expect(after.now.equity).not.toBe(toText(add(decimal(began.now.equity), decimal('500'))));
  // Live and paper are never added.
  expect((await equity()).now.equity).toBe('10000');
});

test('alerts that watch are next with the level that fires them, and what fired is of today', async () => {
  const alert = async (condition: object, more: object = {}) => {
    const { body, status } = await stage.user.call<{ id: string }>('/bff/v2/price-alerts', {
      body: { symbol: 'BTCUSDT', condition, ...more },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  };
  const far = await alert({ kind: 'above', level: '9999999' });
  // Without a level there is nothing that it could be near to; while it is silent it fires nothing.
  await alert({ kind: 'rsi', interval: '1h', relation: 'below', value: 30 });
  await alert({ kind: 'above', level: '9999998' }, { snoozedUntil: new Date(stage.server.now() + 3_600_000).toISOString() });
  const fires = await alert({ kind: 'above', level: '0.01' }, { fireIfTrue: true });
  await until('it fired', async () => (await activity()).items.length > 0);
  expect((await activity()).items).toMatchObject([
    {
      kind: 'alert',
      code: 'price-alert-above',
      facts: { symbol: 'BTCUSDT', level: '0.01' },
      symbol: 'BTCUSDT',
      autoTradeId: null,
      link: '/price-alerts?pair=BTCUSDT',
    },
  ]);
  const { items } = await next();
  expect(items).toMatchObject([
    { id: `alert:${far}`, kind: 'alert', alertId: far, price: '9999999', condition: { kind: 'above', level: '9999999' } },
  ]);
  const [known] = (await get<{ id: string; distancePct: string; lastPrice: string }[]>('/bff/v2/price-alerts')).filter(
    ({ id }) => id === far,
  );
  expect([items[0]?.distancePct, items[0]?.priceNow]).toEqual([known?.distancePct, known?.lastPrice]);
  expect(fires).not.toBe(far);
});

test('somebody who has just come, without keys and without bots', async () => {
  const newcomer = await stage.server.register();
  const answer = async (path: string) => (await newcomer.call(`/bff/v2/overview/${path}`)).body;
  expect(await answer('needs')).toMatchObject({ items: [] });
  expect(await answer('next')).toMatchObject({ items: [], total: 0 });
  expect(await answer('activity')).toMatchObject({ items: [], totals: [], complete: true });
  expect(await newcomer.call('/bff/v2/overview/equity')).toMatchObject({ status: 409, body: { code: 'not-connected' } });
  expect(await answer('equity?mode=paper')).toMatchObject({ now: { equity: '0' }, change: null, other: { btc: { quantity: '0' } } });
});

test('keys that the exchange refuses are named, with a link to where they are renewed', async () => {
  expect((await needs()).items).toEqual([]);
  stage.simulator.faults.apply({
    kind: 'request',
    method: 'GET',
    path: '/api/v3/account',
    times: 3,
    status: 401,
    code: -2015,
    msg: 'Invalid API-key',
  });
  expect((await stage.user.call('/bff/v2/overview/equity')).status).not.toBe(200);
  expect((await needs()).items).toMatchObject([{ kind: 'connection-failing', rank: 2, link: '/user/exchange-connect' }]);
});

test('beside another market, with nothing in it yet', async () => {
  const other = await startExchangeStage(11, { exchange: 'binance' });
  try {
    const user = await other.server.register();
    const answer = async (path: string) => (await user.call(`/bff/v2/overview/${path}`)).body;
    expect(await answer('next')).toMatchObject({ items: [], total: 0 });
    expect(await answer('activity')).toMatchObject({ items: [], totals: [] });
    expect(await answer('equity?mode=paper&range=all')).toMatchObject({ now: { equity: '0', unpriced: [] }, change: null });
    expect(await user.call('/bff/v2/overview/equity')).toMatchObject({ status: 409, body: { code: 'not-connected' } });
  } finally {
    await other.close();
  }
});
