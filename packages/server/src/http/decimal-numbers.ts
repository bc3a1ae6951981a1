import type { FieldError } from '@pilotfish/core/http/problem';
import { decimal, isDecimalText, toText } from '@pilotfish/core/money/decimal';
import { plainDecimal } from '@pilotfish/core/money/plain-decimal';
import type * as z from 'zod';
import { likeliestOption } from './union-options.ts';

/** A double keeps every decimal of so many significant digits; one more, and it may be another number than was written. */
const MOST_DIGITS = 15;

/** No number with more digits is shorter. */
const MAYBE_LONG = /\d[\d.]{15}/;
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const significantDigits = (number: string): number =>
  number
    .replace(/[eE].*/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '').length;

/** Bodies with long numbers, each with a twin that holds `Infinity` in the place of every one of them. */
const twins = new WeakMap<object, unknown>();

/** Remembers which numbers of a body have more digits than a double keeps: once parsed, they look like any other. */
export function noteLongNumbers(body: unknown, json: string): void {
  if (typeof body !== 'object' || body === null || !MAYBE_LONG.test(json)) return;
  const marked = json.replace(TEXT_OR_NUMBER, (token) =>
    token.startsWith('"') || significantDigits(token) <= MOST_DIGITS ? token : '1e999',
  );
  twins.set(body, JSON.parse(marked));
}
/** The body with `Infinity` in the place of every number that is too long; the body itself when there is none. */
export const markedBody = (body: unknown): unknown => (typeof body === 'object' && body !== null && twins.get(body)) || body;

/** Plain text without an exponent; what is too large or small for decimal text stays as it is, and is refused as such. */
function textOf(number: number): string {
  const plain = plainDecimal(String(number));
  return plain === undefined ? String(number) : toText(decimal(plain));
}

type Definition = {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly fn?: unknown } } }[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly items?: readonly z.ZodType[];
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly in?: z.ZodType;
  readonly getter?: () => z.ZodType;
};
const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def as unknown as Definition;

/** Whether a schema asks for decimal text, however narrow. */
export const isDecimal = (schema: z.core.$ZodType): boolean => {
  const { type, checks = [] } = definitionOf(schema);
  return type === 'string' && checks.some(({ _zod }) => _zod.def.fn === isDecimalText);
};

/** A part of a body beside the same part of its twin. */
type Part = { readonly value: unknown; readonly marked: unknown; readonly path: readonly (string | number)[] };
const inner = ({ value, marked, path }: Part, key: string | number): Part => ({
  value: (value as Record<string, unknown>)[key],
  marked: (marked as Record<string, unknown>)[key],
  path: [...path, key],
});

/** What a walk came upon. */
type Found = { readonly refused: FieldError[]; converted: number };

function walk(schema: z.ZodType, part: Part, found: Found): unknown {
  const { value } = part;
  if (typeof value === 'number') {
    if (isDecimal(schema)) return ofNumber(part, found);
  } else if (typeof value !== 'object' || value === null) return value;
  const definition = definitionOf(schema);
  const each = (of: (key: string) => z.ZodType | undefined) =>
    Object.fromEntries(
      Object.keys(value as object).map((key) => {
        const field = of(key);
        return [key, field === undefined ? (value as Record<string, unknown>)[key] : walk(field, inner(part, key), found)];
      }),
    );
  const list = (of: (index: number) => z.ZodType | undefined) =>
    (value as unknown[]).map((element, index) => {
      const item = of(index);
      return item === undefined ? element : walk(item, inner(part, index), found);
    });
  const isList = Array.isArray(value);
  switch (definition.type) {
    case 'object':
      return isList || typeof value === 'number'
        ? value
        : each((key) => (Object.hasOwn(definition.shape ?? {}, key) ? definition.shape?.[key] : undefined));
    case 'record':
      return isList || typeof value === 'number' ? value : each(() => definition.valueType);
    case 'array':
      return isList ? list(() => definition.element) : value;
    case 'tuple':
      return isList ? list((index) => definition.items?.[index]) : value;
    case 'union': {
      const option = likeliestOption(definition.options ?? [], value);
      return option === undefined ? value : walk(option, part, found);
    }
    case 'pipe':
      return walk(definition.in!, part, found);
    case 'lazy':
      return walk(definition.getter!(), part, found);
    default:
      return definition.innerType === undefined ? value : walk(definition.innerType, part, found);
  }
}

function ofNumber({ value, marked, path }: Part, found: Found): unknown {
  if (Number.isFinite(marked)) {
    found.converted += 1;
    return textOf(value as number);
  }
  found.refused.push({ path: path.join('.'), code: 'too_precise', message: '', limit: String(MOST_DIGITS) });
  return value;
}

/**
 * A body with every JSON number in the place of a decimal as its text, and what cannot be: a number of more than 15
 * significant digits has been rounded before anybody could look at it.
 * Answers the body itself where nothing had to be changed.
 * @param marked the body as `markedBody` answers it
 */
export function decimalsAsText(schema: z.ZodType, body: unknown, marked: unknown): { value: unknown; refused: FieldError[] } {
  const found: Found = { refused: [], converted: 0 };
  const value = walk(schema, { value: body, marked, path: [] }, found);
  return { value: found.converted > 0 ? value : body, refused: found.refused };
}
