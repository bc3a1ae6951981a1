import { nearestWord } from '@pilotfish/core/fields/nearest-word';
import type { FilterOption, FilterRule } from '@pilotfish/core/prices/screener-contract';
import { readField } from './rule-field.ts';
import { type Reader, RuleError } from './rule-tokens.ts';

type Operand = Pick<FilterRule, 'value' | 'of'>;
type Asked = { option: FilterOption; operation: string; fields: readonly FilterOption[] };

const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([kKmMbB])?$/;
const TIMES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/;
const TRUTH: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false };

/** `1.5M` as 1500000; undefined for what is no number. */
export function readNumber(text: string): number | undefined {
  const found = NUMBER.exec(text);
  if (!found) return undefined;
  const value = Number(found[1]) * (TIMES[(found[2] ?? '').toLowerCase()] ?? 1);
  return Number.isFinite(value) ? value : undefined;
}

/** What an operation compares with. @throws RuleError */
export function readOperand(reader: Reader, { option, operation, fields }: Asked): Operand {
  if (operation === 'isNull') return {};
  if (reader.ended) {
    if (option.type === 'bool') return { value: true };
    throw new RuleError('missingValue', operation);
  }
  switch (operation) {
    case 'between':
    case 'notBetween':
      return { value: option.type === 'time' ? readRange(reader, time) : readRange(reader, number) };
    case 'topN':
    case 'bottomN': {
      const count = number(word(reader));
      if (!Number.isInteger(count) || count < 1 || count > 10_000) throw new RuleError('notCount', String(count), { allowed: ['10000'] });
      return { value: count };
    }
    case 'abovePct': {
      const value = number(word(reader));
      const of = reader.take();
      if (of?.text.toLowerCase() !== 'of') throw new RuleError('needsOf', of?.text ?? '');
      return { value, of: otherField(word(reader), fields) };
    }
    case 'in':
    case 'notIn':
    case 'hasAny':
    case 'hasAll':
    case 'hasNone':
      return { value: readWords(reader, option.values) };
  }
  const typed = word(reader);
  switch (option.type) {
    case 'bool': {
      const truth = TRUTH[typed.toLowerCase()];
      if (truth === undefined) throw new RuleError('notBoolean', typed);
      return { value: truth };
    }
    case 'text':
      return { value: typed };
    case 'time':
      return { value: time(typed) };
    default: {
      const value = readNumber(typed);
      if (value !== undefined) return { value };
      if (!/^[\p{L}]/u.test(typed)) throw new RuleError('notNumber', typed);
      return { of: otherField(typed, fields) };
    }
  }
}

function word(reader: Reader): string {
  const token = reader.ended ? undefined : reader.take();
  if (!token) throw new RuleError('missingValue');
  if (token.kind === 'sign') throw new RuleError('unexpected', token.text);
  return token.text;
}

function number(text: string): number {
  const value = readNumber(text);
  if (value === undefined) throw new RuleError('notNumber', text);
  return value;
}

function time(text: string): string {
  if (!TIME.test(text) || Number.isNaN(Date.parse(text))) throw new RuleError('notTime', text);
  return text;
}

function otherField(text: string, fields: readonly FilterOption[]): { key: string; timeframe?: string | undefined } {
  const { option, ref } = readField(text, fields);
  if (option.type !== 'number') throw new RuleError('notComparable', option.key);
  return ref;
}

/** `-5,5` or `-5..5`, the smaller one first. */
function readRange<Value extends number | string>(reader: Reader, read: (text: string) => Value): Value[] {
  const first = word(reader);
  const dots = /^(.+?)\.\.(.+)$/.exec(first);
  const ends = dots ? [dots[1]!, dots[2]!] : [first];
  if (!dots) {
    if (!reader.skip(',')) throw new RuleError('notRange', first);
    ends.push(word(reader));
  }
  const [from, to] = ends.map(read) as [Value, Value];
  const isOrdered = typeof from === 'number' ? from <= (to as number) : Date.parse(from as string) <= Date.parse(to as string);
  if (!isOrdered) throw new RuleError('notRange', `${from},${to}`);
  return [from, to];
}

function readWords(reader: Reader, allowed: readonly string[] | undefined): string[] {
  const words: string[] = [];
  do {
    const typed = word(reader);
    const known = allowed?.find((each) => each.toLowerCase() === typed.toLowerCase());
    if (allowed && known === undefined) throw new RuleError('unknownWord', typed, { allowed, meant: nearestWord(typed, allowed) });
    words.push(known ?? typed);
  } while (reader.skip(','));
  return words;
}
