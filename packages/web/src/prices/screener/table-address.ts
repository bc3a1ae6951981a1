import { type FilterGroup, type FilterSort, filterGroupSchema, MAX_COLUMNS, MAX_SORTS } from '@pilotfish/core/prices/screener-contract';
import { columnId, columnRef } from '@pilotfish/core/prices/screener-fields';
import * as z from 'zod';
import {
  type Address,
  type AddressChanges as Changes,
  listField,
  readAddress as readFields,
  writeAddress as writeFields,
} from '../../platform/use-address.ts';
import { CHART_RANGES } from '../chart-ranges.ts';
import { CHART_INTERVALS } from '../use-prices.ts';

/** How the market is looked at. */
export const MARKET_VIEWS = ['chart', 'table', 'map'] as const;
export type MarketView = (typeof MARKET_VIEWS)[number];

/** Over how long the heat map's colours tell of. */
export const HEAT_SPANS = ['1h', '24h', '7d'] as const;
export type HeatSpan = (typeof HEAT_SPANS)[number];

/** Which pairs a tab holds. */
export const TABS = ['all', 'favourites'] as const;

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

const nameField = z.string().regex(/^\w+(\.\w+)?$/);

/** All of the market that a link carries. Columns and quote are undefined where the address leaves them to the reader. */
const MARKET = {
  view: z.enum(MARKET_VIEWS).optional(),
  /** Which list of pairs stands beside the chart; undefined for the reader's first. */
  list: z.string().optional(),
  span: z.enum(HEAT_SPANS).default('24h'),
  search: z.string().default(''),
  /** A quote asset, `all`, or the reader's own. */
  quote: z.string().optional(),
  tags: listField(z.string().min(1), 30),
  tab: z.enum(TABS).default('all'),
  sort: z.codec(z.string(), z.custom<readonly FilterSort[]>(), { decode: readSort, encode: printSort }).default(() => FIRST_SORT),
  columns: listField(nameField, MAX_COLUMNS).unwrap().optional(),
  filter: z
    .codec(z.string(), z.custom<FilterGroup | undefined>(), {
      decode: readFilter,
      encode: (filter) => (filter && filter.rules.length > 0 ? JSON.stringify(filter) : ''),
    })
    .optional(),
  pair: z.string().optional(),
  interval: z.enum(CHART_INTERVALS).default('1h'),
  range: z.enum(CHART_RANGES).optional(),
};
export type TableAddress = Address<Omit<typeof MARKET, 'view'>> & { readonly view: MarketView };
export type AddressChanges = Changes<typeof MARKET>;

/** What only the table has: a link with one of them means the table, also one from before there were other views. */
const OF_TABLE = ['search', 'tags', 'tab', 'sort', 'columns', 'filter'] as const;

/** Nothing is asked of the table yet. */
export const isBareTable = ({ search, tags, tab, sort, columns, filter, quote }: TableAddress): boolean =>
  search === '' && tags.length === 0 && tab === 'all' && sort === FIRST_SORT && !columns && !filter && quote === undefined;

export function readAddress(query: URLSearchParams): TableAddress {
  const address = readFields(MARKET, query);
  return { ...address, view: address.view ?? (!query.has('pair') && OF_TABLE.some((name) => query.has(name)) ? 'table' : 'chart') };
}

/** The address with some of it changed; what is as at first is left out, so that links stay short. */
export const writeAddress = (before: URLSearchParams, changes: AddressChanges): URLSearchParams => writeFields(MARKET, before, changes);

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
