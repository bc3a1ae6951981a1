import { canonicalText } from '../../fields/canonical-text.ts';
import type { AutoTradeConfig } from './auto-trade-config.ts';
import { getField, setField } from './bot-draft.ts';

/**
 * What a person calls a setting, by its path in the contract; `*` stands for a place in a list. The form, the review,
 * the versions and the choice between two versions all name it from here.
 */
const LABELS: Readonly<Record<string, string>> = {
  name: 'autoTrades.form.name',
  walletId: 'autoTrades.form.wallet',
  coins: 'autoTrades.form.coins',
  timeframe: 'autoTrades.form.timeframe',
  maxOpenPositions: 'autoTrades.form.maxOpen',
  maxExposurePerCoin: 'autoTrades.form.maxExposure',
  pickOrder: 'autoTrades.form.pickOrder',
  'entry.size': 'autoTrades.form.size',
  'entry.size.value': 'autoTrades.form.perEntry',
  'entry.trigger': 'autoTrades.form.trigger',
  'entry.trigger.dropPct': 'autoTrades.form.drop',
  'entry.trigger.lookbackMin': 'autoTrades.form.lookback',
  'entry.trailing': 'autoTrades.form.trailing',
  'entry.trailing.reboundPct': 'autoTrades.form.rebound',
  'entry.trailing.expiryMin': 'autoTrades.form.expiry',
  'entry.trailing.maxChasePct': 'autoTrades.form.chase',
  'entry.order': 'autoTrades.form.entryOrder',
  'entry.maxSpreadPct': 'autoTrades.form.maxSpread',
  '*.order.type': 'autoTrades.form.orderKind',
  '*.order.offsetPct': 'autoTrades.form.offset',
  '*.order.timeoutSec': 'autoTrades.form.timeout',
  '*.order.onTimeout': 'autoTrades.form.onTimeout',
  '*.order.maxReprices': 'autoTrades.form.reprices',
  '*.order.maxSlippagePct': 'autoTrades.form.slippage',
  rebuys: 'autoTrades.form.rebuys',
  'rebuys.levels': 'autoTrades.form.rebuyLevels',
  'rebuys.levels.*.dropPct': 'autoTrades.form.rebuyDrop',
  'rebuys.levels.*.sizeMultiplier': 'autoTrades.form.rebuySize',
  'rebuys.generator': 'autoTrades.form.generator',
  'rebuys.generator.count': 'autoTrades.form.generatorCount',
  'rebuys.generator.stepPct': 'autoTrades.form.generatorStep',
  'rebuys.generator.stepScale': 'autoTrades.form.generatorStepScale',
  'rebuys.generator.sizeScale': 'autoTrades.form.generatorSizeScale',
  'rebuys.basis': 'autoTrades.form.rebuyBasis',
  'rebuys.minMinutesBetween': 'autoTrades.form.rebuySpacing',
  'rebuys.trailingReboundPct': 'autoTrades.form.rebuyRebound',
  'takeProfit.levels': 'autoTrades.form.takeProfit',
  'takeProfit.levels.*.gainPct': 'autoTrades.form.gain',
  'takeProfit.levels.*.sellPct': 'autoTrades.form.share',
  trailingCost: 'autoTrades.form.trailingCost',
  'trailingCost.armGainPct': 'autoTrades.form.arm',
  'trailingCost.distancePct': 'autoTrades.form.distance',
  'trailingCost.stepPct': 'autoTrades.form.stepPct',
  'trailingCost.expiryMin': 'autoTrades.form.lineExpiry',
  'trailingCost.onExpiry': 'autoTrades.form.onExpiry',
  'trailingCost.floor': 'autoTrades.form.floor',
  stopLoss: 'autoTrades.form.stopLoss',
  'stopLoss.pct': 'autoTrades.form.stopPct',
  'stopLoss.basis': 'autoTrades.form.stopBasis',
  'stopLoss.confirmSec': 'autoTrades.form.confirm',
  protectiveStop: 'autoTrades.form.protectiveStop',
  'protectiveStop.limitOffsetPct': 'autoTrades.form.stopOffset',
  timeStop: 'autoTrades.form.timeStop',
  'timeStop.hours': 'autoTrades.form.timeStopHours',
  'timeStop.onlyIfGainPctAbove': 'autoTrades.form.timeStopGain',
  'exit.conditions': 'autoTrades.form.exitConditions',
  'exit.minGainPct': 'autoTrades.form.exitGain',
  'exit.order': 'autoTrades.form.exitOrder',
  cooldown: 'autoTrades.form.cooldown',
  'cooldown.afterWinMin': 'autoTrades.form.afterWin',
  'cooldown.afterLossMin': 'autoTrades.form.afterLoss',
  'cooldown.scope': 'autoTrades.form.scope',
  'protections.lossStreak': 'autoTrades.form.lossStreak',
  'protections.lossStreak.count': 'autoTrades.form.lossCount',
  'protections.drawdown': 'autoTrades.form.drawdown',
  'protections.drawdown.maxPct': 'autoTrades.form.drawdownPct',
  'protections.lowProfitCoin': 'autoTrades.form.lowProfitCoin',
  'protections.lowProfitCoin.minTrades': 'autoTrades.form.minTrades',
  'protections.lowProfitCoin.minProfitPct': 'autoTrades.form.minProfit',
  'protections.dailyLoss': 'autoTrades.form.dailyLoss',
  'protections.dailyLoss.amount': 'autoTrades.form.dailyLossAmount',
  'protections.dailyLoss.tz': 'autoTrades.form.timeZone',
  'protections.btcGuard': 'autoTrades.form.btcGuard',
  'protections.btcGuard.dropPct': 'autoTrades.form.btcDrop',
  'protections.btcGuard.windowMin': 'autoTrades.form.btcWindow',
  'protections.btcGuard.resumePct': 'autoTrades.form.btcResume',
  '*.lookbackHours': 'autoTrades.form.lookbackHours',
  '*.pauseHours': 'autoTrades.form.pauseHours',
  dust: 'autoTrades.form.dust',
  'dust.policy': 'autoTrades.form.dustPolicy',
  'dust.maxResidualPct': 'autoTrades.form.dustMost',
  notifications: 'autoTrades.form.notifications',
};

/** The key of a setting's name; undefined for what only machines look at. */
export function labelKey(path: string): string | undefined {
  const listed = path.replaceAll(/\.\d+/g, '.*');
  if (LABELS[listed]) return LABELS[listed];
  const parts = listed.split('.');
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const known = LABELS[`*.${parts.slice(-length).join('.')}`];
    if (known) return known;
  }
  return undefined;
}

/** What a group is called before the name of one of its settings, where its own name is a sentence. */
const GROUPS: Readonly<Record<string, string>> = { trailingCost: 'autoTrades.form.trailingCostGroup' };

/** The keys of a setting's name with the group it belongs to, e.g. order of the entry, offset. */
export function labelPath(path: string): readonly string[] {
  const keys: string[] = [];
  // Whether a group is on is told by the group's own name.
  const parts = path.replace(/\.enabled$/, '').split('.');
  for (let length = 1; length <= parts.length; length += 1) {
    const group = parts.slice(0, length).join('.');
    const key = length === parts.length ? labelKey(group) : (GROUPS[group] ?? LABELS[group]);
    if (key && keys.at(-1) !== key) keys.push(key);
  }
  return keys;
}

/** Settings that are chosen as a whole: no comparison and no choice between two versions takes them apart. */
const WHOLE: ReadonlySet<string> = new Set([
  'coins',
  'entry.size',
  'entry.trigger',
  'rebuys.levels',
  'rebuys.generator',
  'takeProfit.levels',
  'stopLoss',
  'timeStop',
  'exit.conditions',
  'protections.lossStreak',
  'protections.drawdown',
  'protections.lowProfitCoin',
  'protections.dailyLoss',
  'protections.btcGuard',
  'notifications',
]);
/** Fixed by the contract: never a difference worth reading. */
const FIXED: ReadonlySet<string> = new Set(['maxPositionsPerCoin', 'fees']);

/** Every setting of its own by path, in the order of the contract. */
export function settingsOf(config: object, path = ''): [path: string, value: unknown][] {
  return Object.entries(config).flatMap(([key, value]): [string, unknown][] => {
    const here = path === '' ? key : `${path}.${key}`;
    if (FIXED.has(here)) return [];
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !WHOLE.has(here)
      ? settingsOf(value, here)
      : [[here, value]];
  });
}

/** Whether a setting has a say: those of a group that is off, or of another kind of order, have none. */
export function isInUse(config: object, path: string): boolean {
  const [, group = '', field = ''] = /^(.+)\.(\w+)$/.exec(path) ?? [];
  if (field !== 'enabled' && getField(config, `${group}.enabled`) === false) return false;
  if (!group.endsWith('.order') || field === 'type') return true;
  const order = getField(config, group) as AutoTradeConfig['entry']['order'];
  if (field === 'maxSlippagePct') return order.type === 'Market' || order.onTimeout === 'market';
  if (field === 'maxReprices') return order.type === 'Limit' && order.onTimeout === 'reprice';
  return order.type === 'Limit';
}

export type SettingChange = { path: string; before: unknown; after: unknown };

/** What differs between two versions of the settings, setting by setting. */
export function settingChanges(before: object, after: object): SettingChange[] {
  return settingsOf(after).flatMap(([path, value]) => {
    const old = getField(before, path);
    return canonicalText(old) === canonicalText(value) ? [] : [{ path, before: old, after: value }];
  });
}

export type Choice = 'mine' | 'theirs';
/**
 * Two people changed the same settings: which of their changes meet mine.
 * @returns every setting that the other version changed, with both values and whether I changed it, too
 */
export function conflicts(base: object, mine: object, theirs: object): (SettingChange & { mine: unknown; isMine: boolean })[] {
  const own = new Set(settingChanges(base, mine).map(({ path }) => path));
  return settingChanges(base, theirs)
    .map((change) => ({ ...change, mine: getField(mine, change.path), isMine: own.has(change.path) }))
    .filter(({ mine: value, after }) => canonicalText(value) !== canonicalText(after));
}

/** Mine with those of their changes that were chosen. */
export const merged = <Draft extends object>(mine: Draft, theirs: AutoTradeConfig, choices: ReadonlyMap<string, Choice>): Draft =>
  [...choices]
    .filter(([, choice]) => choice === 'theirs')
    .reduce((draft, [path]) => setField(draft as never, path, structuredClone(getField(theirs, path))) as never, mine);
