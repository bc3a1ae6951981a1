import { nearestWord } from '@pilotfish/core/fields/nearest-word';
import type {
  FilterFieldRef,
  FilterGroup,
  FilterOption,
  FilterOptions,
  FilterRule,
  FilterSort,
} from '@pilotfish/core/prices/screener-contract';
import { readField } from './rule-field.ts';
import { readOperand } from './rule-operand.ts';
import { SIGN_OF } from './rule-printer.ts';
import { Reader, RuleError, type Token, tokensOf } from './rule-tokens.ts';

// The grammar, made from what the server offers:
//   item  = ["not"] ( group | rule )        group = ("all" | "any") "(" item { ";" item } ")"
//   rule  = field [ operation [ value ] ]   field = key [ "." timeframe ]
//   value = number | field | a "," b | word { "," word } | true | false | time | text

/** One rule or group as typed. @throws RuleError naming what is wrong and what is allowed */
export function parseRule(text: string, options: Pick<FilterOptions, 'filter'>): FilterRule | FilterGroup {
  const reader = new Reader(tokensOf(text));
  if (reader.peek() === undefined) throw new RuleError('empty');
  const item = readItem(reader, options.filter);
  const rest = reader.take();
  if (rest) throw new RuleError(leftOver(rest.text), rest.text);
  return item;
}

/** People write `a and b`, `a or b`; here rules stand side by side, or in a group. */
const leftOver = (word: string): string =>
  /^(and|&&|&)$/i.test(word) ? 'useAll' : /^(or|\|\||\|)$/i.test(word) ? 'useAny' : word === ',' ? 'oneValue' : 'unexpected';

function readItem(reader: Reader, fields: readonly FilterOption[]): FilterRule | FilterGroup {
  const first = reader.peek();
  if (first?.kind === 'word' && first.text.toLowerCase() === 'not') {
    reader.take();
    if (reader.ended) throw new RuleError('empty', 'not');
    const item = readItem(reader, fields);
    if (!item.negate) return { ...item, negate: true };
    const { negate: _twice, ...plain } = item;
    return plain as FilterRule | FilterGroup;
  }
  const match = first?.kind === 'word' ? first.text.toLowerCase() : '';
  const next = reader.peek(1);
  if ((match === 'all' || match === 'any') && next?.kind === 'sign' && next.text === '(') {
    reader.take();
    reader.take();
    return { match, rules: readGroup(reader, fields) };
  }
  return readRule(reader, fields);
}

function readGroup(reader: Reader, fields: readonly FilterOption[]): (FilterRule | FilterGroup)[] {
  const rules: (FilterRule | FilterGroup)[] = [];
  do {
    if (reader.ended) throw new RuleError('emptyGroup');
    rules.push(readItem(reader, fields));
  } while (reader.skip(';'));
  if (reader.skip(')')) return rules;
  const token = reader.take();
  throw token ? new RuleError(leftOver(token.text), token.text) : new RuleError('openGroup', ')');
}

function readRule(reader: Reader, fields: readonly FilterOption[]): FilterRule {
  const token = reader.take();
  if (token?.kind !== 'word') throw new RuleError('unexpected', token?.text ?? '');
  const { option, ref } = readField(token.text, fields);
  const asked = readOperation(reader, option);
  const operand = readOperand(reader, { option, operation: asked.operation, fields });
  return { ...ref, operation: asked.operation, ...operand, ...(asked.negate ? { negate: true } : {}) };
}

/** What `=` means. Of text there is no equality to ask for. */
const EQUALS: Readonly<Record<string, string>> = { number: 'eq', enum: 'in', tags: 'hasAny', bool: 'is' };
const OF_SIGN: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(SIGN_OF).map(([operation, sign]) => [sign, operation]));

function readOperation(reader: Reader, option: FilterOption): { operation: string; negate?: true } {
  const allowed = option.operations.map((operation) => SIGN_OF[operation] ?? operation);
  if (reader.ended) {
    if (option.type === 'bool') return { operation: 'is' };
    throw new RuleError('noOperation', option.key, { allowed });
  }
  const token = reader.take() as Token;
  const isEqual = token.text === '=' || token.text === '==' || token.text === '!=';
  const found =
    token.kind === 'sign'
      ? isEqual
        ? EQUALS[option.type]
        : OF_SIGN[token.text]
      : option.operations.find((operation) => operation.toLowerCase() === token.text.toLowerCase());
  if (found === undefined || !option.operations.includes(found))
    throw new RuleError('unknownOperation', token.text, { allowed, meant: nearestWord(token.text, option.operations) });
  return token.text === '!=' ? { operation: found, negate: true } : { operation: found };
}

/** `quoteVolume:desc,rsi.1h` as an order; without a direction the largest comes first. @throws RuleError */
export function parseSort(text: string, options: FilterOptions): FilterSort[] {
  return parts(text).map((part) => {
    const [field = '', direction = 'desc'] = part.split(':');
    if (direction !== 'asc' && direction !== 'desc')
      throw new RuleError('direction', direction, { allowed: ['asc', 'desc'], meant: nearestWord(direction, ['asc', 'desc']) });
    const fields = options.sort.map((each) => ({ ...each, type: 'number' as const, operations: [] }));
    return { ...readField(field, fields).ref, direction };
  });
}

/** `rsi.1h,natr.1d` as columns. @throws RuleError */
export const parseColumns = (text: string, options: FilterOptions): FilterFieldRef[] =>
  parts(text).map((part) => readField(part, options.filter).ref);

const parts = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
