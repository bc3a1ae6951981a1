import type { FilterGroup, FilterRule, FilterSort } from './screener-contract.ts';
import { columnId, screenerField } from './screener-fields.ts';
import { isGroup, readOperand } from './screener-rules.ts';
import type { ScreenerTable } from './screener-table.ts';

// Three-valued logic after Kleene, one byte per pair. With these numbers AND is `&` and OR is `|`, four pairs at a time.
const FALSE = 0;
const UNKNOWN = 1;
const TRUE = 3;
const OPPOSITE = Uint8Array.of(TRUE, UNKNOWN, UNKNOWN, FALSE);
type Verdicts = Uint8Array;
const verdictsFor = (size: number): Verdicts => new Uint8Array(Math.ceil(size / 4) * 4).subarray(0, size);
const fourAtATime = ({ buffer }: Verdicts): Uint32Array => new Uint32Array(buffer);

/**
 * The pairs a filter lets through, as row numbers in the order of the table. `unknown` counts those that no rule
 * refused but that lack a value some rule needs: they are left out and said to be.
 * The filter must have passed `checkFilter`.
 */
export function screen(table: ScreenerTable, filter: FilterGroup | undefined): { rows: Int32Array; unknown: number } {
  const size = table.symbols.length;
  const rows = new Int32Array(size);
  if (filter === undefined || filter.rules.length === 0) {
    for (let row = 0; row < size; row += 1) rows[row] = row;
    return { rows, unknown: 0 };
  }
  const verdicts = judge(table, filter, verdictsFor(size).fill(TRUE));
  let count = 0;
  let unknown = 0;
  for (let row = 0; row < size; row += 1) {
    if (verdicts[row] === TRUE) rows[count++] = row;
    else if (verdicts[row] === UNKNOWN) unknown += 1;
  }
  return { rows: rows.subarray(0, count), unknown };
}

/** What a filter says of every pair of a table, in its order: null where a value that some rule needs is missing. */
export function verdictsOf(table: ScreenerTable, filter: FilterGroup): (boolean | null)[] {
  const verdicts = judge(table, filter, verdictsFor(table.symbols.length).fill(TRUE));
  return Array.from(verdicts, (verdict) => (verdict === UNKNOWN ? null : verdict === TRUE));
}

const isRank = (rule: FilterRule | FilterGroup): rule is FilterRule =>
  !isGroup(rule) && (rule.operation === 'topN' || rule.operation === 'bottomN');

/**
 * `within` are the pairs the groups around this one let through so far. Ranks come last: "the 20 largest" are the
 * largest of those that satisfy the rest of their group, which is what people mean beside "quote is USDT".
 */
function judge(table: ScreenerTable, group: FilterGroup, within: Verdicts): Verdicts {
  const all = group.match === 'all';
  const verdicts = verdictsFor(within.length).fill(all ? TRUE : FALSE);
  const words = fourAtATime(verdicts);
  const join = (rule: Verdicts) => {
    const other = fourAtATime(rule);
    if (all) for (let at = 0; at < words.length; at += 1) words[at]! &= other[at]!;
    else for (let at = 0; at < words.length; at += 1) words[at]! |= other[at]!;
  };
  const among = () => {
    if (!all) return within;
    const both = verdictsFor(within.length);
    for (let row = 0; row < both.length; row += 1) both[row] = within[row]! & verdicts[row]!;
    return both;
  };
  for (const rule of group.rules) if (!isRank(rule) && !isGroup(rule)) join(ask(table, rule));
  for (const rule of group.rules) if (isGroup(rule)) join(judge(table, rule, among()));
  // Ranks of one group are independent of each other's order: all of them look at the same pairs.
  const ranked = among();
  for (const rule of group.rules) if (isRank(rule)) join(rank(table, rule, ranked));
  return group.negate ? not(verdicts) : verdicts;
}

function not(verdicts: Verdicts): Verdicts {
  for (let row = 0; row < verdicts.length; row += 1) verdicts[row] = OPPOSITE[verdicts[row]!]!;
  return verdicts;
}

function ask(table: ScreenerTable, rule: FilterRule): Verdicts {
  const field = screenerField(rule.key);
  if (field === undefined) throw new Error(`no field ${rule.key}`);
  const verdicts = verdictsFor(table.symbols.length);
  if (field.type === 'tags') askTags(table, rule, verdicts);
  else if (field.type === 'enum' || field.type === 'text') askWords(table, rule, verdicts);
  else askNumbers(table, rule, field.type, verdicts);
  return rule.negate ? not(verdicts) : verdicts;
}

const listOf = (value: FilterRule['value']): string[] => (Array.isArray(value) ? value : [value]).map(String);

/** A tag list is always known, an empty one too. */
function askTags(table: ScreenerTable, { operation, value }: FilterRule, verdicts: Verdicts): void {
  const wanted = listOf(value);
  const holds = (tags: readonly string[]) =>
    operation === 'hasAll'
      ? wanted.every((tag) => tags.includes(tag))
      : wanted.some((tag) => tags.includes(tag)) === (operation === 'hasAny');
  for (let row = 0; row < verdicts.length; row += 1) verdicts[row] = holds(table.tags[row] ?? []) ? TRUE : FALSE;
}

function askWords(table: ScreenerTable, rule: FilterRule, verdicts: Verdicts): void {
  const column = rule.key === 'symbol' ? table.symbols : table.words.get(columnId(rule));
  const wanted = listOf(rule.value);
  const text = (wanted[0] ?? '').trim().toUpperCase();
  // A plain loop: for the one to three words people ask for it is several times as fast as `includes`.
  const isListed = (word: string): boolean => {
    for (const one of wanted) if (one === word) return true;
    return false;
  };
  const tests: Record<string, (word: string) => boolean> = {
    in: isListed,
    notIn: (word) => !isListed(word),
    startsWith: (word) => word.startsWith(text),
    contains: (word) => word.includes(text),
  };
  const holds = tests[rule.operation] ?? (() => false);
  const isNull = rule.operation === 'isNull';
  for (let row = 0; row < verdicts.length; row += 1) {
    const word = column?.[row] ?? null;
    if (word === null) verdicts[row] = isNull ? TRUE : UNKNOWN;
    else verdicts[row] = !isNull && holds(word) ? TRUE : FALSE;
  }
}

/** What a comparison answers when the number is above, equal to, or below what it is held against. */
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  gt: [TRUE, FALSE, FALSE],
  gte: [TRUE, TRUE, FALSE],
  lt: [FALSE, FALSE, TRUE],
  lte: [FALSE, TRUE, TRUE],
  eq: [FALSE, TRUE, FALSE],
  is: [FALSE, TRUE, FALSE],
  abovePct: [TRUE, TRUE, FALSE],
};

function askNumbers(table: ScreenerTable, rule: FilterRule, type: string, verdicts: Verdicts): void {
  const kind = type === 'time' ? 'time' : 'number';
  const { operation, value, of } = rule;
  const mine = table.numbers.get(columnId(rule));
  // A column nobody made is unknown everywhere.
  if (mine === undefined) {
    verdicts.fill(operation === 'isNull' ? TRUE : UNKNOWN);
    return;
  }
  const fixed = typeof value === 'boolean' ? Number(value) : (readOperand(value, kind) ?? Number.NaN);
  const comparison = COMPARISONS[operation];
  if (comparison !== undefined) {
    if (of === undefined) compareWith(mine, fixed, comparison, verdicts);
    else compareColumns(mine, table.numbers.get(columnId(of)), operation === 'abovePct' ? 1 + fixed / 100 : 1, comparison, verdicts);
    return;
  }
  switch (operation) {
    case 'isNull':
      for (let row = 0; row < verdicts.length; row += 1) verdicts[row] = Number.isNaN(mine[row]) ? TRUE : FALSE;
      return;
    case 'between':
    case 'notBetween': {
      const [from, to] = (Array.isArray(value) ? value : []).map((end) => readOperand(end, kind) ?? Number.NaN);
      const inside = operation === 'between' ? TRUE : FALSE;
      for (let row = 0; row < verdicts.length; row += 1) {
        const number = mine[row]!;
        verdicts[row] = number >= from! && number <= to! ? inside : Number.isNaN(number) ? UNKNOWN : OPPOSITE[inside]!;
      }
      return;
    }
    case 'crossesAbove':
    case 'crossesBelow':
      askCrossing(table, rule, mine, fixed, verdicts);
      return;
    default:
      throw new Error(`no operation ${operation}`);
  }
}

type Comparison = readonly [above: number, equal: number, below: number];

function compareWith(mine: Float64Array, fixed: number, [above, equal, below]: Comparison, verdicts: Verdicts): void {
  for (let row = 0; row < verdicts.length; row += 1) {
    const number = mine[row]!;
    verdicts[row] = number > fixed ? above : number < fixed ? below : number === fixed ? equal : UNKNOWN;
  }
}

function compareColumns(
  mine: Float64Array,
  other: Float64Array | undefined,
  share: number,
  [above, equal, below]: Comparison,
  verdicts: Verdicts,
): void {
  for (let row = 0; row < verdicts.length; row += 1) {
    const number = mine[row]!;
    const against = (other?.[row] ?? Number.NaN) * share;
    verdicts[row] = number > against ? above : number < against ? below : number === against ? equal : UNKNOWN;
  }
}

/** Past the level now, and not yet a step before; standing on the level is not past it. */
function askCrossing(table: ScreenerTable, rule: FilterRule, mine: Float64Array, fixed: number, verdicts: Verdicts): void {
  const sign = rule.operation === 'crossesAbove' ? 1 : -1;
  const mineBefore = table.before.get(columnId(rule));
  const level = (numbers: ReadonlyMap<string, Float64Array>, row: number) =>
    rule.of === undefined ? fixed : (numbers.get(columnId(rule.of))?.[row] ?? Number.NaN);
  for (let row = 0; row < verdicts.length; row += 1) {
    const now = mine[row]! - level(table.numbers, row);
    const then = (mineBefore?.[row] ?? Number.NaN) - level(table.before, row);
    verdicts[row] = Number.isNaN(now + then) ? UNKNOWN : now * sign > 0 && then * sign <= 0 ? TRUE : FALSE;
  }
}

/** The n largest or smallest among the pairs of `within` that have a value; ties go to the pair named first. */
function rank(table: ScreenerTable, rule: FilterRule, within: Verdicts): Verdicts {
  const verdicts = verdictsFor(within.length);
  const numbers = table.numbers.get(columnId(rule));
  const candidates: number[] = [];
  for (let row = 0; row < within.length; row += 1) {
    const number = numbers?.[row] ?? Number.NaN;
    // Whether a pair takes part is as unknown as what the rest of the group says of it.
    if (Number.isNaN(number) || within[row] === UNKNOWN) verdicts[row] = UNKNOWN;
    else if (within[row] === TRUE) candidates.push(row);
  }
  const direction = rule.operation === 'topN' ? 'desc' : 'asc';
  const best = topRows(table, Int32Array.from(candidates), [{ ...rule, direction }], Number(rule.value));
  for (const row of best) verdicts[row] = TRUE;
  if (!rule.negate) return verdicts;
  return not(verdicts);
}

type Comparator = (one: number, other: number) => number;

/** Unknown goes last in both directions; pairs that are equal in every key stand in the order of their symbols. */
function comparator(table: ScreenerTable, sort: readonly FilterSort[]): Comparator {
  const keys = sort.map((key): Comparator => {
    const sign = key.direction === 'asc' ? 1 : -1;
    const field = screenerField(key.key);
    if (field?.type === 'tags') return (one, other) => sign * (table.tags[one]!.length - table.tags[other]!.length);
    if (field?.type === 'enum' || field?.type === 'text') {
      const words = key.key === 'symbol' ? table.symbols : (table.words.get(columnId(key)) ?? []);
      return (one, other) => {
        const [a, b] = [words[one] ?? null, words[other] ?? null];
        if (a === b) return 0;
        if (a === null || b === null) return a === null ? 1 : -1;
        return a < b ? -sign : sign;
      };
    }
    const numbers = table.numbers.get(columnId(key));
    if (numbers === undefined) return () => 0;
    return (one, other) => {
      const [a, b] = [numbers[one]!, numbers[other]!];
      if (a < b) return -sign;
      if (a > b) return sign;
      if (a === b) return 0;
      return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    };
  });
  const { symbols } = table;
  const ties: Comparator = (one, other) => (symbols[one]! < symbols[other]! ? -1 : symbols[one]! > symbols[other]! ? 1 : one - other);
  const [only] = keys;
  if (keys.length === 1 && only) return (one, other) => only(one, other) || ties(one, other);
  return (one, other) => {
    for (const key of keys) {
      const order = key(one, other);
      if (order !== 0) return order;
    }
    return ties(one, other);
  };
}

/** The rows in order; the given array is left as it is. */
export const sortRows = (table: ScreenerTable, rows: Int32Array, sort: readonly FilterSort[]): Int32Array =>
  sort.length === 0 ? rows : rows.slice().sort(comparator(table, sort));

/** The first `count` of what `sortRows` would answer, found without sorting the rest. */
export function topRows(table: ScreenerTable, rows: Int32Array, sort: readonly FilterSort[], count: number): Int32Array {
  if (sort.length === 0) return rows.subarray(0, count);
  if (count >= rows.length / 2) return sortRows(table, rows, sort).subarray(0, count);
  const compare = comparator(table, sort);
  // A heap with the worst of the kept rows on top: most rows lose against it at once.
  const heap = rows.slice(0, count);
  const sink = (start: number) => {
    const row = heap[start]!;
    let at = start;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= count) break;
      if (child + 1 < count && compare(heap[child + 1]!, heap[child]!) > 0) child += 1;
      if (compare(heap[child]!, row) <= 0) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = row;
  };
  for (let start = (count >> 1) - 1; start >= 0; start -= 1) sink(start);
  for (let index = count; index < rows.length; index += 1) {
    if (count > 0 && compare(rows[index]!, heap[0]!) < 0) {
      heap[0] = rows[index]!;
      sink(0);
    }
  }
  return heap.sort(compare);
}
