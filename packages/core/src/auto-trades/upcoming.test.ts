import { expect, test } from 'vitest';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../testing/bot-stage.ts';
import en from '../locales/en.json' with { type: 'json' };
import type { AutoTradeConfigInput } from './config/auto-trade-config.ts';
import { newAutoTradeContext } from './engine/auto-trade-machine.ts';
import { explain } from './explain.ts';
import { upcomingOf } from './upcoming.ts';

const enters = {
  size: { mode: 'fixed', value: '1000' },
  trigger: { kind: 'immediate' },
  trailing: { enabled: false },
  order: { type: 'Market' },
} as const;

type Machine = { state: 'running' | 'disabled'; context: typeof newAutoTradeContext };
const RUNS: Machine = { state: 'running', context: newAutoTradeContext };
const upcoming = (bot: ReturnType<typeof botStage>, entries = true, machine: Machine = RUNS) => {
  const inspection = bot.engine.inspect('BTCUSDT')!;
  return upcomingOf(inspection, explain(inspection, { ...machine, pairStatus: 'TRADING' }), entries);
};
const held = (over: Partial<AutoTradeConfigInput> = {}) => {
  const bot = botStage(botConfig({ entry: enters, ...over }));
  bot.tick(1000, START);
  bot.tick(1000, START + 1000);
  return bot;
};

test('of a held position every level that trades, with what it would sell or buy', () => {
  const bot = held({
    rebuys: { levels: [{ dropPct: '2', sizeMultiplier: '0.5' }] },
    timeStop: { hours: 24 },
  });
  const { quantity, openedAt } = bot.engine.inspect('BTCUSDT')!.context;
  const events = upcoming(bot);
  expect(events.map(({ code }) => code)).toEqual(['stop-loss', 'arm', 'take-profit', 'rebuy', 'time-stop']);
  const [stop, arm, takeProfit, rebuy, timeStop] = events;
  expect(stop).toMatchObject({ quantity, at: null });
  expect(Number(stop!.quote)).toBeCloseTo(Number(stop!.price) * Number(quantity), 6);
  expect(Number(stop!.price)).toBeLessThan(1000);
  expect(arm).toMatchObject({ quantity: null, quote: null });
  expect(takeProfit).toMatchObject({ quantity });
  expect(Number(takeProfit!.price)).toBeGreaterThan(1000);
  expect(rebuy).toMatchObject({ quantity: null, quote: bot.engine.inspect('BTCUSDT')!.context.ladder[0]!.quote });
  expect(timeStop).toMatchObject({ price: null, at: new Date(openedAt! + 24 * 3_600_000).toISOString(), quantity });
  // A bot that buys nothing now does not buy again either.
  expect(upcoming(bot, false).map(({ code }) => code)).not.toContain('rebuy');
});

test('once the protected cost is drawn it is what sells, and the stop below it is left out', () => {
  const bot = held();
  bot.tick(1020, START + 2000);
  expect(upcoming(bot).map(({ code }) => code)).toEqual(['protected-cost', 'take-profit']);
});

test('a bot that sends no exits has no next event', () => {
  expect(upcoming(held(), false, { state: 'disabled', context: { ...newAutoTradeContext, exits: 'freeze' } })).toEqual([]);
});

test('flat: the level of the entry, then the rebound from its low; nothing of a bot that buys nothing', () => {
  const bot = botStage(botConfig());
  bot.tick(1000, START);
  const [drop, ...others] = upcoming(bot);
  expect([drop?.code, drop?.price, others]).toEqual(['drop', '990', []]);
  expect(upcoming(bot, false)).toEqual([]);
  bot.tick(985, START + 1000);
  // 0.2 % above the low.
  expect(upcoming(bot)).toMatchObject([{ code: 'rebound', price: '986.97' }]);
});

test('every event has its text', () => {
  const bot = held({ timeStop: { hours: 24 } });
  for (const { code } of upcoming(bot)) expect(en.overview.next, code).toHaveProperty(code);
});
