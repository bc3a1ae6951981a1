import type { FilterFieldRef, FilterGroup, FilterRule, FilterSort } from '@pilotfish/core/prices/screener-contract';
import { isPlainWord } from './rule-tokens.ts';

/** `rsi.1h`, or the key alone. */
export const fieldText = ({ key, timeframe }: FilterFieldRef): string => (timeframe === undefined ? key : `${key}.${timeframe}`);

export const SIGN_OF: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=', eq: '=' };

const word = (value: unknown): string => (typeof value === 'string' && !isPlainWord(value) ? JSON.stringify(value) : String(value));

/** A rule or group as it is typed; reading it again gives the same. */
export function printRule(rule: FilterRule | FilterGroup): string {
  const not = rule.negate ? 'not ' : '';
  if ('rules' in rule) return `${not}${rule.match}(${rule.rules.map(printRule).join('; ')})`;
  const { operation, value, of } = rule;
  const start = `${not}${fieldText(rule)} ${SIGN_OF[operation] ?? operation}`;
  if (operation === 'abovePct' && of !== undefined) return `${start} ${word(value)} of ${fieldText(of)}`;
  if (of !== undefined) return `${start} ${fieldText(of)}`;
  if (value === undefined) return start;
  return `${start} ${Array.isArray(value) ? value.map(word).join(',') : word(value)}`;
}

/** A filter as the words of a command line: its rules, and `--any` where one is enough. */
export const printFilter = (filter: FilterGroup): { rules: string[]; any: boolean } =>
  filter.negate ? { rules: [printRule(filter)], any: false } : { rules: filter.rules.map(printRule), any: filter.match === 'any' };

export const printSort = (sort: readonly FilterSort[]): string => sort.map((each) => `${fieldText(each)}:${each.direction}`).join(',');
