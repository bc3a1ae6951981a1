import { getPreferences, setPreferences } from '@pilotfish/core/account/account-contract';
import type { Watchlist } from '@pilotfish/core/account/preferences';
import { LONGEST_WATCHLIST_NAME, VIEW_LIMITS } from '@pilotfish/core/account/view-limits';
import { findWatchlist, watchlistNameProblem, watchlistsFull, withoutWatchlist, withWatchlist } from '@pilotfish/core/account/watchlists';
import { isOffered } from '@pilotfish/core/prices/currency';
import { listPairs } from '@pilotfish/core/prices/prices-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import { printOne, printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { unchecked } from '../ui/unchecked.ts';
import { meansFavourites, watchlistNamed, watchlistsOf } from './find-watchlist.ts';
import { noSuchPair } from './price-choice.ts';

const watchlists: Resource<Watchlist> = {
  empty: 'watchlists',
  columns: [
    { key: 'name', value: ({ name }) => name, shown: ({ name }, paint) => paint.bold(name) },
    {
      key: 'symbols',
      value: ({ symbols }) => symbols.join(', '),
      shown: ({ symbols }, paint) => `${paint.bold(String(symbols.length))}  ${symbols.join(', ')}`,
    },
  ],
};

/** Favourites, where there are some, and the lists in the order of the browser. */
export async function list(context: Context): Promise<void> {
  const client = await context.client({ getPreferences });
  const { favourites, own } = watchlistsOf(await client.getPreferences());
  await printRows(context, watchlists, favourites.symbols.length > 0 ? [favourites, ...own] : own);
}

/**
 * The symbols as they are typed, each once.
 * @throws UsageError naming the bound, or that there is none
 */
function symbolsOf(pairs: readonly string[], most: number): string[] {
  const typed = pairs.flatMap((word) => word.split(',')).map((word) => word.trim().toUpperCase());
  const symbols = [...new Set(typed)].filter((symbol) => symbol !== '');
  if (symbols.length === 0) throw new UsageError('missingArgument', { word: '<pairs...>' });
  if (symbols.length > most) throw new UsageError('tooManyPairs', { most });
  return symbols;
}

/** Creates a watchlist, or replaces its pairs. The watchlists of an account are written as a whole. */
export async function set(context: Context, { watchlist, pairs }: { watchlist: string; pairs: string[] }): Promise<void> {
  const problem = watchlistNameProblem([], watchlist);
  if (problem) {
    const t = await context.texts();
    throw new LocalFailure('watchlistName', { why: t(problem, { most: LONGEST_WATCHLIST_NAME }) }, { exit: EXIT.usage });
  }
  const client = await context.client({ getPreferences, setPreferences, listPairs: unchecked(listPairs) }, { exact: true });
  const listed = await client.listPairs();
  // Last: the list of pairs is long, and what the browser changes while it comes would be written over.
  const lists = watchlistsOf(await client.getPreferences());
  const isFavourites = meansFavourites(lists, watchlist);
  const symbols = symbolsOf(pairs, isFavourites ? VIEW_LIMITS.favourites : VIEW_LIMITS.watchlistPairs);
  const known = new Set(listed.filter(isOffered).map(({ symbol }) => symbol));
  const unknown = symbols.find((symbol) => !known.has(symbol));
  if (unknown !== undefined) throw noSuchPair(unknown, [...known]);
  const before = isFavourites ? lists.favourites : findWatchlist(lists.own, watchlist);
  if (!before && watchlistsFull(lists.own))
    throw new LocalFailure('watchlistsFull', { most: VIEW_LIMITS.watchlists }, { exit: EXIT.conflict });
  const made: Watchlist = { name: before?.name ?? watchlist.trim(), symbols };
  await client.setPreferences({
    body: isFavourites ? { favourites: symbols } : { watchlists: withWatchlist(lists.own, made, before?.name) },
  });
  await printOne(context, watchlists, made);
}

/** Deletes a watchlist, after a question. */
export async function remove(context: Context, { watchlist }: { watchlist: string }): Promise<void> {
  const client = await context.client({ getPreferences, setPreferences }, { exact: true });
  const wanted = async () => {
    const lists = watchlistsOf(await client.getPreferences());
    if (meansFavourites(lists, watchlist)) throw new LocalFailure('favouritesStay', {}, { exit: EXIT.conflict });
    return { lists, name: watchlistNamed(lists, watchlist).name };
  };
  const { name } = await wanted();
  if (!(await confirm(context, 'cli.prices.removeWatchlist', { name }))) throw new Ended(EXIT.failed);
  // The question may stay open for long: changes that the browser made meanwhile must not be lost.
  const { lists } = await wanted();
  await client.setPreferences({ body: { watchlists: withoutWatchlist(lists.own, name) } });
  await context.say('cli.prices.watchlistRemoved', { name });
}
