import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import { add, type Decimal, decimal, divide, HUNDRED, multiply, ONE, subtract, toText, ZERO } from '@pilotfish/core/money/decimal';
import type { HeldPositionRow, HeldTotals } from '@pilotfish/core/positions/held-positions-contract';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { botStageOfEachTest } from './bot-stage.ts';
import { flat, line } from './path-market.ts';

// What a bot and its positions are worth, to the digit: prices known beforehand, a midnight five minutes after the start.

const stage = botStageOfEachTest({
  wallet: '5000',
  path: { closes: [...flat(10_000, 56), ...line(10_000, 10_800, 2), ...flat(10_800, 3), ...flat(10_500, 40)], quiet: 55 },
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
const { enabled, get, detail, until, untilStory, pass } = stage;

const TAKER = '0.001';
const figures = async (): Promise<AutoTradeFigures> => (await get<AutoTradeFigures[]>('/bff/v2/auto-trades/figures'))[0]!;
const held = (mode = 'live') => get<{ items: HeldPositionRow[]; totals: HeldTotals[] }>(`/bff/v2/positions/held?mode=${mode}`);
const text = (value: Decimal) => toText(value);
const over = (price: Decimal, held: { quantity: Decimal; cost: Decimal }): Decimal =>
  subtract(multiply(multiply(held.quantity, price), subtract(ONE, decimal(TAKER))), held.cost);

/** Quantity, cost and realised result by the fills alone: fees of buys are taken in the coin, of sales in USDT. */
async function byFills(bot: { id: string }, positionId: string, until = Number.POSITIVE_INFINITY) {
  type Fill = { side: string; quantity: string; quoteQuantity: string; fee: string; at: string };
  let [quantity, cost, realised] = [ZERO, ZERO, ZERO];
  for (const fill of await get<Fill[]>(`/bff/v2/auto-trades/${bot.id}/positions/${positionId}/trades`)) {
    if (Date.parse(fill.at) >= until) continue;
    if (fill.side === 'Buy') {
      quantity = add(quantity, subtract(decimal(fill.quantity), decimal(fill.fee)));
      cost = add(cost, decimal(fill.quoteQuantity));
    } else {
      const share = divide(multiply(cost, decimal(fill.quantity)), quantity, 28);
      realised = add(realised, subtract(subtract(decimal(fill.quoteQuantity), decimal(fill.fee)), share));
      quantity = subtract(quantity, decimal(fill.quantity));
      cost = subtract(cost, share);
    }
  }
  return { quantity, cost, realised };
}

test('open, today, total and risk of a bot that sold half are exact, and today begins anew at midnight', async () => {
  // Their midnight is 01:00 UTC.
  const zone = { method: 'PUT', body: { timeZone: 'Atlantic/Azores' } };
  expect((await stage.user.call('/bff/v2/account/preferences', zone)).status).toBe(200);
  const bot = await enabled();
  await untilStory(bot, 'Sell TakeProfit');
  await until(
    'the prices after it',
    async () => (await detail(bot)).evaluations[0]?.price !== null && Number((await detail(bot)).evaluations[0]?.price) === 10_800,
  );
  const [position] = (await detail(bot)).positions;
  const mine = await byFills(bot, position!.id);
  const [before, list] = [await figures(), await held()];
  const row = list.items.find(({ autoTradeId }) => autoTradeId === bot.id)!;
  const price = decimal(row.price!);
  const open = over(price, mine);
  const stop = decimal(position!.lines.stopLoss!);
  const risk = multiply(multiply(mine.quantity, subtract(price, stop)), subtract(ONE, decimal(TAKER)));
  expect(before).toMatchObject({
    holds: ['BTCUSDT'],
    slots: { used: 1 },
    open: text(open),
    realised: text(mine.realised),
    total: text(add(open, mine.realised)),
    // Nothing was held when the day began.
    today: text(add(open, mine.realised)),
    inUse: text(mine.cost),
    budget: '5000',
    atRisk: { amount: text(risk), without: 0 },
    exits: 0,
    curve: [],
  });
  // What the stop would leave is the open result less what is at risk.
  expect(text(subtract(open, risk))).toBe(text(over(stop, mine)));
  expect(row).toMatchObject({ result: text(open), atRisk: text(risk), stop: text(stop), cost: text(mine.cost), state: 'Open' });
  expect(before.next).toMatchObject({ symbol: 'BTCUSDT', waitsFor: { code: 'take-profit' } });
  expect(Number(before.next?.distancePct)).toBeGreaterThan(0);

  // Over midnight, at the price it had before: the new day begins with what the old one ended with.
  await pass(4 * 60_000);
  const midnight = Date.UTC(2026, 0, 5, 1);
  expect(stage.simulator.clock.now()).toBeGreaterThan(midnight);
  const after = await figures();
  const now = decimal((await held()).items.find(({ autoTradeId }) => autoTradeId === bot.id)!.price!);
  expect(after.realised).toBe(before.realised);
  expect(after.today).toBe(text(subtract(over(now, mine), over(decimal('10800'), mine))));

  // A sale of a position that was held at midnight is in today with what it changed since.
  await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${position!.id}/sell`, { method: 'POST', body: {} });
  await untilStory(bot, 'Exit Manual');
  const sold = await byFills(bot, position!.id);
  const end = await figures();
  const change = subtract(subtract(sold.realised, mine.realised), over(decimal('10800'), mine));
  expect(end).toMatchObject({ open: '0', today: text(change), realised: text(sold.realised), exits: 1, inUse: '0', holds: [] });
  expect(end.curve).toEqual([{ at: expect.any(String), value: text(sold.realised) }]);
});

test('what is held by hand and by bots adds up to the ledger, and paper stays by itself', { tags: ['smoke'] }, async () => {
  const bot = await enabled();
  await until('the position in the ledger', async () => {
    const { items } = await get<{ items: OpenPosition[] }>('/bff/v2/positions/open');
    return items.some(({ symbol }) => symbol === 'BTCUSDT');
  });
  // Bought by hand beside the bot.
  await stage.askExchange({
    method: 'POST',
    path: '/api/v3/order',
    parameters: { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.05' },
    answer: z.unknown(),
  });
  const ledger = async () =>
    (await get<{ items: OpenPosition[] }>('/bff/v2/positions/open')).items.find(({ symbol }) => symbol === 'BTCUSDT')!;
  await until('the purchase in the ledger', async () => (await ledger()).trades >= 2, 0);
  const whole = await ledger();
  const { items, totals } = await held();
  const rows = items.filter(({ symbol }) => symbol === 'BTCUSDT');
  expect(rows.map(({ autoTradeId, state }) => [autoTradeId, state])).toEqual([
    [bot.id, 'Open'],
    [null, 'Open'],
  ]);
  const total = (values: readonly unknown[]) => text(values.reduce<Decimal>((sum, value) => add(sum, decimal(String(value))), ZERO));
  expect(total(rows.map(({ quantity }) => quantity))).toBe(whole.quantity);
  expect(total(rows.map(({ cost }) => cost))).toBe(whole.cost);
  expect(total(rows.map(({ value }) => value))).toBe(whole.value);
  expect(rows[1]).toMatchObject({ positionId: whole.id, stop: null, atRisk: null, broken: [] });
  expect(totals).toEqual([
    {
      currency: 'USDT',
      value: whole.value,
      cost: whole.cost,
      result: total(rows.map(({ result }) => result)),
      resultPct: text(divide(multiply(decimal(total(rows.map(({ result }) => result))), HUNDRED), decimal(whole.cost), 4)),
      atRisk: rows[0]!.atRisk,
      withoutStop: 1,
      count: 2,
      leftOut: 0,
    },
  ]);
  expect((await held('paper')).items).toEqual([]);
  // A bot that sends no exits has no stop, whatever its lines say.
  expect((await stage.ask(bot, 'disable', { exits: 'freeze' })).status).toBe(200);
  expect((await held()).items.find(({ autoTradeId }) => autoTradeId === bot.id)).toMatchObject({ stop: null, atRisk: null });
  expect((await figures()).atRisk).toEqual({ amount: '0', without: 1 });
});
