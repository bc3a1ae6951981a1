import type { Watchlist } from './preferences.ts';
import { LONGEST_WATCHLIST_NAME, VIEW_LIMITS } from './view-limits.ts';

// Without schemas: the first page of the browser loads this, too.

/** Names with the same key are the same list: case and spaces around a name do not count. */
export const watchlistKey = (name: string): string => name.trim().toLowerCase();

/** The list of that name. */
export const findWatchlist = (lists: readonly Watchlist[], name: string): Watchlist | undefined =>
  lists.find((each) => watchlistKey(each.name) === watchlistKey(name));

/**
 * Key of the text that says why a name cannot be that of a list.
 * @param own the present name of the list that is changed; a new list when left out
 */
export function watchlistNameProblem(
  lists: readonly Watchlist[],
  name: string,
  own?: string,
): 'markets.nameMissing' | 'markets.nameTooLong' | 'validation.watchlist_name' | undefined {
  if (name.trim() === '') return 'markets.nameMissing';
  if (name.trim().length > LONGEST_WATCHLIST_NAME) return 'markets.nameTooLong';
  const found = findWatchlist(lists, name);
  return found !== undefined && found.name !== own ? 'validation.watchlist_name' : undefined;
}

/** Whether the account keeps no further list. */
export const watchlistsFull = (lists: readonly Watchlist[]): boolean => lists.length >= VIEW_LIMITS.watchlists;

/** The lists with this one in place of the one called `own`, or at the end. */
export const withWatchlist = (lists: readonly Watchlist[], list: Watchlist, own?: string): Watchlist[] =>
  own === undefined ? [...lists, list] : lists.map((each) => (each.name === own ? list : each));

export const withoutWatchlist = (lists: readonly Watchlist[], name: string): Watchlist[] => lists.filter((each) => each.name !== name);
