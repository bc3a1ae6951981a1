import { AppError, type FieldError } from '@pilotfish/core/http/problem';
import type * as z from 'zod';
import type { Language, Texts } from './texts.ts';

type Issue = z.core.$ZodIssue;

const TOO_SMALL: Readonly<Record<string, string>> = { string: 'too_short', array: 'too_few' };
const TOO_BIG: Readonly<Record<string, string>> = { string: 'too_long', array: 'too_many' };

/** A stable code per broken rule, with the bound it names. */
function ruleOf(issue: Issue): { code: string; limit?: string } {
  switch (issue.code) {
    case 'invalid_type':
      return { code: issue.input === undefined ? 'required' : 'invalid_type', limit: issue.expected };
    case 'too_small':
      return { code: TOO_SMALL[issue.origin] ?? 'too_small', limit: String(issue.minimum) };
    case 'too_big':
      return { code: TOO_BIG[issue.origin] ?? 'too_big', limit: String(issue.maximum) };
    case 'invalid_format':
      return { code: ['email', 'uuid', 'datetime', 'url'].includes(issue.format) ? issue.format : 'invalid_format' };
    case 'invalid_value':
      return { code: 'invalid_value', limit: issue.values.map(String).join(', ') };
    case 'unrecognized_keys':
      return { code: 'unrecognized', limit: issue.keys.join(', ') };
    case 'custom':
      return {
        code: typeof issue.params?.code === 'string' ? issue.params.code : 'invalid',
        ...(typeof issue.params?.limit === 'string' ? { limit: issue.params.limit } : {}),
      };
    case 'not_multiple_of':
      return { code: 'invalid_value', limit: String(issue.divisor) };
    default:
      return { code: 'invalid' };
  }
}

/** An alternative's own complaint says more than "none fits": the one that came furthest speaks. */
function mostTelling(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const deepest = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0] ?? [];
  if (deepest.length === 0) return [issue];
  return deepest.flatMap((inner) => mostTelling({ ...inner, path: [...issue.path, ...inner.path] } as Issue));
}
const depth = (issues: readonly Issue[]): number => Math.max(0, ...issues.map((issue) => issue.path.length));

/** Zod's findings as the field errors of a problem document, in the caller's language. Values are never repeated. */
export function fieldErrors(error: z.core.$ZodError, texts: Texts, language: Language): FieldError[] {
  return error.issues.flatMap(mostTelling).map((issue) => {
    const { code, limit } = ruleOf(issue);
    const values = { limit: limit ?? '' };
    return {
      path: issue.path.join('.'),
      code,
      message: texts.find(language, `validation.${code}`, values) ?? texts.text(language, 'validation.invalid'),
      ...(limit === undefined ? {} : { limit }),
    };
  });
}

/** Parses one part of a request. @throws AppError `invalid` with every broken field */
export function parsePart<Schema extends z.ZodType>(schema: Schema, input: unknown, texts: Texts, language: Language): z.output<Schema> {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new AppError('invalid', { fields: fieldErrors(parsed.error, texts, language) });
}
