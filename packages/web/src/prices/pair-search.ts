import type { Pair } from '@pilotfish/core/prices/prices-contract';

/**
 * One spelling for search in both languages: İ, I, ı and i are the same letter, so are ş and s. Applied to what is
 * searched and to what is typed; a collator cannot do it (it keeps i and ı apart).
 */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

/** Quote assets by the number of their pairs, most first. */
export function quotesOf(pairs: readonly Pair[]): string[] {
  const counts = new Map<string, number>();
  for (const { quoteAsset, status } of pairs) if (status === 'TRADING') counts.set(quoteAsset, (counts.get(quoteAsset) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([quote]) => quote);
}
