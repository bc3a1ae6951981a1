import { useQuery } from '../platform/use-query.ts';

/** Coin filters of who is signed in. */
export const useCoinFilters = () =>
  useQuery('coin-filters', (client, _: null, signal) => client.listCoinFilters(undefined, { signal, quiet: true }), null);

/** What a filter selects now, and how many pairs each of its rules left out. */
export const useFilterCoins = (id: string) =>
  useQuery(
    `coin-filter-coins:${id}`,
    (client, _: null, signal) => client.getCoinFilterCoins({ params: { id } }, { signal, quiet: true }),
    null,
  );
