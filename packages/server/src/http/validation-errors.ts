import { AppError, type FieldError } from '@pilotfish/core/http/problem';
import type * as z from 'zod';
import { decimalsAsText } from './decimal-numbers.ts';
import type { Language, Texts } from './texts.ts';
import { unknownFields } from './unknown-fields.ts';

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
      return { code: ['email', 'uuid', 'datetime', 'date', 'url'].includes(issue.format) ? issue.format : 'invalid_format' };
    case 'invalid_value':
      return { code: 'invalid_value', limit: issue.values.map(String).join(', ') };
    case 'unrecognized_keys':
      return { code: 'unrecognized', limit: issue.keys.join(', ') };
    case 'custom':
      return {
        code: typeof issue.params?.code === 'string' ? issue.params.code : 'invalid',
        ...(typeof issue.params?.limit === 'string' ? { limit: issue.params.limit } : {}),
      };
    case 'invalid_union': {
      // The word that chooses the form of an object, such as `mode`: the words there are say more than "not accepted".
      const { options = [] } = issue as { options?: readonly unknown[] };
      return options.length === 0 ? { code: 'invalid' } : { code: 'invalid_value', limit: options.map(String).join(', ') };
    }
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

/**
 * Parses one part of a request. @throws AppError `invalid` with every broken field
 * JSON numbers are taken for decimals, see `decimalsAsText`.
 * @param marked the input with its too long numbers marked, where it was JSON
 * @param isWrite a field that the schema does not know is refused; it is passed over where nothing is written
 */
export function parsePart<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  { texts, language, isWrite, marked = input }: { texts: Texts; language: Language; isWrite: boolean; marked?: unknown },
): z.output<Schema> {
  const asGiven = schema.safeParse(input, { reportInput: true });
  // Numbers are looked at only where the schema wants something else.
  const { value, refused } = asGiven.success ? { value: input, refused: [] } : decimalsAsText(schema, input, marked);
  const unknown = isWrite ? unknownFields(schema, value) : [];
  const parsed = value === input ? asGiven : schema.safeParse(value, { reportInput: true });
  if (parsed.success && unknown.length === 0) return parsed.data;
  // What the schema itself says of unknown fields is said already, with the place and the name that is near.
  const known = new Set(refused.map(({ path }) => path));
  const broken = parsed.success
    ? []
    : fieldErrors(parsed.error, texts, language).filter(({ code, path }) => !known.has(path) && (!isWrite || code !== 'unrecognized'));
  const fields = [...unknown, ...refused, ...broken];
  throw new AppError('invalid', { fields: fields.length > 0 ? fields.slice(0, MOST_FIELDS) : fieldErrors(parsed.error!, texts, language) });
}
/** Nobody reads more at once, and a body of unknown fields must not come back as long as it went. */
const MOST_FIELDS = 50;
