import { type AutoTradeConfig, autoTradeConfigSchema } from './auto-trade-config.ts';
import { type BotSettingsInput, botSettingsSchema } from './bot-settings.ts';
import { PRESET_SETTINGS, type Preset } from './presets.ts';

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

/** What stands at a path of the contract; undefined where the settings have nothing. */
export const getField = (settings: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((place, key) => (typeof place === 'object' && place !== null ? (place as never)[key] : undefined), settings);

/** Settings to begin with only fill in fields; everything stays editable. Name, wallet and coins are left as they are. */
export const applySettings = ({ name, walletId, coins }: BotDraft, settings: BotSettingsInput): BotDraft => ({
  ...(botSettingsSchema.parse(settings) as Omit<BotDraft, 'name' | 'walletId' | 'coins'>),
  name,
  walletId,
  coins,
});

export const applyPreset = (draft: BotDraft, preset: Preset): BotDraft => applySettings(draft, PRESET_SETTINGS[preset]);

/** What is missing before the server can judge the rest, by path; the ladder is shown without it. */
export type Missing = 'name' | 'stopLoss';

/**
 * The draft as the server is asked to judge it: what only a person can decide is filled in for the question, and told
 * as missing, so that the ladder and every other rule are known from the first step on.
 */
export function askable(draft: BotDraft): { body: unknown; missing: readonly Missing[] } {
  const missing: Missing[] = [
    ...(draft.name.trim() === '' ? ['name' as const] : []),
    ...(draft.stopLoss.mode === '' ? ['stopLoss' as const] : []),
  ];
  return {
    body: {
      ...draft,
      name: draft.name.trim() === '' ? '-' : draft.name,
      walletId: draft.walletId === '' ? NOBODY : draft.walletId,
      stopLoss: draft.stopLoss.mode === '' ? { mode: 'none' } : draft.stopLoss,
      // Nothing asked for is no condition at all; half-written rules are not part of the draft.
      exit: { ...draft.exit, minGainPct: draft.exit.minGainPct === '' ? null : draft.exit.minGainPct },
      maxExposurePerCoin: draft.maxExposurePerCoin === '' ? null : draft.maxExposurePerCoin,
    },
    missing,
  };
}

/** A draft of an earlier visit; undefined for anything that does not have every field of one. */
export function readDraft(stored: unknown): BotDraft | undefined {
  const fits = (wanted: unknown, found: unknown): boolean => {
    if (wanted === null || found === null || Array.isArray(wanted)) return wanted === null || found === null || Array.isArray(found);
    if (typeof wanted !== 'object') return typeof found === typeof wanted || found === '';
    if (typeof found !== 'object') return false;
    return Object.entries(wanted).every(([key, inner]) => key in found && fits(inner, (found as never)[key]));
  };
  const { entry, stopLoss, notifications, ...rest } = newDraft('', []);
  const { trigger, ...entryRest } = entry;
  const isDraft =
    fits({ ...rest, entry: entryRest, stopLoss: { mode: stopLoss.mode } }, stored) &&
    typeof getField(stored as object, 'entry.trigger.kind') === typeof trigger.kind &&
    typeof getField(stored as object, 'notifications') === typeof notifications;
  return isDraft ? (stored as BotDraft) : undefined;
}

/** The steps of the form and the fields each of them holds. */
export const STEPS = ['basics', 'entry', 'rebuys', 'exit', 'safety', 'review'] as const;
export type Step = (typeof STEPS)[number];
const PREFIXES: Record<Step, readonly string[]> = {
  basics: ['name', 'walletId', 'coins', 'timeframe', 'pickOrder', 'maxOpenPositions', 'maxPositionsPerCoin', 'maxExposurePerCoin'],
  entry: ['entry'],
  rebuys: ['rebuys'],
  exit: ['takeProfit', 'trailingCost', 'stopLoss', 'protectiveStop', 'timeStop', 'exit'],
  safety: ['cooldown', 'protections', 'dust', 'fees', 'notifications'],
  review: [],
};
export const stepOf = (path: string): Step =>
  STEPS.find((step) => PREFIXES[step].some((prefix) => path === prefix || path.startsWith(`${prefix}.`))) ?? 'review';
