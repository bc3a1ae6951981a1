import { type FilterGroup, type FilterSort, filterGroupSchema, MAX_COLUMNS, MAX_SORTS } from '@pilotfish/core/prices/screener-contract';
import { columnId, columnRef } from '@pilotfish/core/prices/screener-fields';
import { CHART_RANGES, type ChartRange } from './chart-ranges.ts';
import { CHART_INTERVALS, type ChartInterval } from './use-prices.ts';

/** How the market is looked at. */
export const MARKET_VIEWS = ['chart', 'table', 'map'] as const;
export type MarketView = (typeof MARKET_VIEWS)[number];

/** Over how long the heat map's colours tell of. */
export const HEAT_SPANS = ['1h', '24h', '7d'] as const;
export type HeatSpan = (typeof HEAT_SPANS)[number];

/** Which pairs a tab holds. */
export const TABS = ['all', 'favourites'] as const;
export type Tab = (typeof TABS)[number];

/** All of the market that a link carries. Columns and quote are undefined where the address leaves them to the reader. */
export type TableAddress = {
  view: MarketView;
  /** Which list of pairs stands beside the chart; undefined for the reader's first. */
  list: string | undefined;
  span: HeatSpan;
  search: string;
  /** A quote asset, `all`, or the reader's own. */
  quote: string | undefined;
  tags: readonly string[];
  tab: Tab;
  sort: readonly FilterSort[];
  columns: readonly string[] | undefined;
  filter: FilterGroup | undefined;
  pair: string | undefined;
  interval: ChartInterval;
  range: ChartRange | undefined;
};

/** What the table shows and how, until somebody chooses. Ids that the server does not offer are left out. */
export const FIRST_COLUMNS: readonly string[] = [
  'price',
  'change.24h',
  'change.1h',
  'quoteVolume',
  'highDistance.24h',
  'lowDistance.24h',
  'rsi.1h',
];
export const FIRST_SORT: readonly FilterSort[] = [{ key: 'quoteVolume', direction: 'desc' }];

/** `-rsi.1h,symbol`: by RSI falling, then by symbol rising. */
export const printSort = (sort: readonly FilterSort[]): string =>
  sort.map((each) => `${each.direction === 'desc' ? '-' : ''}${columnId(each)}`).join(',');

export const readSort = (text: string | null): readonly FilterSort[] => {
  const keys = (text ?? '').split(',').filter((each) => /^-?\w+(\.\w+)?$/.test(each));
  const sort = keys.slice(0, MAX_SORTS).map((each) => ({
    ...columnRef(each.replace(/^-/, '')),
    direction: each.startsWith('-') ? ('desc' as const) : ('asc' as const),
  }));
  return sort.length > 0 ? sort : FIRST_SORT;
};

const readList = (text: string | null, most: number): string[] => [...new Set((text ?? '').split(',').filter(Boolean))].slice(0, most);

/** A filter of an address or of storage; nonsense is no filter. */
export function readFilter(text: string | null): FilterGroup | undefined {
  if (!text) return undefined;
  try {
    const parsed = filterGroupSchema.safeParse(JSON.parse(text));
    return parsed.success && parsed.data.rules.length > 0 ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

const one = <Value extends string>(text: string | null, known: readonly Value[]): Value | undefined =>
  known.find((value) => value === text);

/** What only the table has: a link with one of them means the table, also one from before there were other views. */
const OF_TABLE = ['search', 'tags', 'tab', 'sort', 'columns', 'filter'] as const;

/** Nothing is asked of the table yet. */
export const isBareTable = ({ search, tags, tab, sort, columns, filter, quote }: TableAddress): boolean =>
  search === '' && tags.length === 0 && tab === 'all' && sort === FIRST_SORT && !columns && !filter && quote === undefined;

export function readAddress(query: URLSearchParams): TableAddress {
  const columns = query.get('columns');
  return {
    view: one(query.get('view'), MARKET_VIEWS) ?? (!query.has('pair') && OF_TABLE.some((name) => query.has(name)) ? 'table' : 'chart'),
    list: query.get('list') ?? undefined,
    span: one(query.get('span'), HEAT_SPANS) ?? '24h',
    search: query.get('search') ?? '',
    quote: query.get('quote') ?? undefined,
    tags: readList(query.get('tags'), 30),
    tab: one(query.get('tab'), TABS) ?? 'all',
    sort: readSort(query.get('sort')),
    columns: columns === null ? undefined : readList(columns, MAX_COLUMNS).filter((id) => /^\w+(\.\w+)?$/.test(id)),
    filter: readFilter(query.get('filter')),
    pair: query.get('pair') ?? undefined,
    interval: one(query.get('interval'), CHART_INTERVALS) ?? '1h',
    range: one(query.get('range'), CHART_RANGES),
  };
}

export type AddressChanges = { [Key in keyof TableAddress]?: TableAddress[Key] | undefined };

/** The address with some of it changed; what is as at first is left out, so that links stay short. */
export function writeAddress(before: URLSearchParams, changes: AddressChanges): URLSearchParams {
  const next = new URLSearchParams(before);
  const put = (key: keyof TableAddress, text: string | undefined) => {
    if (text === undefined || text === '') next.delete(key);
    else next.set(key, text);
  };
  for (const key of ['view', 'list'] as const) if (key in changes) put(key, changes[key]);
  if ('span' in changes) put('span', changes.span === '24h' ? undefined : changes.span);
  if ('search' in changes) put('search', changes.search);
  if ('quote' in changes) put('quote', changes.quote);
  if ('tags' in changes) put('tags', changes.tags?.join(','));
  if ('tab' in changes) put('tab', changes.tab === 'all' ? undefined : changes.tab);
  if ('pair' in changes) put('pair', changes.pair);
  if ('interval' in changes) put('interval', changes.interval);
  if ('range' in changes) put('range', changes.range);
  if ('columns' in changes) put('columns', changes.columns?.join(','));
  if ('filter' in changes) put('filter', changes.filter && changes.filter.rules.length > 0 ? JSON.stringify(changes.filter) : undefined);
  if (changes.sort) put('sort', printSort(changes.sort) === printSort(FIRST_SORT) ? undefined : printSort(changes.sort));
  return next;
}

/**
 * The order after a click on a column: alone by default, added to the others with `add`. A second click turns it
 * round, a third (when others remain) takes it out.
 */
export function nextSort(sort: readonly FilterSort[], column: string, first: 'asc' | 'desc', add: boolean): readonly FilterSort[] {
  const at = sort.findIndex((each) => columnId(each) === column);
  const known = sort[at];
  const begun: FilterSort = { ...columnRef(column), direction: first };
  if (!known) return add ? [...sort, begun].slice(-MAX_SORTS) : [begun];
  const turned: FilterSort = { ...known, direction: known.direction === 'asc' ? 'desc' : 'asc' };
  if (!add) return sort.length > 1 ? [known] : [turned];
  if (known.direction === first) return sort.map((each, index) => (index === at ? turned : each));
  const rest = sort.filter((_, index) => index !== at);
  return rest.length > 0 ? rest : [turned];
}
