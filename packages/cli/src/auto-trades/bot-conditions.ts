import { type FilterGroup, type FilterOptions, type FilterRule, filterRuleSchema } from '@pilotfish/core/prices/screener-contract';
import { parseRule } from '../screen/rule-parser.ts';
import { printFilter, printRule } from '../screen/rule-printer.ts';
import { RuleError, tokensOf } from '../screen/rule-tokens.ts';

type Rule = FilterRule | FilterGroup;
type Options = Pick<FilterOptions, 'filter'>;

/** What cannot be read in conditions: where, in the words it was written in. */
export type WrongCondition = { readonly path: string; readonly typed: string; readonly error: RuleError };

/**
 * Conditions as a file writes them: a text (`rsi.1h < 30 and quoteVolume > 5M`), a list of such texts that must all
 * hold, or a group `{match, rules}` of texts, groups and the API's own objects.
 * @returns what the server takes, and everything that cannot be read
 */
export function readConditions(written: unknown, options: Options, path: string): { group: unknown; wrong: WrongCondition[] } {
  const wrong: WrongCondition[] = [];
  const read = (value: unknown, at: string): unknown => {
    if (typeof value === 'string') {
      try {
        return parseJoined(value, options);
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
        wrong.push({ path: at, typed: value, error });
        return { match: 'all', rules: [] };
      }
    }
    if (Array.isArray(value)) return { match: 'all', rules: value.map((each, index) => read(each, `${at}.${index}`)) };
    if (typeof value !== 'object' || value === null || !('rules' in value)) return value;
    const { match = 'all', rules, ...others } = value as { match?: unknown; rules: unknown };
    const list = Array.isArray(rules) ? rules : [rules];
    return { match, ...others, rules: list.map((each, index) => read(each, `${at}.rules.${index}`)) };
  };
  const whole = read(written, path);
  const isGroup = typeof whole === 'object' && whole !== null && 'rules' in whole;
  return { group: isGroup || !filterRuleSchema.safeParse(whole).success ? whole : { match: 'all', rules: [whole] }, wrong };
}

/** True where something in words has to be read, for which the server's list of fields is needed. */
export const hasWords = (written: unknown): boolean =>
  typeof written === 'string' ||
  (Array.isArray(written)
    ? written.some(hasWords)
    : typeof written === 'object' && written !== null && 'rules' in written && hasWords(written.rules));

/** Rules joined by `and`, or by `or`. @throws RuleError `mixedJoin` where it is both: which binds closer is not guessed */
export function parseJoined(text: string, options: Options): Rule {
  const joins: { word: string; from: number; to: number }[] = [];
  let depth = 0;
  for (const { kind, text: word, at } of tokensOf(text)) {
    if (kind === 'sign' && word === '(') depth += 1;
    else if (kind === 'sign' && word === ')') depth -= 1;
    else if (kind === 'word' && depth === 0 && /^(and|or)$/i.test(word))
      joins.push({ word: word.toLowerCase(), from: at, to: at + word.length });
  }
  const [first] = joins;
  if (!first) return parseRule(text, options);
  if (joins.some(({ word }) => word !== first.word)) throw new RuleError('mixedJoin', text);
  const parts = [...joins, { from: text.length, to: text.length }].map(({ from }, index) =>
    text.slice(joins[index - 1]?.to ?? 0, from).trim(),
  );
  return { match: first.word === 'and' ? 'all' : 'any', rules: parts.map((part) => parseRule(part, options)) };
}

/** Conditions as a file writes them; reading them again gives the same. */
export function writeConditions(group: FilterGroup): unknown {
  if (group.negate) return printRule(group);
  const { rules, any } = printFilter(group);
  return any ? { match: 'any', rules } : rules;
}
