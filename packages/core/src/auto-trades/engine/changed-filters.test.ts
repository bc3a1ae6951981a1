import { describe, expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { btcusdt } from '../../../testing/pairs.ts';
import { NORMAL } from '../../../testing/test-exchange.ts';
import { decimal, equals, toMultiple } from '../../money/decimal.ts';
import type { Pair } from '../../prices/prices-contract.ts';
import type { OrderInFlight } from '../position/position-state.ts';
import { replayTape } from './tape.ts';

// The exchange changes the filters of a pair while a bot has been at work for weeks.

const coarse = { ...btcusdt, pricePrecision: 0, filters: { ...btcusdt.filters, stepSize: '0.01', minQty: '0.01', tickSize: '1' } };
/** Refuses what is no whole lot or no price of the new filters, once they are in force. */
const exchange = () => {
  const rules = { coarse: false };
  const onTick = (text: string, step: string) => equals(toMultiple(decimal(text), decimal(step), 'down'), decimal(text));
  const fateOf = ({ quantity, price, stopPrice }: OrderInFlight) => {
    const bad = !onTick(quantity, '0.01') || [price, stopPrice].some((each) => each != null && !onTick(each, '1'));
    return { ...NORMAL, feeAsset: 'none' as const, kind: rules.coarse && bad ? ('refused' as const) : ('normal' as const) };
  };
  return { rules, fateOf };
};
const config = botConfig({
  entry: { ...botConfig().entry, trigger: { kind: 'immediate' }, trailing: { enabled: false }, maxSpreadPct: '5' },
  trailingCost: { enabled: false },
  takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
  stopLoss: { mode: 'percent', pct: '3' },
  cooldown: { afterWinMin: 600, afterLossMin: 600 },
});
const change = { type: 'coins' as const, symbols: ['BTCUSDT'], pairs: [coarse], at: START + 61_000 };

test('a stop loss sells by the filters of now', () => {
  const { rules, fateOf } = exchange();
  const bot = botStage(config, { fateOf });
  bot.walk([1000, 1000]);
  rules.coarse = true;
  bot.tell(change);
  bot.walk([960, 960, 960], { from: START + 90_000 });
  expect([bot.placed.at(-1)?.quantity, bot.kinds().at(-1)]).toEqual(['0.99', 'Exit StopLoss']);
  expect(replayTape(JSON.parse(JSON.stringify(bot.tape)) as [])).toEqual(bot.traces);
});

test('a stop rests on the tick of now, below where it was set or moved to', () => {
  const { rules, fateOf } = exchange();
  const bot = botStage(botConfig({ ...config, protectiveStop: { enabled: true, limitOffsetPct: '0.5' } }), { fateOf });
  bot.walk([1000, 1000]);
  const moved = { stop: '985.5', trailingStart: null, takeProfit: [] };
  bot.tell({ type: 'levels', positionId: bot.context().positionId, moved, at: START + 60_000 });
  rules.coarse = true;
  bot.tell(change);
  bot.walk([1000, 1000, 1000, 1000], { from: START + 90_000 });
  expect([bot.context().resident?.stopPrice, bot.context().stopRefusal?.code ?? null]).toEqual(['985', null]);
});

test('the next entry, too, and nothing else changes', () => {
  const { rules, fateOf } = exchange();
  const bot = botStage(config, { fateOf });
  rules.coarse = true;
  bot.tell(change);
  bot.walk([1003, 1003]);
  expect([bot.placed.map(({ quantity }) => quantity), bot.state(), bot.engine.coins]).toEqual([['0.99'], 'open', ['BTCUSDT']]);
});

const untaken = (type: 'Limit' | 'Market' | 'StopLimit') => ({
  ...change,
  pairs: [{ ...btcusdt, filters: { ...btcusdt.filters, withoutOrders: [type] } }],
});
const sentTypes = (bot: ReturnType<typeof botStage>) => bot.placed.map(({ purpose, type }) => `${purpose} ${type}`);

test('a pair that takes no market orders is not bought, since no stop could sell it; by hand neither, with the reason', () => {
  const bot = botStage(config);
  bot.tell(untaken('Market'));
  bot.walk([1000, 1000]);
  expect(sentTypes(bot)).toEqual([]);
  expect(bot.engine.enter('BTCUSDT')).toEqual({ ok: false, rule: 'order-type', observed: 'Market', limit: '' });
  bot.tell({ ...change, pairs: [btcusdt] });
  bot.walk([1000, 1000], { from: START + 90_000 });
  expect(bot.state()).toBe('open');
});

test('what is held of a pair that takes no market orders any more is sold by a limit that takes the book', () => {
  const bot = botStage(config);
  bot.walk([1000, 1000]);
  bot.tell(untaken('Market'));
  bot.walk([960, 960, 960], { from: START + 90_000 });
  const { type, price, offered } = bot.placed.at(-1)!;
  expect([type, Number(price) < Number(offered), bot.kinds().at(-1)]).toEqual(['Limit', true, 'Exit StopLoss']);
});

test('such a sale follows a book that falls away from it, whatever the patience of other sales', () => {
  const bot = botStage(botConfig({ ...config, exit: { ...config.exit, order: { ...config.exit.order, timeoutSec: 600 } } }));
  bot.walk([1000, 1000]);
  bot.tell(untaken('Market'));
  for (const [price, second] of [
    [960, 90],
    [900, 92],
    [900, 94],
    [900, 96],
    [900, 98],
    [900, 100],
  ] as const)
    bot.tick(price, START + second * 1000);
  const sales = bot.placed.filter(({ side }) => side === 'Sell');
  expect(sales.map(({ placedAt }) => placedAt - START)).toEqual([90_000, 98_000]);
  expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
});

test('a limit sale of a pair without limit orders goes to the market, and a limit entry is not made', () => {
  const limits = botConfig({ ...config, exit: { ...config.exit, order: { ...config.exit.order, type: 'Limit' } } });
  const bot = botStage(limits);
  bot.walk([1000, 1000]);
  bot.tell(untaken('Limit'));
  bot.walk([1600, 1600, 1600], { from: START + 90_000 });
  expect(sentTypes(bot)).toEqual(['entry Market', 'exit Market']);
  const buyer = botStage(botConfig({ ...config, entry: { ...config.entry, order: { ...config.entry.order, type: 'Limit' } } }));
  buyer.tell(untaken('Limit'));
  buyer.walk([1000, 1000]);
  expect([sentTypes(buyer), buyer.engine.enter('BTCUSDT')]).toMatchObject([[], { rule: 'order-type', observed: 'Limit' }]);
});

test('a stop that rests stays where the pair takes no new ones: it could not be replaced', () => {
  const bot = botStage(botConfig({ ...config, protectiveStop: { enabled: true, limitOffsetPct: '0.5' } }));
  bot.walk([1000, 1000, 1000]);
  const resting = bot.engine.inspect('BTCUSDT')?.context.resident;
  expect(resting).not.toBeNull();
  bot.tell(untaken('StopLimit'));
  bot.walk([1000, 1001, 1000], { from: START + 90_000 });
  expect(bot.engine.inspect('BTCUSDT')?.context.resident).toEqual(resting);
  expect(bot.cancelled).toEqual([]);
});

test('a stop is not tried at a pair without stop orders: why is said, and the bot sells at it by itself', () => {
  const bot = botStage(botConfig({ ...config, protectiveStop: { enabled: true, limitOffsetPct: '0.5' } }));
  bot.tell(untaken('StopLimit'));
  bot.walk([1000, 1000, 1000]);
  expect(bot.engine.inspect('BTCUSDT')?.context.stopRefusal?.code).toBe('NO_STOP_ORDERS');
  bot.walk([960, 960, 960], { from: START + 90_000 });
  expect(sentTypes(bot)).toEqual(['entry Market', 'exit Market']);
});

describe('what one order may be worth', () => {
  const worth = (filters: Partial<Pair['filters']>) => ({ ...btcusdt, filters: { ...btcusdt.filters, ...filters } });
  const bought = (filters: Partial<Pair['filters']>, ask: number, type: 'Limit' | 'Market' = 'Market') => {
    const order = { ...config.entry.order, type, offsetPct: '0' };
    const bot = botStage(botConfig({ ...config, entry: { ...config.entry, order, maxSpreadPct: '5' } }), { pairs: [worth(filters)] });
    bot.tell({ type: 'tick', symbol: 'BTCUSDT', at: START, price: 1000, bid: 1000, ask });
    return bot.placed.at(0)?.quantity;
  };

  test('a market buy is cut to the maximum, by the last price where the filter names it, by an average with room', () => {
    expect(bought({ maxNotional: '500', marketMaxNotional: '500', averageMinutes: 0 }, 1020)).toBe('0.5');
    expect(bought({ maxNotional: '525', marketMaxNotional: '525', averageMinutes: 5 }, 1020)).toBe('0.5');
    expect(Number(bought({ maxNotional: '500', marketMaxNotional: '0', averageMinutes: 5 }, 1000))).toBeGreaterThan(0.9);
    expect(bought({ maxNotional: '500', marketMaxNotional: '0' }, 1000, 'Limit')).toBe('0.5');
  });

  test('a market buy that the trades value below the minimum is not made, however far above them the ask is', () => {
    expect(bought({ minNotional: '940', marketMinNotional: '940' }, 1000)).toBeDefined();
    expect(bought({ minNotional: '940', marketMinNotional: '940' }, 1045)).toBeUndefined();
  });

  test('a sale above the maximum is made in parts', () => {
    const bot = botStage(config, { pairs: [worth({ marketMaxNotional: '500', averageMinutes: 0 })] });
    bot.walk([400, 400, 400]);
    bot.tell({ ...change, pairs: [worth({ marketMaxNotional: '300', averageMinutes: 0 })] });
    bot.walk([380, 380, 380, 380, 380], { from: START + 90_000 });
    const sold = bot.placed.filter(({ side }) => side === 'Sell');
    expect(sold.every(({ quantity }) => Number(quantity) * 380 <= 300)).toBe(true);
    expect([sold.length > 1, bot.kinds().at(-1)]).toEqual([true, 'Exit StopLoss']);
  });
});
