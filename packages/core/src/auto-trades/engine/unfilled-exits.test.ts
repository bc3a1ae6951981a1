import { describe, expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { btcusdt } from '../../../testing/pairs.ts';
import { NORMAL } from '../../../testing/test-exchange.ts';
import type { OrderInFlight } from '../position/position-state.ts';

// A market sale can end without a fill: nothing stands in the book, or the exchange's price range is exceeded.

const SECOND = 1000;
const RANGE = 'EXECUTION_RULE_PRICE_RANGE_EXCEEDED';
const config = botConfig({
  entry: { ...botConfig().entry, trigger: { kind: 'immediate' }, trailing: { enabled: false }, maxSpreadPct: '5' },
  stopLoss: { mode: 'percent', pct: '3' },
  trailingCost: { enabled: false },
  takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
  cooldown: { afterWinMin: 600, afterLossMin: 600 },
});

/** A bot whose stop loss is due at START + 30 s, and whose first sales find nobody. */
function stopped(unfilled: number) {
  let left = unfilled;
  const bot = botStage(config, {
    fateOf: ({ side }: OrderInFlight) => ({
      ...NORMAL,
      kind: side === 'Sell' && left-- > 0 ? ('unfilled' as const) : ('normal' as const),
      said: { code: RANGE },
    }),
  });
  bot.walk([1000, 1000, 960], { stepMs: 15 * SECOND });
  return bot;
}
const DUE = START + 30 * SECOND;
const sales = (bot: ReturnType<typeof stopped>) => bot.placed.filter(({ side }) => side === 'Sell').map(({ placedAt }) => placedAt - DUE);
/** A price each second, from `from` to `until` seconds after the sale was due. */
const prices = (bot: ReturnType<typeof stopped>, from: number, until: number) =>
  bot.walk(
    Array.from({ length: until - from + 1 }, () => 960),
    { from: DUE + from * SECOND, stepMs: SECOND },
  );

describe('an exit that sold nothing', () => {
  test('is tried again after 1, 2, 4 … 60 seconds until it sells, and its rows say why it took so long', () => {
    const bot = stopped(8);
    prices(bot, 1, 300);
    expect(sales(bot).map((ms) => ms / SECOND)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
    expect(bot.traces.at(-1)).toMatchObject({ kind: 'Exit', reason: 'StopLoss', after: { expiryReason: RANGE, unfilledTries: '8' } });
    expect(bot.logs.filter(({ code }) => code === 'SALE_UNFILLED')).toHaveLength(8);
    expect(bot.logs.find(({ code }) => code === 'SALE_UNFILLED')?.facts).toMatchObject({ reason: RANGE, tries: 1 });
    expect(bot.logs.map(({ code }) => code)).not.toContain('NEEDS_ATTENTION');
  });

  test('needs its owner after a quarter of an hour, for the reason that the exchange gives', () => {
    const bot = stopped(Number.POSITIVE_INFINITY);
    prices(bot, 1, 1000);
    expect([bot.state(), bot.context().attention, sales(bot).length]).toEqual(['needsAttention', RANGE, 21]);
    expect(bot.logs.at(-1)).toMatchObject({ code: 'NEEDS_ATTENTION', facts: { code: RANGE, tries: 21 } });
  });

  test('is tried again in a market without trades, while the connection is up', () => {
    const bot = stopped(1);
    bot.tell({ type: 'connected', at: DUE + 500 });
    expect(sales(bot)).toEqual([0]);
    bot.tell({ type: 'connected', at: DUE + SECOND });
    expect(sales(bot)).toEqual([0, SECOND]);
  });

  test('goes on after a restart during a pause, and counts on', () => {
    const bot = stopped(3);
    prices(bot, 1, 4);
    bot.restart();
    prices(bot, 5, 20);
    expect(sales(bot).map((ms) => ms / SECOND)).toEqual([0, 1, 3, 7]);
    expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
  });

  test('is not tried while the bot is frozen', () => {
    const bot = stopped(1);
    bot.tell({ type: 'frozen', frozen: true });
    prices(bot, 1, 20);
    bot.tell({ type: 'connected', at: DUE + 21 * SECOND });
    expect(sales(bot)).toEqual([0]);
    bot.tell({ type: 'frozen', frozen: false });
    prices(bot, 22, 23);
    expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
  });

  test('is left to its owner who takes the position over, or sold at once when its owner says so', () => {
    const taken = stopped(9);
    const { positionId } = taken.context();
    taken.tell({ type: 'detach', positionId, at: DUE + 500 });
    prices(taken, 1, 100);
    expect(sales(taken)).toEqual([0]);
    const sold = stopped(1);
    sold.tell({ type: 'exit', positionId: sold.context().positionId, reason: 'Manual' });
    expect(sales(sold)).toEqual([0, 0]);
    prices(sold, 1, 1);
    expect(sold.kinds().at(-1)).toBe('Exit Manual');
  });

  test('is not hurried by a switch that asks again and again', () => {
    const bot = stopped(9);
    const sell = () => bot.tell({ type: 'exit', positionId: bot.context().positionId, reason: 'KillSwitch' });
    for (let asked = 0; asked < 5; asked += 1) sell();
    expect(sales(bot)).toEqual([0, 0]);
  });

  test('of a kill switch goes again by its asking, once it is due: a frozen bot decides nothing by prices', () => {
    const bot = stopped(3);
    const sell = () => bot.tell({ type: 'exit', positionId: bot.context().positionId, reason: 'KillSwitch' });
    sell();
    bot.engine.setFrozen(true);
    const before = sales(bot).length;
    prices(bot, 1, 60);
    expect(sales(bot)).toHaveLength(before);
    sell();
    expect(sales(bot)).toHaveLength(before + 1);
    sell();
    expect(sales(bot)).toHaveLength(before + 1);
  });

  test('of a kill switch does not wait for a trade, in a market that has none', () => {
    const bot = stopped(3);
    const sell = () => bot.tell({ type: 'exit', positionId: bot.context().positionId, reason: 'KillSwitch' });
    sell();
    bot.engine.setFrozen(true);
    bot.tick(960, DUE + 100);
    const before = sales(bot).length;
    bot.tell({ type: 'connected', at: DUE + 500 });
    sell();
    expect(sales(bot)).toHaveLength(before);
    bot.tell({ type: 'connected', at: DUE + 2 * SECOND });
    sell();
    sell();
    expect(sales(bot).slice(before)).toEqual([2 * SECOND]);
  });

  test('is what Why waits for', async () => {
    const { explain } = await import('../explain.ts');
    const bot = stopped(1);
    const surroundings = { state: 'running', context: { reason: null } as never, pairStatus: 'TRADING' } as const;
    const seen = explain(bot.engine.inspect('BTCUSDT')!, surroundings);
    expect(seen.waitsFor).toEqual({ code: 'sale-again', price: null, at: new Date(DUE + SECOND).toISOString() });
    expect(seen.rules).toContainEqual({ rule: 'sale-filled', observed: RANGE, limit: null, pass: false });
  });
});

test('a slice that sold nothing is decided anew by the prices, and not sold at another one', () => {
  let left = 1;
  const sliced = botConfig({
    ...config,
    takeProfit: {
      levels: [
        { gainPct: '2', sellPct: '50' },
        { gainPct: '4', sellPct: '50' },
      ],
    },
    exit: { order: { type: 'Market' } },
  });
  const bot = botStage(sliced, {
    fateOf: ({ purpose }) => ({ ...NORMAL, kind: purpose === 'takeProfit' && left-- > 0 ? 'unfilled' : 'normal' }),
  });
  bot.walk([1000, 1000, 1025], { stepMs: 15 * SECOND });
  expect([bot.state(), bot.context().order, bot.context().salePause]).toEqual(['open', null, null]);
  bot.tick(1010, DUE + 50);
  expect(bot.placed.filter(({ side }) => side === 'Sell')).toHaveLength(1);
  bot.tick(960, DUE + 100);
  bot.tick(960, DUE + 200);
  expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
});

describe('a market sale that is refused for its value', () => {
  // The exchange values market orders by an average of minutes: after a jump it lies far below the last price.
  const refusals = (code: string, size = '1000', price = 960, filters: Partial<typeof btcusdt.filters> = {}, times = 3) => {
    let left = times;
    const entry = { ...config.entry, size: { mode: 'fixed' as const, value: size } };
    const bot = botStage(botConfig({ ...config, entry }), {
      pairs: [{ ...btcusdt, filters: { ...btcusdt.filters, ...filters } }],
      fateOf: ({ side }) => ({ ...NORMAL, kind: side === 'Sell' && left-- > 0 ? 'refused' : 'normal', said: { code } }),
    });
    bot.walk([1000, 1000, price], { stepMs: 15 * SECOND });
    for (let second = 1; second < 20; second += 1) bot.tick(price, DUE + second * SECOND);
    return bot;
  };
  test.each(['-1013 NOTIONAL', '-1013 MIN_NOTIONAL'])('is tried again whole, because the average follows: %s', (code) => {
    const bot = refusals(code);
    const sold = bot.placed.filter(({ side }) => side === 'Sell');
    expect(sold.map(({ quantity }) => quantity)).toEqual(Array.from({ length: 4 }, () => sold[0]!.quantity));
    expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
    expect(bot.logs.find(({ code: line }) => line === 'SALE_UNFILLED')?.facts).toMatchObject({ reason: 'NOTIONAL_BY_AVERAGE' });
  });
  test.each([
    [1, [1, 2, 2]],
    [2, [1, 2, 4]],
  ])('is sold in parts where it is near the maximum of one order, half each time it is refused: %i times', (times, parts) => {
    const bot = refusals('-1013 NOTIONAL', '1000', 960, { maxNotional: '1010' }, times);
    const sold = bot.placed.filter(({ side }) => side === 'Sell').map(({ quantity }) => Number(quantity));
    for (const [n, part] of parts.entries()) expect(sold[n]).toBeCloseTo(sold[0]! / part, 3);
    expect(sold.slice(times).reduce((sum, part) => sum + part, 0)).toBeCloseTo(sold[0]!, 8);
    expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
  });
  test('is tried again whole where it is a single lot, which has no half', () => {
    const lots = { stepSize: '1', marketStepSize: '1', minQty: '1', marketMinQty: '1', maxNotional: '1300' };
    const bot = refusals('-1013 NOTIONAL', '1100', 960, lots, 1);
    expect(bot.placed.filter(({ side }) => side === 'Sell').map(({ quantity }) => quantity)).toEqual(['1', '1']);
    expect([bot.kinds().at(-1), bot.context().attention]).toEqual(['Exit StopLoss', null]);
  });
  test('needs its owner as before where the last price says the same, or another filter refuses', () => {
    expect(refusals('-1013 LOT_SIZE').context().attention).toBe('-1013 LOT_SIZE');
    // Worth 5.5 when it was bought, and below the minimum of 5 now.
    expect(refusals('-1013 NOTIONAL', '5.5', 850).context().attention).toBe('-1013 NOTIONAL');
    // Worth more than one order may be: no average makes it less.
    expect(refusals('-1013 NOTIONAL', '1000', 960, { maxNotional: '900' }).context().attention).toBe('-1013 NOTIONAL');
  });
});
