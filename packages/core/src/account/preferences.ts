import * as z from 'zod';
import { isTimeZone } from '../time/calendar-day.ts';
import { LONGEST_NAME, LONGEST_WATCHLIST_NAME, VIEW_LIMITS } from './view-limits.ts';
import { watchlistKey } from './watchlists.ts';

/** Screens one may begin on after signing in. */
export const START_SCREENS = ['/', '/prices', '/positions', '/price-alerts', '/auto-trade'] as const;

/** A name, and no offset such as `+03:00`, which newer engines know as a zone, too. Case does not matter. */
const isNamedZone = (name: string): boolean => /^[A-Za-z][\w+/-]{0,63}$/.test(name) && isTimeZone(name);

/** How the product looks and speaks to one account, on every device. */
export const preferencesSchema = z.object({
  language: z.enum(['en', 'tr']),
  theme: z.enum(['dark', 'light']),
  /** An IANA name, which times, days and months of the account follow everywhere; null is UTC, until a device stores its own. */
  timeZone: z
    .string()
    .max(64)
    .refine(isNamedZone, { params: { code: 'time_zone' } })
    .nullable(),
  density: z.enum(['comfortable', 'compact']),
  palette: z.enum(['green-red', 'blue-orange']),
  startScreen: z.enum(START_SCREENS),
});
export type Preferences = z.infer<typeof preferencesSchema>;

export const DEFAULT_PREFERENCES: Preferences = {
  language: 'en',
  theme: 'dark',
  timeZone: null,
  density: 'comfortable',
  palette: 'green-red',
  startScreen: '/',
};

const names = (most: number) => z.array(z.string().min(1).max(LONGEST_NAME)).max(most).nullable();

/** Pairs that somebody put together under a name of their own, in their order. */
export const watchlistSchema = z.object({
  name: z.string().trim().min(1).max(LONGEST_WATCHLIST_NAME),
  symbols: z.array(z.string().min(1).max(LONGEST_NAME)).max(VIEW_LIMITS.watchlistPairs),
});
export type Watchlist = z.infer<typeof watchlistSchema>;

/** What somebody has arranged on the screens; null where nothing was chosen, and the screen shows what it shows first. */
export const viewChoicesSchema = z.object({
  /** Symbols of pairs, the newest last. */
  favourites: names(VIEW_LIMITS.favourites),
  /** In their order on the screen; no two of one name. */
  watchlists: z
    .array(watchlistSchema)
    .max(VIEW_LIMITS.watchlists)
    .refine((lists) => new Set(lists.map(({ name }) => watchlistKey(name))).size === lists.length, { params: { code: 'watchlist_name' } })
    .nullable(),
  chartIndicators: names(VIEW_LIMITS.chartIndicators),
  pricesColumns: names(VIEW_LIMITS.pricesColumns),
  pricesFilterOpen: z.boolean().nullable(),
  /** Id of the coin filter that the prices page opens with. */
  defaultCoinFilter: z.string().min(1).max(LONGEST_NAME).nullable(),
  /** What was last gone to by the command palette, the newest first. */
  recentItems: names(VIEW_LIMITS.recentItems),
  /** Next steps that were dismissed or are done, by `Offer.memory` of `overview/first-days.ts`: they are not offered again. */
  dismissedSteps: names(VIEW_LIMITS.dismissedSteps),
});
export type ViewChoices = z.infer<typeof viewChoicesSchema>;
