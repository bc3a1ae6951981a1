import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/auto-trade-config';
import { PRESETS } from '@pilotfish/core/auto-trades/presets';
import { describe, expect, test } from 'vitest';
import { applyPreset, draftOf, newDraft, STEPS, setField, stepOf } from './bot-draft.ts';

const wallet = '0190a0b0-0000-7000-8000-000000000000';
const named = () => ({ ...newDraft(wallet, ['BTCUSDT']), name: 'Dip' });

test('a new draft lacks only the stop loss, which must be chosen', () => {
  const found = autoTradeConfigSchema.safeParse(named());
  expect(found.error?.issues.map(({ path }) => path.join('.'))).toEqual(['stopLoss.mode']);
});

describe('presets', () => {
  test.each(PRESETS)('%s fills in settings the contract accepts and leaves name, wallet and coins alone', (preset) => {
    const draft = applyPreset(named(), preset);
    const parsed = autoTradeConfigSchema.parse(draft);
    expect(parsed).toMatchObject({ name: 'Dip', walletId: wallet, coins: { symbols: ['BTCUSDT'] } });
    // What is sent is what was shown: no default of the schema changes a field behind the form.
    expect(parsed).toEqual(draft);
  });
});

test('fields are set by their path in the contract, without touching the draft before', () => {
  const before = named();
  const after = setField(setField(before, 'takeProfit.levels.0.gainPct', '5'), 'entry.trigger', { kind: 'immediate' });
  expect(after.takeProfit.levels[0]?.gainPct).toBe('5');
  expect(after.entry.trigger).toEqual({ kind: 'immediate' });
  expect(before.takeProfit.levels[0]?.gainPct).toBe('2');
  expect(draftOf(autoTradeConfigSchema.parse(applyPreset(before, 'trend')))).toEqual(applyPreset(before, 'trend'));
});

test('every field of the contract belongs to a step', () => {
  for (const field of Object.keys(autoTradeConfigSchema.shape)) expect(STEPS).toContain(stepOf(field));
  expect(stepOf('name')).toBe('basics');
  expect(stepOf('entry.trailing.reboundPct')).toBe('entry');
  expect(stepOf('exit.order.type')).toBe('exit');
  expect(stepOf('cooldown.scope')).toBe('review');
});
