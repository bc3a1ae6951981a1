import { isDecimalText } from '../money/decimal.ts';

// What a contract says of an answer, as data, and the check of an answer against it. Building the schemas of a contract
// takes longer than everything else a command that prints JSON does; these are ready when the file is read. They are
// made of the schemas when the terminal app is bundled (`describe-answer.ts`), and a test holds the two together.

/** Where a key of an object may be missing: `1` it may, `[value]` it is that then. */
export type PlainKey = readonly [shape: PlainShape, missing?: 1 | readonly [unknown]];
export type PlainBound = readonly [comparison: '<' | '<=' | '>' | '>=', limit: number];
export type PlainShape =
  | 'any'
  | 'boolean'
  | 'decimal'
  | 'amount'
  | 'positive'
  | 'nothing'
  | { readonly text: readonly string[]; readonly length?: readonly PlainBound[] }
  | { readonly number: 'int' | 'any'; readonly bounds?: readonly PlainBound[] }
  | { readonly values: readonly unknown[] }
  | { readonly list: PlainShape; readonly length?: readonly PlainBound[] }
  | { readonly tuple: readonly PlainShape[] }
  | { readonly keys: Readonly<Record<string, PlainKey>>; readonly others: 'drop' | 'refuse' | 'keep' }
  | { readonly record: PlainShape; readonly key: PlainShape }
  | { readonly either: readonly PlainShape[] }
  | { readonly orNull: PlainShape }
  | { readonly orMissing: PlainShape };

type Issue = { readonly path: PropertyKey[]; readonly message: string };
class Wrong extends Error {
  readonly path: PropertyKey[] = [];
}

/** As much of a schema as the client uses. */
export type PlainAnswer = {
  safeParse(data: unknown): { success: true; data: unknown } | { success: false; error: { issues: Issue[] } };
};

type Read = (value: unknown) => unknown;

const refuse = (wanted: string): never => {
  throw new Wrong(`expected ${wanted}`);
};

const COMPARE: Readonly<Record<PlainBound[0], (value: number, limit: number) => boolean>> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
};
const within = (value: number, bounds: readonly PlainBound[]): boolean => bounds.every(([how, limit]) => COMPARE[how](value, limit));

/** As schemas count it: a character beyond the first 65,536 is one. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const decimalText: Read = (value) =>
  typeof value === 'string' && value.length <= 60 && isDecimalText(value) ? value : refuse('a decimal');
const amountText: Read = (value) => {
  const text = decimalText(value) as string;
  return text.startsWith('-') && !/^-0*\.?0*$/.test(text) ? refuse('no negative') : text;
};

const LEAVES: Readonly<Record<Extract<PlainShape, string>, Read>> = {
  any: (value) => value,
  boolean: (value) => (typeof value === 'boolean' ? value : refuse('boolean')),
  decimal: decimalText,
  amount: amountText,
  positive: (value) => (/[1-9]/.test(amountText(value) as string) ? value : refuse('more than 0')),
  nothing: (value) => (value === undefined ? value : refuse('nothing')),
};

const absent: Read = () => refuse('a value');

/** Reads what lies at one place; what is wrong there is told with the way to it. */
const at = (key: PropertyKey, read: Read, value: unknown): unknown => {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof Wrong) error.path.unshift(key);
    throw error;
  }
};

function readerOfKeys({ keys, others }: Extract<PlainShape, { keys: object }>): Read {
  const wanted = Object.entries(keys).map(([key, [shape, missing]]) => ({ key, read: readerOf(shape), missing }));
  return (value) => {
    if (!isObject(value)) return refuse('object');
    const result: Record<string, unknown> = {};
    for (const { key, read, missing } of wanted) {
      if (value[key] !== undefined || (missing === undefined && key in value)) result[key] = at(key, read, value[key]);
      else if (missing === undefined) at(key, absent, undefined);
      else if (missing !== 1) result[key] = structuredClone(missing[0]);
      else if (key in value) result[key] = undefined;
    }
    if (others !== 'drop')
      for (const key of Object.keys(value))
        if (!Object.hasOwn(keys, key)) {
          if (others === 'refuse') return refuse(`no ${key}`);
          // Written so it would not be a key, but what the object inherits from.
          if (key !== '__proto__') result[key] = value[key];
        }
    return result;
  };
}

function readerOfEither(shapes: readonly PlainShape[]): Read {
  const reads = shapes.map(readerOf);
  return (value) => {
    let last: unknown;
    for (const read of reads) {
      try {
        return read(value);
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        last = error;
      }
    }
    throw last;
  };
}

function readerOf(shape: PlainShape): Read {
  if (typeof shape === 'string') return LEAVES[shape];
  if ('text' in shape) {
    const patterns = shape.text.map((source) => {
      const end = source.lastIndexOf('/');
      return new RegExp(source.slice(1, end), source.slice(end + 1));
    });
    const { length = [] } = shape;
    return (value) =>
      typeof value === 'string' &&
      (length.length === 0 || within(lengthOf(value), length)) &&
      patterns.every((pattern) => pattern.test(value))
        ? value
        : refuse('text');
  }
  if ('number' in shape) {
    const { number, bounds = [] } = shape;
    const isNumber = number === 'int' ? Number.isSafeInteger : Number.isFinite;
    return (value) => (isNumber(value) && within(value as number, bounds) ? value : refuse('a number'));
  }
  if ('values' in shape) {
    const values = new Set(shape.values);
    return (value) => (values.has(value) ? value : refuse([...values].join(' or ')));
  }
  if ('list' in shape) {
    const read = readerOf(shape.list);
    const { length = [] } = shape;
    return (value) =>
      Array.isArray(value) && within(value.length, length) ? value.map((each, index) => at(index, read, each)) : refuse('a list');
  }
  if ('tuple' in shape) {
    const reads = shape.tuple.map(readerOf);
    return (value) =>
      Array.isArray(value) && value.length === reads.length
        ? reads.map((read, index) => at(index, read, value[index]))
        : refuse(`${reads.length} values`);
  }
  if ('keys' in shape) return readerOfKeys(shape);
  if ('record' in shape) {
    const [key, read] = [readerOf(shape.key), readerOf(shape.record)];
    return (value) =>
      isObject(value)
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([name]) => name !== '__proto__')
              .map(([name, each]) => [at(name, key, name), at(name, read, each)]),
          )
        : refuse('object');
  }
  if ('either' in shape) return readerOfEither(shape.either);
  if ('orNull' in shape) {
    const read = readerOf(shape.orNull);
    return (value) => (value === null ? null : read(value));
  }
  const read = readerOf(shape.orMissing);
  return (value) => (value === undefined ? undefined : read(value));
}

/** The check of a described answer, built when the first answer comes. */
export function plainAnswer(shape: PlainShape): PlainAnswer {
  let read: Read | undefined;
  return {
    safeParse: (data) => {
      try {
        read ??= readerOf(shape);
        return { success: true, data: read(data) };
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        return { success: false, error: { issues: [{ path: error.path, message: error.message }] } };
      }
    },
  };
}
