import type { FieldError } from '@pilotfish/core/http/problem';
import { AppError } from '@pilotfish/core/http/problem';
import type { FilterGroup, FilterRule } from '@pilotfish/core/prices/screener-contract';
import type { Context } from '../app/context.ts';
import { ShownFailure } from '../app/failure.ts';
import type { Translate } from '../app/texts.ts';
import { printRule } from './rule-printer.ts';
import { RuleError } from './rule-tokens.ts';

/** A rule that cannot be read, with the words it was typed in. */
export type WrongRule = { readonly typed: string; readonly error: RuleError };

const NAMED = 40;

export function fieldError(t: Translate, { typed, error }: WrongRule): FieldError {
  const limit = error.allowed.slice(0, NAMED).join(', ') + (error.allowed.length > NAMED ? ', …' : '');
  const sentence = t([`cli.screen.syntax.${error.code}`, `screener.error.${error.code}`], { actual: error.actual, limit });
  const meant = error.meant ? ` ${t('cli.fixes.didYouMean', { suggestion: error.meant })}` : '';
  return { path: typed, code: error.code, message: sentence + meant, ...(limit ? { limit } : {}), actual: error.actual };
}

/** Names every rule that cannot be asked, what is wrong with it and what is allowed. */
export async function refuseRules(context: Context, wrong: readonly WrongRule[]): Promise<never> {
  const t = await context.texts();
  throw new ShownFailure({ code: 'invalid', detail: t('cli.screen.wrong'), fields: wrong.map((each) => fieldError(t, each)) });
}

/** Reads each of them; all that cannot be read are refused together. */
export async function readAll<Read>(context: Context, typed: readonly string[], read: (text: string) => Read): Promise<Read[]> {
  const wrong: WrongRule[] = [];
  const all = typed.flatMap((text) => {
    try {
      return [read(text)];
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      wrong.push({ typed: text, error });
      return [];
    }
  });
  if (wrong.length > 0) await refuseRules(context, wrong);
  return all;
}

/** The rule or group that a path of the server means: `filter.rules.0.rules.1.value`. */
function ruleAt(filter: FilterGroup | undefined, path: string): FilterRule | FilterGroup | undefined {
  let found: FilterRule | FilterGroup | undefined = filter;
  for (const [, index] of path.matchAll(/\brules\.(\d+)/g)) {
    const next: FilterRule | FilterGroup | undefined = found && 'rules' in found ? found.rules[Number(index)] : undefined;
    if (!next) break;
    found = next;
  }
  return found === filter ? undefined : found;
}

/** The server's complaints with the rule as it is typed in place of its path. */
export async function namingRules<Answer>(filter: FilterGroup | undefined, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid' || error.fields.length === 0) throw error;
    const fields = error.fields.map((field) => {
      const rule = /^(filter|conditions)\b/.test(field.path) ? ruleAt(filter, field.path) : undefined;
      return rule ? { ...field, path: printRule(rule) } : field;
    });
    throw new AppError('invalid', { detail: error.detail, title: error.title, fields, cause: error });
  }
}
