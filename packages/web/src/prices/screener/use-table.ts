import { isOffered } from '@pilotfish/core/prices/currency';
import type { FilterGroup } from '@pilotfish/core/prices/screener-contract';
import { columnRef } from '@pilotfish/core/prices/screener-fields';
import { useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import { useChoice } from '../../platform/use-choice.ts';
import { quotesOf } from '../pair-search.ts';
import { useFavourites } from '../use-favourites.ts';
import { useCurrencyNames, useMarket } from '../use-prices.ts';
import { errorsByNode } from './filter-draft.ts';
import { type AddressChanges, FIRST_COLUMNS, type TableAddress } from './table-address.ts';
import { useFilterDraft } from './use-filter-draft.ts';
import { type Question, useFilterOptions, useScreener, useTags } from './use-screener.ts';
import { useTyped } from './use-typed.ts';
import { taggedSymbols, visibleRows } from './visible-rows.ts';

const NO_TAGS: readonly never[] = [];
const same = (a: readonly string[] | undefined, b: readonly string[]): boolean => a?.join() === b.join();

/** The filter with the quote asset as one more rule, where that changes no meaning; what remains is done here. */
function withQuote(filter: FilterGroup | undefined, quote: string, canAsk: boolean): FilterGroup | undefined {
  if (quote === '' || !canAsk) return filter;
  const rule = { key: 'quote', operation: 'in', value: [quote] };
  if (!filter) return { match: 'all', rules: [rule] };
  // Appended, so that the paths of the server's errors stay those of the builder.
  return filter.match === 'all' && !filter.negate ? { ...filter, rules: [...filter.rules, rule] } : filter;
}

/** Pairs, and the quote asset that is looked at: the address's, or else USDT where it is traded; empty for all. */
export function useQuote(wanted: string | undefined) {
  const { pairs, snapshot } = useMarket();
  const pairOf = useMemo(() => new Map((pairs.data ?? []).map((pair) => [pair.symbol, pair])), [pairs.data]);
  const quotes = useMemo(() => quotesOf((pairs.data ?? []).filter(isOffered)), [pairs.data]);
  const shownQuote = wanted ?? (quotes.includes('USDT') ? 'USDT' : 'all');
  return { pairs, snapshot, pairOf, quotes, shownQuote, quote: shownQuote === 'all' ? '' : shownQuote };
}

/** The columns of the table: the address's, or else one's own; those that the server offers. */
export function useColumns(address: Pick<TableAddress, 'columns'>, options: ReturnType<typeof useFilterOptions>) {
  const [stored, store] = useChoice('pricesColumns');
  const columns = useMemo(() => {
    const offered = (id: string) => {
      const { key, timeframe } = columnRef(id);
      const option = options.byKey?.get(key);
      return option !== undefined && (option.timeframes ? option.timeframes.includes(timeframe ?? '') : timeframe === undefined);
    };
    const wanted = (address.columns ?? stored ?? FIRST_COLUMNS).filter(offered);
    return wanted.length > 0 ? wanted : FIRST_COLUMNS.filter(offered);
  }, [address.columns, stored, options.byKey]);
  return { columns, stored, store };
}

/** What the tags are called, with the pairs that carry them. */
export function useTagWords() {
  const tags = useTags().data ?? NO_TAGS;
  const labels = useMemo(() => new Map(tags.map(({ key, label }) => [key, label])), [tags]);
  return { tags, tag: useCallback((key: string) => labels.get(key) ?? key, [labels]) };
}

/** The rows of the table as the address asks for them, and all that the table needs to be drawn and changed. */
export function useTable(address: TableAddress, change: (changes: AddressChanges) => void) {
  const market = useQuote(address.quote);
  const { pairs, pairOf, quote } = market;
  const { favourites, toggle } = useFavourites();
  const options = useFilterOptions();
  const { tags, tag } = useTagWords();
  const { columns, stored, store } = useColumns(address, options);
  const onColumns = (next: readonly string[] | undefined) => {
    store(next && [...next]);
    change({ columns: next && !same(next, FIRST_COLUMNS) ? next : undefined });
  };
  useEffect(() => {
    // One's own columns stand in the address too: who is given the link sees them.
    if (address.columns === undefined && stored && !same(stored, FIRST_COLUMNS)) change({ columns: stored });
  }, [address.columns, stored, change]);

  const writeFilter = useCallback((filter: FilterGroup | undefined) => change({ filter }), [change]);
  const draft = useFilterDraft(address.filter, options.byKey, writeFilter);
  const canAskQuote = options.byKey?.has('quote') ?? false;
  const question = useMemo<Question | undefined>(() => {
    if (!options.byKey || !pairs.data) return undefined;
    const filter = withQuote(draft.filter, quote, canAskQuote);
    return { ...(filter ? { filter } : {}), sort: address.sort, columns: columns.map(columnRef) };
  }, [options.byKey, pairs.data, draft.filter, quote, canAskQuote, address.sort, columns]);
  const asked = useScreener('screener', question);
  const { errors, elsewhere } = useMemo(() => errorsByNode(asked.problem, draft.ids), [asked.problem, draft.ids]);

  const writeSearch = useCallback((text: string) => change({ search: text }), [change]);
  const [typed, onType] = useTyped(address.search, writeSearch);
  const search = useDeferredValue(typed);
  const names = useCurrencyNames();
  const { answer } = asked;
  const shown = useMemo(
    () =>
      answer &&
      visibleRows(answer.rows, pairOf, {
        search,
        names,
        quote,
        tagged: taggedSymbols(tags, address.tags),
        favourites: address.tab === 'favourites' ? favourites : undefined,
      }),
    [answer, pairOf, search, names, quote, tags, address.tags, address.tab, favourites],
  );
  return { market, favourites, toggle, options, tags, tag, columns, onColumns, draft, asked, errors, elsewhere, typed, onType, shown };
}
