import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { NORMAL } from '../../../testing/test-exchange.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Everything that a tick of a held position may be compared with. */
const everything = botConfig({
  entry: { ...botConfig().entry, trigger: { kind: 'immediate' }, trailing: { enabled: false }, maxSpreadPct: '5' },
  rebuys: { levels: [{ dropPct: '2' }] },
  takeProfit: {
    levels: [
      { gainPct: '4', sellPct: '50' },
      { gainPct: '8', sellPct: '50' },
    ],
  },
  stopLoss: { mode: 'percent', pct: '5' },
  protectiveStop: { enabled: true },
  timeStop: { hours: 1000 },
});

test.each([
  ['held', 1000],
  ['with a protected cost', 1015],
])('a million ticks that decide nothing take no memory: %s', (_, price) => {
  const bot = botStage(everything, { fateOf: () => ({ ...NORMAL, feeAsset: 'none' }) });
  bot.walk([1000, 1000, 1000, price, price, price, price], { stepMs: 10_000 });
  const { engine } = bot;
  const rows = bot.steps.length;
  // Numbers that are objects already: a fraction or a time is otherwise put into a new one to be handed over.
  const handed = ['', ...Array.from({ length: 1000 }, (_each, index) => START + 70_000 + index)] as readonly (string | number)[];
  const [bid, ask] = [price - 0.01, price + 0.01];
  const ticks = (count: number) => {
    for (let index = 0; index < count; index += 1)
      engine.tickSlot(0, handed[1 + (index % 1000)] as number, price - (index % 3), bid, ask, 1020);
  };
  // Once to be compiled, then counted.
  ticks(200_000);
  // The compiler works beside us and takes memory of its own now and then; a tick that took some would do so each time.
  const rounds = Array.from({ length: 5 }, () => {
    collect();
    const before = process.memoryUsage().heapUsed;
    ticks(1_000_000);
    return (process.memoryUsage().heapUsed - before) / 1_000_000;
  });
  expect(bot.steps.length).toBe(rows);
  expect(Math.min(...rounds)).toBeLessThan(0.5);
});
