import {
  type FilterFieldRef,
  type FilterGroup,
  type FilterOptions,
  type FilterSort,
  getFilterOptions,
  MAX_COLUMNS,
} from '@pilotfish/core/prices/screener-contract';
import type { Context } from '../app/context.ts';
import { parseColumns, parseRule, parseSort } from './rule-parser.ts';
import { fieldText } from './rule-printer.ts';
import { readAll } from './rule-problems.ts';

/** What is asked of the market, as typed. */
export type QuestionFlags = { rules: string[]; any?: true; file?: string; sort?: string; columns?: string };

export type Question = {
  readonly options: FilterOptions;
  /** Undefined when every pair is asked for. */
  readonly filter: FilterGroup | undefined;
  readonly sort: FilterSort[];
  readonly columns: FilterFieldRef[];
};

/** What the server offers to filter and sort by. */
export const loadOptions = async (context: Context): Promise<FilterOptions> =>
  (await context.client({ getFilterOptions })).getFilterOptions();

/** Reads the rules, the order and the columns of a command line; a file's rules and typed ones must both hold. */
export async function readQuestion(context: Context, flags: QuestionFlags): Promise<Question> {
  const options = await loadOptions(context);
  const typed = await readAll(context, flags.rules, (text) => parseRule(text, options));
  const written = flags.file === undefined ? undefined : await (await import('./rule-file.ts')).readRuleFile(context, flags.file, options);
  const own: FilterGroup | undefined = typed.length > 0 ? { match: flags.any ? 'any' : 'all', rules: typed } : undefined;
  const [[sort = []], [columns]] = await Promise.all([
    readAll(context, flags.sort === undefined ? [] : [flags.sort], (text) => parseSort(text, options)),
    readAll(context, flags.columns === undefined ? [] : [flags.columns], (text) => parseColumns(text, options)),
  ]);
  const filter =
    written && own ? { match: 'all' as const, rules: [written, ...(own.rules.length === 1 ? own.rules : [own])] } : (written ?? own);
  return { options, filter, sort, columns: columns ?? usualColumns(filter, sort, options) };
}

/** Without --columns: what the rules and the order ask about, change and volume. */
function usualColumns(filter: FilterGroup | undefined, sort: readonly FilterSort[], options: FilterOptions): FilterFieldRef[] {
  const asked: FilterFieldRef[] = [];
  const walk = (group: FilterGroup): void => {
    for (const rule of group.rules) {
      if ('rules' in rule) walk(rule);
      else asked.push({ key: rule.key, timeframe: rule.timeframe }, ...(rule.of ? [rule.of] : []));
    }
  };
  if (filter) walk(filter);
  asked.push(...sort);
  const usual = [
    { key: 'change', timeframe: '24h' },
    { key: 'quoteVolume', timeframe: undefined },
  ].filter(({ key, timeframe }) =>
    options.filter.some((option) => option.key === key && (timeframe === undefined || option.timeframes?.includes(timeframe) === true)),
  );
  const found = new Map<string, FilterFieldRef>();
  for (const { key, timeframe } of [...asked, ...usual]) {
    // The pair and its price have columns of their own.
    if (['symbol', 'price', 'base'].includes(key)) continue;
    const ref = timeframe === undefined ? { key } : { key, timeframe };
    found.set(fieldText(ref), ref);
  }
  return [...found.values()].slice(0, MAX_COLUMNS);
}
