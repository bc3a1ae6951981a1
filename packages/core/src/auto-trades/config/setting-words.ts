import type { TextValues } from '../../fields/text-values.ts';
import { isDecimalText } from '../../money/decimal.ts';
import { formatCurrency, formatQuantity } from '../../money/format.ts';
import type { FilterGroup, FilterOption, FilterRule } from '../../prices/screener-contract.ts';
import { formatSpan } from '../../time/duration.ts';
import type { BotDraft, Step } from './bot-draft.ts';
import { labelPath } from './setting-fields.ts';

// Settings in words: what folded groups, the review and the differences of versions say of them.

export type Words = {
  t: (key: string, values?: TextValues) => string;
  language: string;
  /** Names of wallets and coin filters by id. */
  names: ReadonlyMap<string, string>;
  options: ReadonlyMap<string, FilterOption> | undefined;
  /** The currency of the wallet, once it is known: amounts are told with it. */
  currency?: string | undefined;
};
type Row = Readonly<Record<string, unknown>>;

/** A value of a setting as it is read; what is not filled in yet is a gap. */
export function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value === '') return '…';
  return isDecimalText(value) ? formatQuantity(value) : value;
}
const allShown = (row: Row): TextValues =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? value : shown(value)]));
/** A length of time in the setting's own unit, e.g. minutes of 60,000 ms. */
export const lasts = (value: unknown, unitMs: number, { language }: Pick<Words, 'language'>): string =>
  typeof value === 'number' ? formatSpan(value * unitMs, language, 4) : '…';
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const percent = (value: unknown, { t }: Words): string => t('autoTrades.words.percent', { value: shown(value) });
const amount = (value: unknown, { currency }: Words): string =>
  currency && typeof value === 'string' && isDecimalText(value) ? formatCurrency(value, currency) : shown(value);

/** How far below the first buy the last rebuy lies, in percent, for reading only; undefined while it cannot be told. */
export function deepestDrop({ levels, generator, basis }: BotDraft['rebuys']): number | undefined {
  const drops: number[] = generator
    ? Array.from({ length: Number(generator.count) || 0 }, (_, n) => Number(generator.stepPct) * Number(generator.stepScale) ** n)
    : levels.map(({ dropPct }) => Number(dropPct));
  if (drops.length === 0 || drops.some((drop) => !(drop > 0))) return undefined;
  if (basis === 'lastBuy') return (1 - drops.reduce((left, drop) => left * (1 - drop / 100), 1)) * 100;
  return generator ? drops.reduce((sum, drop) => sum + drop, 0) : Math.max(...drops);
}

export function rebuysText(rebuys: BotDraft['rebuys'], { t }: Words): string {
  const count = rebuys.generator ? Number(rebuys.generator.count) || 0 : rebuys.levels.length;
  if (count === 0) return t('autoTrades.words.noRebuys');
  const depth = deepestDrop(rebuys);
  return depth === undefined
    ? t('autoTrades.words.rebuyCount', { count })
    : // Figures have a point in every language: a comma beside them reads as thousands.
      t('autoTrades.words.rebuys', { count, depth: depth.toLocaleString('en-US', { maximumFractionDigits: 1 }) });
}

export function triggerText(trigger: Row, words: Words): string {
  const { t } = words;
  if (trigger.kind === 'drop')
    return t('autoTrades.words.drop', { drop: shown(trigger.dropPct), time: lasts(trigger.lookbackMin, MINUTE, words) });
  if (trigger.kind === 'conditions') return conditionsText(trigger.rules as FilterGroup, words);
  return t(`autoTrades.form.triggerKind.${String(trigger.kind)}`);
}

export function stopText(stop: Row, { t }: Words): string {
  if (stop.mode === '') return t('autoTrades.form.stopMode.choose');
  if (stop.mode === 'none') return t('autoTrades.form.stopMode.none');
  return t('autoTrades.words.stop', { pct: shown(stop.pct), basis: t(`autoTrades.form.basis.${String(stop.basis)}`) });
}

/** Rules as one would say them: `RSI 14 1h below 30 and …`, `RSI 14 1h 30 altında ve …`. */
export function conditionsText(group: FilterGroup | null | undefined, words: Words): string {
  const { t, options } = words;
  if (!group || group.rules.length === 0) return t('autoTrades.words.none');
  const field = (ref: { key: string; timeframe?: string | undefined }) =>
    [options?.get(ref.key)?.label ?? ref.key, ref.timeframe].filter(Boolean).join(' ');
  const rule = (each: FilterRule): string => {
    const value = Array.isArray(each.value)
      ? each.value.join(/between/i.test(each.operation) ? ' – ' : ', ')
      : each.value === undefined
        ? ''
        : String(each.value);
    // What is compared with stands where the language wants it: before the word or after it.
    const compared = each.of && each.operation !== 'abovePct' ? field(each.of) : value;
    const words = t(`screener.rule.${each.operation}`, { value: compared, of: each.of ? field(each.of) : '' });
    return `${field(each)} ${each.negate ? t('autoTrades.words.not', { rule: words }) : words}`;
  };
  const parts = group.rules.map((each) => ('rules' in each ? `(${conditionsText(each, words)})` : rule(each)));
  const joined = parts.join(` ${t(group.match === 'all' ? 'autoTrades.words.and' : 'autoTrades.words.or')} `);
  return group.negate ? t('autoTrades.words.not', { rule: `(${joined})` }) : joined;
}

export function levelsText(levels: readonly Row[], { t }: Words): string {
  if (levels.length === 0) return t('autoTrades.words.none');
  return levels.map((level) => t('autoTrades.words.level', { gain: shown(level.gainPct), sell: shown(level.sellPct) })).join(', ');
}

/** Which of the protections are on. */
export function protectionsText({ protections }: Pick<BotDraft, 'protections'>, { t }: Words): string {
  const on = [
    ...(Number(protections.lossStreak.count) > 0 ? ['autoTrades.form.lossStreak'] : []),
    ...(Number(protections.drawdown.maxPct) > 0 ? ['autoTrades.form.drawdown'] : []),
    ...(protections.lowProfitCoin ? ['autoTrades.form.lowProfitCoin'] : []),
    ...(protections.dailyLoss ? ['autoTrades.form.dailyLoss'] : []),
    ...(protections.btcGuard ? ['autoTrades.form.btcGuard'] : []),
  ];
  return on.length === 0 ? t('autoTrades.words.off') : on.map((key) => t(key)).join(', ');
}

export const trailingText = (trailing: BotDraft['entry']['trailing'], { t }: Words): string =>
  trailing.enabled ? t('autoTrades.words.trailing', { rebound: shown(trailing.reboundPct) }) : t('autoTrades.words.off');

export const orderText = (order: BotDraft['entry']['order'], words: Words): string =>
  order.type === 'Market'
    ? words.t('autoTrades.words.market', { slippage: shown(order.maxSlippagePct) })
    : words.t('autoTrades.words.limit', { offset: shown(order.offsetPct), time: lasts(order.timeoutSec, SECOND, words) });

export const lineText = (line: BotDraft['trailingCost'], { t }: Words): string =>
  line.enabled ? t('autoTrades.words.line', { arm: shown(line.armGainPct), distance: shown(line.distancePct) }) : t('autoTrades.words.off');

export const coinsText = (coins: BotDraft['coins'], { t, names }: Words): string =>
  coins.coinFilterIds.length > 0
    ? coins.coinFilterIds.map((id) => names.get(id) ?? t('autoTrades.words.lostFilter')).join(', ')
    : coins.symbols.join(', ') || t('autoTrades.words.none');

const pauses = (row: Row, words: Words): TextValues => ({
  ...allShown(row),
  lookback: lasts(row.lookbackHours, HOUR, words),
  pause: lasts(row.pauseHours, HOUR, words),
});

/** The name of a setting with the group it belongs to; its path where it has none. */
export const settingName = (path: string, t: Words['t']): string =>
  labelPath(path)
    .map((key) => t(key))
    .join(' · ') || path;

/** What the bot will do, step by step of the form. */
export const planText = (draft: BotDraft, words: Words): Readonly<Record<Exclude<Step, 'review'>, string>> => ({
  basics: [settingText('walletId', draft.walletId, words), coinsText(draft.coins, words)].join(' · '),
  entry: [settingText('entry.size', draft.entry.size, words), triggerText(draft.entry.trigger, words)].join(' · '),
  rebuys: rebuysText(draft.rebuys, words),
  exit: [
    settingText('takeProfit.levels', draft.takeProfit.levels, words),
    `${words.t('autoTrades.form.stopLoss')}: ${stopText(draft.stopLoss, words)}`,
    ...(draft.trailingCost.enabled ? [lineText(draft.trailingCost, words)] : []),
  ].join(' · '),
  safety: protectionsText(draft, words),
});

/** What a setting is called that is left empty; any other one is off. */
const NOTHING_SET: Readonly<Record<string, string>> = {
  maxExposurePerCoin: 'autoTrades.form.noLimit',
  'exit.conditions': 'autoTrades.words.none',
  'exit.minGainPct': 'autoTrades.words.none',
};

/** One setting of the contract as a person reads it. */
export const settingText = (path: string, value: unknown, words: Words): string =>
  value === null ? words.t(NOTHING_SET[path] ?? 'autoTrades.words.off') : filledText(path, value, words);

function filledText(path: string, value: unknown, words: Words): string {
  const { t, names } = words;
  const row = (value ?? {}) as Row;
  switch (path) {
    case 'walletId':
      return names.get(String(value)) ?? t('autoTrades.words.none');
    case 'coins':
      return coinsText(row as never, words);
    case 'maxExposurePerCoin':
      return amount(value, words);
    case 'pickOrder':
      return t(`autoTrades.form.pick.${String(value)}`);
    case 'entry.size':
      return row.mode === 'percentOfWallet' ? percent(row.value, words) : amount(row.value, words);
    case 'entry.trigger':
      return triggerText(row, words);
    case 'rebuys.levels':
      return (
        (value as Row[]).map((level) => `−${percent(level.dropPct, words)} × ${shown(level.sizeMultiplier)}`).join(', ') ||
        t('autoTrades.words.none')
      );
    case 'rebuys.generator':
      return `${shown(row.count)} × −${percent(row.stepPct, words)} (× ${shown(row.stepScale)}, × ${shown(row.sizeScale)})`;
    case 'rebuys.basis':
      return t(`autoTrades.form.basis.${String(value)}`);
    case 'takeProfit.levels':
      return levelsText(value as Row[], words);
    case 'stopLoss':
      return stopText(row, words);
    case 'trailingCost.onExpiry':
      return t(`autoTrades.form.expiryAction.${String(value)}`);
    case 'trailingCost.expiryMin':
      return value === 0 ? t('autoTrades.words.never') : plainText(path, value, words);
    case 'trailingCost.floor':
      return t(`autoTrades.form.floorKind.${String(value)}`);
    case 'timeStop':
      return [
        t('autoTrades.words.held', { time: lasts(row.hours, HOUR, words) }),
        ...(row.onlyIfGainPctAbove === null ? [] : [t('autoTrades.words.ifGain', { gain: shown(row.onlyIfGainPctAbove) })]),
      ].join(', ');
    case 'exit.conditions':
      return conditionsText(value as FilterGroup | null, words);
    case 'exit.minGainPct':
      return percent(value, words);
    case 'cooldown.scope':
      return t(`autoTrades.form.scopeKind.${String(value)}`);
    case 'dust.policy':
      return t(`autoTrades.form.dustKind.${String(value)}`);
    case 'protections.lossStreak':
      return row.count === 0 ? t('autoTrades.words.off') : t('autoTrades.words.lossStreak', pauses(row, words));
    case 'protections.drawdown':
      return Number(row.maxPct) === 0 ? t('autoTrades.words.off') : t('autoTrades.words.drawdown', pauses(row, words));
    case 'protections.lowProfitCoin':
      return t('autoTrades.words.lowProfitCoin', pauses(row, words));
    case 'protections.dailyLoss':
      return t('autoTrades.words.dailyLoss', { ...allShown(row), amount: amount(row.amount, words) });
    case 'protections.btcGuard':
      return t('autoTrades.words.btcGuard', { ...allShown(row), window: lasts(row.windowMin, MINUTE, words) });
    case 'notifications':
      return (
        Object.entries(row)
          .filter(([, channel]) => channel !== 'off')
          .map(([kind, channel]) => `${t(`autoTrades.notice.${kind}`)}: ${t(`autoTrades.channel.${String(channel)}`)}`)
          .join(', ') || t('autoTrades.words.off')
      );
    default:
      return plainText(path, value, words);
  }
}

function plainText(path: string, value: unknown, words: Words): string {
  const { t } = words;
  if (typeof value === 'boolean') return t(value ? 'autoTrades.words.on' : 'autoTrades.words.off');
  if (path.endsWith('.type')) return t(`autoTrades.form.orderType.${String(value)}`);
  if (path.endsWith('.onTimeout')) return t(`autoTrades.form.timeoutAction.${String(value)}`);
  if (path.endsWith('Pct')) return percent(value, words);
  if (/Min$|Minutes/.test(path)) return lasts(value, MINUTE, words);
  if (path.endsWith('Sec')) return lasts(value, SECOND, words);
  return shown(value);
}
