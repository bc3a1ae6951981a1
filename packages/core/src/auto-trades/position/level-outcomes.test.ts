import { expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { add, decimal, toText } from '../../money/decimal.ts';
import type { AutoTradeConfigInput } from '../config/auto-trade-config.ts';
import { saleOutlook } from '../sale-outlook.ts';
import { levelOutcomes } from './level-outcomes.ts';
import { averageCost } from './position-lines.ts';

const enters = {
  size: { mode: 'fixed', value: '1000' },
  trigger: { kind: 'immediate' },
  trailing: { enabled: false },
  order: { type: 'Market' },
} as const;
const held = (over: Partial<AutoTradeConfigInput> = {}) => {
  const bot = botStage(botConfig({ entry: enters, ...over }));
  bot.tick(1000, START);
  bot.tick(1000, START + 1000);
  return bot;
};
const levelsOf = (bot: ReturnType<typeof botStage>) => {
  const { context } = bot.engine.inspect('BTCUSDT')!;
  return { context, levels: new Map(levelOutcomes(context).map((level) => [level.id, level])) };
};

test('each level says what it sells and what that brings, by the rule of an open result', () => {
  const { context, levels } = levelsOf(
    held({
      takeProfit: {
        levels: [
          { gainPct: '5', sellPct: '50' },
          { gainPct: '10', sellPct: '50' },
        ],
      },
      rebuys: { levels: [{ dropPct: '2', sizeMultiplier: '0.5' }] },
      trailingCost: { enabled: true, armGainPct: '2', distancePct: '1.2' },
    }),
  );
  expect([...levels.keys()].sort()).toEqual(['arm', 'rebuy-1', 'stopLoss', 'takeProfit-1', 'takeProfit-2']);
  const average = toText(averageCost(context)!);
  const [stop, first, second] = ['stopLoss', 'takeProfit-1', 'takeProfit-2'].map((id) => levels.get(id)!);
  expect(stop).toMatchObject({ quantity: context.quantity, sellPct: null });
  // The two halves are all that is held, and each is sold at its own price.
  expect([first!.sellPct, second!.sellPct]).toEqual(['50', '50']);
  expect(toText(add(decimal(first!.quantity!), decimal(second!.quantity!)))).toBe(context.quantity);
  const breakEven = toText(decimal(average));
  for (const level of [stop, first, second]) {
    const free = saleOutlook({ quantity: level!.quantity!, averageCost: average, breakEven }, level!.price)!;
    const fee = Number(level!.quantity) * Number(level!.price) * Number(context.settings.takerFee);
    expect(Number(level!.result)).toBeCloseTo(Number(free.result) - fee, 6);
  }
  expect(Number(stop!.result)).toBeLessThan(0);
  expect(levels.get('arm')).toMatchObject({ quantity: null, result: null, distancePct: '1.2' });
  expect(levels.get('rebuy-1')).toMatchObject({ number: 1, quantity: null, result: null, quote: context.ladder[0]!.quote });
});

test('a take profit too small to be sold alone has no quantity: the next sells its share along', () => {
  const { context, levels } = levelsOf(
    held({
      takeProfit: {
        levels: [
          { gainPct: '5', sellPct: '0.1' },
          { gainPct: '10', sellPct: '99.9' },
        ],
      },
    }),
  );
  expect(levels.get('takeProfit-1')).toMatchObject({ sellPct: '0.1', quantity: null, result: null });
  expect(levels.get('takeProfit-2')).toMatchObject({ quantity: context.quantity });
});

test('once the protected cost is drawn it is a level in place of the price that drew it', () => {
  const bot = held({ trailingCost: { enabled: true, armGainPct: '1', distancePct: '0.5' } });
  bot.tick(1020, START + 2000);
  const { context, levels } = levelsOf(bot);
  expect(levels.has('arm')).toBe(false);
  expect(levels.get('protectedCost')).toMatchObject({ price: context.line, quantity: context.quantity });
});
