import { add, decimal, toFloat, ZERO } from '@pilotfish/core/money/decimal';
import type { Money } from '@pilotfish/core/money/figure';
import type { PerformanceDay } from '@pilotfish/core/performance/performance-contract';
import { dayAfter } from '@pilotfish/core/time/calendar-day';

/** Columns of a chart, floats for pixels; NaN where nothing is known. */
export type EquityLines = {
  /** `results`: no equity is known, or it would be of more than what is shown; the running sum of results is drawn. */
  readonly kind: 'equity' | 'results';
  /** Of the values: the days, before them for results the day on which nothing was earned yet. */
  readonly days: readonly string[];
  readonly values: number[];
  readonly benchmark: number[] | undefined;
  readonly drawdown: number[] | undefined;
};

const float = (value: Money | null): number => (value === null ? Number.NaN : toFloat(decimal(value)));

/** What a worth grew by since its first known day, in percent, flows left out: each day's growth on the one before it. */
function growth(values: readonly number[], flows: readonly number[]): number[] {
  let factor = 1;
  let before: number | undefined;
  return values.map((value, index) => {
    if (Number.isNaN(value)) return Number.NaN;
    // A flow of an unknown day between is in the next known one, too.
    if (before !== undefined && before > 0) factor *= (value - flows[index]!) / before;
    before = value;
    return (factor - 1) * 100;
  });
}

/** Flows of days without equity are added to those of the next day that has one. */
function carried(values: readonly number[], flows: readonly number[]): number[] {
  let waiting = 0;
  return values.map((value, index) => {
    waiting += flows[index]!;
    if (Number.isNaN(value)) return 0;
    const all = waiting;
    waiting = 0;
    return all;
  });
}

/**
 * The lines of the equity chart.
 * @param inPercent what equity grew by instead of what it was; of running results there is no percentage
 */
export function equityLines(days: readonly PerformanceDay[], inPercent: boolean): EquityLines {
  const equity = days.map((day) => float(day.equity));
  if (equity.filter((value) => !Number.isNaN(value)).length < 2) {
    let sum = ZERO;
    const values = days.map(({ net }) => {
      sum = add(sum, decimal(net));
      return toFloat(sum);
    });
    const [first] = days;
    const names = days.map(({ day }) => day);
    return {
      kind: 'results',
      days: first ? [dayAfter(first.day, -1), ...names] : names,
      values: first ? [0, ...values] : values,
      benchmark: undefined,
      drawdown: undefined,
    };
  }
  const benchmark = days.map((day) => float(day.benchmark));
  const flows = days.map(({ flow }) => toFloat(decimal(flow)));
  const shown = (values: number[]) => (inPercent ? growth(values, carried(values, flows)) : values);
  const hasBenchmark = benchmark.some((value) => !Number.isNaN(value));
  return {
    kind: 'equity',
    days: days.map(({ day }) => day),
    values: shown(equity),
    benchmark: hasBenchmark ? shown(benchmark) : undefined,
    drawdown: days.map(({ drawdownPct }) => (drawdownPct === null ? Number.NaN : toFloat(decimal(drawdownPct)))),
  };
}
