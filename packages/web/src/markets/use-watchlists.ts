import type { Watchlist } from '@pilotfish/core/account/preferences';
import { VIEW_LIMITS } from '@pilotfish/core/account/view-limits';
import { watchlistsFull, withoutWatchlist, withWatchlist } from '@pilotfish/core/account/watchlists';
import { useMemo } from 'react';
import { useApp } from '../platform/app-context.tsx';
import { choicesOf } from '../platform/choices.ts';
import { useChoice } from '../platform/use-choice.ts';

const NONE: readonly never[] = [];

/** One's own lists of pairs, and what can be done with them; of this browser for guests, of the account else. */
export function useWatchlists() {
  const choices = choicesOf(useApp());
  const [chosen] = useChoice('watchlists');
  const lists: readonly Watchlist[] = chosen ?? NONE;
  return useMemo(() => {
    const write = (change: (lists: readonly Watchlist[]) => Watchlist[]) =>
      choices.choose('watchlists', change(choices.of('watchlists').get() ?? NONE));
    return {
      lists,
      isFull: watchlistsFull(lists),
      /** Puts a list in place of the one of that name, or at the end. */
      save: (list: Watchlist, before?: string) => write((all) => withWatchlist(all, list, before)),
      remove: (name: string) => write((all) => withoutWatchlist(all, name)),
      add: (name: string, symbol: string) =>
        write((all) =>
          all.map((each) =>
            each.name === name && !each.symbols.includes(symbol)
              ? { ...each, symbols: [...each.symbols, symbol].slice(0, VIEW_LIMITS.watchlistPairs) }
              : each,
          ),
        ),
    };
  }, [choices, lists]);
}
export type Watchlists = ReturnType<typeof useWatchlists>;
