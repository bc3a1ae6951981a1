import { describe, expect, test } from 'vitest';
import { type AutoTradeConfig, autoTradeConfigSchema } from './auto-trade-config.ts';
import { setField } from './bot-draft.ts';
import { conflicts, isInUse, labelKey, labelPath, merged, settingChanges, settingsOf } from './setting-fields.ts';

const base = autoTradeConfigSchema.parse({
  name: 'Dip',
  walletId: '0190a0b0-0000-7000-8000-000000000000',
  coins: { symbols: ['BTCUSDT'] },
  entry: {},
  stopLoss: { mode: 'none' },
});
const change = (config: AutoTradeConfig, path: string, value: unknown) => setField(config as never, path, value) as AutoTradeConfig;

test('every setting of the contract has a name', () => {
  const full = change(change(base, 'protections.btcGuard', { dropPct: '3', windowMin: 5, resumePct: '1' }), 'timeStop', { hours: 1 });
  for (const [path] of settingsOf(full)) expect(labelPath(path), path).not.toEqual([]);
  expect(labelKey('takeProfit.levels.3.gainPct')).toBe('autoTrades.form.gain');
  expect(labelPath('entry.order.offsetPct')).toEqual(['autoTrades.form.entryOrder', 'autoTrades.form.offset']);
  expect(labelPath('trailingCost.armGainPct')).toEqual(['autoTrades.form.trailingCostGroup', 'autoTrades.form.arm']);
  expect(labelPath('trailingCost.enabled')).toEqual(['autoTrades.form.trailingCost']);
  expect(labelPath('protections.lossStreak.pauseHours').at(-1)).toBe('autoTrades.form.pauseHours');
  expect(labelKey('nothing.of.ours')).toBeUndefined();
});

describe('differences', () => {
  test('are told setting by setting; what is chosen as a whole stays whole', () => {
    const after = change(change(base, 'entry.trigger', { kind: 'immediate' }), 'entry.order.timeoutSec', 90);
    expect(settingChanges(base, after)).toEqual([
      { path: 'entry.trigger', before: base.entry.trigger, after: { kind: 'immediate' } },
      { path: 'entry.order.timeoutSec', before: 60, after: 90 },
    ]);
  });
  test('the order of keys is no difference', () => {
    const { mode, value } = base.entry.size;
    expect(settingChanges(base, change(base, 'entry.size', { value, mode }))).toEqual([]);
  });
});

describe('two people at once', () => {
  const mine = change(change(base, 'entry.size.value', '30'), 'name', 'Mine');
  const theirs = change(change(base, 'entry.size.value', '25'), 'maxOpenPositions', 7);
  test('what they changed is listed with whether I changed it, too; what only I changed is not', () => {
    expect(conflicts(base, mine, theirs).map(({ path, isMine }) => [path, isMine])).toEqual([
      ['maxOpenPositions', false],
      ['entry.size', true],
    ]);
  });
  test('the same change on both sides is none', () => {
    expect(conflicts(base, theirs, theirs)).toEqual([]);
  });
  test('each value is chosen by itself, and nothing of mine is lost', () => {
    const choices = new Map([
      ['maxOpenPositions', 'theirs'],
      ['entry.size', 'mine'],
    ] as const);
    expect(merged(mine, theirs, choices)).toMatchObject({ name: 'Mine', maxOpenPositions: 7, entry: { size: { value: '30' } } });
  });
});

test('settings of what is off, or of another kind of order, have no say', () => {
  expect(isInUse(base, 'trailingCost.armGainPct')).toBe(false);
  expect(isInUse(base, 'trailingCost.enabled')).toBe(true);
  expect(isInUse(base, 'entry.trailing.reboundPct')).toBe(true);
  expect(isInUse(base, 'entry.order.maxSlippagePct')).toBe(false);
  expect(isInUse(change(base, 'entry.order.onTimeout', 'market'), 'entry.order.maxSlippagePct')).toBe(true);
  expect(isInUse(base, 'exit.order.timeoutSec')).toBe(false);
});
