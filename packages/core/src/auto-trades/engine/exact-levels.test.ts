import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BOT_ID, botConfig, positionSettings, walletBook } from '../../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../../testing/pairs.ts';
import { runs } from '../../../testing/tiers.ts';
import { refusalOf } from '../../backtest/order-refusal.ts';
import { compare, decimal, divide, lessThan, multiply, subtract, toFloat, toText } from '../../money/decimal.ts';
import type { Pair } from '../../prices/prices-contract.ts';
import type { AutoTradeConfig } from '../config/auto-trade-config.ts';
import { planEntry } from '../position/entry-plan.ts';
import {
  protectedCostFor,
  raisePrice,
  sellableQuantity,
  smallestRaise,
  stopLossPrice,
  tooSmallToTrade,
} from '../position/position-lines.ts';
import type { OrderInFlight } from '../position/position-state.ts';
import { newPosition } from '../position/position-state.ts';
import { createAutoTradeEngine, type EngineStep } from './auto-trade-engine.ts';

/** A pair whose price is a few hundred ticks high and whose lots are whole coins. */
const shib: Pair = {
  ...btcusdt,
  symbol: 'SHIBUSDT',
  baseAsset: 'SHIB',
  pricePrecision: 8,
  quantityPrecision: 0,
  filters: {
    ...btcusdt.filters,
    tickSize: '0.00000001',
    minPrice: '0.00000001',
    stepSize: '10',
    minQty: '10',
    maxQty: '46116860410',
    marketMaxQty: '0',
    minNotional: '1',
  },
};

const tape = (config: AutoTradeConfig, pair = shib) => {
  const steps: EngineStep[] = [];
  const placed: OrderInFlight[] = [];
  const cancelled: string[] = [];
  const wallet = walletBook();
  const engine = createAutoTradeEngine({
    autoTradeId: BOT_ID,
    runNo: 1,
    mode: 'paper',
    config: { ...config, coins: { symbols: [pair.symbol], coinFilterIds: [] } },
    configVersion: 1,
    pairs: [pair],
    takerFee: '0.001',
    wallet,
    emit: (step) => {
      steps.push(step);
      for (const effect of step.context.effects) {
        if (effect.kind === 'place') placed.push(effect.order);
        if (effect.kind === 'cancel') cancelled.push(effect.clientOrderId);
      }
    },
  });
  let at = 1_700_000_000_000;
  let trades = 0;
  return {
    engine,
    wallet,
    steps,
    placed,
    cancelled,
    tick: (price: string, high = price, afterMs = 1000) => {
      at += afterMs;
      const tick = toFloat(decimal(pair.filters.tickSize));
      engine.tick(pair.symbol, at, Number(price), Number(price) - tick, Number(price) + tick, Number(high));
    },
    fill: (price: string) => {
      const order = placed.at(-1)!;
      at += 1;
      const quote = toText(multiply(decimal(order.quantity), decimal(price)));
      engine.order({
        type: 'filled',
        clientOrderId: order.clientOrderId,
        orderId: '1',
        tradeId: String(++trades),
        price,
        quantity: order.quantity,
        quoteQuantity: quote,
        fee: '0',
        feeAsset: 'USDT',
        feeInQuote: '0',
        at,
      });
      engine.order({ type: 'ended', clientOrderId: order.clientOrderId, status: 'FILLED', code: null, at });
    },
    end: (status: 'CANCELED' | 'REJECTED', code: string | null = null) =>
      engine.order({ type: 'ended', clientOrderId: placed.at(-1)!.clientOrderId, status, code, at }),
    state: () => engine.inspect(pair.symbol)!.state,
    context: () => engine.inspect(pair.symbol)!.context,
  };
};

const now = (over: Parameters<typeof botConfig>[0] = {}) =>
  botConfig({
    entry: { ...botConfig().entry, trigger: { kind: 'immediate' }, trailing: { enabled: false }, maxSpreadPct: '5' },
    stopLoss: { mode: 'none' },
    trailingCost: { enabled: false },
    takeProfit: { levels: [{ gainPct: '2', sellPct: '100' }] },
    ...over,
  });

describe('a level in doubles never hides one that is exact', () => {
  test('the line rises exactly from the price that the columns wait for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 5000 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: -3, max: 60 }),
        (line, distance, step, above) => {
          const config = botConfig({
            trailingCost: {
              enabled: true,
              armGainPct: '5',
              distancePct: toText({ units: BigInt(distance), scale: 2 }),
              stepPct: toText({ units: BigInt(step), scale: 2 }),
              floor: 'none',
            },
          });
          const settings = { ...positionSettings(config), symbol: shib.symbol, filters: shib.filters, pricePrecision: 8 };
          const text = toText({ units: BigInt(line), scale: 8 });
          const context = { ...newPosition(settings, 1, 'p'), quantity: '1000', cost: '0.001', line: text };
          const from = raisePrice(context)!;
          const price = { units: divide(from, decimal('0.00000001'), 0).units + BigInt(above), scale: 8 };
          const rises = !lessThan(subtract(protectedCostFor(context, price), decimal(text)), smallestRaise(context, decimal(text)));
          expect(rises).toBe(compare(price, from) >= 0);
        },
      ),
      { numRuns: runs(3000) },
    );
  });

  test('a take profit is not starved by a line that is about to rise', () => {
    const bot = tape(
      now({
        takeProfit: { levels: [{ gainPct: '1.5', sellPct: '100' }] },
        trailingCost: { enabled: true, armGainPct: '1', distancePct: '0.5', stepPct: '0.5' },
      }),
    );
    bot.tick('0.00001234');
    bot.fill('0.00001234');
    bot.tick('0.00001247');
    expect(bot.state()).toBe('protected');
    // The last trade is there, what a sale pays is a tick below.
    bot.tick('0.00001253');
    expect([bot.state(), bot.context().exitReason]).toEqual(['protected', null]);
    bot.tick('0.00001254');
    expect([bot.state(), bot.context().exitReason]).toEqual(['exitPending', 'TakeProfit']);
  });

  test('a drop to exactly the level triggers', () => {
    // 0.000011 less 4 % is 0.00001056; in doubles the product lies a hair below it.
    const bot = tape(now({ entry: { ...now().entry, trigger: { kind: 'drop', dropPct: '4', lookbackMin: 60 } } }));
    bot.tick('0.00001057', '0.000011');
    expect(bot.placed).toHaveLength(0);
    bot.tick('0.00001056', '0.000011');
    expect(bot.placed).toHaveLength(1);
  });
});

describe('coarse lots and ticks', () => {
  test('quantities are multiples of ten, whole and sellable', () => {
    const bot = tape(now());
    bot.tick('0.00001234');
    bot.fill('0.00001234');
    expect(Number(bot.placed[0]!.quantity) % 10).toBe(0);
    bot.tick('0.0000126');
    bot.fill('0.0000126');
    expect(bot.steps.at(-1)).toMatchObject({ state: 'closed', context: { quantity: '0', exitReason: 'TakeProfit' } });
    expect(bot.wallet.sums).toMatchObject({ invested: '0', reserved: '0' });
  });

  test('a price of one tick with an offset is refused, not divided by', () => {
    const settings = {
      ...positionSettings(now({ entry: { ...now().entry, maxSpreadPct: '5', order: { type: 'Limit', offsetPct: '1' } } })),
      filters: shib.filters,
    };
    const plan = planEntry(settings, walletBook(), { at: 0, price: '0.00000001', bid: '0.00000001', ask: '0.00000001' });
    expect(plan).toMatchObject({ ok: false, rule: 'size' });
  });

  test('a stop loss between two ticks stands at the lower one: at the upper it would fire early', () => {
    const config = botConfig({ stopLoss: { mode: 'percent', pct: '3', basis: 'firstBuy' } });
    const settings = { ...positionSettings(config), filters: btcusdt.filters };
    const context = { ...newPosition(settings, 1, 'p'), firstBuyPrice: '100.01' };
    // 97.0097 between two ticks of a cent.
    expect(toText(stopLossPrice(context)!)).toBe('97');
  });

  test('an entry is refused that could not be sold again after a fall of 5 %', () => {
    const planned = (value: string) =>
      planEntry(
        { ...positionSettings(now({ entry: { ...now().entry, size: { mode: 'fixed', value } } })), filters: btcusdt.filters },
        walletBook(),
        { at: 0, price: '100', bid: '100', ask: '100' },
      );
    const least = Number(btcusdt.filters.minNotional);
    expect(planned(String(least * 1.04))).toMatchObject({ ok: false, rule: 'size' });
    expect(planned(String(least * 1.06))).toMatchObject({ ok: true });
  });

  test('no order carries more than LOT_SIZE allows, also without MARKET_LOT_SIZE', () => {
    const filters = { ...btcusdt.filters, maxQty: '50', marketMaxQty: '0' };
    expect(toText(sellableQuantity(decimal('70'), filters))).toBe('50');
    expect(toText(sellableQuantity(decimal('70'), { ...filters, marketMaxQty: '20' }))).toBe('20');
    expect(toText(sellableQuantity(decimal('70'), { ...filters, maxQty: '0' }))).toBe('70');
    // What is allowed at market is seldom a whole number of lots, and an order of anything else is refused.
    expect(toText(sellableQuantity(decimal('70'), { ...filters, stepSize: '1', marketMaxQty: '20.5' }))).toBe('20');
  });

  test('orders are whole market lots, and no less than the market asks: what is bought can be sold by a stop', () => {
    const filters = { ...btcusdt.filters, stepSize: '0.1', minQty: '0.1', marketMinQty: '2', marketStepSize: '0.5', minNotional: '0' };
    expect(toText(sellableQuantity(decimal('7.8'), filters))).toBe('7.5');
    expect(['1.9', '2'].map((quantity) => tooSmallToTrade(decimal(quantity), decimal('1'), filters))).toEqual([true, false]);
    // 0 turns a rule off, and what an older server tells has none.
    expect(toText(sellableQuantity(decimal('7.8'), { ...filters, marketStepSize: '0' }))).toBe('7.8');
    const { marketMinQty: _, marketStepSize: __, ...older } = filters;
    expect([toText(sellableQuantity(decimal('7.8'), older)), tooSmallToTrade(decimal('0.1'), decimal('1'), older)]).toEqual(['7.8', false]);
    // Steps of which neither is a multiple of the other.
    expect(toText(sellableQuantity(decimal('7.8'), { ...filters, stepSize: '0.2' }))).toBe('7');
    const planned = planEntry({ ...positionSettings(now()), filters }, walletBook(), { at: 0, price: '90', bid: '90', ask: '90' });
    expect(planned).toMatchObject({ ok: true, order: { quantity: '11' } });
    const order = { side: 'Sell', type: 'Market', price: null, stopPrice: null } as const;
    const refused = (quantity: string) => refusalOf({ ...order, quantity: decimal(quantity) }, filters, decimal('90'), 0)?.rule;
    expect(['1.5', '2.2', '2.5'].map(refused)).toEqual(['MARKET_LOT_SIZE', 'MARKET_LOT_SIZE', undefined]);
  });
});

test('a refused entry is not tried again on the next tick, whatever the cooldown', () => {
  const bot = tape(now({ cooldown: { afterWinMin: 0, afterLossMin: 0 } }));
  bot.tick('0.00001234');
  bot.end('REJECTED', '-1013');
  for (let second = 0; second < 50; second += 1) bot.tick('0.00001234');
  expect(bot.placed).toHaveLength(1);
  for (let second = 0; second < 20; second += 1) bot.tick('0.00001234');
  expect(bot.placed).toHaveLength(2);
});

test('a slice that rests in the book does not keep the protected cost from being met', () => {
  const bot = tape(
    now({
      takeProfit: {
        levels: [
          { gainPct: '2', sellPct: '50' },
          { gainPct: '9', sellPct: '50' },
        ],
      },
      trailingCost: { enabled: true, armGainPct: '1', distancePct: '0.5', stepPct: '0.1' },
      exit: { order: { type: 'Limit', offsetPct: '1', timeoutSec: 86_400 } },
    }),
    btcusdt,
  );
  bot.tick('1000');
  bot.fill('1000');
  bot.tick('1021');
  expect(bot.state()).toBe('reducing');
  bot.tick('1010');
  expect([bot.state(), bot.context().exitReason, bot.cancelled.length]).toEqual(['exitPending', 'TrailingCost', 1]);
  bot.end('CANCELED');
  expect(bot.placed.at(-1)).toMatchObject({ purpose: 'exit', type: 'Market', side: 'Sell' });
});

test('a position may place thousands of orders, each under its own id', () => {
  const bot = tape(
    now({
      takeProfit: { levels: [{ gainPct: '2', sellPct: '100' }] },
      exit: { order: { type: 'Limit', offsetPct: '5', timeoutSec: 5, onTimeout: 'cancel' } },
    }),
    btcusdt,
  );
  bot.tick('1000');
  bot.fill('1000');
  for (let round = 0; round < 1500; round += 1) {
    bot.tick('1030');
    bot.tick('1030', '1030', 6000);
    bot.end('CANCELED');
  }
  expect(bot.placed).toHaveLength(1501);
  expect(new Set(bot.placed.map(({ clientOrderId }) => clientOrderId)).size).toBe(1501);
});
