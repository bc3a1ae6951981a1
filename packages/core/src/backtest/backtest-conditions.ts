import type { AutoTradeConfig } from '../auto-trades/auto-trade-config.ts';
import { type ConditionVerdict, observedOf, rulesOf, timeframeMs, verdictValidUntil } from '../auto-trades/condition-verdicts.ts';
import { intervalLength } from '../prices/candle-gaps.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import {
  FIGURE_HISTORY,
  type FigureCandles,
  fourHours,
  type IndicatorFigures,
  indicatorFigures,
  percentChange,
} from '../prices/pair-figures.ts';
import type { Pair } from '../prices/prices-contract.ts';
import type { FilterFieldRef, FilterGroup } from '../prices/screener-contract.ts';
import { verdictsOf } from '../prices/screener-engine.ts';
import { CANDLE_TIMEFRAMES, type CandleTimeframe, columnId } from '../prices/screener-fields.ts';
import { checkFilter } from '../prices/screener-rules.ts';
import type { ScreenerTable } from '../prices/screener-table.ts';
import { createCandleRoll } from './candle-roll.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Figures of closed candles; each in every timeframe of the screener. */
const OF_CANDLES: ReadonlySet<string> = new Set([
  'rsi',
  'natr',
  'percentB',
  'macdHistogram',
  'macdSign',
  ...['sma', 'ema'].flatMap((kind) => [20, 50, 200].map((length) => `${kind}${length}Distance`)),
]);
/** Figures that follow the price, and what never changes. */
const OF_PRICE: ReadonlySet<string> = new Set(['price', 'change', 'symbol', 'base', 'quote', 'minNotional', 'tickSizePct']);
/** Hours back of the changes that are measured from closed hours. */
const LONG = { '7d': 168, '30d': 720 } as const;
const CHANGES = { '1m': 60_000, '5m': 300_000, '15m': 900_000, '1h': HOUR, '4h': 4 * HOUR, '24h': DAY } as const;

/** A rule that cannot be judged over these candles: the column it names, and why. */
export type ConditionProblem = {
  readonly column: string;
  /** `unknowable`: no candle tells it. `tooCoarse`: the candles are longer than what it asks for. `ranked`: it compares with the whole market.
   * `needsReference`: the guard looks at BTC, which is not among the coins. `invalid`: the rule itself is
   * wrong, `column` is its path. */
  readonly code: 'unknowable' | 'tooCoarse' | 'ranked' | 'needsReference' | 'invalid';
};

export class ConditionsError extends Error {
  readonly problems: readonly ConditionProblem[];
  constructor(problems: readonly ConditionProblem[]) {
    super(problems.map(({ column, code }) => `${column}: ${code}`).join(', '));
    this.name = 'ConditionsError';
    this.problems = problems;
  }
}

/** Figures made so far, by series: the sets of a sweep differ in what they do with them. */
const known = new WeakMap<CandleSeries, Map<string, IndicatorFigures>>();

type Sides = { readonly entry: FilterGroup | undefined; readonly exit: FilterGroup | undefined };

const sidesOf = (config: AutoTradeConfig): Sides => ({
  entry: config.entry.trigger.kind === 'conditions' ? config.entry.trigger.rules : undefined,
  exit: config.exit.conditions ?? undefined,
});
const refsOf = (filter: FilterGroup): FilterFieldRef[] =>
  rulesOf(filter).flatMap(({ key, timeframe, of }) => [{ key, ...(timeframe === undefined ? {} : { timeframe }) }, ...(of ? [of] : [])]);

/** Every rule of a bot that candles of this length cannot answer; empty when its conditions can be run. */
export function conditionProblems(config: AutoTradeConfig, intervalMs: number): ConditionProblem[] {
  const { entry, exit } = sidesOf(config);
  const filters = [entry, exit].filter((filter) => filter !== undefined);
  const problems: ConditionProblem[] = [];
  if (filters.length > 0 && timeframeMs(config.timeframe) % intervalMs !== 0)
    problems.push({ column: config.timeframe, code: 'tooCoarse' });
  for (const filter of filters) {
    // Which quotes and tags there are is not known here.
    for (const { path, code } of checkFilter(filter, { signedIn: true, quotes: [], tags: [] }, ''))
      if (code !== 'unknownWord') problems.push({ column: path.replace(/^\./, ''), code: 'invalid' });
    for (const { key, operation } of rulesOf(filter))
      if (operation === 'topN' || operation === 'bottomN') problems.push({ column: key, code: 'ranked' });
    for (const ref of refsOf(filter)) {
      const column = columnId(ref);
      if (!OF_CANDLES.has(ref.key) && !OF_PRICE.has(ref.key)) problems.push({ column, code: 'unknowable' });
      else if (lengthOf(ref) % intervalMs !== 0) problems.push({ column, code: 'tooCoarse' });
    }
  }
  return problems;
}

/** The candles that a figure is made of, in ms; 0 for those without. */
function lengthOf({ key, timeframe }: FilterFieldRef): number {
  if (timeframe === undefined) return 0;
  if (key === 'change') return timeframe in LONG ? HOUR : (CHANGES[timeframe as keyof typeof CHANGES] ?? 0);
  return intervalLength(timeframe) ?? 0;
}

export type ConditionJudge = {
  /** Takes in a bar, when it has closed; bars in their order. Answers the verdict when a candle of the bot's timeframe closed with it. */
  readonly close: (bar: number) => ConditionVerdict | undefined;
  /** The newest figures. */
  readonly table?: () => ScreenerTable;
};

/**
 * The conditions of a bot over the candles of one coin, as the server judges them: the same figures over the same
 * number of closed candles, the same engine, the same validity. With less history than the server keeps they are made
 * of what there is, and unknown where that is too little. Undefined for a bot without conditions.
 * @throws ConditionsError naming the rules that candles cannot answer
 */
export function createConditionJudge(config: AutoTradeConfig, pair: Pair, candles: CandleSeries): ConditionJudge | undefined {
  const { entry, exit } = sidesOf(config);
  if (!entry && !exit) return undefined;
  const problems = conditionProblems(config, candles.intervalMs);
  if (problems.length > 0) throw new ConditionsError(problems);
  const refs = [entry, exit].flatMap((filter) => (filter ? refsOf(filter) : []));
  const made = CANDLE_TIMEFRAMES.filter((timeframe) => refs.some((ref) => ref.timeframe === timeframe && OF_CANDLES.has(ref.key)));
  const changes = refs.flatMap(({ key, timeframe }) => (key === 'change' && timeframe !== undefined ? [timeframe] : []));
  const needsHours = made.includes('4h') || changes.some((timeframe) => timeframe in LONG);
  const sources = [
    ...new Set<CandleTimeframe>([...made.filter((timeframe) => timeframe !== '4h'), ...(needsHours ? (['1h'] as const) : [])]),
  ];
  const rolls = new Map(
    sources.map((timeframe) => [
      timeframe,
      createCandleRoll(intervalLength(timeframe)!, FIGURE_HISTORY[timeframe as keyof typeof FIGURE_HISTORY]),
    ]),
  );
  /** Closes of the bars of the last day, by when they closed: what short changes are measured from. */
  const dayRoll = createCandleRoll(candles.intervalMs, Math.ceil(DAY / candles.intervalMs) + 1);
  const shared = known.get(candles) ?? new Map<string, IndicatorFigures>();
  known.set(candles, shared);
  const numbers = new Map<string, Float64Array>();
  const before = new Map<string, Float64Array>();
  const words = new Map<string, (string | null)[]>([
    ['base', [pair.baseAsset]],
    ['quote', [pair.quoteAsset]],
  ]);
  const table: ScreenerTable = { symbols: [pair.symbol], numbers, before, words, tags: [[]] };
  const cell = (map: Map<string, Float64Array>, id: string): Float64Array => {
    const known = map.get(id) ?? new Float64Array(1).fill(Number.NaN);
    map.set(id, known);
    return known;
  };
  const live = (id: string, value: number): void => {
    cell(before, id)[0] = cell(numbers, id)[0]!;
    cell(numbers, id)[0] = value;
  };
  cell(numbers, 'minNotional')[0] = Number(pair.filters.minNotional) || Number.NaN;

  /** Figures of the candles up to `at`; runs over the same series share them. */
  function figuresAt(timeframe: CandleTimeframe, at: number, make: () => IndicatorFigures): IndicatorFigures {
    const key = `${timeframe} ${at}`;
    const figures = shared.get(key) ?? make();
    shared.set(key, figures);
    return figures;
  }
  function setIndicators(timeframe: CandleTimeframe, figures: IndicatorFigures): void {
    for (const [key, [now, earlier]] of Object.entries(figures)) {
      const id = `${key}.${timeframe}`;
      if (key === 'macdSign') words.set(id, [now > 0 ? 'above' : now < 0 ? 'below' : null]);
      else {
        cell(numbers, id)[0] = now;
        cell(before, id)[0] = earlier;
      }
    }
  }
  const asFigures = (columns: Omit<FigureCandles, 'quoteVolume'>): FigureCandles => ({
    ...columns,
    quoteVolume: new Float64Array(columns.close.length),
  });

  /** The price `ms` before the close at `at`; NaN when no bar closed then. */
  function closedBefore(at: number, ms: number): number {
    const { openTime, close } = dayRoll.columns();
    const wanted = at - ms - candles.intervalMs;
    for (let index = openTime.length - 1 - Math.round((openTime.at(-1)! - wanted) / candles.intervalMs); index >= 0; index -= 1)
      if (openTime[index]! <= wanted) return close[index]!;
    return Number.NaN;
  }

  return {
    table: () => table,
    close: (bar) => {
      const opened = candles.openTime[bar]!;
      const at = opened + candles.intervalMs;
      const price = candles.close[bar]!;
      dayRoll.add(opened, candles.intervalMs, candles.high[bar]!, candles.low[bar]!, price);
      for (const [timeframe, roll] of rolls) {
        if (!roll.add(opened, candles.intervalMs, candles.high[bar]!, candles.low[bar]!, price)) continue;
        if (made.includes(timeframe))
          setIndicators(
            timeframe,
            figuresAt(timeframe, at, () => indicatorFigures(asFigures(roll.columns()))),
          );
        if (timeframe === '1h' && made.includes('4h')) {
          const four = fourHours(asFigures(roll.columns()));
          if (four.openTime.length > 0)
            setIndicators(
              '4h',
              figuresAt('4h', at, () => indicatorFigures(four)),
            );
        }
      }
      live('price', price);
      live('tickSizePct', (Number(pair.filters.tickSize) / price) * 100 || Number.NaN);
      if (at % timeframeMs(config.timeframe) !== 0) return undefined;
      for (const timeframe of changes) {
        const hours = LONG[timeframe as keyof typeof LONG];
        const known = hours === undefined ? undefined : rolls.get('1h')!.columns().close;
        const from = known
          ? (known[known.length - 1 - hours!] ?? Number.NaN)
          : closedBefore(at, CHANGES[timeframe as keyof typeof CHANGES]);
        live(`change.${timeframe}`, percentChange(from, price));
      }
      const verdict = (filter: FilterGroup | undefined) => (filter ? (verdictsOf(table, filter)[0] ?? null) : null);
      return {
        at,
        entry: verdict(entry),
        exit: verdict(exit),
        observed: { ...(entry ? observedOf(table, 0, entry) : {}), ...(exit ? observedOf(table, 0, exit) : {}) },
        validUntil: verdictValidUntil(at, config.timeframe),
      };
    },
  };
}
