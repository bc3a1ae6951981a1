import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import type { Answer } from '@pilotfish/core/http/endpoint';
import { type Decimal, decimal, sum, toText } from '@pilotfish/core/money/decimal';
import type { Money } from '@pilotfish/core/money/figure';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import type { positionsContract } from '@pilotfish/core/positions/positions-contract';
import { dayAfter } from '@pilotfish/core/time/calendar-day';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { botStageOfEachTest } from './bot-stage.ts';
import { flat, line } from './path-market.ts';

// What was earned, by trades that happened: every list adds up to the result, and that is what the ledger and the bots say.

const stage = botStageOfEachTest({
  wallet: '5000',
  path: { closes: [...flat(10_000, 56), ...line(10_000, 10_800, 2), ...flat(10_800, 60)], quiet: 55 },
  config: {
    takeProfit: {
      levels: [
        { gainPct: '5', sellPct: '50' },
        { gainPct: '60', sellPct: '50' },
      ],
    },
    stopLoss: { mode: 'percent', pct: '20' },
    trailingCost: { enabled: false },
    rebuys: { levels: [] },
  },
});
const { enabled, ask, get, detail, until, untilStory, isIn } = stage;

const performance = (query = '') => get<Performance>(`/bff/v2/performance${query}`);
const closed = (query: string) => get<Answer<typeof positionsContract.listClosedPositions>>(`/bff/v2/positions/closed?${query}`);
const byHand = (side: 'BUY' | 'SELL', quantity: string) =>
  stage.askExchange({
    method: 'POST',
    path: '/api/v3/order',
    parameters: { symbol: 'BTCUSDT', side, type: 'MARKET', quantity },
    answer: z.unknown(),
  });
const total = (values: readonly { readonly net: Money }[]): string => toText(sum(values.map(({ net }): Decimal => decimal(net))));

function expectAddsUp(found: Performance): void {
  for (const list of [found.days, found.bots, found.wallets, found.coins, found.reasons, found.hours]) {
    expect(total(list)).toBe(found.net);
    expect(list.reduce((count, { exits }) => count + exits, 0)).toBe(found.exits);
  }
  expect(total(found.year.months)).toBe(found.year.net);
}

/** Sells what the bot holds, and waits until it does nothing more. */
async function soldOut(bot: AutoTrade): Promise<void> {
  const [position] = (await detail(bot)).positions;
  expect((await ask(bot, `positions/${position!.id}/sell`)).status).toBe(200);
  await untilStory(bot, 'Exit Manual');
}

test('live: a bot and an owner beside it, by whose, by reason and by coin; paper and other accounts apart', {
  tags: ['smoke'],
}, async () => {
  const empty = await performance();
  expect(empty).toMatchObject({ mode: 'live', currency: 'USDT', timeZone: 'UTC', net: '0', exits: 0, bots: [], choices: { first: null } });
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  await byHand('BUY', '0.05');
  await untilStory(bot, 'Sell TakeProfit');
  expect((await ask(bot, 'disable')).status).toBe(200);
  await byHand('SELL', '0.05');
  await soldOut(bot);
  await until('all of it in the ledger', async () => (await performance()).exits === 3, 0);

  const found = await performance();
  expectAddsUp(found);
  expect(Object.fromEntries(found.bots.map(({ id, name, exits }) => [id, [name, exits]]))).toEqual({
    [bot.id]: ['Now', 2],
    hand: [null, 1],
  });
  expect(Object.fromEntries(found.reasons.map(({ reason, exits }) => [reason, exits]))).toEqual({ Manual: 1, TakeProfit: 1, hand: 1 });
  expect(found.wallets.map(({ id, name }) => [id, name])).toContainEqual([stage.wallet.id, 'Main']);
  expect(found.coins).toMatchObject([{ asset: 'BTC', exits: 3, net: found.net }]);
  expect(Number(found.net)).toBeGreaterThan(0);
  expect(found).toMatchObject({ wins: 3, losses: 0, winRatePct: '100', profitFactor: null, lost: '0', won: found.net, leftOut: [] });
  // The market's clock and not the computer's says which day it is.
  expect(found.days.at(-1)).toMatchObject({ exits: 3, net: found.net });
  const months = await get<Answer<typeof positionsContract.getMonthlyOverview>>('/bff/v2/positions/monthly-overview');
  expect(found.year.months.at(-1)?.net).toBe(months[0]!.realisedUsdt);
  expect(found.open).toEqual({ result: '0', positions: 0 });

  const own = await performance(`?bots=${bot.id}`);
  const hand = await performance('?bots=hand');
  expectAddsUp(own);
  expect([own.exits, hand.exits, total([own, hand])]).toEqual([2, 1, found.net]);
  expect(own).toMatchObject({ returnPct: null, drawdown: null, choices: found.choices });
  expect((await performance('?reasons=TakeProfit')).net).toBe(found.reasons.find(({ reason }) => reason === 'TakeProfit')?.net);
  expect(await performance('?coins=ETH')).toMatchObject({ net: '0', exits: 0 });
  expect(await performance('?bots=01890000-0000-7000-8000-0000000000ff')).toMatchObject({ net: '0', exits: 0 });
  expect(await performance('?from=2020-01-01&to=2020-02-01')).toMatchObject({ net: '0', exits: 0, year: { year: 2020, net: '0' } });

  // The closed position of the ledger says the same: whose it was, and that the bot sold the last of it.
  const [position, ...more] = (await closed('coins=BTC')).items;
  expect(more).toEqual([]);
  expect(position).toMatchObject({ bots: [{ id: bot.id, name: 'Now' }], byHand: true, exit: 'Manual', realised: found.net });
  expect((await closed(`bots=${bot.id}&exits=Manual&result=win`)).total).toBe(1);
  expect((await closed('bots=hand')).total).toBe(1);
  expect((await closed('exits=StopLoss')).total).toBe(0);
  expect((await closed(`to=${dayAfter(found.to, -1)}`)).total).toBe(0);
  expect(await closed('mode=paper')).toMatchObject({ total: 0, choices: { bots: [], coins: [], exits: [] }, totalsAll: [] });

  expect(await performance('?mode=paper')).toMatchObject({ mode: 'paper', net: '0', exits: 0, choices: { bots: [], coins: [] } });
  const other = await stage.server.register();
  expect((await other.call<Performance>('/bff/v2/performance')).body).toMatchObject({
    net: '0',
    exits: 0,
    choices: { bots: [], coins: [] },
  });
  expect((await other.call<Performance>(`/bff/v2/performance?bots=${bot.id}`)).body).toMatchObject({ net: '0', bots: [] });
});

test('paper: what the figures of its bots say, also of a bot that was deleted', async () => {
  const body = { name: 'Paper', mode: 'paper', initialBalance: '3000' };
  const paper = (await stage.user.call<Wallet>('/bff/v2/wallets', { body })).body;
  const bot = await enabled({ walletId: paper.id, name: 'On paper' });
  await untilStory(bot, 'Sell TakeProfit');
  const half = await performance('?mode=paper');
  expect(half).toMatchObject({ exits: 1, reasons: [{ reason: 'TakeProfit' }], open: { positions: 1 }, returnPct: expect.any(String) });
  expect((await ask(bot, 'disable')).status).toBe(200);
  await soldOut(bot);

  const found = await performance('?mode=paper');
  expectAddsUp(found);
  const [figures] = await get<AutoTradeFigures[]>('/bff/v2/auto-trades/figures');
  expect([found.net, found.fees]).toEqual([figures!.realised, figures!.fees]);
  expect(found.bots).toMatchObject([{ id: bot.id, name: 'On paper', exits: 2, net: figures!.realised }]);
  expect(found.wallets).toMatchObject([{ id: paper.id, name: 'Paper' }]);
  expect(found.more.averageHoldMs).toBeGreaterThan(0);
  expect(await performance()).toMatchObject({ mode: 'live', net: '0', exits: 0 });

  // Its closed position says the same, by every filter; and it is none of the ledger.
  const { items, ...list } = await closed('mode=paper');
  expect(items).toMatchObject([
    { symbol: 'BTCUSDT', number: 1, realised: figures!.realised, fees: figures!.fees, trades: 3, exit: 'Manual', closedBy: 'sell' },
  ]);
  expect(items[0]).toMatchObject({ bots: [{ id: bot.id, name: 'On paper' }], byHand: false, allowed: [], broken: [] });
  const { exits, wins } = figures!;
  expect(list.totalsAll).toMatchObject([{ currency: 'USDT', realised: figures!.total, count: exits, wins, losses: exits - wins }]);
  const counted = async (query: string) => (await closed(`mode=paper&${query}`)).total;
  const same = `bots=${bot.id}&exits=Manual&result=win&coins=BTC&currency=USDT&from=${found.to}&to=${found.to}&order=matchedCost-desc`;
  expect([await counted(same), await counted('exits=TakeProfit'), await counted('bots=hand')]).toEqual([1, 0, 0]);
  expect([await counted('result=loss'), await counted('onlyBrokenPositions=true')]).toEqual([0, 0]);
  expect(await closed('')).toMatchObject({ total: 0, totalsAll: [] });

  expect((await stage.user.call(`/bff/v2/auto-trades/${bot.id}`, { method: 'DELETE' })).status).toBe(204);
  expect(await performance('?mode=paper')).toMatchObject({ net: found.net, bots: [{ name: 'On paper' }] });
  expect((await closed('mode=paper')).items).toEqual(items);
});

test('a question that cannot be answered names its field', async () => {
  const refused = async (query: string, language = 'en') => {
    const { status, body } = await stage.user.call<{ errors: { path: string; message: string }[] }>(`/bff/v2/performance${query}`, {
      headers: { 'accept-language': language },
    });
    expect(status).toBe(400);
    return body.errors.map(({ path, message }) => [path, message]);
  };
  expect(await refused('?from=2026-02-01&to=2026-01-01')).toEqual([['to', 'The last day must not be before the first.']]);
  expect(await refused('?from=2026-02-30', 'tr')).toEqual([['from', expect.stringContaining('2026-01-31')]]);
  expect((await refused('?hour=24')).map(([path]) => path)).toEqual(['hour']);
  expect((await refused('?reasons=Luck')).map(([path]) => path)).toEqual(['reasons.0']);
});
