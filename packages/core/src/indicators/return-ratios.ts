import { standardDeviation } from './statistics.ts';

/** Coins trade on every day of the year. */
const YEAR_DAYS = 365;

export type ReturnRatios = { readonly sharpe: number | null; readonly sortino: number | null };

/**
 * Sharpe and Sortino ratio of daily returns (fractions), each by the year:
 *
 *   Sharpe = mean(r) / s(r) × √365, where s is the sample standard deviation (n − 1);
 *   Sortino = mean(r) / d(r) × √365, where d = √(Σ min(r, 0)² / n) over all n days.
 *
 * The riskless rate, and the return below which a day counts as bad, are zero. Null where nothing (nothing bad) ever moved,
 * or a return is no number. Source: W. F. Sharpe, "The Sharpe Ratio", Journal of Portfolio Management 21 (1994); F. A.
 * Sortino and L. N. Price, "Performance Measurement in a Downside Risk Framework", Journal of Investing 3 (1994).
 */
export function returnRatios(returns: readonly number[]): ReturnRatios {
  if (returns.length === 0 || !returns.every(Number.isFinite)) return { sharpe: null, sortino: null };
  const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length;
  const deviation = standardDeviation(returns);
  const below = Math.sqrt(returns.reduce((sum, each) => sum + Math.min(each, 0) ** 2, 0) / returns.length);
  const yearly = Math.sqrt(YEAR_DAYS);
  return { sharpe: deviation > 0 ? round((mean / deviation) * yearly) : null, sortino: below > 0 ? round((mean / below) * yearly) : null };
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000;
