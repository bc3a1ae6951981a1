import type { BotSettingsInput } from './bot-settings.ts';

/** Settings to start from. They only fill in fields; name, wallet and coins are the person's. */
export const PRESETS = ['cautious', 'trend', 'dipBuyer'] as const;
export type Preset = (typeof PRESETS)[number];

/** What each preset sets; everything else is the default of the contract. */
export const PRESET_SETTINGS: Readonly<Record<Preset, BotSettingsInput>> = {
  cautious: {
    maxOpenPositions: 2,
    entry: { trigger: { kind: 'drop', dropPct: '5', lookbackMin: 720 } },
    takeProfit: { levels: [{ gainPct: '1.5', sellPct: '100' }] },
    stopLoss: { mode: 'percent', pct: '4', basis: 'avgCost', confirmSec: 30 },
    cooldown: { afterWinMin: 30, afterLossMin: 240, scope: 'bot' },
  },
  trend: {
    entry: { trigger: { kind: 'immediate' }, trailing: { enabled: false } },
    takeProfit: { levels: [] },
    trailingCost: { enabled: true, armGainPct: '2', distancePct: '1' },
    stopLoss: { mode: 'percent', pct: '3', basis: 'avgCost', confirmSec: 0 },
  },
  dipBuyer: {
    entry: { trigger: { kind: 'drop', dropPct: '4', lookbackMin: 240 }, trailing: { enabled: true, reboundPct: '0.6' } },
    takeProfit: {
      levels: [
        { gainPct: '1.5', sellPct: '50' },
        { gainPct: '3', sellPct: '50' },
      ],
    },
    stopLoss: { mode: 'percent', pct: '6', basis: 'avgCost', confirmSec: 30 },
  },
};
