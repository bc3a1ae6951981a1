import { describe, expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { btcusdt } from '../../../testing/pairs.ts';
import { NORMAL } from '../../../testing/test-exchange.ts';
import type { AutoTradeConfigInput } from '../config/auto-trade-config.ts';
import type { OrderInFlight } from '../position/position-state.ts';

const entry = { ...botConfig().entry, trigger: { kind: 'immediate' as const }, trailing: { enabled: false }, maxSpreadPct: '5' };
/** Enters at once; nothing sells unless a story says so. */
const quiet = (over: Partial<AutoTradeConfigInput> = {}) =>
  botConfig({
    entry,
    stopLoss: { mode: 'none' },
    trailingCost: { enabled: false },
    takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
    cooldown: { afterWinMin: 600, afterLossMin: 600 },
    ...over,
  });
const fee = (kind: 'none' | 'unvalued') => () => ({ ...NORMAL, feeAsset: kind });
const free = fee('none');

describe('rebuys', () => {
  const ladder = { levels: [{ dropPct: '1' }, { dropPct: '2', sizeMultiplier: '2' }], minMinutesBetween: 1 };
  test('the whole ladder is set aside at the entry, bought level by level, and what it did not need comes back', () => {
    const bot = botStage(quiet({ rebuys: ladder }), { fateOf: free });
    bot.walk([1000]);
    // Entry 1000, rebuys 1000 and 2000; each with half a percent of slippage and the fee on top.
    expect(Number(bot.wallet.sums.reserved)).toBeGreaterThan(4000);
    expect(Number(bot.wallet.sums.reserved)).toBeLessThan(4030);
    bot.walk([1000, 990], { from: START + 1000, stepMs: 1000 });
    // Not before a minute is over.
    expect(bot.state()).toBe('open');
    bot.walk([990, 990, 970, 970, 970, 970], { from: START + 70_000 });
    expect(bot.kinds()).toEqual(['Entry Immediate', 'Buy Entry', 'Buy Rebuy', 'Buy Rebuy']);
    expect(bot.traces.map(({ after }) => after.level).slice(1)).toEqual([0, 1, 2]);
    expect(bot.wallet.sums.reserved).toBe('0');
    expect(bot.context().rebuysDone).toBe(2);
  });
  test('a wallet that cannot pay the whole ladder does not enter', () => {
    const bot = botStage(quiet({ rebuys: ladder }), { balance: '3000' });
    bot.walk([1000]);
    expect(bot.engine.inspect('BTCUSDT')?.plan).toMatchObject({ ok: false, rule: 'budget' });
  });
  test('a buy changes the average: the line it was drawn from expires', () => {
    const trailingCost = { enabled: true, armGainPct: '1', distancePct: '5', stepPct: '0.1', floor: 'none' as const };
    const bot = botStage(quiet({ rebuys: { levels: [{ dropPct: '1' }], minMinutesBetween: 0 }, trailingCost }), { fateOf: free });
    bot.walk([1000, 1000, 1012, 989, 989]);
    expect(bot.kinds().slice(2)).toEqual(['CostMovedUp Armed', 'Buy Rebuy', 'TrailingCostExpired Rebased']);
    expect(bot.state()).toBe('open');
    expect(bot.context().line).toBeNull();
  });
  test('a refused rebuy waits a minute and does not keep the stop from selling', () => {
    const fateOf = (order: OrderInFlight) => ({ ...NORMAL, kind: order.purpose === 'rebuy' ? ('refused' as const) : ('normal' as const) });
    const rebuys = { levels: [{ dropPct: '1' }], minMinutesBetween: 0 };
    const bot = botStage(quiet({ rebuys, stopLoss: { mode: 'percent', pct: '3' } }), { fateOf });
    bot.walk([1000, 1000, ...Array.from({ length: 50 }, () => 989)], { stepMs: 1000 });
    expect(bot.placed.filter(({ purpose }) => purpose === 'rebuy')).toHaveLength(1);
    bot.walk([960, 960], { from: START + 52_000, stepMs: 1000 });
    expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
    expect(bot.wallet.sums.reserved).toBe('0');
  });
  test('a stop while a rebuy rests: the buy is taken back first, its end sells', () => {
    const order = { type: 'Limit' as const, offsetPct: '5', timeoutSec: 3600 };
    const bot = botStage(
      quiet({
        entry: { ...entry, order },
        rebuys: { levels: [{ dropPct: '1' }], minMinutesBetween: 0 },
        stopLoss: { mode: 'percent', pct: '3' },
      }),
      { fateOf: free },
    );
    bot.walk([1000, 949, 939], { stepMs: 1000 });
    expect(bot.state()).toBe('adding');
    bot.tick(920, START + 4000);
    expect([bot.state(), bot.context().exitReason, bot.context().order?.side, bot.cancelled.length]).toEqual([
      'adding',
      'StopLoss',
      'Buy',
      1,
    ]);
    bot.walk([921, 921], { from: START + 5000, stepMs: 1000 });
    expect(bot.kinds()).toEqual(['Entry Immediate', 'Buy Entry', 'Sell StopLoss', 'Exit StopLoss']);
  });
});

describe('a gap in market data', () => {
  const trailingCost = { enabled: true, armGainPct: '1', distancePct: '5', floor: 'none' as const, onExpiry: 'disarm' as const };
  test('ends a line that was drawn before it', () => {
    const bot = botStage(quiet({ trailingCost }), { fateOf: free });
    bot.walk([1000, 1000, 1012], { stepMs: 1000 });
    bot.tick(1013, START + 600_000);
    expect(bot.kinds().slice(2)).toEqual(['CostMovedUp Armed', 'TrailingCostExpired DataGap']);
    expect(bot.context().lineDisarmed).toBe(true);
  });
  test('does not come from a pair that seldom trades while the connection is up: the line rises, and sells at the first price under it', () => {
    const bot = botStage(quiet({ trailingCost }), { fateOf: free, heartbeatMs: 10_000 });
    bot.walk([1000, 1000, 1012], { stepMs: 1000 });
    const prices = [1013, 1050, 1020, 1100, 1060, 1045.1, 1044, 1043];
    let at = START + 2000;
    for (const [index, price] of prices.entries()) {
      for (; at < START + (index + 1) * 600_000; at += 10_000) bot.tell({ type: 'connected', at });
      // A restart of a few seconds is no gap either: the last time of market data is stored with the line.
      if (index === 3) bot.restart();
      bot.tick(price, at);
    }
    const lines = bot.traces.flatMap(({ kind, after }) => (kind === 'CostMovedUp' ? [Number(after.line)] : []));
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
    expect(bot.kinds().slice(-4)).toEqual(['CostMovedUp Raised', 'CostMovedUp Raised', 'Sell TrailingCost', 'Exit TrailingCost']);
    // The order of the first price under the line, filled at the next.
    expect(bot.traces.at(-2)?.price).toBe('1043.00');
  });
  test('stays one when the connection is up again before the pair trades', () => {
    const bot = botStage(quiet({ trailingCost }), { fateOf: free });
    bot.walk([1000, 1000, 1012], { stepMs: 1000 });
    for (const seconds of [10, 50, 111, 121, 300]) bot.tell({ type: 'connected', at: START + seconds * 1000 });
    bot.tick(1013, START + 301_000);
    expect(bot.kinds().slice(2)).toEqual(['CostMovedUp Armed', 'TrailingCostExpired DataGap']);
  });
  test('does not end the line that the first price after it draws', () => {
    const bot = botStage(quiet({ trailingCost }), { fateOf: free });
    bot.walk([1000, 1000], { stepMs: 1000 });
    bot.tick(1012, START + 600_000);
    expect(bot.kinds().slice(2)).toEqual(['CostMovedUp Armed']);
    expect([bot.state(), bot.context().line, bot.context().lineDisarmed]).toEqual(['protected', '961.4', false]);
  });
});

describe('the stop that rests at the exchange', () => {
  const guarded = (over: Partial<AutoTradeConfigInput> = {}) =>
    quiet({ stopLoss: { mode: 'percent', pct: '3' }, protectiveStop: { enabled: true, limitOffsetPct: '0.5' }, ...over });
  test('it mirrors the stop loss, and what it sells is a stop loss', () => {
    const bot = botStage(guarded(), { fateOf: free });
    bot.walk([1000, 1000, 1000]);
    expect(bot.context().resident).toMatchObject({
      type: 'StopLimit',
      side: 'Sell',
      stopPrice: '970',
      price: '965.15',
      mirrors: 'StopLoss',
    });
    bot.tick(968, START + 90_000);
    expect(bot.kinds().slice(2)).toEqual(['Sell StopLoss', 'Exit StopLoss']);
    // The exchange sold; the bot placed nothing.
    expect(bot.placed.map(({ purpose }) => purpose)).toEqual(['entry', 'protect']);
  });
  test('where the price falls through its limit it is cancelled and the rest sold at the market', () => {
    const bot = botStage(guarded(), { fateOf: free });
    bot.walk([1000, 1000, 1000, 950, 950, 950]);
    expect(bot.placed.map(({ purpose, type }) => `${purpose} ${type}`)).toEqual(['entry Market', 'protect StopLimit', 'exit Market']);
    expect(bot.kinds().slice(2)).toEqual(['Sell StopLoss', 'Exit StopLoss']);
  });
  test('it makes way for a take profit, and is placed anew for what is left', () => {
    const levels = [
      { gainPct: '2', sellPct: '50' },
      { gainPct: '9', sellPct: '50' },
    ];
    const bot = botStage(guarded({ takeProfit: { levels } }), { fateOf: free });
    bot.walk([1000, 1000, 1000, 1021]);
    expect([bot.state(), bot.context().order, bot.context().resident?.cancelRequested]).toEqual(['reducing', null, true]);
    bot.walk([1021, 1021, 1021, 1021], { from: START + 120_000 });
    expect(bot.context().resident?.quantity).toBe(bot.context().quantity);
    expect(bot.kinds().slice(2)).toEqual(['Sell TakeProfit']);
  });
  test('a rising line replaces it, at most every five seconds', () => {
    const trailingCost = { enabled: true, armGainPct: '1', distancePct: '0.5', stepPct: '0' };
    const bot = botStage(guarded({ trailingCost }), { fateOf: free });
    bot.walk([1000, 1000, 1000]);
    bot.walk(
      Array.from({ length: 40 }, (_, index) => 1012 + index),
      { from: START + 90_000, stepMs: 500 },
    );
    const stops = bot.placed.filter(({ purpose }) => purpose === 'protect');
    expect(stops.length).toBeGreaterThan(3);
    for (const [index, stop] of stops.entries()) {
      if (index < 2) continue;
      expect(stop.placedAt - stops[index - 1]!.placedAt).toBeGreaterThanOrEqual(5000);
      expect(Number(stop.stopPrice)).toBeGreaterThan(Number(stops[index - 1]!.stopPrice));
    }
    expect(stops.at(-1)?.mirrors).toBe('TrailingCost');
  });
  test('a refused one is probed once a minute while the bot guards by itself', () => {
    const fateOf = (order: OrderInFlight) => ({
      ...NORMAL,
      kind: order.purpose === 'protect' ? ('refused' as const) : ('normal' as const),
    });
    const bot = botStage(guarded(), { fateOf });
    bot.walk(
      Array.from({ length: 100 }, () => 1000),
      { stepMs: 1000 },
    );
    expect(bot.placed.filter(({ purpose }) => purpose === 'protect')).toHaveLength(2);
    bot.walk([960, 960], { from: START + 100_000, stepMs: 1000 });
    expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
  });
});

describe('ways out', () => {
  test('a price of the user sells everything', () => {
    const bot = botStage(quiet(), { fateOf: free });
    bot.walk([1000, 1000]);
    bot.tell({ type: 'target', positionId: bot.context().positionId, price: '1010', at: START + 40_000 });
    bot.walk([1009, 1010], { from: START + 60_000 });
    // Traded at the price, and nobody pays it yet.
    expect(bot.state()).toBe('open');
    bot.walk([1010.01, 1010.01], { from: START + 120_000 });
    expect(bot.kinds().slice(2)).toEqual(['Sell TargetPrice', 'Exit TargetPrice']);
  });
  test('the time stop sells after its hours, and only above its gain where it has one', () => {
    const hour = 3_600_000;
    const plain = botStage(quiet({ timeStop: { hours: 1 } }), { fateOf: free });
    plain.walk([1000, 1000, 990, 990, 990], { stepMs: hour / 2 });
    expect(plain.kinds().at(-1)).toBe('Exit TimeStop');
    const bound = botStage(quiet({ timeStop: { hours: 1, onlyIfGainPctAbove: '1' } }), { fateOf: free });
    bound.walk([1000, 1000, 990, 1010, 1010], { stepMs: hour });
    expect(bound.kinds()).toHaveLength(2);
    bound.walk([1011, 1011], { from: START + 5 * hour });
    expect(bound.kinds().at(-1)).toBe('Exit TimeStop');
  });
  test('conditions sell while their verdict is good, with the gain they ask for; unknown sells nothing', () => {
    const conditions = { match: 'all' as const, rules: [] };
    const bot = botStage(quiet({ exit: { conditions, minGainPct: '1' } }), { fateOf: free });
    bot.walk([1000, 1000]);
    const say = (exit: boolean | null, at: number) =>
      bot.tell({
        type: 'conditions',
        symbol: 'BTCUSDT',
        input: { at, entry: null, exit, observed: { rsi: '71' }, validUntil: at + 60_000 },
      });
    say(null, START + 40_000);
    bot.tick(1020, START + 50_000);
    say(true, START + 60_000);
    bot.tick(1005, START + 70_000);
    bot.tick(1020, START + 121_000);
    expect(bot.state()).toBe('open');
    say(true, START + 122_000);
    bot.walk([1020, 1020], { from: START + 123_000, stepMs: 1000 });
    expect(bot.kinds().at(-1)).toBe('Exit Conditions');
    expect(bot.traces.at(-1)?.after.rsi).toBe('71');
  });
  test('levels too small to sell are sold with the next', () => {
    const levels = [
      { gainPct: '1', sellPct: '0.3' },
      { gainPct: '2', sellPct: '49.7' },
      { gainPct: '3', sellPct: '50' },
    ];
    const bot = botStage(quiet({ takeProfit: { levels } }), { fateOf: free });
    bot.walk([1000, 1000, 1015, 1015, 1021, 1021]);
    expect(bot.kinds().slice(2)).toEqual(['Sell TakeProfit']);
    expect(Number(bot.context().quantity) / Number(bot.context().bought)).toBeCloseTo(0.5, 3);
    bot.walk([1031, 1031], { from: START + 180_000 });
    expect(bot.kinds().at(-1)).toBe('Exit TakeProfit');
  });
});

describe('entries', () => {
  const coins = ['AAA', 'BBB', 'CCC'].map((base) => ({ ...btcusdt, symbol: `${base}USDT`, baseAsset: base }));
  const many = (over: Partial<AutoTradeConfigInput>) =>
    quiet({
      coins: { symbols: coins.map(({ symbol }) => symbol) },
      maxOpenPositions: 1,
      takeProfit: { levels: [{ gainPct: '2', sellPct: '100' }] },
      ...over,
    });
  test.each([
    ['filterOrder', 'BBBUSDT'],
    ['volume', 'CCCUSDT'],
  ] as const)('a free slot goes to the first by %s', (pickOrder, winner) => {
    const bot = botStage(many({ pickOrder }), { pairs: coins, fateOf: free });
    bot.tell({ type: 'volumes', values: { BBBUSDT: 1, CCCUSDT: 2 } });
    bot.tick(1000, START, 'AAAUSDT');
    bot.tick(1000, START + 1000, 'CCCUSDT');
    bot.tick(1000, START + 2000, 'BBBUSDT');
    bot.walk([1000, 1021, 1021], { from: START + 3000, stepMs: 1000, symbol: 'AAAUSDT' });
    expect(bot.traces.filter(({ kind }) => kind === 'Entry').map(({ symbol }) => symbol)).toEqual(['AAAUSDT', winner]);
  });
  test('by hand only where it is said, and only when no rule stands against it', () => {
    const bot = botStage(quiet({ entry: { ...entry, trigger: { kind: 'manual' } } }), { fateOf: free });
    expect(bot.engine.enter('BTCUSDT')).toMatchObject({ ok: false, rule: 'no-data' });
    bot.walk([1000, 900, 1000]);
    expect(bot.traces).toEqual([]);
    bot.tell({ type: 'pauseCoin', symbol: 'BTCUSDT', until: START + 80_000, reason: 'by-hand', at: START + 70_000 });
    expect(bot.engine.enter('BTCUSDT')).toMatchObject({ ok: false, rule: 'coin-not-paused', observed: 'by-hand' });
    bot.tick(1000, START + 90_000);
    expect(bot.ends).toMatchObject([{ scope: 'coin', symbol: 'BTCUSDT', reason: 'by-hand' }]);
    expect(bot.engine.enter('BTCUSDT')).toEqual({ ok: true });
    expect(bot.kinds()).toEqual(['Entry Manual']);
    expect(bot.engine.enter('BTCUSDT')).toMatchObject({ ok: false, rule: 'not-held' });
  });
  test('more than a coin may cost is not entered', () => {
    const bot = botStage(quiet({ maxExposurePerCoin: '1500', rebuys: { levels: [{ dropPct: '1' }] } }));
    bot.walk([1000]);
    expect(bot.engine.inspect('BTCUSDT')?.plan).toMatchObject({ ok: false, rule: 'exposure', limit: '1500' });
  });
  test('a streak of losses pauses the bot, and it goes on by itself', () => {
    const protections = { lossStreak: { count: 1, lookbackHours: 24, pauseHours: 1 } };
    const bot = botStage(quiet({ stopLoss: { mode: 'percent', pct: '1' }, cooldown: { afterWinMin: 0, afterLossMin: 0 }, protections }), {
      fateOf: free,
    });
    bot.walk([1000, 1000, 980, 980, 980, 980]);
    expect(bot.notices).toMatchObject([{ protection: 'lossStreak', scope: 'bot' }]);
    expect(bot.kinds().filter((kind) => kind.startsWith('Entry'))).toHaveLength(1);
    expect(bot.engine.inspect('BTCUSDT')?.gate.botPause?.reason).toBe('lossStreak');
    bot.restart();
    bot.walk([980], { from: START + 1_800_000 });
    expect(bot.kinds().filter((kind) => kind.startsWith('Entry'))).toHaveLength(1);
    bot.walk([980], { from: START + 3_600_000 + 120_000 });
    expect(bot.ends).toMatchObject([{ scope: 'bot', reason: 'lossStreak' }]);
    expect(bot.kinds().filter((kind) => kind.startsWith('Entry'))).toHaveLength(2);
  });
  test('under the guard of the reference nothing is bought while it fell, or while nothing is known of it', () => {
    const protections = { btcGuard: { dropPct: '3', windowMin: 60, resumePct: '1' } };
    const bot = botStage(quiet({ protections }), { fateOf: free });
    bot.walk([1000]);
    expect(bot.engine.inspect('BTCUSDT')?.gate.botPause?.reason).toBe('reference-unknown');
    bot.tell({ type: 'reference', at: START, price: 50_000 });
    bot.tell({ type: 'reference', at: START + 1000, price: 48_000 });
    bot.walk([1000], { from: START + 2000 });
    expect([bot.traces.length, bot.notices[0]?.protection]).toEqual([0, 'btcGuard']);
    bot.tell({ type: 'reference', at: START + 3000, price: 49_900 });
    bot.walk([1000], { from: START + 4000 });
    expect(bot.kinds()).toEqual(['Entry Immediate']);
  });
});

describe('what is left over', () => {
  const sold = { takeProfit: { levels: [{ gainPct: '1', sellPct: '100' }] }, cooldown: { afterWinMin: 0, afterLossMin: 0 } };
  /** The fee of the buy is taken in the coin, so that no whole number of lots is left. */
  const inBase = () => ({ ...NORMAL, feeAsset: 'base' as const });
  test('dust that is left leaves the budget at its cost', () => {
    const bot = botStage(quiet({ ...sold, dust: { policy: 'leave' }, cooldown: { afterWinMin: 600 } }), { fateOf: inBase });
    bot.walk([999.37, 999.37, 1020, 1020, 1020]);
    const exit = bot.traces.at(-1)!;
    expect(Number(exit.after.dust)).toBeGreaterThan(0);
    expect(bot.wallet.sums).toMatchObject({ invested: '0', reserved: '0', withdrawals: exit.after.dustCost });
  });
  test("dust that is included joins the next position, whose costs are then the wallet's", () => {
    const bot = botStage(quiet({ ...sold, dust: { policy: 'includeInNext' } }), { fateOf: inBase });
    bot.walk([999.37, 999.37, 1020, 1020]);
    const exit = bot.traces.find(({ kind }) => kind === 'Exit')!;
    expect(bot.context().carriedQuantity).toBe(exit.after.dust);
    expect(bot.wallet.sums.invested).toBe(exit.after.dustCost);
    bot.restart();
    bot.walk([1020, 1020, 1020], { from: START + 120_000 });
    const next = bot.traces.filter(({ kind }) => kind === 'Entry').at(-1)!;
    expect(next.after.carriedQuantity).toBe(exit.after.dust);
    expect(bot.wallet.sums.invested).toBe(bot.context().cost);
    expect(bot.wallet.sums.withdrawals).toBe('0');
  });
  test('a fee without a price counts zero, then changes the cost, or after the end the result', () => {
    const bot = botStage(quiet({ ...sold, cooldown: { afterWinMin: 600 } }), { fateOf: fee('unvalued') });
    bot.walk([1000, 1000]);
    const { positionId, cost } = bot.context();
    const value = (index: number) => ({
      positionId,
      tradeId: bot.exchanges.get('BTCUSDT')!.unvalued[index]!.tradeId,
      feeInQuote: '1.5',
      at: START + 40_000,
    });
    bot.tell({ type: 'fee', value: value(0) });
    expect(Number(bot.context().cost) - Number(cost)).toBeCloseTo(1.5, 9);
    expect(bot.engine.feeValued(value(0))).toBe(false);
    bot.walk([1020, 1020], { from: START + 60_000 });
    const { realised } = bot.wallet.sums;
    expect(bot.kinds().at(-1)).toBe('Exit TakeProfit');
    bot.tell({ type: 'fee', value: value(1) });
    expect(Number(realised) - Number(bot.wallet.sums.realised)).toBeCloseTo(1.5, 9);
    // What protections judge by later counts it, too, as after a restart.
    const [trade] = bot.engine.history;
    expect(Number(trade!.walletRealised) - Number(trade!.realised)).toBeCloseTo(1.5, 9);
    expect(bot.logs.map(({ code }) => code)).toEqual(expect.arrayContaining(['FEE_UNVALUED', 'FEE_VALUED']));
  });
});

describe('new settings', () => {
  test('open positions take them where that is asked for, and the preview says so before', () => {
    const bot = botStage(quiet({ stopLoss: { mode: 'percent', pct: '3' } }), { fateOf: free });
    bot.walk([1000, 1000]);
    const next = quiet({ stopLoss: { mode: 'percent', pct: '1' } });
    const [preview] = bot.engine.preview(next, 2);
    expect([preview?.before.context.stopPrice, preview?.after.context.stopPrice]).toEqual(['970', '990']);
    expect(bot.context().stopPrice).toBe('970');
    bot.tell({ type: 'settings', config: next, version: 2, applyToOpen: false, at: START + 40_000 });
    expect(bot.context().stopPrice).toBe('970');
    bot.tell({ type: 'settings', config: next, version: 3, applyToOpen: true, at: START + 41_000 });
    expect([bot.context().stopPrice, bot.context().settings.configVersion]).toEqual(['990', 3]);
  });
  test('a coin that left is watched until its position is closed, one that came is entered', () => {
    const other = { ...btcusdt, symbol: 'AAAUSDT', baseAsset: 'AAA' };
    const bot = botStage(quiet({ takeProfit: { levels: [{ gainPct: '1', sellPct: '100' }] }, cooldown: { afterWinMin: 0 } }), {
      fateOf: free,
    });
    bot.walk([1000, 1000]);
    bot.tell({ type: 'coins', symbols: ['AAAUSDT'], pairs: [other], at: START + 40_000 });
    bot.tick(1000, START + 50_000, 'AAAUSDT');
    bot.walk([1011, 1011, 1011], { from: START + 60_000 });
    expect(bot.traces.map(({ kind, symbol }) => `${kind} ${symbol}`)).toEqual([
      'Entry BTCUSDT',
      'Buy BTCUSDT',
      'Entry AAAUSDT',
      'Sell BTCUSDT',
      'Exit BTCUSDT',
    ]);
  });
});
