import type { AutoTrade, AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { expect, test } from 'vitest';
import { ordersPayload, placedOrderPayload } from '../src/exchange/payloads.ts';
import { botStageOfEachTest } from './bot-stage.ts';
import { flat, line } from './path-market.ts';

// The account holds less of a coin than the books of a bot: what is there is sold, and its owner learns of the rest.

const QUIET = 5;
const falling = [...flat(1000, QUIET + 4), ...line(1000, 800, 4), ...flat(800, 300)];
const stage = botStageOfEachTest({
  path: { closes: flat(100_000, 600), quiet: QUIET, beside: { BNBUSDT: falling } },
  balances: { USDT: '20000' },
  wallet: '10000',
  config: { stopLoss: { mode: 'percent', pct: '5' }, cooldown: { afterWinMin: 600, afterLossMin: 600 } },
  connected: false,
  tapes: true,
});
const { enabled, detail, traces, until } = stage;

/** A bot that holds BNB, bought for a thousand. */
async function holdsBnb(over: Readonly<Record<string, unknown>> = {}): Promise<AutoTrade> {
  const bot = await enabled({ name: 'Holder', coins: { symbols: ['BNBUSDT'] }, ...over });
  await until('its holding BNB', stage.isIn(bot, 'Open'));
  return bot;
}
const inAccount = async () => (await stage.accountAtExchange()).balances.find(({ asset }) => asset === 'BNB');
const placedByHand = (parameters: Readonly<Record<string, string>>) =>
  stage.askExchange({
    method: 'POST',
    path: '/api/v3/order',
    parameters: { symbol: 'BNBUSDT', ...parameters },
    answer: placedOrderPayload,
  });
const sales = async (bot: AutoTrade) => (await traces(bot)).filter(({ kind }) => kind === 'Sell');
const notices = async () =>
  (await stage.get<{ items: { code: string; text: string }[] }>('/bff/v2/notifications?kind=bot-attention')).items;
const isOver = (bot: AutoTrade) => async () => (await traces(bot)).at(-1)?.kind === 'Exit';

/** Nothing of it is left at the exchange that could be sold, nor in the wallet; the story adds up and can be replayed. */
async function expectWholeEnd(bot: AutoTrade): Promise<void> {
  expect(Number((await inAccount())?.free ?? 0) * 800).toBeLessThan(5);
  expect((await detail(bot)).positions).toMatchObject([{ state: 'Closed', attention: null }]);
  expect(await stage.walletNow()).toMatchObject({ reserved: '0' });
  expect(stage.replayed(bot).map(({ kind, reason }) => [kind, reason])).toEqual(
    (await traces(bot)).map(({ kind, reason }) => [kind, reason]),
  );
}

test('a coin of which fees of another bot were taken is sold by its stop, and the difference is told', async () => {
  await stage.connect(true);
  const bot = await holdsBnb();
  const before = Number((await detail(bot)).positions[0]!.quantity);
  const other = await enabled({
    name: 'Other',
    stopLoss: { mode: 'none' },
    entry: { ...stage.settings().entry, size: { mode: 'fixed', value: '5000' } },
  });
  await until('the other holding BTC', stage.isIn(other, 'Open'));
  const there = Number((await inAccount())!.free);
  expect(there).toBeLessThan(before - 0.003);
  await until('its end', isOver(bot));
  const [outside, sold] = await sales(bot);
  expect([outside?.reason, sold?.reason]).toEqual(['SoldOutside', 'StopLoss']);
  expect(Number(outside!.after.quantity)).toBeCloseTo(before - there, 8);
  expect(Number(sold!.after.quantity)).toBeCloseTo(Math.floor(there * 1000) / 1000, 3);
  expect((await notices()).map(({ code }) => code)).toEqual(['bot-coins-missing']);
  expect((await notices())[0]!.text).toMatch(/0\.00\d+ BNB of its BNBUSDT position are not free.*cost [\d.]+ USDT/);
  const { items } = await stage.get<{ items: AutoTradeLog[] }>(`/bff/v2/auto-trades/${bot.id}/logs`);
  expect(items.map(({ code }) => code)).not.toContain('NEEDS_ATTENTION');
  await expectWholeEnd(bot);
});

test('what is left of a coin of which its owner sold a part by hand is sold by its stop', async () => {
  await stage.connect();
  const bot = await holdsBnb();
  await placedByHand({ side: 'SELL', type: 'MARKET', quantity: '0.4' });
  await until('its end', isOver(bot));
  expect((await sales(bot)).map(({ reason, after }) => [reason, Number(after.quantity)])).toEqual([
    ['SoldOutside', expect.closeTo(0.4, 2)],
    ['StopLoss', expect.closeTo(0.598, 2)],
  ]);
  await expectWholeEnd(bot);
});

test('a coin of which everything was sold by hand ends the position without a sale of its own', async () => {
  await stage.connect();
  const bot = await holdsBnb();
  await placedByHand({ side: 'SELL', type: 'MARKET', quantity: String(Math.floor(Number((await inAccount())!.free) * 1000) / 1000) });
  await until('its end', isOver(bot));
  expect(await stage.story(bot)).toEqual(['Entry Immediate', 'Buy Entry', 'Sell SoldOutside', 'Exit SoldOutside']);
  await expectWholeEnd(bot);
});

const guarded = { protectiveStop: { enabled: true, limitOffsetPct: '1' } };
const bnbOrders = (method: 'GET' | 'DELETE') =>
  stage.askExchange({ method, path: '/api/v3/openOrders', parameters: { symbol: 'BNBUSDT' }, answer: ordersPayload });
const stopRests = (bot: AutoTrade) => async () => (await detail(bot)).positions[0]?.lines.protectiveStop != null;

test('coins in an order of their owner are left to it by the stop, and no stop rests for them', async () => {
  await stage.connect();
  const bot = await holdsBnb(guarded);
  await until('a stop at the exchange', stopRests(bot));
  await bnbOrders('DELETE');
  await placedByHand({ side: 'SELL', type: 'LIMIT', timeInForce: 'GTC', price: '1500', quantity: '0.3' });
  await until('its end', isOver(bot));
  expect(await bnbOrders('GET')).toMatchObject([{ origQty: '0.30000000', status: 'NEW' }]);
  const rows = await sales(bot);
  expect(rows.map(({ reason }) => reason)).toEqual(['SoldOutside', 'StopLoss']);
  expect(Number(rows[0]!.after.locked)).toBe(0.3);
  await expectWholeEnd(bot);
});

test('a stop that is to rest at the exchange stands for what is there', async () => {
  await stage.connect();
  const bot = await holdsBnb(guarded);
  await until('a stop at the exchange', stopRests(bot));
  await bnbOrders('DELETE');
  await placedByHand({ side: 'SELL', type: 'MARKET', quantity: '0.3' });
  await until('the stop being away', async () => !(await stopRests(bot)()));
  await until('a stop for the rest', stopRests(bot));
  const [resting] = await bnbOrders('GET');
  expect(Number(resting!.origQty)).toBeCloseTo(Number((await detail(bot)).positions[0]!.quantity), 3);
  expect((await sales(bot)).map(({ reason }) => reason)).toEqual(['SoldOutside']);
  await until('its end', isOver(bot));
  await expectWholeEnd(bot);
});

test('where the exchange takes no more stops, each bot says so once, keeps its coins safe, and gets its stop when there is room', async () => {
  await stage.connect();
  const bots: AutoTrade[] = [];
  for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G'])
    bots.push(
      await enabled({
        name,
        coins: { symbols: ['BNBUSDT'] },
        entry: { ...stage.settings().entry, size: { mode: 'fixed', value: '200' } },
        ...guarded,
      }),
    );
  const refused = async () => {
    const found: AutoTrade[] = [];
    for (const bot of bots) if ((await detail(bot)).positions[0]?.stopRefused === '-1013 MAX_NUM_ALGO_ORDERS') found.push(bot);
    return found;
  };
  await until('two without a stop', async () => (await refused()).length === 2 && (await bnbOrders('GET')).length === 5);
  const without = await refused();
  await stage.pass(90_000);
  for (const bot of without) {
    const { items } = await stage.get<{ items: AutoTradeLog[] }>(`/bff/v2/auto-trades/${bot.id}/logs`);
    expect(items.filter(({ code }) => code.includes('REFUSED')).map(({ code, level }) => [code, level])).toEqual([
      ['PROTECTIVE_STOP_REFUSED', 'warning'],
    ]);
  }
  const told = (await notices()).filter(({ code }) => code === 'bot-stop-refused');
  expect(told).toHaveLength(2);
  expect(told[0]!.text).toContain('its limit of stop orders for the pair is reached');
  // One of the others leaves: there is room.
  const leaving = bots.find((bot) => !without.includes(bot))!;
  const { id } = (await detail(leaving)).positions[0]!;
  expect((await stage.ask(leaving, `positions/${id}/sell`)).status).toBe(200);
  await until('a stop in its place', async () => (await refused()).length === 1 && (await bnbOrders('GET')).length === 5);
});
