import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { FilterResult } from '@pilotfish/core/prices/screener-contract';
import { fold } from '../pair-search.ts';

export type Narrowing = {
  search: string;
  /** What the currencies are called, by code: a pair is found by the name of its coin, too. */
  names?: ReadonlyMap<string, string> | undefined;
  /** Empty for all. */
  quote: string;
  /** Pairs of every chosen tag together; undefined when none is chosen. */
  tagged: ReadonlySet<string> | undefined;
  favourites: ReadonlySet<string> | undefined;
};

/** What the server selected, narrowed by what needs no server; its order stays. Pairs not traded now are left out. */
export function visibleRows(rows: readonly FilterResult[], pairs: ReadonlyMap<string, Pair>, by: Narrowing): readonly FilterResult[] {
  const bare = (text: string) => fold(text).replace(/[\s/\-_]/g, '');
  const wanted = bare(by.search);
  return rows.filter(
    ({ symbol, baseAsset, quoteAsset }) =>
      (by.quote === '' || quoteAsset === by.quote) &&
      (wanted === '' || fold(symbol).includes(wanted) || bare(by.names?.get(baseAsset) ?? '').includes(wanted)) &&
      (by.tagged === undefined || by.tagged.has(symbol)) &&
      (by.favourites === undefined || by.favourites.has(symbol)) &&
      (pairs.get(symbol)?.status ?? 'TRADING') === 'TRADING',
  );
}

/** Pairs that carry at least one of the chosen tags. */
export function taggedSymbols(
  tags: readonly { key: string; symbols: readonly string[] }[],
  chosen: readonly string[],
): ReadonlySet<string> | undefined {
  return chosen.length === 0 ? undefined : new Set(tags.filter(({ key }) => chosen.includes(key)).flatMap(({ symbols }) => symbols));
}
