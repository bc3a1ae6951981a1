import { add, compare, type Decimal, decimal, divide, HUNDRED, isPositive, multiply, ZERO } from '@pilotfish/core/money/decimal';
import { MonthlyResults, type MonthResult } from '@pilotfish/core/positions/monthly-overview';
import type { Market } from '../market/market.ts';
import { dayOf } from './day-closes.ts';
import { PRIMARY } from './fill-entries.ts';
import type { PositionBooks } from './position-book.ts';
import type { Look } from './position-reader.ts';
import { totalsOf } from './position-totals.ts';
import { toClosedPosition, type Valued } from './position-view.ts';
import { amount, amountOrNull } from './wire-amount.ts';

const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);
const KEPT = 50;

type Told = { version: number; key: string; months: MonthResult[]; equity: { at: number; value: Decimal }[] };

/** Results over time: by month, and as one line. They need every step of every position, so they are kept until something changes. */
export function overviewOf({ books, market }: { books: PositionBooks; market: Pick<Market, 'rate'> }) {
  const kept = new Map<string, Told>();

  async function told(accountId: string, { book, standing, valued }: Look): Promise<Told> {
    const standings = new Map(book.positions.map((of) => [of.id, standing(valued(of))]));
    const key = [...standings].map(([id, why]) => (why === undefined ? '' : `${id}${why}`)).join('');
    const known = kept.get(accountId);
    if (known?.version === book.version && known.key === key) return known;
    // By what opened them, which is known at their first line: an id would have to be worked out for each.
    const apart = new Set(
      book.positions.flatMap(({ id, position }) => (standings.get(id) === undefined ? [] : [`${position.symbol} ${position.key}`])),
    );
    const months = new MonthlyResults({ primary: PRIMARY, monthOf });
    // A result counts at its own minute; the line has a point for each day on which there was one.
    const byDay = new Map<string, { at: number; change: Decimal }>();
    await books.tellLines(accountId, ({ symbol, key: opener, quoteAsset }, line) => {
      if (apart.size > 0 && apart.has(`${symbol} ${opener}`)) return;
      months.line(quoteAsset, line);
      const { at, realised, trade } = line;
      const rate = quoteAsset === PRIMARY ? '1' : (trade?.quoteRate ?? null);
      if (realised === null || rate === null) return;
      const name = dayOf(at);
      const day = byDay.get(name) ?? { at, change: ZERO };
      byDay.set(name, { at: Math.max(day.at, at), change: add(day.change, multiply(realised, decimal(rate))) });
    });
    for (const { id, position } of book.positions) months.position(position, standings.get(id));
    let value = ZERO;
    const equity = [...byDay.values()]
      .sort((one, other) => one.at - other.at)
      .map(({ at, change }) => {
        value = add(value, change);
        return { at, value };
      });
    const fresh = { version: book.version, key, months: months.results(), equity };
    kept.delete(accountId);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
    kept.set(accountId, fresh);
    return fresh;
  }

  /** An amount of a currency in the primary one, at today's rate; undefined without a rate. */
  const inPrimary = (value: Decimal, currency: string): Decimal | undefined => {
    const rate = currency === PRIMARY ? '1' : market.rate(currency, PRIMARY);
    return rate === undefined ? undefined : multiply(value, decimal(rate));
  };

  return {
    months: async (accountId: string, look: Look) =>
      (await told(accountId, look)).months.map((month) => ({
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
    summary: async (accountId: string, look: Look, now: number) => {
      const { months, equity } = await told(accountId, look);
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
      const thisMonth = months.filter(({ month }) => month === monthOf(now));
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
