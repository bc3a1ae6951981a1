import { add, compare, type Decimal, decimal, divide, HUNDRED, isPositive, multiply, ZERO } from '@pilotfish/core/money/decimal';
import type { Market } from '../market/market.ts';
import { PRIMARY } from './fill-entries.ts';
import type { PositionBooks } from './position-book.ts';
import type { Look } from './position-reader.ts';
import { totalsOf } from './position-totals.ts';
import { toClosedPosition, type Valued } from './position-view.ts';
import { resultsOverTime } from './results-over-time.ts';
import { amount, amountOrNull } from './wire-amount.ts';

/** Results over time: by month, and as one line. */
export function overviewOf({ books, market }: { books: PositionBooks; market: Pick<Market, 'rate'> }) {
  const results = resultsOverTime(books);

  /** An amount of a currency in the primary one, at today's rate; undefined without a rate. */
  const inPrimary = (value: Decimal, currency: string): Decimal | undefined => {
    const rate = currency === PRIMARY ? '1' : market.rate(currency, PRIMARY);
    return rate === undefined ? undefined : multiply(value, decimal(rate));
  };

  return {
    months: async (accountId: string, look: Look) =>
      (await results.of(accountId, look)).results.months.map((month) => ({
        month: month.month,
        currency: month.currency,
        realised: amount(month.realised),
        realisedUsdt: amountOrNull(month.realisedInPrimary),
        fees: amount(month.fees),
        closed: month.closed,
        wins: month.wins,
        losses: month.losses,
        winRatePct: amountOrNull(month.winRatePct),
        best: amountOrNull(month.best),
        worst: amountOrNull(month.worst),
        profitFactor: amountOrNull(month.profitFactor),
        volume: amount(month.volume),
        unmatched: month.unmatched,
        broken: month.broken,
      })),
    summary: async (accountId: string, given: Look, now: number) => {
      const {
        look,
        results: { months, equity },
      } = await results.of(accountId, given);
      const all = look.book.positions.map(look.valued);
      const counted = all.filter(({ of }) => of.position.closedAt !== null).filter((valued) => look.standing(valued) === undefined);
      const ranked = counted
        .flatMap((valued): { valued: Valued; worth: Decimal }[] => {
          const worth = inPrimary(valued.of.position.realised, valued.of.position.quoteAsset);
          return worth === undefined ? [] : [{ valued, worth }];
        })
        .sort((one, other) => compare(other.worth, one.worth) || (one.valued.of.id < other.valued.of.id ? -1 : 1));
      const wins = counted.filter(({ of }) => isPositive(of.position.realised)).length;
      const excluded = all.filter((valued) => look.standing(valued) === 'excluded');
      const thisMonth = months.filter(({ month }) => look.dayOf(now).startsWith(month));
      const [best, worst] = [ranked[0], ranked.at(-1)];
      return {
        totals: totalsOf(all, look.standing),
        winRatePct: counted.length === 0 ? null : amount(divide(multiply(decimal(wins), HUNDRED), decimal(counted.length))),
        realisedThisMonth: amountOrNull(sumOfKnown(thisMonth.map(({ realisedInPrimary }) => realisedInPrimary))),
        excluded: {
          count: excluded.length,
          pnl: amountOrNull(
            sumOfKnown(
              excluded.map(({ figures, of }) =>
                figures.total === null ? null : (inPrimary(figures.total, of.position.quoteAsset) ?? null),
              ),
            ),
          ),
        },
        equity: equity.map(({ at, value }) => ({ at: new Date(at).toISOString(), value: amount(value) })),
        best: best === undefined ? null : toClosedPosition(best.valued, look),
        worst: worst === undefined ? null : toClosedPosition(worst.valued, look),
      };
    },
  };
}

/** The sum; null as soon as one part is not known: less than everything would look like everything. */
const sumOfKnown = (values: readonly (Decimal | null)[]): Decimal | null =>
  values.reduce<Decimal | null>((sum, value) => (sum === null || value === null ? null : add(sum, value)), ZERO);
