import { readFileSync } from 'node:fs';
import { type FilterGroup, type FilterOptions, type FilterRule, filterRuleSchema } from '@pilotfish/core/prices/screener-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { readStdin } from '../ui/prompt.ts';
import { parseRule } from './rule-parser.ts';
import { refuseRules, type WrongRule } from './rule-problems.ts';
import { RuleError } from './rule-tokens.ts';

/**
 * A filter of a YAML or JSON file; `-` is stdin. It holds a list of rules, or a group `{match, rules}`; each rule is
 * the words of a command line (`rsi.1h < 30`), the API's object, or a group again.
 * @throws LocalFailure `cannotRead`, `notYaml`, `notRules`; ShownFailure naming the rules that cannot be read
 */
export async function readRuleFile(context: Context, path: string, options: FilterOptions): Promise<FilterGroup> {
  const failed = (code: string, reason: string, cause?: unknown) =>
    new LocalFailure(code, { file: path, reason }, { exit: EXIT.usage, ...(cause === undefined ? {} : { cause }) });
  let text: string;
  try {
    text = path === '-' ? await readStdin(context) : readFileSync(path, 'utf8');
  } catch (error) {
    throw failed('cannotRead', String((error as NodeJS.ErrnoException).code), error);
  }
  const { parse } = await import('yaml');
  let read: unknown;
  try {
    read = parse(text);
  } catch (error) {
    throw failed('notYaml', (error as Error).message.split('\n')[0] ?? '', error);
  }
  const wrong: WrongRule[] = [];
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const toGroup = (value: Record<string, unknown>, at: string): FilterGroup => {
    const { match = 'all', rules, negate, ...others } = value;
    const extra = Object.keys(others);
    if (!Array.isArray(rules) || (match !== 'all' && match !== 'any') || extra.length > 0) throw failed('notRules', at);
    return { match, rules: rules.map((each, index) => toRule(each, `${at}.${index}`)), ...(negate === true ? { negate } : {}) };
  };
  const toRule = (value: unknown, at: string): FilterRule | FilterGroup => {
    if (typeof value === 'string') {
      try {
        return parseRule(value, options);
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
        wrong.push({ typed: value, error });
        return { match: 'all', rules: [] };
      }
    }
    if (isObject(value) && 'rules' in value) return toGroup(value, at);
    const parsed = filterRuleSchema.safeParse(value);
    if (!parsed.success) throw failed('notRules', at);
    return parsed.data;
  };
  const group = Array.isArray(read)
    ? toGroup({ rules: read }, 'rules')
    : isObject(read)
      ? toGroup(isObject(read.filter) ? read.filter : read, 'rules')
      : undefined;
  if (!group) throw failed('notRules', 'rules');
  if (wrong.length > 0) await refuseRules(context, wrong);
  return group;
}
