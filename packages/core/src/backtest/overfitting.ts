import { correlation, standardDeviation } from '../indicators/statistics.ts';
import { goalOf, ranked, type SweepGoal, type SweepRow } from './sweep.ts';

/** Fewer sets than this have no ranks worth comparing. */
const LEAST_SETS = 5;
const LEAST_CORRELATION = 0.3;
const EULER = 0.577_215_664_901_532_9;

/**
 * Whether the best set was found or made. `rankCorrelation`: Spearman between the results where sets were chosen and
 * those on the held-out part. `bestStandsAt`: share of the sets that the chosen best one beats on the held-out part.
 * `luckSharpe`: the Sharpe ratio that the best of so many sets without any skill would show.
 */
export type Overfitting = {
  readonly verdict: 'fine' | 'suspicious' | 'tooFewSets';
  readonly reasons: readonly ('ranksDiffer' | 'bestFallsBack' | 'luckExplains' | 'losesHeldOut')[];
  readonly rankCorrelation: number | null;
  readonly bestStandsAt: number | null;
  readonly bestSharpe: number | null;
  readonly luckSharpe: number | null;
};

/** Ranks from 1; equal values share the mean of theirs. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const found: number[] = Array.from({ length: values.length });
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1]!] === values[order[from]!]) to += 1;
    for (let at = from; at <= to; at += 1) found[order[at]!] = (from + to) / 2 + 1;
    from = to + 1;
  }
  return found;
}

/** Spearman's rank correlation; null when one side never changes. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number | null {
  const found = correlation(ranks(a), ranks(b), 1);
  return Number.isNaN(found) ? null : found;
}

/** The value a normal variable stays below with probability `p`, by bisection of its distribution. */
function normalQuantile(p: number): number {
  let [low, high] = [-9, 9];
  for (let round = 0; round < 60; round += 1) {
    const middle = (low + high) / 2;
    if (normalShare(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Share of a normal distribution below `x`: Abramowitz and Stegun 26.2.17, wrong by less than 1e-7. */
function normalShare(x: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(x));
  const tail =
    (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  return x > 0 ? 1 - tail : tail;
}

/** Expected largest of `count` independent normal draws of this deviation around zero (Bailey and López de Prado). */
export const expectedBest = (count: number, deviation: number): number =>
  count < 2 ? 0 : deviation * ((1 - EULER) * normalQuantile(1 - 1 / count) + EULER * normalQuantile(1 - 1 / (count * Math.E)));

const round = (value: number | null): number | null => (value === null ? null : Math.round(value * 10_000) / 10_000);

/**
 * Suspicious when the ranks of the two parts hardly agree (below 0.3), when the best set beats less than half of the
 * others on the held-out part, when it earned where it was chosen and loses there, or when its Sharpe ratio is no
 * higher than luck among so many sets would show.
 */
export function judgeOverfitting(rows: readonly SweepRow[], goal: SweepGoal): Overfitting {
  const both = ranked(rows, goal).filter(({ heldOut }) => heldOut !== null);
  const [best] = both;
  if (!best || both.length < LEAST_SETS)
    return { verdict: 'tooFewSets', reasons: [], rankCorrelation: null, bestStandsAt: null, bestSharpe: null, luckSharpe: null };
  const held = both.map(({ heldOut }) => goalOf(heldOut, goal));
  const agreement = rankCorrelation(
    both.map(({ inSample }) => goalOf(inSample, goal)),
    held,
  );
  const bestStandsAt = held.filter((value, index) => index > 0 && value < held[0]!).length / (both.length - 1);
  const sharpes = both.flatMap(({ inSample }) => inSample?.sharpe ?? []);
  const luck = sharpes.length >= LEAST_SETS ? expectedBest(sharpes.length, standardDeviation(sharpes)) : null;
  const sharpe = best.inSample!.sharpe;
  const reasons: Overfitting['reasons'] = [
    ...(agreement !== null && agreement < LEAST_CORRELATION ? (['ranksDiffer'] as const) : []),
    ...(bestStandsAt < 0.5 ? (['bestFallsBack'] as const) : []),
    ...(Number(best.inSample!.netPnl) > 0 && Number(best.heldOut!.netPnl) < 0 ? (['losesHeldOut'] as const) : []),
    ...(luck !== null && sharpe !== null && sharpe <= luck ? (['luckExplains'] as const) : []),
  ];
  return {
    verdict: reasons.length > 0 ? 'suspicious' : 'fine',
    reasons,
    rankCorrelation: round(agreement),
    bestStandsAt: round(bestStandsAt),
    bestSharpe: sharpe,
    luckSharpe: round(luck),
  };
}
