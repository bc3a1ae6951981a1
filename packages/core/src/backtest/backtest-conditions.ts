import type { AutoTradeConfig } from '../auto-trades/config/auto-trade-config.ts';
import { type ConditionVerdict, observedOf, rulesOf, timeframeMs, verdictValidUntil } from '../auto-trades/engine/condition-verdicts.ts';
import { intervalLength } from '../prices/candle-gaps.ts';
import { DAY, figureNeed, lengthsOf } from '../prices/figure-needs.ts';
import { FIGURE_HISTORY } from '../prices/pair-figures.ts';
import type { FilterFieldRef, FilterGroup } from '../prices/screener-contract.ts';
import { verdictsOf } from '../prices/screener-engine.ts';
import { columnId } from '../prices/screener-fields.ts';
import { checkFilter } from '../prices/screener-rules.ts';
import type { ScreenerTable } from '../prices/screener-table.ts';
import { createBacktestFigures, type FigureSource } from './backtest-figures.ts';
import { type CandleSource, candlesByEnd, dayBefore } from './candle-feed.ts';

/** The pair that correlations are taken to, as on the server. */
export const CORRELATION_PAIR = 'BTCUSDT';
/** The coin whose fall stops entries, where a bot has that guard. */
export const GUARD_ASSET = 'BTC';

/** A rule that cannot be judged over these candles: the column it names, and why. */
export type ConditionProblem = {
  readonly column: string;
  /** `unknowable`: no candle tells it. `tooCoarse`: the candles are longer than what it asks for. `ranked`: it compares with the whole market.
   * `needsReference`: it looks at BTC, which is neither among the coins nor given beside them. `needsMoney`: the candles
   * do not say how much money or how many trades they hold. `needsHistory`: no coin has enough of it before the run ends.
   * `invalid`: the rule itself is wrong, `column` is its path. */
  readonly code: 'unknowable' | 'tooCoarse' | 'ranked' | 'needsReference' | 'needsMoney' | 'needsHistory' | 'invalid';
};

export class ConditionsError extends Error {
  readonly problems: readonly ConditionProblem[];
  constructor(problems: readonly ConditionProblem[]) {
    super(problems.map(({ column, code }) => `${column}: ${code}`).join(', '));
    this.name = 'ConditionsError';
    this.problems = problems;
  }
}

type Sides = { readonly entry: FilterGroup | undefined; readonly exit: FilterGroup | undefined };

const sidesOf = (config: AutoTradeConfig): Sides => ({
  entry: config.entry.trigger.kind === 'conditions' ? config.entry.trigger.rules : undefined,
  exit: config.exit.conditions ?? undefined,
});
const filtersOf = (config: AutoTradeConfig): FilterGroup[] => Object.values(sidesOf(config)).filter((filter) => filter !== undefined);
/** The columns that the conditions of a bot look at, each once. */
export const conditionRefs = (config: AutoTradeConfig): FilterFieldRef[] => [
  ...new Map(
    filtersOf(config)
      .flatMap(refsOf)
      .map((ref) => [columnId(ref), ref]),
  ).values(),
];
const refsOf = (filter: FilterGroup): FilterFieldRef[] =>
  rulesOf(filter).flatMap(({ key, timeframe, of }) => [{ key, ...(timeframe === undefined ? {} : { timeframe }) }, ...(of ? [of] : [])]);

/** Every rule of a bot that candles of this length cannot answer; empty when its conditions can be run. */
export function conditionProblems(config: AutoTradeConfig, intervalMs: number): ConditionProblem[] {
  const filters = filtersOf(config);
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
      const need = figureNeed(ref);
      if (!need) problems.push({ column: columnId(ref), code: 'unknowable' });
      else if (lengthsOf(need).some((length) => length % intervalMs !== 0)) problems.push({ column: columnId(ref), code: 'tooCoarse' });
    }
  }
  return problems;
}

/**
 * Every column that the conditions of a bot look at and that is not known of any of its coins at any moment of a run: a
 * bot that waits for it would do nothing, and not say why. A coin that is too young for it is only passed by, as live.
 */
export function dataProblems(config: AutoTradeConfig, coins: readonly FigureSource[], reference?: CandleSource): ConditionProblem[] {
  const filters = filtersOf(config);
  // Whether a figure is unknown may be the very question.
  const asksOfUnknown = new Set(filters.flatMap(rulesOf).flatMap((rule) => (rule.operation === 'isNull' ? [columnId(rule)] : [])));
  const money = conditionRefs(config).some((ref) => figureNeed(ref)?.money);
  const problems: ConditionProblem[] = [];
  for (const ref of conditionRefs(config)) {
    const column = columnId(ref);
    const need = figureNeed(ref);
    if (!need || asksOfUnknown.has(column)) continue;
    const of = need.reference ? referenceOf(coins, reference) : undefined;
    const tells = coins.filter(({ candles }) => !(need.money && !candles.quoteVolume) && !(need.trades && !candles.trades));
    const reaches = (source: CandleSource): boolean => {
      const { candles } = source;
      if (need.candles) {
        const [timeframe, count] = need.candles;
        if (candlesByEnd(source, intervalLength(timeframe)!, FIGURE_HISTORY[timeframe], money) < count) return false;
      }
      const span = need.day ? DAY : (need.backMs ?? 0);
      const warm = dayBefore(source, money, need.trades === true);
      const first = warm ? warm.series.openTime[warm.from]! : candles.openTime[0]!;
      return candles.openTime.at(-1)! + candles.intervalMs - first >= span;
    };
    if (need.reference && !of) problems.push({ column, code: 'needsReference' });
    else if (tells.length === 0) problems.push({ column, code: 'needsMoney' });
    else if (need.listing ? coins.every(({ listedAt }) => listedAt === undefined) : !tells.some(reaches) || (of && !reaches(of)))
      problems.push({ column, code: 'needsHistory' });
  }
  return problems;
}

/** The candles that correlations are taken to: those of the coin itself where it is among the coins. */
const referenceOf = (coins: readonly FigureSource[], reference: CandleSource | undefined): CandleSource | undefined =>
  coins.find(({ pair }) => pair.symbol === CORRELATION_PAIR) ?? reference;

export type ConditionJudge = {
  /** Takes in a bar, when it has closed; bars in their order. Answers the verdict when a candle of the bot's timeframe closed with it. */
  readonly close: (bar: number) => ConditionVerdict | undefined;
  /** The newest figures. */
  readonly table?: () => ScreenerTable;
};

/**
 * The conditions of a bot over the candles of one coin, as the server judges them: the same figures, the same engine, the
 * same validity. Undefined for a bot without conditions.
 * @param reference candles of BTCUSDT, which correlations are taken to
 * @throws ConditionsError naming the rules that candles cannot answer
 */
export function createConditionJudge(config: AutoTradeConfig, coin: FigureSource, reference?: CandleSource): ConditionJudge | undefined {
  const { entry, exit } = sidesOf(config);
  if (!entry && !exit) return undefined;
  const { candles } = coin;
  const problems = conditionProblems(config, candles.intervalMs);
  if (problems.length > 0) throw new ConditionsError(problems);
  const figures = createBacktestFigures(conditionRefs(config), coin, reference);
  const { table } = figures;
  const length = timeframeMs(config.timeframe);

  return {
    table: () => table,
    close: (bar) => {
      const at = candles.openTime[bar]! + candles.intervalMs;
      // The bar before is what crossings of a live figure compare with.
      figures.close(bar, at % length === 0 || (at + candles.intervalMs) % length === 0);
      if (at % length !== 0) return undefined;
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

/** What a bot needs of its coins beside its rules, and these do not have. */
export function coinProblems(config: AutoTradeConfig, coins: readonly FigureSource[]): ConditionProblem[] {
  const problems: ConditionProblem[] = [];
  if (config.protections.btcGuard !== null && !coins.some(({ pair }) => pair.baseAsset === GUARD_ASSET))
    problems.push({ column: 'protections.btcGuard', code: 'needsReference' });
  if (config.pickOrder === 'volume' && coins.length > 1 && coins.some(({ candles }) => !candles.quoteVolume))
    problems.push({ column: 'pickOrder', code: 'needsMoney' });
  return problems;
}

/** Everything for which these candles cannot run a bot; empty when they can. */
export function runProblems(config: AutoTradeConfig, coins: readonly FigureSource[], reference?: CandleSource): ConditionProblem[] {
  const rules = [...new Set(coins.map(({ candles }) => candles.intervalMs))].flatMap((intervalMs) => conditionProblems(config, intervalMs));
  return [...(rules.length > 0 ? rules : dataProblems(config, coins, reference)), ...coinProblems(config, coins)];
}

/** The judges of all coins of a run, by their order. */
export const createConditionJudges = (
  config: AutoTradeConfig,
  coins: readonly FigureSource[],
  reference?: CandleSource,
): (ConditionJudge | undefined)[] => coins.map((coin) => createConditionJudge(config, coin, referenceOf(coins, reference)));
