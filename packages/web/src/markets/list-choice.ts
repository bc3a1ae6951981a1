import type { Watchlist } from '@pilotfish/core/account/preferences';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { fold } from '../prices/pair-search.ts';

/** Lists that are there without anybody making them: the most traded pairs, favourites, what is held, the rows of the table. */
export const OWN_PREFIX = 'my:';
export type ListChoice =
  | { readonly kind: 'top' | 'favourites' | 'held' | 'table' }
  /** One's own, by its name. */
  | { readonly kind: 'own'; readonly name: string };

export const listKey = (choice: ListChoice): string => (choice.kind === 'own' ? OWN_PREFIX + choice.name : choice.kind);

/**
 * The list an address means.
 * @param text of the address; undefined, or a list that is not there, is the reader's first: favourites where there are some
 */
export function readList(
  text: string | undefined,
  { lists, hasFavourites, signedIn }: { lists: readonly Watchlist[]; hasFavourites: boolean; signedIn: boolean },
): ListChoice {
  if (text === 'top' || text === 'favourites' || text === 'table' || (text === 'held' && signedIn)) return { kind: text };
  const own = lists.find(({ name }) => OWN_PREFIX + name === text);
  if (own) return { kind: 'own', name: own.name };
  return { kind: hasFavourites ? 'favourites' : 'top' };
}

/** The pair before or after one in a list; the first where that one is not in it, itself at the ends. */
export function neighbour(symbols: readonly string[], symbol: string | undefined, step: 1 | -1): string | undefined {
  const at = symbol === undefined ? -1 : symbols.indexOf(symbol);
  return at < 0 ? symbols[0] : (symbols[at + step] ?? symbol);
}

const MOST_FOUND = 20;
const bare = (text: string): string => fold(text).replace(/[\s/\-_]/g, '');

/** Pairs that a text finds by their symbol or the name of their coin: those of the list, and others, in the order given. */
export function findPairs(
  text: string,
  inList: readonly string[],
  others: readonly string[],
  { pairOf, names }: { pairOf: ReadonlyMap<string, Pair>; names: ReadonlyMap<string, string> | undefined },
): { found: readonly string[]; more: readonly string[] } {
  const wanted = bare(text);
  if (wanted === '') return { found: inList, more: [] };
  const matches = (symbol: string) =>
    fold(symbol).includes(wanted) || bare(names?.get(pairOf.get(symbol)?.baseAsset ?? '') ?? '').includes(wanted);
  const known = new Set(inList);
  return {
    found: inList.filter(matches),
    more: others.filter((symbol) => !known.has(symbol) && matches(symbol)).slice(0, MOST_FOUND),
  };
}
