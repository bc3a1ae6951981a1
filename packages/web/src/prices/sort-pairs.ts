import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { LiveTicker } from './ticker-store.ts';

export const COLUMNS = ['symbol', 'price', 'changePct', 'high', 'low', 'quoteVolume'] as const;
export type Column = (typeof COLUMNS)[number];
export type Sort = { column: Column; direction: 'asc' | 'desc' };

/**
 * One spelling for search in both languages: İ, I, ı and i are the same letter, so are ş and s. Applied to what is
 * searched and to what is typed; a collator cannot do it (it keeps i and ı apart).
 */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

export type PairFilter = { search: string; quote: string; favourites: ReadonlySet<string> | undefined };

/** The pairs to show, in order. Pairs without a ticker sort last whatever the direction. */
export function sortPairs(
  pairs: readonly Pair[],
  tickers: ReadonlyMap<string, LiveTicker>,
  { search, quote, favourites }: PairFilter,
  { column, direction }: Sort,
): Pair[] {
  const wanted = fold(search).replace(/[\s/\-_]/g, '');
  const shown = pairs.filter(
    (pair) =>
      pair.status === 'TRADING' &&
      (quote === '' || pair.quoteAsset === quote) &&
      (favourites === undefined || favourites.has(pair.symbol)) &&
      (wanted === '' || fold(pair.symbol).includes(wanted)),
  );
  const sign = direction === 'asc' ? 1 : -1;
  if (column === 'symbol') return shown.sort((a, b) => sign * (a.symbol < b.symbol ? -1 : 1));
  const keyed = shown.map((pair) => ({ pair, value: Number(tickers.get(pair.symbol)?.[column] ?? Number.NaN) }));
  keyed.sort((a, b) => {
    const missing = Number(Number.isNaN(a.value)) - Number(Number.isNaN(b.value));
    if (missing !== 0) return missing;
    if (a.value !== b.value && !Number.isNaN(a.value)) return sign * (a.value - b.value);
    return a.pair.symbol < b.pair.symbol ? -1 : 1;
  });
  return keyed.map(({ pair }) => pair);
}

/** Quote assets by the number of their pairs, most first. */
export function quotesOf(pairs: readonly Pair[]): string[] {
  const counts = new Map<string, number>();
  for (const { quoteAsset, status } of pairs) if (status === 'TRADING') counts.set(quoteAsset, (counts.get(quoteAsset) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([quote]) => quote);
}
