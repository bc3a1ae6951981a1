import { expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { type Fate, NORMAL } from '../../../testing/test-exchange.ts';
import { describePosition, explain } from '../explain.ts';
import type { OrderInFlight } from '../position/position-state.ts';
import { newAutoTradeContext } from './auto-trade-machine.ts';

// The exchange takes no stop: said once and once an hour, tried again until there is room, and the position guards itself.

const MINUTE = 60_000;
const config = botConfig({
  entry: { ...botConfig().entry, trigger: { kind: 'immediate' }, trailing: { enabled: false }, maxSpreadPct: '5' },
  stopLoss: { mode: 'percent', pct: '5' },
  protectiveStop: { enabled: true, limitOffsetPct: '0.5' },
  trailingCost: { enabled: false },
  takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
  cooldown: { afterWinMin: 600, afterLossMin: 600 },
});
function stage() {
  let room = false;
  const fateOf = ({ purpose }: OrderInFlight): Fate => ({ ...NORMAL, kind: purpose === 'protect' && !room ? 'refused' : 'normal' });
  const bot = botStage(config, { fateOf });
  bot.walk([1000, 1000, 1000], { stepMs: 1000 });
  const stops = () => bot.placed.filter(({ purpose }) => purpose === 'protect').length;
  const said = (code: string) => bot.logs.filter((line) => line.code === code).length;
  let minute = 0;
  /** A price every ten seconds. */
  const pass = (minutes: number, price = 1000) => {
    for (const end = minute + minutes; minute < end; minute += 1)
      bot.walk(
        Array.from({ length: 6 }, () => price),
        { from: START + 10_000 + minute * MINUTE, stepMs: 10_000 },
      );
  };
  const setRoom = (value: boolean): void => {
    room = value;
  };
  return { bot, stops, said, pass, setRoom };
}

test('a refusal is one line an hour, its orders are few, and why is said as long as it lasts', () => {
  const { bot, stops, said, pass } = stage();
  pass(5);
  expect([said('PROTECTIVE_STOP_REFUSED'), said('ORDER_REFUSED'), said('PROTECTIVE_STOP_PLACED')]).toEqual([1, 0, 0]);
  expect(stops()).toBeLessThanOrEqual(4);
  const { state, context } = bot.engine.inspect('BTCUSDT')!;
  expect(describePosition(state, context)).toMatchObject({ stopRefused: '-2010', lines: { protectiveStop: null } });
  const why = explain(bot.engine.inspect('BTCUSDT')!, { state: 'running', context: newAutoTradeContext, pairStatus: 'TRADING' });
  expect(why.rules).toContainEqual({ rule: 'protective-stop', observed: '-2010', limit: null, pass: false });
  pass(175);
  expect([said('PROTECTIVE_STOP_REFUSED'), said('ORDER_REFUSED'), bot.logs.length]).toEqual([3, 0, expect.any(Number)]);
  expect(bot.logs.filter(({ code }) => code.startsWith('PROTECTIVE'))).toHaveLength(3);
  expect(stops()).toBeLessThan(3 * 60);
  bot.restart();
  pass(10);
  expect(said('PROTECTIVE_STOP_REFUSED')).toBe(4);
});

test('the stop rests within minutes once there is room, and nothing is refused any more', () => {
  const { bot, said, pass, setRoom } = stage();
  pass(60);
  setRoom(true);
  pass(6);
  expect(bot.context().resident?.stopPrice).toBe('950.95');
  expect([said('PROTECTIVE_STOP_PLACED'), bot.context().stopRefusal?.code]).toEqual([1, null]);
  const { state, context } = bot.engine.inspect('BTCUSDT')!;
  expect(describePosition(state, context).stopRefused).toBeNull();
});

test('one that loses its room again and again is still one line an hour', () => {
  const { bot, pass, setRoom } = stage();
  for (let turn = 0; turn < 4; turn += 1) {
    setRoom(true);
    pass(6);
    setRoom(false);
    bot.exchanges.get('BTCUSDT')!.cancel(bot.context().resident!.clientOrderId);
    pass(6);
  }
  const reasons = bot.logs.filter(({ code }) => code === 'PROTECTIVE_STOP_REFUSED').map(({ facts }) => (facts as { code: string }).code);
  expect(reasons).toEqual(['-2010', ...Array.from({ length: 4 }, () => 'CANCELED')]);
});

test('no word of it where none should rest any more', () => {
  const { bot, pass } = stage();
  pass(3);
  const off = { ...config, protectiveStop: { ...config.protectiveStop, enabled: false } };
  bot.tell({ type: 'settings', config: off, version: 2, applyToOpen: true, at: START + 200_000 });
  const { state, context } = bot.engine.inspect('BTCUSDT')!;
  expect([context.stopRefusal?.code, describePosition(state, context).stopRefused]).toEqual(['-2010', null]);
});

test('one that never arrived is no refusal', () => {
  const bot = botStage(config, { fateOf: ({ purpose }) => ({ ...NORMAL, kind: purpose === 'protect' ? 'absent' : 'normal' }) });
  bot.walk([1000, 1000, 1000, 1000], { stepMs: 1000 });
  expect(bot.context().stopRefusal).toBeNull();
});

test('the position sells by itself meanwhile', () => {
  const { bot, pass } = stage();
  pass(3);
  pass(1, 940);
  expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
});

test('a position that has used up its orders for stops says so once, in words of its own, and tries no more', () => {
  const { bot, pass, said, setRoom } = stage();
  setRoom(true);
  pass(2);
  expect(bot.context().resident).not.toBeNull();
  Object.assign(bot.steps.at(-1)!.context, { step: 40_000 });
  bot.restart();
  bot.exchanges.get('BTCUSDT')!.cancel(bot.context().resident!.clientOrderId);
  const before = bot.placed.length;
  pass(180);
  expect([said('PROTECTIVE_STOPS_OVER'), bot.placed.length - before]).toEqual([1, 0]);
  const { state, context } = bot.engine.inspect('BTCUSDT')!;
  expect(describePosition(state, context)).toMatchObject({ stopRefused: 'TOO_MANY_ORDERS', lines: { protectiveStop: null } });
  const written = bot.steps.length;
  pass(60);
  expect(bot.steps).toHaveLength(written);
});
