import { returnRatios } from '../indicators/return-ratios.ts';
import { add, type Decimal, decimal, fromFloat, isPositive, sum, toFloat, toText } from '../money/decimal.ts';
import type { Money, Price } from '../money/figure.ts';
import { netChange } from '../money/net-change.ts';
import { type EquityFlow, heldInstead, withFlows } from '../overview/equity.ts';
import { daysApart, latestDay } from '../time/calendar-day.ts';
import type { Performance } from './performance-contract.ts';

/** Decimals of percentages and ratios. */
const PLACES = 4;
/** With fewer daily returns a ratio of them says nothing. */
const LEAST_RETURNS = 14;

/** What everything was worth at a moment: the last that is known of its day. */
export type DayPoint = { readonly day: string; readonly at: number; readonly equity: Money };
type WithFlow = DayPoint & { readonly flow: Money };
type Step = WithFlow & {
  /** Gain since the point before, a fraction of what was there then and what was paid in since. */
  readonly gain: number;
  /** How far below the highest before, flows left out: zero or negative, a fraction. */
  readonly below: number;
};

export type EquityFigures = Pick<Performance, 'benchmark' | 'drawdown' | 'sharpe' | 'sortino'> & {
  readonly byDay: ReadonlyMap<string, { readonly equity: Money; readonly drawdownPct: string; readonly benchmark: Money | null }>;
  /** Equity at the start and what was paid in since; null without a point. */
  readonly base: Decimal | null;
};
export const NO_EQUITY: EquityFigures = { byDay: new Map(), base: null, benchmark: null, drawdown: null, sharpe: null, sortino: null };

const rounded = (value: number): string => toText(fromFloat(value, PLACES));
const percentOf = (fraction: number): string => rounded(fraction * 100);

/**
 * What equity says of a range, by its points.
 * @param points oldest first, at most one of a day; one before `from` is how the range began
 * @param flows of the time between the points, in any order
 * @param held the coin that equity is held against, with its price at each point
 */
export function equityFigures(
  points: readonly DayPoint[],
  flows: readonly EquityFlow[],
  from: string,
  held: { readonly asset: string; readonly priceAt: (at: number) => Price | undefined },
): EquityFigures {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return NO_EQUITY;
  const paidIn = withFlows(
    points,
    flows.filter(({ value }) => isPositive(value)),
  ).map(({ flow }) => decimal(flow));
  const steps = stepsOf(withFlows(points, flows), paidIn);
  const instead = points.length < 2 || !isPositive(decimal(first.equity)) ? null : heldInstead(steps, held.priceAt);
  const days = steps.map(({ day, equity, below }, index) => {
    return [day, { equity, drawdownPct: percentOf(below), benchmark: instead?.[index]?.value ?? null }] as const;
  });
  return {
    byDay: new Map(days.filter(([day]) => day >= from)),
    base: add(decimal(first.equity), sum(paidIn)),
    // One point has nothing that it could be below.
    drawdown: points.length < 2 ? null : deepestFall(steps, from),
    ...ratiosOf(steps),
    benchmark: benchmarkOf(steps, instead?.at(-1)?.value, held.asset),
  };
}

function stepsOf(points: readonly WithFlow[], paidIn: readonly Decimal[]): Step[] {
  // Chained, so that what was paid in or taken out is neither a rise nor a fall.
  let [level, highest, before] = [1, 1, 0];
  return points.map((point, index) => {
    const equity = toFloat(decimal(point.equity));
    const base = before + toFloat(paidIn[index]!);
    const gain = index === 0 || base <= 0 ? 0 : (equity - before - toFloat(decimal(point.flow))) / base;
    before = equity;
    level *= 1 + gain;
    highest = Math.max(highest, level);
    return { ...point, gain, below: level / highest - 1 };
  });
}

function deepestFall(steps: readonly Step[], from: string): EquityFigures['drawdown'] {
  const deepest = steps.reduce((lowest, { below }, index) => (below < steps[lowest]!.below ? index : lowest), 0);
  const begun = steps.findLastIndex(({ below }, index) => index <= deepest && below === 0);
  const made = steps.findIndex(({ below }, index) => index >= deepest && below === 0);
  const end = (steps[made] ?? steps.at(-1)!).day;
  // How the range began is a point of the day before it.
  const start = latestDay(from, steps[begun]!.day);
  const to = latestDay(start, end);
  return { pct: percentOf(steps[deepest]!.below), from: start, to, days: daysApart(start, to), recovered: made >= 0 };
}

/** Of days with a point on the day before, too: a gain of several days is no daily one. */
function ratiosOf(steps: readonly Step[]): Pick<EquityFigures, 'sharpe' | 'sortino'> {
  const daily = steps.flatMap(({ day, gain }, index) => {
    const before = steps[index - 1];
    return before && daysApart(before.day, day) === 1 ? [gain] : [];
  });
  if (daily.length < LEAST_RETURNS) return { sharpe: null, sortino: null };
  const { sharpe, sortino } = returnRatios(daily);
  return { sharpe: sharpe === null ? null : rounded(sharpe), sortino: sortino === null ? null : rounded(sortino) };
}

function benchmarkOf(steps: readonly Step[], held: Money | undefined, asset: string): EquityFigures['benchmark'] {
  if (held === undefined) return null;
  const [first, last] = [steps[0]!, steps.at(-1)!];
  const flows = steps.slice(1).map(({ flow }) => decimal(flow));
  const [pct, equityPct] = [netChange(first.equity, held, flows).pct, netChange(first.equity, last.equity, flows).pct];
  return pct === null || equityPct === null ? null : { asset, pct, equityPct };
}
