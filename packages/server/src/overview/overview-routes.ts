import { dayOf } from '@pilotfish/core/time/calendar-day';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Market } from '../market/market.ts';
import { timeZoneOf } from '../notifications/notifier.ts';
import { type ActivityParts, activityList } from './activity.ts';
import { type EquityParts, type EquitySource, equityAnswers } from './equity.ts';
import { type NeedParts, needsList } from './needs.ts';
import { type NextParts, nextEvents } from './next-events.ts';
import type { PaperEquity } from './paper-equity.ts';

/** Farther back the traces and alerts have pages of their own. */
const MOST_DAYS = 31;
const DAY = 86_400_000;

export type OverviewParts = {
  readonly market: Market;
  readonly needs: Omit<NeedParts, 'market'>;
  readonly next: NextParts;
  readonly activity: Omit<ActivityParts, 'aheadOfMarket'>;
  /** Where the connected account is valued. */
  readonly live: EquitySource;
  readonly paper: PaperEquity;
  readonly candles: EquityParts['candles'];
};

/** The home screen: what needs its reader, what is next, what happened today, and how equity stands. */
export function overviewFeature(context: AppContext, parts: OverviewParts): Feature {
  const { database, log, marketSource, now } = context;
  const { queries } = database;
  const { market, candles, live, paper } = parts;
  const venueNow = (): number => market.asOf || now();
  const needs = needsList({ queries, log, now }, { ...parts.needs, market });
  const next = nextEvents(parts.next);
  const activity = activityList({ queries, market: marketSource }, { ...parts.activity, aheadOfMarket: () => now() - venueNow() });
  const equity = equityAnswers({ sources: { live, paper }, market, candles, now });
  const iso = (at: number) => new Date(at).toISOString();
  const zoneOf = (accountId: string) => timeZoneOf(queries, accountId);

  return {
    handlers: {
      getNeeds: async ({ account }) => {
        const items = await needs(account.id);
        return { items, checkedAt: iso(now()) };
      },
      getNextEvents: async ({ account, query }) => {
        const all = await next(account.id);
        return { items: all.slice(0, query.limit), total: all.length, checkedAt: iso(now()) };
      },
      getActivity: async ({ account, query }) => {
        const timeZone = await zoneOf(account.id);
        const wanted = query.from === undefined ? dayOf(venueNow(), timeZone).start : Date.parse(query.from);
        const from = Math.max(wanted, venueNow() - MOST_DAYS * DAY);
        return { from: iso(from), timeZone, ...(await activity(account.id, from, query.limit)) };
      },
      getEquity: async ({ account, query, language }) => equity(account.id, query, { timeZone: await zoneOf(account.id), language }),
    },
    start: async () => paper.start(),
    stop: () => paper.stop(),
  };
}
