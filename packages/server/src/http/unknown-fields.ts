import { nearestWord } from '@pilotfish/core/fields/nearest-word';
import type { FieldError } from '@pilotfish/core/http/problem';
import type * as z from 'zod';
import { likeliestOption } from './union-options.ts';

/** What a schema is inside, as far as fields are concerned. */
type Definition = {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly element?: z.ZodType;
  readonly items?: readonly z.ZodType[];
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly in?: z.ZodType;
  readonly getter?: () => z.ZodType;
};
const definitionOf = (schema: z.ZodType): Definition => schema._zod.def as unknown as Definition;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field that no schema names, with those that stand there. */
type Unknown = { readonly path: readonly string[]; readonly known: readonly string[] };

/** Nobody is told more at once: thousands of them would be carried up level by level. */
const MOST_FOUND = 50;
const below = (key: string, found: readonly Unknown[]): Unknown[] =>
  found.slice(0, MOST_FOUND).map(({ path, known }) => ({ path: [key, ...path], known }));

function ofObject({ shape = {}, catchall }: Definition, value: Readonly<Record<string, unknown>>): Unknown[] {
  const known = Object.keys(shape);
  // An object that says what else it takes passes through on purpose; see `permissionsSchema`.
  const isOpen = catchall !== undefined && definitionOf(catchall).type !== 'never';
  return Object.entries(value).flatMap(([key, inner]) => {
    const schema = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (schema !== undefined) return below(key, find(schema, inner));
    return isOpen ? [] : [{ path: [key], known }];
  });
}

function find(schema: z.ZodType, value: unknown): Unknown[] {
  const definition = definitionOf(schema);
  switch (definition.type) {
    case 'object':
      return isObject(value) ? ofObject(definition, value) : [];
    case 'array':
      return Array.isArray(value) ? value.flatMap((each, index) => below(String(index), find(definition.element!, each))) : [];
    case 'tuple':
      return Array.isArray(value) ? (definition.items ?? []).flatMap((item, index) => below(String(index), find(item, value[index]))) : [];
    case 'record':
      return isObject(value) ? Object.entries(value).flatMap(([key, each]) => below(key, find(definition.valueType!, each))) : [];
    case 'union': {
      const option = likeliestOption(definition.options ?? [], value);
      return option === undefined ? [] : find(option, value);
    }
    case 'pipe':
      return find(definition.in!, value);
    case 'lazy':
      return find(definition.getter!(), value);
    default:
      return definition.innerType === undefined ? [] : find(definition.innerType, value);
  }
}

/** @param known what stands there; the name that is near is told, otherwise all of them */
export function unknownField(path: readonly string[], known: readonly string[]): FieldError {
  const name = path.at(-1) ?? '';
  const at = { path: path.join('.'), message: '', actual: name.slice(0, 60) };
  if (known.length === 0) return { ...at, code: 'unknown_field_none' };
  const near = nearestWord(name, known);
  return near === undefined
    ? { ...at, code: 'unknown_field', limit: known.join(', ') }
    : { ...at, code: 'unknown_field_near', limit: near };
}

/**
 * The fields of an input that its schema does not know, wherever they lie. Schemas drop them, and a call would then do
 * what nobody asked for: a halt with `minutes`, which is called `hours`, ran for the default of a day.
 * Messages are left to the reply.
 */
export const unknownFields = (schema: z.ZodType, value: unknown): FieldError[] =>
  find(schema, value)
    .slice(0, MOST_FOUND)
    .map(({ path, known }) => unknownField(path, known));
