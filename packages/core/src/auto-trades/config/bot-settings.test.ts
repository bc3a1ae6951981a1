import { expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { autoTradeConfigSchema } from './auto-trade-config.ts';
import { applySettings, draftOf, newDraft } from './bot-draft.ts';
import { botSettingsOf, botSettingsSchema, takesForeignAmounts } from './bot-settings.ts';
import { PRESET_SETTINGS, PRESETS } from './presets.ts';
import { violatedSettingsRules } from './settings-rules.ts';

const wallet = '0190a0b0-0000-7000-8000-000000000000';

test('the settings of a bot fill in a draft with another name, wallet and coins, and nothing else', () => {
  const config = botConfig({ maxOpenPositions: 7, takeProfit: { levels: [{ gainPct: '3', sellPct: '100' }] } });
  const draft = { ...newDraft(wallet, ['ETHUSDT']), name: 'New' };
  const filled = applySettings(draft, botSettingsOf(config));
  expect(filled).toEqual({ ...draftOf(config), name: 'New', walletId: wallet, coins: draft.coins });
  expect(autoTradeConfigSchema.parse(filled)).toEqual(filled);
});

test('settings take no name, wallet or coins, and are read with the defaults of settings that came later', () => {
  const { timeframe: _later, protectiveStop: _too, ...older } = botSettingsOf(botConfig());
  expect(botSettingsSchema.parse(older)).toEqual(botSettingsOf(botConfig()));
  for (const more of [{ name: 'x' }, { walletId: wallet }, { coins: { symbols: ['BTCUSDT'] } }])
    expect(botSettingsSchema.safeParse({ ...older, ...more }).success).toBe(false);
});

test.each(PRESETS)('the preset %s breaks no rule', (preset) => {
  expect(violatedSettingsRules(botSettingsSchema.parse(PRESET_SETTINGS[preset]))).toEqual([]);
});

test('rules are those of a bot, without what wallet and coins decide', () => {
  const settings = botSettingsOf(botConfig());
  expect(violatedSettingsRules(settings)).toEqual([]);
  const broken = botSettingsSchema.parse({
    ...settings,
    takeProfit: { levels: [{ gainPct: '2', sellPct: '60' }] },
    entry: { ...settings.entry, trigger: { kind: 'conditions', rules: { match: 'all', rules: [] } } },
  });
  expect(violatedSettingsRules(broken).map(({ path, code }) => [path, code])).toEqual([
    ['entry.trigger.rules', 'CONDITIONS_EMPTY'],
    ['takeProfit.levels', 'SHARES_NOT_100'],
  ]);
});

test('sums of money of a template are not taken for those of another currency', () => {
  const settings = botSettingsOf(
    botConfig({
      entry: { ...botConfig().entry, size: { mode: 'fixed', value: '5000' } },
      maxExposurePerCoin: '9000',
      protections: { dailyLoss: { amount: '700' } },
    }),
  );
  const template = { currency: 'TRY', settings };
  expect(takesForeignAmounts(settings, template, 'USDT')).toBe(true);
  expect(takesForeignAmounts(settings, template, 'TRY')).toBe(false);
  expect(takesForeignAmounts(settings, { currency: null, settings }, 'USDT')).toBe(false);
  // One after the other is put right; the last is still theirs.
  const own = { ...settings, entry: { ...settings.entry, size: { mode: 'percentOfWallet', value: '5' } }, maxExposurePerCoin: '200' };
  expect(takesForeignAmounts(own, template, 'USDT')).toBe(true);
  expect(takesForeignAmounts({ ...own, protections: { dailyLoss: { amount: '20' } } }, template, 'USDT')).toBe(false);
  const shares = { currency: 'TRY', settings: botSettingsOf(botConfig({ entry: own.entry as never })) };
  expect(takesForeignAmounts(shares.settings, shares, 'USDT')).toBe(false);
});
