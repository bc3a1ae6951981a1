import { expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { type BotStage, botStage, START } from '../../../testing/bot-stage.ts';
import { btcusdt } from '../../../testing/pairs.ts';
import { NORMAL } from '../../../testing/test-exchange.ts';
import { walletBalances } from '../../wallets/wallet-book.ts';
import type { AutoTradeConfigInput } from '../config/auto-trade-config.ts';
import { advancePosition } from '../position/auto-trade-position-machine.ts';
import { proposedFactor } from '../position/position-jump.ts';
import { BALANCE_JUMP, PRICE_JUMP } from '../position/position-state.ts';
import { replayTape } from './tape.ts';

// A coin stands still and goes on at a price of another unit: no rule compares the two, and the owner is asked.

const { entry } = botConfig();
const AT_ONCE = { ...entry, trigger: { kind: 'immediate' }, trailing: { ...entry.trailing, enabled: false } } as const;
const plain = (over: Partial<AutoTradeConfigInput> = {}) =>
  botConfig({
    entry: AT_ONCE,
    takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
    trailingCost: { enabled: false },
    stopLoss: { mode: 'percent', pct: '5' },
    cooldown: { afterWinMin: 600, afterLossMin: 600 },
    ...over,
  });
const HALT = START + 3_600_000;
/** Bought at 100, and nothing traded for an hour. */
function held(over: Partial<AutoTradeConfigInput> = {}, options: Parameters<typeof botStage>[1] = {}): BotStage {
  const stage = botStage(plain(over), options);
  stage.walk([100, 100, 100]);
  expect(stage.state()).toBe('open');
  return stage;
}
const story = (stage: BotStage) => stage.kinds().filter((kind) => kind !== 'Entry Immediate' && kind !== 'Buy Entry');
function isAsked(stage: BotStage): void {
  expect([stage.state(), stage.context().attention]).toEqual(['needsAttention', PRICE_JUMP]);
  expect(story(stage)).toEqual([]);
  expect(stage.logs.filter(({ code }) => code === 'PRICE_JUMPED')).toHaveLength(1);
  expect(JSON.stringify(replayTape(stage.tape))).toBe(JSON.stringify(stage.traces));
  expect(walletBalances(stage.wallet.sums)).toBe(true);
}

test('1 old coin is 100 new ones: its stop sells nothing, and its owner is asked once', () => {
  const stage = held();
  stage.walk([1, 1.01, 0.99], { from: HALT });
  isAsked(stage);
  expect(stage.logs).toContainEqual({ code: 'PRICE_JUMPED', symbol: 'BTCUSDT', facts: { before: '100', price: '1' } });
  expect(stage.context().jump).toEqual({ at: HALT, before: '100', price: '1' });
});

test.each([
  ['a take profit at five times the price', {}, [500, 501]],
  ['an exit price', {}, [300, 300]],
  ['a time stop', { timeStop: { hours: 1 } }, [1, 1]],
  ['a rebuy', { rebuys: { levels: [{ dropPct: '3' }] } }, [1, 1]],
] as const)('%s waits for the owner, too', (_what, over, prices) => {
  const stage = held(over as Partial<AutoTradeConfigInput>);
  stage.tell({ type: 'target', positionId: stage.context().positionId, price: '250', at: HALT - 1 });
  stage.walk(prices, { from: HALT });
  isAsked(stage);
});

test('a protected cost that is drawn, and the stop that rests for it, make way', () => {
  const stage = held({ trailingCost: { enabled: true, armGainPct: '1', distancePct: '0.5' }, protectiveStop: { enabled: true } });
  stage.walk([103, 104, 104, 104], { from: START + 120_000 });
  expect([stage.state(), stage.context().resident?.orderId]).toEqual(['protected', expect.any(String)]);
  stage.walk([1.04, 1.04, 1.04], { from: HALT });
  expect([stage.state(), stage.context().attention, stage.context().resident]).toEqual(['needsAttention', PRICE_JUMP, null]);
  expect(stage.kinds().some((kind) => kind.startsWith('Sell'))).toBe(false);
  expect(JSON.stringify(replayTape(stage.tape))).toBe(JSON.stringify(stage.traces));
});

test('a sale that rests in the book is cancelled', () => {
  const stage = held({
    takeProfit: { levels: [{ gainPct: '2', sellPct: '100' }] },
    exit: { order: { type: 'Limit', offsetPct: '5', timeoutSec: 86_400 } },
  });
  stage.walk([103, 103], { from: START + 120_000 });
  expect(stage.state()).toBe('exitPending');
  stage.walk([1, 1], { from: HALT });
  isAsked(stage);
  expect(stage.context().order).toBeNull();
});

test('a fall by less than to a third is a fall, and the stop sells, as it does after one of a few percent', () => {
  for (const price of [94, 34, 33.34]) {
    const stage = held();
    stage.walk([price, price], { from: HALT });
    expect(story(stage), String(price)).toEqual(['Sell StopLoss', 'Exit StopLoss']);
  }
  // Exactly a third is the factor.
  const stage = botStage(plain());
  stage.walk([99, 99, 99]);
  stage.walk([33, 33], { from: HALT });
  isAsked(stage);
});

test('a fall to a hundredth while the coin trades all the time is a fall', () => {
  const stage = held();
  stage.walk([1, 1], { from: START + 120_000 });
  expect(story(stage)).toEqual(['Sell StopLoss', 'Exit StopLoss']);
});

test('connected all the time and never traded is a standstill, too', () => {
  const stage = held();
  for (let at = START + 60_000; at < HALT; at += 10_000) stage.tell({ type: 'connected', at });
  stage.walk([1, 1], { from: HALT });
  isAsked(stage);
});

test.each([
  ['where the market still stands', 100],
  ['that has gone on meanwhile', 1],
] as const)('a server that began anew during the halt sees it, and finds a market %s', (_where, now) => {
  const stage = held({}, { heartbeatMs: 10_000 });
  stage.walk([140, 141], { from: START + 120_000 });
  if (now === 1) stage.exchanges.get('BTCUSDT')!.trade('1', HALT - 60_000);
  stage.restart(now === 1 ? { price: 1, bid: 0.99, ask: 1.01, at: HALT - 60_000 } : undefined);
  stage.walk([1, 1], { from: HALT });
  expect([stage.state(), stage.context().attention]).toEqual(['needsAttention', PRICE_JUMP]);
  expect(story(stage)).toEqual([]);
  stage.restart();
  stage.walk([1.1, 1.1], { from: HALT + 120_000 });
  expect(stage.logs.filter(({ code }) => code === 'PRICE_JUMPED')).toHaveLength(1);
});

test('prices are stored seldom: while they stay within five percent nothing is written', () => {
  const stage = held({}, { heartbeatMs: 10_000 });
  const before = stage.steps.length;
  stage.walk([101, 102, 103, 104, 103, 99, 98, 97], { from: START + 120_000 });
  expect(stage.steps.length).toBe(before);
  stage.walk([106, 107, 108], { from: START + 600_000 });
  expect(stage.steps.length).toBe(before + 1);
  expect(stage.context().knownPrice).toBe('106');
});

test('"it was the market": the rules go on from there, without a second alarm', () => {
  const stage = held();
  stage.walk([1, 1], { from: HALT });
  isAsked(stage);
  stage.tell({ type: 'resume', positionId: stage.context().positionId });
  expect(stage.state()).toBe('open');
  stage.walk([1, 1], { from: HALT + 120_000 });
  expect(story(stage)).toEqual(['Sell StopLoss', 'Exit StopLoss']);
  expect(stage.logs.filter(({ code }) => code === 'PRICE_JUMPED')).toHaveLength(1);
});

test('a jump while nothing is sent for a frozen bot is asked about all the same', () => {
  const stage = held();
  stage.tell({ type: 'frozen', frozen: true });
  stage.walk([1, 1], { from: HALT });
  stage.tell({ type: 'frozen', frozen: false });
  stage.walk([1, 1], { from: HALT + 90_000 });
  isAsked(stage);
});

test('nothing is bought over a jump: no fall is counted from highs of before, and a trail is taken back', () => {
  const drop = { ...entry, trigger: { kind: 'drop', dropPct: '5', lookbackMin: 600 } } as const;
  const plainDrop = botStage(plain({ entry: { ...drop, trailing: { ...entry.trailing, enabled: false } } }));
  plainDrop.walk([10_000, 10_000, 9900]);
  plainDrop.walk([100, 100, 97], { from: HALT });
  expect(plainDrop.state()).toBe('watching');
  expect(plainDrop.traces).toEqual([]);
  // A fall in the new unit is one.
  plainDrop.walk([94, 94], { from: HALT + 120_000 });
  expect(plainDrop.kinds()).toEqual(['Entry Drop', 'Buy Entry']);
  const trail = botStage(plain({ entry: { ...drop, trailing: { enabled: true, reboundPct: '1', expiryMin: 600, maxChasePct: '5' } } }));
  trail.walk([100, 100, 94]);
  expect(trail.state()).toBe('trailingEntry');
  trail.walk([0.94, 0.96], { from: HALT });
  expect(trail.state()).toBe('watching');
  expect(trail.traces).toEqual([]);
});

test('a buy that waits is taken back, and asks nothing unless it bought something before', () => {
  const resting = { ...AT_ONCE, order: { type: 'Limit', offsetPct: '2', timeoutSec: 86_400 } } as const;
  const waiting = botStage(plain({ entry: resting }));
  waiting.walk([100, 100]);
  expect(waiting.state()).toBe('entryPending');
  waiting.walk([500, 500], { from: HALT });
  expect([waiting.kinds().slice(0, 2), waiting.logs.some(({ code }) => code === 'PRICE_JUMPED')]).toEqual([
    ['Entry Immediate', 'Exit Abandoned'],
    false,
  ]);
  const partly = botStage(plain({ entry: resting }), { fateOf: () => ({ ...NORMAL, share: 0.3 }) });
  partly.walk([100, 100, 97]);
  expect([partly.state(), partly.context().quantity !== '0']).toEqual(['entryPending', true]);
  partly.walk([500, 500], { from: HALT });
  isAsked(partly);
  // What was bought before the halt is told after the jump.
  const late = botStage(plain({ entry: resting }), { fateOf: () => ({ ...NORMAL, delay: 1 }) });
  late.walk([100, 100, 97]);
  expect([late.state(), late.context().quantity]).toEqual(['entryPending', '0']);
  late.walk([1, 1, 1], { from: HALT });
  isAsked(late);
});

test('a buy that a jump met takes no prices of its owner: those of the new unit would be carried over like those of the old', () => {
  const waiting = botStage(plain({ entry: { ...AT_ONCE, order: { type: 'Limit', offsetPct: '2', timeoutSec: 86_400 } } }));
  waiting.walk([100, 100]);
  const target = { type: 'target.set', price: '1.1', at: HALT } as const;
  const levels = { type: 'levels.moved', moved: { stop: '0.9', trailingStart: null, takeProfit: [] }, at: HALT } as const;
  const moment = { at: HALT, price: '1', bid: '1', ask: '1' };
  const jumped = advancePosition(waiting.state(), waiting.context(), { type: 'price.jumped', before: '100', ...moment })!;
  expect([waiting.state(), jumped.state]).toEqual(['entryPending', 'entryPending']);
  for (const event of [target, levels]) {
    expect(advancePosition(waiting.state(), waiting.context(), event)?.state).toBe('entryPending');
    expect(advancePosition(jumped.state, jumped.context, event)).toBeUndefined();
  }
});

const money = (stage: BotStage) => ({ ...stage.wallet.sums });

test('"it was a redenomination": what is held goes on in the new unit at its cost, and its stop sells at the right level', () => {
  const stage = held({ protectiveStop: { enabled: true }, rebuys: { levels: [{ dropPct: '3' }] } });
  stage.tell({ type: 'target', positionId: stage.context().positionId, price: '180', at: HALT - 1 });
  const before = stage.context();
  const sums = money(stage);
  expect(before.stopPrice).toBe('95.09');
  stage.walk([1, 1.02], { from: HALT });
  isAsked(stage);
  const { positionId } = before;
  stage.tell({ type: 'carryOver', positionId, factor: '100' });
  expect(stage.state()).toBe('open');
  expect(stage.context()).toMatchObject({
    quantity: '999.9',
    bought: '999.9',
    cost: before.cost,
    spent: before.spent,
    firstBuyPrice: '1',
    lastBuyPrice: '1',
    stopPrice: '0.95',
    targetPrice: '1.8',
    attention: null,
    jump: null,
  });
  expect(money(stage)).toEqual(sums);
  expect(stage.logs.at(-1)).toMatchObject({ code: 'CARRIED_OVER', facts: { factor: '100' } });
  // Said twice it is taken once.
  stage.tell({ type: 'carryOver', positionId, factor: '100' });
  expect(stage.context().firstBuyPrice).toBe('1');
  stage.walk([1.02, 1.02], { from: HALT + 120_000 });
  expect(stage.context().resident).toMatchObject({ stopPrice: '0.95' });
  stage.exchanges.get('BTCUSDT')!.cancel(stage.context().resident!.clientOrderId);
  stage.restart();
  stage.walk([0.96, ...Array.from({ length: 20 }, () => 0.94)], { from: HALT + 300_000 });
  expect(story(stage).at(-1)).toBe('Exit StopLoss');
  expect(Math.abs(Number(stage.wallet.sums.realised))).toBeLessThan(100);
  expect(walletBalances(stage.wallet.sums)).toBe(true);
});

test('a protected cost is drawn in the new unit, never under what the position cost', () => {
  const stage = held({ trailingCost: { enabled: true, armGainPct: '1', distancePct: '0.5', floor: 'breakEven' } });
  stage.walk([103, 104], { from: START + 120_000 });
  const { line, positionId } = stage.context();
  expect(line).toBe('103.48');
  stage.walk([520, 520], { from: HALT });
  expect(stage.context().attention).toBe(PRICE_JUMP);
  // Five old coins became one.
  stage.tell({ type: 'carryOver', positionId, factor: '0.2' });
  expect([stage.state(), stage.context().line, stage.context().peak]).toEqual(['protected', '517.4', '520']);
  stage.walk([519, 517, 517], { from: HALT + 60_000 });
  expect(story(stage).slice(-2)).toEqual(['Sell TrailingCost', 'Exit TrailingCost']);
  expect(Number(stage.wallet.sums.realised)).toBeGreaterThan(0);
  expect(JSON.stringify(replayTape(stage.tape))).toBe(JSON.stringify(stage.traces));
});

test('nothing else is carried over', () => {
  const stage = held();
  const { positionId, quantity } = stage.context();
  stage.tell({ type: 'carryOver', positionId, factor: '100' });
  expect([stage.state(), stage.context().quantity]).toEqual(['open', quantity]);
});

test.each([
  ['100', '1', '100'],
  ['100', '1.04', '100'],
  ['100', '0.83', '100'],
  ['0.5', '510', '0.001'],
  ['100', '480', '0.21'],
  ['100', '20', '5'],
  ['0.00001234', '0.01', '0.001'],
  ['100', '40', '2.5'],
])('from %s to %s: %s new coins for one are proposed', (before, price, factor) => {
  expect(proposedFactor({ at: 0, before, price })).toBe(factor);
});

test('while the account is asked what it holds nothing is judged; what it says goes before the rules', () => {
  for (const [factor, expected] of [
    [null, ['Sell StopLoss', 'Exit StopLoss']],
    ['2', []],
  ] as const) {
    const stage = held();
    stage.tell({ type: 'hold', symbol: 'BTCUSDT', until: HALT + 30_000 });
    // Half the price is a fall by itself.
    stage.walk([50, 50], { from: HALT, stepMs: 10_000 });
    expect(story(stage)).toEqual([]);
    stage.tell({ type: 'balance', symbol: 'BTCUSDT', factor, at: HALT + 15_000 });
    stage.walk([50, 50], { from: HALT + 20_000, stepMs: 5000 });
    expect(story(stage)).toEqual(expected);
    expect(JSON.stringify(replayTape(stage.tape))).toBe(JSON.stringify(stage.traces));
    if (factor === null) continue;
    expect([stage.state(), stage.context().attention]).toEqual(['needsAttention', BALANCE_JUMP]);
    expect(stage.context().jump).toMatchObject({ before: '100', price: '50', balance: '2' });
    expect(proposedFactor(stage.context().jump!)).toBe('2');
    stage.tell({ type: 'carryOver', positionId: stage.context().positionId, factor: '2' });
    expect([stage.state(), stage.context().stopPrice]).toEqual(['open', '47.54']);
  }
});

test('an account that does not answer holds nothing back for longer than was said', () => {
  const stage = held();
  stage.tell({ type: 'hold', symbol: 'BTCUSDT', until: HALT + 30_000 });
  stage.walk([50, 50, 50, 50], { from: HALT, stepMs: 10_000 });
  expect(story(stage)).toEqual([]);
  stage.walk([50], { from: HALT + 40_000 });
  expect(story(stage)).toEqual(['Sell StopLoss', 'Exit StopLoss']);
});

test('a jump of the price is asked about at once, and the balance makes the proposal better', () => {
  const stage = held();
  stage.tell({ type: 'hold', symbol: 'BTCUSDT', until: HALT + 30_000 });
  stage.walk([2, 2], { from: HALT, stepMs: 5000 });
  isAsked(stage);
  expect(proposedFactor(stage.context().jump!)).toBe('50');
  stage.tell({ type: 'balance', symbol: 'BTCUSDT', factor: '40', at: HALT + 8000 });
  isAsked(stage);
  expect(proposedFactor(stage.context().jump!)).toBe('40');
});

test('the price of before keeps its digits, also when the pair has fewer after it', () => {
  const stage = botStage(plain());
  stage.walk([10.07, 10.07, 10.07]);
  const { filters } = btcusdt;
  const coarse = { ...btcusdt, pricePrecision: 0, filters: { ...filters, tickSize: '1' } };
  stage.tell({ type: 'coins', symbols: ['BTCUSDT'], pairs: [coarse], at: HALT - 1 });
  stage.walk([1007, 1007], { from: HALT });
  isAsked(stage);
  expect(stage.context().jump).toMatchObject({ before: '10.07', price: '1007' });
  stage.tell({ type: 'carryOver', positionId: stage.context().positionId, factor: proposedFactor(stage.context().jump!) });
  expect(stage.context()).toMatchObject({ firstBuyPrice: '1007', stopPrice: '957' });
});
