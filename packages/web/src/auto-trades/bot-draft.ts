import { type AutoTradeConfig, autoTradeConfigSchema } from '@pilotfish/core/auto-trades/auto-trade-config';
import { PRESET_SETTINGS, type Preset } from '@pilotfish/core/auto-trades/presets';

/**
 * The settings while they are edited: as in the contract, but numbers may be empty, and the stop loss may not have
 * been chosen yet (it has no default on purpose).
 */
export type BotDraft = Editable<Omit<AutoTradeConfig, 'stopLoss'>> & { stopLoss: Editable<AutoTradeConfig['stopLoss']> | { mode: '' } };
type Editable<Value> = Value extends number
  ? number | ''
  : Value extends readonly (infer Item)[]
    ? Editable<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Editable<Value[Key]> }
      : Value;

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The settings with every default of the contract; only the stop loss has none. */
export const newDraft = (walletId: string, symbols: string[]): BotDraft => ({
  ...(autoTradeConfigSchema.parse({
    name: '-',
    walletId: NOBODY,
    coins: { symbols: ['BTCUSDT'] },
    entry: {},
    stopLoss: { mode: 'none' },
  }) as BotDraft),
  name: '',
  walletId,
  coins: { symbols, coinFilterIds: [] },
  stopLoss: { mode: '' },
});

export const draftOf = (config: AutoTradeConfig): BotDraft => structuredClone(config) as BotDraft;

/** Sets one field by its path in the contract, e.g. `entry.trigger.dropPct` or `takeProfit.levels.0.gainPct`. */
export function setField(draft: BotDraft, path: string, value: unknown): BotDraft {
  const copy = structuredClone(draft);
  const keys = path.split('.');
  let place = copy as unknown as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) place = place[key] as Record<string, unknown>;
  place[keys.at(-1) as string] = value;
  return copy;
}

/** Presets only fill in fields; everything stays editable. Name, wallet and coins are left as they are. */
export function applyPreset({ name, walletId, coins }: BotDraft, preset: Preset): BotDraft {
  const settings = { name: '-', walletId: NOBODY, coins: { symbols: ['BTCUSDT'] }, ...PRESET_SETTINGS[preset] };
  return { ...(autoTradeConfigSchema.parse(settings) as BotDraft), name, walletId, coins };
}

/** The steps of the form and the fields each of them holds. */
export const STEPS = ['basics', 'entry', 'exit', 'review'] as const;
export type Step = (typeof STEPS)[number];
const PREFIXES: Record<Step, readonly string[]> = {
  basics: ['name', 'walletId', 'coins', 'timeframe', 'pickOrder', 'maxPositionsPerCoin', 'maxExposurePerCoin'],
  entry: ['entry', 'maxOpenPositions', 'rebuys'],
  exit: ['takeProfit', 'trailingCost', 'stopLoss', 'protectiveStop', 'timeStop', 'exit'],
  review: ['cooldown', 'protections', 'dust', 'fees', 'notifications'],
};
export const stepOf = (path: string): Step =>
  STEPS.find((step) => PREFIXES[step].some((prefix) => path === prefix || path.startsWith(`${prefix}.`))) ?? 'review';
