import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import { compare, decimal, isPositive } from '@pilotfish/core/money/decimal';
import { digits, type Figure } from '@pilotfish/core/money/figure';
import type { BotRow } from './bot-rows.ts';

/** Curves that can be told apart in one picture. */
export const MOST_COMPARED = 4;

/** Which of several figures is the better one: the index; undefined where they are equal, or fewer than two are known. */
export function better(figures: readonly (Figure | null | undefined)[], way: 'more' | 'less'): number | undefined {
  const known = figures.flatMap((figure, index) => (figure == null ? [] : [{ index, value: decimal(figure) }]));
  if (known.length < 2) return undefined;
  const sign = way === 'more' ? 1 : -1;
  const [first, second] = [...known].sort((a, b) => sign * compare(b.value, a.value));
  return first === undefined || second === undefined || compare(first.value, second.value) === 0 ? undefined : first.index;
}

type Comparable = Pick<AutoTradeFigures, 'returnPct' | 'maxDrawdownPct' | 'winRatePct' | 'profitFactor' | 'fees'>;
/** Which bot is better in each line. Sums of different currencies, or of bots of different size, say nothing: fees are compared in one currency only. */
export function betterOf(rows: readonly (Pick<BotRow, 'figures'> & { readonly bot: Pick<BotRow['bot'], 'currency'> })[]) {
  const of = (key: keyof Comparable) => rows.map(({ figures }) => figures?.[key]);
  const isOneCurrency = new Set(rows.map(({ bot }) => bot.currency)).size === 1;
  return {
    returnPct: better(of('returnPct'), 'more'),
    maxDrawdownPct: better(of('maxDrawdownPct'), 'less'),
    winRatePct: better(of('winRatePct'), 'more'),
    profitFactor: better(of('profitFactor'), 'more'),
    fees: isOneCurrency ? better(of('fees'), 'less') : undefined,
  };
}

/**
 * The curves of several bots in percent of their budgets on one axis of time: between two exits a line stays as it was,
 * and it does not exist before its first. Floats, for pixels.
 */
export function curvesInPercent(rows: readonly (AutoTradeFigures | undefined)[]): {
  /** Seconds, ascending. */
  time: readonly number[];
  values: readonly (readonly number[])[];
} {
  const points = rows.map((figures) =>
    figures !== undefined && isPositive(decimal(figures.budget))
      ? figures.curve.map(({ at, value }) => ({
          at: Math.floor(Date.parse(at) / 1000),
          value: (Number(digits(value)) / Number(digits(figures.budget))) * 100,
        }))
      : [],
  );
  const time = [...new Set(points.flatMap((curve) => curve.map(({ at }) => at)))].sort((a, b) => a - b);
  const values = points.map((curve) => {
    let next = 0;
    let held = Number.NaN;
    return time.map((at) => {
      while (next < curve.length && curve[next]!.at <= at) {
        held = curve[next]!.value;
        next += 1;
      }
      return held;
    });
  });
  return { time, values };
}
