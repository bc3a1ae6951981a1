import { expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { autoTradeConfigSchema } from './auto-trade-config.ts';
import { applySettings, draftOf, newDraft } from './bot-draft.ts';
import { botSettingsOf, botSettingsSchema } from './bot-settings.ts';
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
