import { type FilterFieldRef, type FilterGroup, type FilterRule, type FilterSort, MAX_DEPTH, MAX_RULES } from './screener-contract.ts';
import { operationsOf, SCREENER_FIELDS, type ScreenerField, screenerField } from './screener-fields.ts';

/** One thing wrong with a question to the screener; the sentence is the text `screener.error.<code>`. */
export type RuleProblem = { path: string; code: string; limit?: string; actual?: string };

/** What the screener knows of the market and of the one who asks. */
export type ScreenerKnowledge = {
  readonly signedIn: boolean;
  readonly quotes: readonly string[];
  readonly tags: readonly string[];
};

const MOST_RANKED = 10_000;
/** How many words of a long list an error names. */
const NAMED = 40;
const named = (words: readonly string[]): string => words.slice(0, NAMED).join(', ') + (words.length > NAMED ? ', …' : '');
/** What was sent, short enough for a sentence. */
const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

/** The words an enum or tag field can hold now; undefined when any word may come. */
export function wordsOf(field: ScreenerField, knowledge: Pick<ScreenerKnowledge, 'quotes' | 'tags'>): readonly string[] | undefined {
  if (field.key === 'quote') return knowledge.quotes;
  if (field.type === 'tags') return knowledge.tags;
  return field.values;
}

export const isGroup = (rule: FilterRule | FilterGroup): rule is FilterGroup => 'rules' in rule;

/** Everything wrong with a filter, each with the path of its rule; empty when it can be asked. `path` starts what is named. */
export function checkFilter(filter: FilterGroup | undefined, knowledge: ScreenerKnowledge, path = 'filter'): RuleProblem[] {
  if (filter === undefined) return [];
  const problems: RuleProblem[] = [];
  let count = 0;
  const walk = (group: FilterGroup, at: string, depth: number): void => {
    if (depth > MAX_DEPTH) {
      problems.push({ path: at, code: 'tooDeep', limit: String(MAX_DEPTH) });
      return;
    }
    // An empty outermost group asks for everything; an empty inner one is a mistake.
    if (group.rules.length === 0 && depth > 1) problems.push({ path: `${at}.rules`, code: 'emptyGroup' });
    group.rules.forEach((rule, index) => {
      const here = `${at}.rules.${index}`;
      if (isGroup(rule)) walk(rule, here, depth + 1);
      else {
        count += 1;
        if (count <= MAX_RULES) problems.push(...checkRule(rule, here, knowledge));
      }
    });
  };
  walk(filter, path, 1);
  if (count > MAX_RULES) problems.push({ path, code: 'tooManyRules', limit: String(MAX_RULES), actual: String(count) });
  return problems;
}

/** Everything wrong with an order of rows. */
export const checkSort = (sort: readonly FilterSort[], knowledge: ScreenerKnowledge): RuleProblem[] =>
  sort.flatMap((key, index) => checkField(key, `sort.${index}`, knowledge));

/** Everything wrong with the asked columns. */
export const checkColumns = (columns: readonly FilterFieldRef[], knowledge: ScreenerKnowledge): RuleProblem[] =>
  columns.flatMap((column, index) => checkField(column, `columns.${index}`, knowledge));

function checkField(
  { key, timeframe }: { key: string; timeframe?: string | undefined },
  path: string,
  { signedIn }: ScreenerKnowledge,
): RuleProblem[] {
  const field = screenerField(key);
  if (field === undefined) {
    return [{ path: `${path}.key`, code: 'unknownField', actual: shown(key), limit: named(SCREENER_FIELDS.map((known) => known.key)) }];
  }
  if (field.personal && !signedIn) return [{ path: `${path}.key`, code: 'signInField', actual: key }];
  if (field.timeframes === undefined) return timeframe === undefined ? [] : [{ path: `${path}.timeframe`, code: 'noTimeframe' }];
  const limit = named(field.timeframes);
  if (timeframe === undefined) return [{ path: `${path}.timeframe`, code: 'missingTimeframe', limit }];
  return field.timeframes.includes(timeframe)
    ? []
    : [{ path: `${path}.timeframe`, code: 'unknownTimeframe', limit, actual: shown(timeframe) }];
}

function checkRule(rule: FilterRule, path: string, knowledge: ScreenerKnowledge): RuleProblem[] {
  const problems = checkField(rule, path, knowledge);
  const field = screenerField(rule.key);
  if (field === undefined) return problems;
  const operations = operationsOf(field);
  if (!operations.includes(rule.operation)) {
    return [...problems, { path: `${path}.operation`, code: 'unknownOperation', limit: named(operations), actual: shown(rule.operation) }];
  }
  const value = checkOperand(rule, field, path, knowledge);
  return value === undefined ? problems : [...problems, ...value];
}

const COMPARES_FIELDS: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte', 'eq', 'crossesAbove', 'crossesBelow']);

function checkOperand(rule: FilterRule, field: ScreenerField, path: string, knowledge: ScreenerKnowledge): RuleProblem[] | undefined {
  const { operation, value, of } = rule;
  const at = `${path}.value`;
  if (of !== undefined) {
    const problems = checkField(of, `${path}.of`, knowledge);
    const other = screenerField(of.key);
    if (other !== undefined && other.type !== 'number') problems.push({ path: `${path}.of.key`, code: 'notComparable', actual: of.key });
    if (operation === 'abovePct') return [...problems, ...(checkValue(value, 'number', at) ?? [])];
    if (!(field.type === 'number' && COMPARES_FIELDS.has(operation))) problems.push({ path: `${path}.of`, code: 'extraValue' });
    else if (value !== undefined) problems.push({ path: at, code: 'valueAndOf' });
    return problems;
  }
  if (operation === 'isNull') return value === undefined ? undefined : [{ path: at, code: 'extraValue' }];
  if (value === undefined) return [{ path: at, code: 'missingValue' }];
  switch (field.type) {
    case 'number':
      if (operation === 'abovePct') return [{ path: `${path}.of`, code: 'missingValue' }];
      if (operation === 'topN' || operation === 'bottomN') {
        const whole = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_RANKED;
        return whole ? undefined : [{ path: at, code: 'notCount', limit: String(MOST_RANKED) }];
      }
      return operation === 'between' || operation === 'notBetween' ? checkRange(value, 'number', at) : checkValue(value, 'number', at);
    case 'time':
      return operation === 'between' ? checkRange(value, 'time', at) : checkValue(value, 'time', at);
    case 'bool':
      return typeof value === 'boolean' ? undefined : [{ path: at, code: 'notBoolean' }];
    case 'text':
      return typeof value === 'string' && value.trim() !== '' ? undefined : [{ path: at, code: 'notText' }];
    default:
      return checkWords(value, wordsOf(field, knowledge), at);
  }
}

function checkValue(value: FilterRule['value'], kind: 'number' | 'time', path: string): RuleProblem[] | undefined {
  if (value === undefined) return [{ path, code: 'missingValue' }];
  if (readOperand(value, kind) !== undefined) return undefined;
  return [{ path, code: kind === 'number' ? 'notNumber' : 'notTime', actual: shown(value) }];
}

function checkRange(value: FilterRule['value'], kind: 'number' | 'time', path: string): RuleProblem[] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return [{ path, code: 'notRange' }];
  const wrong = value.flatMap((end, index) => checkValue(end, kind, `${path}.${index}`) ?? []);
  if (wrong.length > 0) return wrong;
  return readOperand(value[0]!, kind)! <= readOperand(value[1]!, kind)! ? undefined : [{ path, code: 'notRange' }];
}

function checkWords(value: FilterRule['value'], words: readonly string[] | undefined, path: string): RuleProblem[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every((word) => typeof word === 'string')) return [{ path, code: 'notWords' }];
  if (words === undefined) return undefined;
  const unknown = value.findIndex((word) => !words.includes(word as string));
  return unknown < 0
    ? undefined
    : [{ path: `${path}.${unknown}`, code: 'unknownWord', actual: shown(value[unknown]), limit: named(words) }];
}

/** A finite number of a JSON number (text is refused: "1,5" must not become 15), or epoch ms of an ISO time. */
export function readOperand(value: unknown, kind: 'number' | 'time'): number | undefined {
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}
