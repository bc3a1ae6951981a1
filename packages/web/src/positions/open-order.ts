import { compare, decimal } from '@pilotfish/core/money/decimal';
import { digits, type Figure, type Price } from '@pilotfish/core/money/figure';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { liveFigures } from './live-figures.ts';

/** What the open list can be sorted by; a leading minus turns it round. */
export const OPEN_SORTS = ['symbol', 'value', 'total', 'returnPct', 'targetDistancePct', 'openedAt'] as const;
export type OpenSort = { by: (typeof OPEN_SORTS)[number]; descending: boolean };
export const FIRST_SORT: OpenSort = { by: 'value', descending: true };

export function readSort(text: string | null): OpenSort {
  const by = OPEN_SORTS.find((name) => name === text?.replace(/^-/, ''));
  return by ? { by, descending: text?.startsWith('-') ?? false } : FIRST_SORT;
}
export const writeSort = ({ by, descending }: OpenSort): string => `${descending ? '-' : ''}${by}`;

/** Letters as both languages type them: i and ı are one. */
const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

/** The positions a search leaves, in order; what is not known comes last whichever way it is sorted. */
export function arrange(
  items: readonly OpenPosition[],
  { by, descending }: OpenSort,
  search: string,
  prices: ReadonlyMap<string, Price>,
): OpenPosition[] {
  const wanted = folded(search.trim().replace('/', ''));
  const sign = descending ? -1 : 1;
  const figure = (item: OpenPosition): Figure | null => {
    if (by === 'symbol') return item.symbol;
    if (by === 'openedAt') return item.openedAt;
    return liveFigures(item, prices.get(item.symbol))[by];
  };
  const keyed = items.filter(({ symbol }) => folded(symbol).includes(wanted)).map((item) => ({ item, key: figure(item) }));
  const isText = by === 'symbol' || by === 'openedAt';
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return a.key === b.key ? 0 : a.key === null ? 1 : -1;
    const order = isText ? digits(a.key).localeCompare(digits(b.key)) : compare(decimal(a.key), decimal(b.key));
    return order * sign || a.item.symbol.localeCompare(b.item.symbol) || a.item.number - b.item.number;
  });
  return keyed.map(({ item }) => item);
}
