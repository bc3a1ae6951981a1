import type { FilterGroup, FilterRule } from '../src/prices/screener-contract.ts';
import { screen, sortRows, topRows } from '../src/prices/screener-engine.ts';
import { NUMBER_COLUMNS } from '../src/prices/screener-fields.ts';
import type { ScreenerTable } from '../src/prices/screener-table.ts';
import { random } from './series.ts';

// 3,000 pairs, every column of the table, five rules and a sort: typed columns beside the same question asked of
// plain objects, with the same answer.
const PAIRS = 3000;
const draw = random(20260820);
const symbols = Array.from({ length: PAIRS }, (_, index) => `S${String(index).padStart(4, '0')}USDT`);
const numbers = new Map(
  NUMBER_COLUMNS.map((id) => [id, Float64Array.from({ length: PAIRS }, () => (draw() < 0.03 ? Number.NaN : draw() * 100))]),
);
const quotes = symbols.map((_, index) => (index % 3 === 0 ? 'BTC' : 'USDT'));
const table: ScreenerTable = { symbols, numbers, before: numbers, words: new Map([['quote', quotes]]), tags: symbols.map(() => []) };
const rules: FilterRule[] = [
  { key: 'quote', operation: 'in', value: ['USDT'] },
  { key: 'rsi', timeframe: '1h', operation: 'lt', value: 60 },
  { key: 'change', timeframe: '24h', operation: 'between', value: [10, 95] },
  { key: 'spreadPct', operation: 'lte', value: 80 },
  { key: 'natr', timeframe: '1d', operation: 'gt', value: 5 },
];
const filter: FilterGroup = { match: 'all', rules };
const sort = [{ key: 'quoteVolume', direction: 'desc' as const }];
const PAGE = 50;

type Pair = { symbol: string; quote: string; values: Record<string, number | null> };
const objects: Pair[] = symbols.map((symbol, row) => ({
  symbol,
  quote: quotes[row] as string,
  values: Object.fromEntries([...numbers].map(([id, column]) => [id, Number.isNaN(column[row]) ? null : (column[row] as number)])),
}));
function askObjects(): string[] {
  const holds = (pair: Pair, rule: FilterRule): boolean => {
    if (rule.key === 'quote') return (rule.value as string[]).includes(pair.quote);
    const value = pair.values[rule.timeframe ? `${rule.key}.${rule.timeframe}` : rule.key];
    if (value === null || value === undefined) return false;
    if (rule.operation === 'lt') return value < (rule.value as number);
    if (rule.operation === 'lte') return value <= (rule.value as number);
    if (rule.operation === 'gt') return value > (rule.value as number);
    const [from, to] = rule.value as number[];
    return value >= (from as number) && value <= (to as number);
  };
  return objects
    .filter((pair) => rules.every((rule) => holds(pair, rule)))
    .sort((a, b) => (b.values.quoteVolume ?? -1) - (a.values.quoteVolume ?? -1) || (a.symbol < b.symbol ? -1 : 1))
    .slice(0, PAGE)
    .map(({ symbol }) => symbol);
}
const askColumns = (): string[] => [...topRows(table, screen(table, filter).rows, sort, PAGE)].map((row) => symbols[row] as string);

if (askObjects().join() !== askColumns().join()) throw new Error('the two answers differ; nothing is measured');

/** Microseconds of CPU a call, the best of several rounds; the two take turns so that a busy machine slows both. */
function measure(works: readonly (() => unknown)[], calls: number): number[] {
  const best = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 12; round += 1) {
    works.forEach((work, index) => {
      const before = process.cpuUsage();
      for (let call = 0; call < calls; call += 1) work();
      const { user, system } = process.cpuUsage(before);
      best[index] = Math.min(best[index] as number, (user + system) / calls);
    });
  }
  return best;
}
const [ours = 0, plain = 0, whole = 0] = measure([askColumns, askObjects, () => sortRows(table, screen(table, filter).rows, sort)], 200);
console.log(
  `${PAIRS} pairs × ${numbers.size} columns, ${rules.length} rules, sorted, first ${PAGE} of ${screen(table, filter).rows.length}:`,
);
console.log(`  columns ${ours.toFixed(0)} µs, ${((ours * 1000) / PAIRS / rules.length).toFixed(1)} ns per pair and rule`);
console.log(`  objects ${plain.toFixed(0)} µs; columns are ${(plain / ours).toFixed(1)} times as fast`);
console.log(`  all rows in order: ${whole.toFixed(0)} µs`);
