import { expect, test } from 'vitest';
import { levelsOutlook } from './levels-outlook.ts';

// Two coins at a cost of 1000 each, without a fee.
const held = (stopLoss: string, protectiveStop: string | null = null) => ({
  machineState: 'open',
  quantity: '2',
  averageCost: '1000',
  breakEven: '1000',
  lines: {
    trigger: null,
    entryLow: null,
    arm: null,
    protectedCost: null,
    peak: null,
    stopLoss,
    takeProfit: [{ price: '1100', sellPct: '100', done: false }],
    rebuys: [],
    target: null,
    protectiveStop,
    timeStopAt: null,
    moved: [],
  },
});

test('the worst case is what the stop in force brings, and never more than the market pays now', () => {
  expect(levelsOutlook(held('970'), true, '1010')).toEqual({ stop: '970', trailingStart: null, takeProfit: ['1100'], worst: '-60' });
  // A stop above the price sells at the price.
  expect(levelsOutlook(held('1200'), true, '1010').worst).toBe('20');
  expect(levelsOutlook(held('970'), true, null).worst).toBe('-60');
  // Without exits, and while it waits for its owner, only what rests at the exchange sells.
  const waits = { ...held('970'), machineState: 'needsAttention' };
  expect(levelsOutlook(waits, true, '1010').worst).toBeNull();
  expect([levelsOutlook(held('970'), false, '1010').worst, levelsOutlook(held('970', '950'), false, '1010').worst]).toEqual([null, '-100']);
});
