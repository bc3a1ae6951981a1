import { getPreferences } from '@pilotfish/core/account/account-contract';
import type { Watchlist } from '@pilotfish/core/account/preferences';
import { findWatchlist, watchlistKey } from '@pilotfish/core/account/watchlists';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';

/** What the favourites are called among the watchlists, in every language: as the API calls them. */
const FAVOURITES = 'favourites';

/** The lists of an account. */
export type Watchlists = { readonly favourites: Watchlist; readonly own: readonly Watchlist[] };

/** @param stored what the account keeps; older servers know neither */
export const watchlistsOf = (stored: {
  readonly favourites?: string[] | null | undefined;
  readonly watchlists?: Watchlist[] | null | undefined;
}): Watchlists => ({
  favourites: { name: FAVOURITES, symbols: stored.favourites ?? [] },
  own: stored.watchlists ?? [],
});

/** Whether the favourites are meant: a list of somebody's own called Favourites is meant by its own spelling. */
export const meansFavourites = ({ own }: Watchlists, wanted: string): boolean =>
  wanted === FAVOURITES || (watchlistKey(wanted) === FAVOURITES && findWatchlist(own, wanted) === undefined);

/** @throws LocalFailure `noSuchWatchlist` (7) naming those there are */
export function watchlistNamed(lists: Watchlists, wanted: string): Watchlist {
  const found = meansFavourites(lists, wanted) ? lists.favourites : findWatchlist(lists.own, wanted);
  if (found) return found;
  const names = [lists.favourites, ...lists.own].map(({ name }) => name).join(', ');
  throw new LocalFailure('noSuchWatchlist', { wanted, names }, { exit: EXIT.notFound });
}

/** The pairs of a list. @throws LocalFailure as `watchlistNamed` */
export async function symbolsOfWatchlist(context: Context, wanted: string): Promise<ReadonlySet<string>> {
  const client = await context.client({ getPreferences });
  return new Set(watchlistNamed(watchlistsOf(await client.getPreferences()), wanted).symbols);
}
