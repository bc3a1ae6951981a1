import type * as z from 'zod';
import { isDecimalText } from '../money/decimal.ts';
import { type AnyEndpoint, fileText } from './endpoint.ts';
import type { PlainBound, PlainKey, PlainShape } from './plain-answer.ts';
import { amountText, decimalText, positiveText } from './wire.ts';

// Runs when the terminal app is bundled, and in tests; see `plain-answer.ts`.

/** What a schema is inside, as far as it is looked at. */
type Definition = {
  type: string;
  checks?: readonly { _zod: { def: Check } }[];
  check?: string;
  format?: string;
  pattern?: RegExp;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
  element?: z.ZodType;
  items?: readonly z.ZodType[];
  rest?: z.ZodType | null;
  innerType?: z.ZodType;
  options?: readonly z.ZodType[];
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  mode?: string;
  inclusive?: boolean;
  discriminator?: string;
  coerce?: boolean;
  defaultValue?: unknown;
};
type Check = {
  check: string;
  format?: string;
  pattern?: RegExp;
  maximum?: number;
  minimum?: number;
  length?: number;
  value?: number;
  inclusive?: boolean;
  discriminator?: string;
  fn?: unknown;
};

/** A schema that says more than data can: its endpoint keeps the schema. */
class Inexpressible extends Error {}
const cannot = (why: string): never => {
  throw new Inexpressible(why);
};

const LEAVES = new Map<unknown, PlainShape>([
  [decimalText, 'decimal'],
  [amountText, 'amount'],
  [positiveText, 'positive'],
  [fileText, { text: [] }],
]);

const definitionOf = (schema: z.ZodType): Definition => schema._zod.def as unknown as Definition;
/** A cell that holds it may be missing. */
const mayBeMissing = (schema: z.ZodType): boolean => schema._zod.optin !== undefined;
/** Said the same by JSON. */
const isPlain = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (Number.isFinite(value) && !Object.is(value, -0)) ||
  (typeof value === 'object' &&
    [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)) &&
    Object.values(value).every(isPlain));
const plain = <Value>(value: Value): Value => (isPlain(value) ? value : cannot('a value that JSON has not'));

function lengths(checks: readonly Check[]): { length?: PlainBound[] } {
  const length = checks.map(({ check, maximum, minimum, length: exact }): PlainBound[] => {
    if (check === 'max_length') return [['<=', maximum!]];
    if (check === 'min_length') return [['>=', minimum!]];
    if (check === 'length_equals')
      return [
        ['>=', exact!],
        ['<=', exact!],
      ];
    return cannot(check);
  });
  return length.length > 0 ? { length: length.flat() } : {};
}

function textShape(definition: Definition, checks: readonly Check[]): PlainShape {
  if (definition.coerce) return cannot('coercion');
  const patterns: RegExp[] = [];
  const rest: Check[] = [];
  for (const each of [...(definition.check === 'string_format' ? [definition as Check] : []), ...checks]) {
    if (each.check !== 'string_format') rest.push(each);
    else if (['regex', 'datetime', 'date', 'uuid'].includes(each.format ?? '') && each.pattern && !/[gy]/.test(each.pattern.flags))
      patterns.push(each.pattern);
    else cannot(`format ${each.format}`);
  }
  return { text: patterns.map(String), ...lengths(rest) };
}

function numberShape(definition: Definition, checks: readonly Check[]): PlainShape {
  if (definition.coerce) return cannot('coercion');
  let number: 'int' | 'any' = 'any';
  const bounds: PlainBound[] = [];
  for (const { check, format, value, inclusive } of [...(definition.check ? [definition as Check] : []), ...checks]) {
    if (check === 'number_format' && format === 'safeint') number = 'int';
    else if (check === 'greater_than') bounds.push([inclusive ? '>=' : '>', plain(value!)]);
    else if (check === 'less_than') bounds.push([inclusive ? '<=' : '<', plain(value!)]);
    else cannot(check);
  }
  return { number, ...(bounds.length > 0 ? { bounds } : {}) };
}

function objectShape({ shape, catchall }: Definition): PlainShape {
  const others = catchall === undefined ? 'drop' : { never: 'refuse' as const, unknown: 'keep' as const }[definitionOf(catchall).type];
  if (others === undefined) return cannot('catchall');
  const keys = Object.entries(shape!).map(([key, schema]): [string, PlainKey] => {
    const definition = definitionOf(schema);
    const isWrapped = definition.type === 'optional' || definition.type === 'default';
    if (isWrapped && definition.checks?.length) cannot('a check of what may be missing');
    if (definition.type === 'optional') return [key, [describe(definition.innerType!), 1]];
    if (definition.type === 'default') return [key, [describe(definition.innerType!), [plain(definition.defaultValue)]]];
    if (mayBeMissing(schema)) return cannot('what may be missing otherwise');
    return [key, [describe(schema)]];
  });
  return { keys: Object.fromEntries(keys), others };
}

function describe(schema: z.ZodType): PlainShape {
  const leaf = LEAVES.get(schema);
  if (leaf !== undefined) return leaf;
  const definition = definitionOf(schema);
  const checks = (definition.checks ?? []).map((check) => check._zod.def);
  if (definition.type === 'string' && checks.some(({ fn }) => fn === isDecimalText)) return cannot('another decimal');
  if (definition.type === 'string') return textShape(definition, checks);
  if (definition.type === 'number') return numberShape(definition, checks);
  if (definition.type === 'array') return { list: describe(definition.element!), ...lengths(checks) };
  if (checks.length > 0) return cannot('a check');
  switch (definition.type) {
    case 'boolean':
      return definition.coerce ? cannot('coercion') : 'boolean';
    case 'unknown':
    case 'any':
      return 'any';
    case 'void':
    case 'undefined':
      return 'nothing';
    case 'null':
      return { values: [null] };
    case 'literal':
    case 'enum':
      return { values: plain([...schema._zod.values!]) };
    case 'object':
      return objectShape(definition);
    case 'tuple':
      return definition.rest || definition.items!.some(mayBeMissing)
        ? cannot('a length that varies')
        : { tuple: definition.items!.map(describe) };
    case 'record': {
      const key = describe(definition.keyType!);
      // Choices as keys must all be there; that is an object, and no contract has it.
      if (typeof key !== 'object' || !('text' in key) || definition.mode === 'loose') return cannot('keys');
      return { record: describe(definition.valueType!), key };
    }
    case 'union':
      return definition.inclusive === false && definition.discriminator === undefined
        ? cannot('exactly one')
        : { either: definition.options!.map(describe) };
    case 'nullable':
      return { orNull: describe(definition.innerType!) };
    case 'optional':
      return { orMissing: describe(definition.innerType!) };
    case 'readonly':
      return describe(definition.innerType!);
    default:
      return cannot(definition.type);
  }
}

/** A schema as data; why not, when it says more than data can. */
export function describeAnswer(schema: z.ZodType): { shape: PlainShape } | { why: string } {
  try {
    return { shape: describe(schema) };
  } catch (error) {
    if (error instanceof Inexpressible) return { why: error.message };
    throw error;
  }
}

export const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'backend' in value && 'method' in value && 'path' in value && 'answer' in value;

/** What a caller needs of an endpoint besides its answer; nothing of it is a schema. */
export function plainEndpoint({ params: _p, query: _q, body: _b, answer: _a, summary: _s, errors: _e, ...plain }: AnyEndpoint): object {
  return plain;
}
