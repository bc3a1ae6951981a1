import { isOffered } from '@pilotfish/core/prices/currency';
import type { Pair, Ticker } from '@pilotfish/core/prices/prices-contract';
import { useMemo } from 'react';
import { useHeld } from '../auto-trades/use-auto-trades.ts';
import { useSignedIn } from '../platform/use-session.ts';
import type { ListChoice } from './list-choice.ts';
import type { Watchlists } from './use-watchlists.ts';

/** More than these nobody goes through pair by pair; the table has all. */
export const MOST_LISTED = 100;

/** Pairs that are traded and offered, of a quote asset or of all, the most traded first. */
export function byVolume(tickers: readonly Ticker[], pairOf: ReadonlyMap<string, Pair>, quote: string): string[] {
  const traded = tickers.flatMap(({ symbol, quoteVolume }) => {
    const pair = pairOf.get(symbol);
    const isListed = pair?.status === 'TRADING' && isOffered(pair) && (quote === '' || pair.quoteAsset === quote);
    return isListed ? [{ symbol, volume: Number(quoteVolume) }] : [];
  });
  return traded.sort((a, b) => b.volume - a.volume || (a.symbol < b.symbol ? -1 : 1)).map(({ symbol }) => symbol);
}

/** Symbols that are held, live ones first, and which of them with live money. */
export function useHeldSymbols() {
  const enabled = useSignedIn();
  const live = useHeld('live', { enabled });
  const paper = useHeld('paper', { enabled });
  return useMemo(() => {
    const symbols = (items: readonly { symbol: string }[] | undefined) => items?.map(({ symbol }) => symbol) ?? [];
    return {
      live: new Set(symbols(live.data?.items)),
      all: [...new Set([...symbols(live.data?.items), ...symbols(paper.data?.items)])],
      isSignedIn: enabled,
      isKnown: !enabled || (live.data !== undefined && paper.data !== undefined),
    };
  }, [enabled, live.data, paper.data]);
}

/**
 * The pairs of a list in its order; undefined until they are known.
 * @param rows those of the table, which is asked elsewhere
 */
export function listSymbols(
  choice: ListChoice,
  known: {
    ranked: readonly string[] | undefined;
    favourites: ReadonlySet<string>;
    held: ReturnType<typeof useHeldSymbols>;
    lists: Watchlists['lists'];
    rows: readonly string[] | undefined;
    pairOf: ReadonlyMap<string, Pair>;
  },
): readonly string[] | undefined {
  if (known.pairOf.size === 0) return undefined;
  const isPair = (symbol: string) => known.pairOf.has(symbol);
  switch (choice.kind) {
    case 'top':
      return known.ranked?.slice(0, MOST_LISTED);
    case 'favourites':
      return [...known.favourites].filter(isPair);
    case 'held':
      return known.held.isKnown ? known.held.all.filter(isPair) : undefined;
    case 'table':
      return known.rows?.slice(0, MOST_LISTED);
    case 'own':
      return known.lists.find(({ name }) => name === choice.name)?.symbols.filter(isPair) ?? [];
  }
}
