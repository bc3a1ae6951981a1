import { expect, test } from 'vitest';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../testing/bot-stage.ts';
import { NORMAL } from '../../testing/test-exchange.ts';
import { newAutoTradeContext } from './engine/auto-trade-machine.ts';
import { describePosition, explain, sellsNow } from './explain.ts';

const enters = { trigger: { kind: 'immediate' }, trailing: { enabled: false }, order: { type: 'Market' } } as const;
const surroundings = (pairStatus: 'TRADING' | 'BREAK' | 'HALT') =>
  ({ state: 'running', context: newAutoTradeContext, pairStatus }) as const;
const told = (bot: ReturnType<typeof botStage>, status: Parameters<typeof surroundings>[0]) =>
  explain(bot.engine.inspect('BTCUSDT')!, surroundings(status));

test('a coin whose trading pauses is told to wait for it, whatever else would let it be entered', () => {
  const bot = botStage(botConfig());
  bot.tick(1000, START);
  const trades = told(bot, 'TRADING');
  expect(trades.rules.map(({ rule }) => rule)).not.toContain('coin-trading');
  expect(told(bot, 'BREAK')).toEqual({
    ...trades,
    rules: [{ rule: 'coin-trading', observed: 'BREAK', limit: null, pass: false }, ...trades.rules],
    stoppedBy: 'coin-trading',
    waitsFor: { code: 'trading', price: null, at: null },
  });
});

test('that is told also before the first price of it', () => {
  expect(told(botStage(botConfig()), 'HALT')).toMatchObject({
    at: null,
    rules: [{ rule: 'coin-trading', observed: 'HALT' }],
    stoppedBy: 'coin-trading',
    waitsFor: { code: 'trading' },
  });
});

test('what is held waits for the pause to be over before any of its own prices; an order is still waited for', () => {
  const bot = botStage(botConfig({ entry: enters }));
  bot.tick(1000, START);
  bot.tick(1000, START + 1000);
  expect(told(bot, 'TRADING')).toMatchObject({ state: 'Open', waitsFor: { code: 'arm' } });
  expect(told(bot, 'BREAK')).toMatchObject({ state: 'Open', stoppedBy: null, waitsFor: { code: 'trading' } });
  const ordered = { ...bot.engine.inspect('BTCUSDT')!, state: 'exitPending' as const };
  expect(explain(ordered, surroundings('BREAK')).waitsFor).toMatchObject({ code: 'order' });
});

test.each([
  ['frozen', { state: 'disabled', context: { ...newAutoTradeContext, exits: 'freeze' } }],
  ['halted', { state: 'halted', context: { ...newAutoTradeContext, mustAcknowledge: true } }],
] as const)('what is held by a bot that is %s is told first that no exit is sent', (silence, machine) => {
  const bot = botStage(botConfig({ entry: enters }));
  bot.tick(1000, START);
  const inspection = bot.engine.inspect('BTCUSDT')!;
  const { rules } = explain(inspection, surroundings('TRADING'));
  expect(explain(inspection, { ...surroundings('TRADING'), ...machine })).toMatchObject({
    rules: [{ rule: 'exits-sent', observed: silence, limit: null, pass: false }, ...rules],
    waitsFor: { code: silence, price: null, at: null },
  });
});

test('what a buy has bought before its end is held: its levels are told, and that one of them sells at once', () => {
  const resting = { ...enters, order: { type: 'Limit', offsetPct: '2', timeoutSec: 86_400 } } as const;
  const config = botConfig({ entry: resting, stopLoss: { mode: 'percent', pct: '5' } });
  const bot = botStage(config, { fateOf: () => ({ ...NORMAL, share: 0.3 }) });
  bot.walk([100, 100]);
  expect(describePosition(bot.state(), bot.context()).lines.stopLoss).toBeNull();
  bot.walk([97], { from: START + 60_000 });
  expect([bot.state(), bot.context().quantity !== '0']).toEqual(['entryPending', true]);
  expect(describePosition(bot.state(), bot.context()).lines.stopLoss).toBe(bot.context().stopPrice);
  const inspection = bot.engine.inspect('BTCUSDT')!;
  expect(sellsNow(inspection)).toEqual([]);
  expect(sellsNow({ ...inspection, context: { ...inspection.context, stopPrice: '99' } })).toEqual(['stop-loss']);
});
