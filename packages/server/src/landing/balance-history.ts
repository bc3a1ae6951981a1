import type { TradeMode } from '@pilotfish/core/http/wire';
import { offsetsBetween } from '@pilotfish/core/time/calendar-day';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';

export type ChartRange = '1d' | '7d' | '30d' | '90d' | '1y' | 'all';
export type BalancePoint = { at: number; total: string; invested: string; available: string };

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** The first Monday of the epoch, which began on a Thursday. */
const MONDAY = 4 * DAY;
/** How far back each range reaches and how far apart its points are: at most some four hundred of them. */
const RANGES: Record<ChartRange, { reach: number; step: number }> = {
  '1d': { reach: DAY, step: HOUR / 4 },
  '7d': { reach: 7 * DAY, step: HOUR },
  '30d': { reach: 30 * DAY, step: 4 * HOUR },
  '90d': { reach: 90 * DAY, step: 12 * HOUR },
  '1y': { reach: 365 * DAY, step: DAY },
  all: { reach: Number.MAX_SAFE_INTEGER, step: WEEK },
};
/**
 * The number of the step that a row lies in, by a zone's clock: a point at 01:00 in Istanbul is of the day that begins
 * there, and a day of 23 or 25 hours is one step. Literals: as bound values SQLite would divide by floats, and every row
 * would be its own group.
 */
function stepNumber(step: number, since: number, until: number, timeZone: string): RawBuilder<unknown> {
  // Within an hour an offset moves no day, and the hour that comes twice stays two.
  if (step <= HOUR) return sql`at / ${sql.lit(step)}`;
  const [first, ...changes] = offsetsBetween(since, until, timeZone);
  const shift = (offset: number) => sql.lit(step === WEEK ? offset - MONDAY : offset);
  const latest = changes.toReversed().map(({ from, offset }) => sql`when at >= ${sql.lit(from)} then ${shift(offset)}`);
  const ahead = latest.length === 0 ? shift(first!.offset) : sql`case ${sql.join(latest, sql` `)} else ${shift(first!.offset)} end`;
  return sql`(at + ${ahead}) / ${sql.lit(step)}`;
}

/** Points are not stored closer than this. */
export const SNAPSHOT_MS = 15 * 60_000;

/** A range, or from a moment on in the finest steps, or by days. */
export type ChartSpan = ChartRange | { readonly since: number; readonly daily?: true };

/** Of one mode: the worth of the connected account, or of the wallets on paper. */
export type BalanceHistory = {
  /** Keeps a point unless the last one is younger than a quarter of an hour. */
  add(accountId: string, point: BalancePoint): Promise<void>;
  /** The point next to a moment, at most `within` ms away from it, of those that count what points count now. */
  near(accountId: string, at: number, within: number): Promise<BalancePoint | undefined>;
  /** The first point at or after a moment and before another, of the same. */
  firstBetween(accountId: string, from: number, until: number): Promise<BalancePoint | undefined>;
  /**
   * Oldest first; of each step the latest point. Days and weeks, which begin on Monday, are those of the zone. `comparable`:
   * only points that count what points count now, to count a change from.
   */
  list(accountId: string, span: ChartSpan, timeZone: string, which?: 'all' | 'comparable'): Promise<BalancePoint[]>;
};

export function balanceHistory({ queries }: Database, now: () => number, mode: TradeMode = 'live'): BalanceHistory {
  const points = (accountId: string) =>
    queries.selectFrom('balance_snapshots').where('account_id', '=', accountId).where('mode', '=', mode);
  const comparable = (accountId: string) => points(accountId).select(['at', 'total', 'invested', 'available']).where('counts_earn', '=', 1);
  return {
    add: async (accountId, point) => {
      const last = await points(accountId).select('at').orderBy('at', 'desc').limit(1).executeTakeFirst();
      if (last !== undefined && point.at - last.at < SNAPSHOT_MS) return;
      await queries
        .insertInto('balance_snapshots')
        .values({ account_id: accountId, mode, ...point, counts_earn: 1 })
        .onConflict((conflict) => conflict.columns(['account_id', 'mode', 'at']).doNothing())
        .execute();
    },
    near: async (accountId, at, within) => {
      const found = await comparable(accountId)
        .where('at', '>=', at - within)
        .where('at', '<=', at + within)
        .execute();
      return found.sort((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))[0];
    },
    firstBetween: (accountId, from, until) =>
      comparable(accountId).where('at', '>=', from).where('at', '<', until).orderBy('at').limit(1).executeTakeFirst(),
    list: async (accountId, span, timeZone, which = 'all') => {
      const { reach, step } = RANGES[typeof span === 'string' ? span : span.daily ? '1y' : '1d'];
      const since = typeof span === 'string' ? Math.max(0, now() - reach) : span.since;
      const wanted = () => (which === 'all' ? points(accountId) : points(accountId).where('counts_earn', '=', 1));
      const oldest = await wanted()
        .select((s) => s.fn.min<number | null>('at').as('at'))
        .where('at', '>=', since)
        .executeTakeFirst();
      if (oldest?.at == null) return [];
      const number = stepNumber(step, oldest.at, now(), timeZone);
      return wanted()
        .select(['at', 'total', 'invested', 'available'])
        .where('at', 'in', () =>
          wanted()
            .select((s) => s.fn.max<number>('at').as('at'))
            .where('at', '>=', since)
            .groupBy(number),
        )
        .orderBy('at')
        .execute();
    },
  };
}
