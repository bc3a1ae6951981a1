import {
  absolute,
  add,
  type Decimal,
  decimal,
  divide,
  greaterThan,
  HUNDRED,
  isNegative,
  isPositive,
  isZero,
  lessThan,
  multiply,
  ZERO,
} from '../money/decimal.ts';
import type { FoldedPosition, PositionLine } from './folded-position.ts';

/** What a month brought in one quote currency. The month is that of the sell fill. */
export type MonthResult = {
  /** `2026-11`. */
  readonly month: string;
  readonly currency: string;
  readonly realised: Decimal;
  /** Each result at the rate of its own minute; null when a rate is not known. Currencies are never added without it. */
  readonly realisedInPrimary: Decimal | null;
  readonly fees: Decimal;
  /** Σ Q of the month's fills. */
  readonly volume: Decimal;
  readonly closed: number;
  readonly wins: number;
  readonly losses: number;
  readonly winRatePct: Decimal | null;
  /** Σ won / Σ lost of the closed positions; null without a loss. */
  readonly profitFactor: Decimal | null;
  readonly best: Decimal | null;
  readonly worst: Decimal | null;
  /** Positions with more sold than held, and positions that are broken for any reason: in no sum, but counted. */
  readonly unmatched: number;
  readonly broken: number;
};

type Draft = { -readonly [Key in keyof MonthResult]: MonthResult[Key] } & { won: Decimal; lost: Decimal };

const SUMS = ['realised', 'fees', 'volume', 'won', 'lost'] as const;
const COUNTS = ['closed', 'wins', 'losses', 'unmatched', 'broken'] as const;

export type MonthOptions = {
  readonly primary: string;
  readonly monthOf: (at: number) => string;
};

/**
 * Results by month and quote currency, gathered step by step: a history of any length needs no more than its months.
 * Steps may come in any order; those of positions that are broken or left out are not to be given.
 */
export class MonthlyResults {
  private readonly options: MonthOptions;
  private readonly months = new Map<string, Draft>();

  constructor(options: MonthOptions) {
    this.options = options;
  }

  private at(time: number, currency: string): Draft {
    return this.named(this.options.monthOf(time), currency);
  }

  private named(month: string, currency: string): Draft {
    const key = `${month} ${currency}`;
    const known = this.months.get(key);
    if (known) return known;
    const fresh: Draft = {
      month,
      currency,
      realised: ZERO,
      realisedInPrimary: ZERO,
      fees: ZERO,
      volume: ZERO,
      closed: 0,
      wins: 0,
      losses: 0,
      winRatePct: null,
      profitFactor: null,
      best: null,
      worst: null,
      unmatched: 0,
      broken: 0,
      won: ZERO,
      lost: ZERO,
    };
    this.months.set(key, fresh);
    return fresh;
  }

  /** One step of a position of this quote currency. */
  line(currency: string, { at, trade, realised }: Pick<PositionLine, 'at' | 'trade' | 'realised'>): void {
    if (trade === null && realised === null) return;
    const month = this.at(at, currency);
    if (trade !== null) {
      month.volume = add(month.volume, decimal(trade.quoteQuantity));
      month.fees = add(month.fees, feeOf(trade));
    }
    if (realised === null) return;
    month.realised = add(month.realised, realised);
    // Given away and closed by hand happen in the primary currency or have no rate of their own.
    const rate = currency === this.options.primary ? '1' : (trade?.quoteRate ?? null);
    month.realisedInPrimary =
      rate === null || month.realisedInPrimary === null ? null : add(month.realisedInPrimary, multiply(realised, decimal(rate)));
  }

  /** A position as it is at last. A broken one is in no sum, but counted; one that is left out is in nothing. */
  position(position: FoldedPosition, standing: 'excluded' | 'broken' | undefined): void {
    const currency = position.quoteAsset;
    if (standing === 'broken') {
      const month = this.at(position.closedAt ?? position.lastAt, currency);
      month.broken += 1;
      if (position.reasons.has('OVERSOLD')) month.unmatched += 1;
    } else if (standing === undefined && position.closedAt !== null) countClosed(this.at(position.closedAt, currency), position.realised);
  }

  /** Adds everything that another one has gathered, with the same options: as if it had been given here. */
  include(other: MonthlyResults): void {
    for (const from of other.months.values()) {
      const month = this.named(from.month, from.currency);
      for (const key of SUMS) month[key] = add(month[key], from[key]);
      for (const key of COUNTS) month[key] += from[key];
      month.realisedInPrimary =
        month.realisedInPrimary === null || from.realisedInPrimary === null ? null : add(month.realisedInPrimary, from.realisedInPrimary);
      if (from.best !== null) extremes(month, from.best);
      if (from.worst !== null) extremes(month, from.worst);
    }
  }

  /** Newest month first. */
  results(): MonthResult[] {
    return [...this.months.values()]
      .map(({ won, lost, ...month }) => ({
        ...month,
        winRatePct: month.closed === 0 ? null : divide(multiply(decimal(month.wins), HUNDRED), decimal(month.closed)),
        profitFactor: isZero(lost) ? null : divide(won, lost),
      }))
      .sort((one, other) => (one.month === other.month ? (one.currency < other.currency ? -1 : 1) : one.month < other.month ? 1 : -1));
  }
}

function countClosed(month: Draft, result: Decimal): void {
  month.closed += 1;
  if (isPositive(result)) {
    month.wins += 1;
    month.won = add(month.won, result);
  } else if (isNegative(result)) {
    month.losses += 1;
    month.lost = add(month.lost, absolute(result));
  }
  extremes(month, result);
}

function extremes(month: Draft, result: Decimal): void {
  if (month.best === null || greaterThan(result, month.best)) month.best = result;
  if (month.worst === null || lessThan(result, month.worst)) month.worst = result;
}

/** The fee of a fill in quote units; a base fee at the fill's price. One without a known value breaks its position. */
export function feeOf(trade: NonNullable<FoldedPosition['lines'][number]['trade']>): Decimal {
  if (trade.feeAsset === trade.quoteAsset) return decimal(trade.fee);
  if (trade.feeAsset === trade.baseAsset) return multiply(decimal(trade.fee), decimal(trade.price));
  return trade.feeInQuote === null ? ZERO : decimal(trade.feeInQuote);
}
