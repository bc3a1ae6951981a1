import { describe, expect, test } from 'vitest';
import { autoTradeConfigSchema } from './auto-trade-config.ts';
import { applyPreset, askable, draftOf, newDraft, readDraft, STEPS, setField, stepOf } from './bot-draft.ts';
import { PRESETS } from './presets.ts';

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
  expect(stepOf('rebuys.levels.0.dropPct')).toBe('rebuys');
  expect(stepOf('cooldown.scope')).toBe('safety');
});

test('what only a person can decide is told as missing, and does not keep the server from judging the rest', () => {
  const { body, missing } = askable({ ...newDraft('', ['BTCUSDT']), maxExposurePerCoin: '' });
  expect(missing).toEqual(['name', 'stopLoss']);
  expect(autoTradeConfigSchema.parse(body)).toMatchObject({ stopLoss: { mode: 'none' }, maxExposurePerCoin: null });
  const whole = { ...named(), stopLoss: { mode: 'none' as const } };
  expect(askable(whole)).toEqual({ body: whole, missing: [] });
});

describe('a draft of an earlier visit', () => {
  test.each(PRESETS)('is read back as it was (%s)', (preset) => {
    const draft = setField(applyPreset(named(), preset), 'entry.order.timeoutSec', '');
    expect(readDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
  });
  test('of a new bot with conditions', () => {
    const draft = setField(named(), 'entry.trigger', { kind: 'conditions', rules: { match: 'all', rules: [] } });
    expect(readDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
  });
  test.each([null, 5, 'text', [], {}, { name: 'x' }, { ...named(), rebuys: undefined }, { ...named(), entry: { size: {} } }])(
    'nonsense is none: %j',
    (stored) => {
      expect(readDraft(JSON.parse(JSON.stringify(stored)))).toBeUndefined();
    },
  );
});
