import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { amountText, asset, id, idParams, isoTime, money, percent, price, sortDirection, symbol } from '../http/wire.ts';

/** What a rule can ask of a field of each type. `negate` turns any of them round. */
export const OPERATIONS = {
  number: [
    'gt',
    'gte',
    'lt',
    'lte',
    'eq',
    'between',
    'notBetween',
    'crossesAbove',
    'crossesBelow',
    'topN',
    'bottomN',
    'abovePct',
    'isNull',
  ],
  enum: ['in', 'notIn', 'isNull'],
  bool: ['is'],
  time: ['gt', 'lt', 'between', 'isNull'],
  text: ['contains', 'startsWith'],
  tags: ['hasAny', 'hasAll', 'hasNone'],
} as const satisfies Record<string, readonly string[]>;
export type FieldType = keyof typeof OPERATIONS;
export type FilterOperation = (typeof OPERATIONS)[FieldType][number];

export const MAX_RULES = 30;
export const MAX_DEPTH = 3;
export const MAX_COLUMNS = 20;
export const MAX_SORTS = 5;

/** A field of the table of pairs, at one timeframe where it has several, e.g. {key: 'rsi', timeframe: '1h'}. */
export const filterFieldRef = z.object({ key: z.string().min(1).max(60), timeframe: z.string().max(10).optional() });
export type FilterFieldRef = z.infer<typeof filterFieldRef>;

const filterValue = z.union([z.string().max(100), z.number(), z.boolean()]);

/**
 * One question about one field.
 * - gt, gte, lt, lte, eq, crossesAbove, crossesBelow: `value`, a number, or `of`, another field
 * - between, notBetween: `value` [from, to], both ends inside
 * - topN, bottomN: `value`, how many pairs, counted among those with a value
 * - abovePct: at least `value` percent above the field `of`
 * - in, notIn, hasAny, hasAll, hasNone: `value`, a list of words
 * - is: `value` true or false; contains, startsWith: `value`, text; isNull: no value
 * A pair without a value satisfies no comparison, negated or not; only isNull finds it.
 */
export const filterRuleSchema = z.strictObject({
  key: filterFieldRef.shape.key,
  timeframe: filterFieldRef.shape.timeframe,
  operation: z.string().max(40),
  value: z.union([filterValue, z.array(filterValue).max(200)]).optional(),
  of: filterFieldRef.optional(),
  negate: z.boolean().optional(),
});
export type FilterRule = z.infer<typeof filterRuleSchema>;
export type FilterGroup = { match: 'all' | 'any'; rules: (FilterRule | FilterGroup)[]; negate?: boolean | undefined };

/** What lies deeper than a filter may be is not looked into: reading hundreds of rules at dozens of levels takes seconds. */
const unread = z.array(z.unknown()).transform((): FilterGroup['rules'] => []);

const groupAt = (level: number): z.ZodType<FilterGroup> =>
  z.strictObject({
    match: z.enum(['all', 'any']),
    rules: level > MAX_DEPTH ? unread : z.array(z.union([filterRuleSchema, groupAt(level + 1)])).max(10 * MAX_RULES),
    negate: z.boolean().optional(),
  });

/**
 * AND/OR groups. One level more than may be is read, as an empty group: the screener bounds the depth and the number of
 * rules, and names the group or rule that is too much.
 */
export const filterGroupSchema: z.ZodType<FilterGroup> = groupAt(1);

export const filterSortSchema = filterFieldRef.extend({ direction: sortDirection });
export type FilterSort = z.infer<typeof filterSortSchema>;

export const filterOptionSchema = z.object({
  key: z.string(),
  /** In the language of the request. */
  label: z.string(),
  type: z.enum(Object.keys(OPERATIONS) as [FieldType, ...FieldType[]]),
  /** `%`, `quote` (the pair's quote asset), `days`, `×`; absent for bare numbers and words. */
  unit: z.string().optional(),
  operations: z.array(z.string()),
  /** What an enum or tag field can hold. */
  values: z.array(z.string()).optional(),
  /** A field with timeframes must be asked for at one of them. */
  timeframes: z.array(z.string()).optional(),
  /** A rule that makes sense, to start from. */
  example: z.string().optional(),
});
export type FilterOption = z.infer<typeof filterOptionSchema>;
export const filterOptionsSchema = z.object({
  sort: z.array(z.object({ key: z.string(), label: z.string(), timeframes: z.array(z.string()).optional() })),
  filter: z.array(filterOptionSchema),
});
export type FilterOptions = z.infer<typeof filterOptionsSchema>;

export const getFilterOptions = endpoint({
  backend: 'bff',
  method: 'GET',
  path: '/v1/filter/options',
  access: 'optional',
  summary: 'What the screener can filter and sort by; the screens are generated from it. Fields about oneself only when signed in',
  answer: filterOptionsSchema,
});

const cell = z.union([z.number(), z.string(), z.boolean(), z.array(z.string())]).nullable();
export type FilterCell = z.infer<typeof cell>;
export const filterResultSchema = z.object({
  symbol,
  baseAsset: asset,
  quoteAsset: asset,
  /** Exact, as the exchange gave it. */
  price: price().nullable(),
  /** The asked columns by their id, `rsi.1h` or `quoteVolume`; null where history is missing. */
  values: z.record(z.string(), cell),
});
export type FilterResult = z.infer<typeof filterResultSchema>;

export const getFilterResults = endpoint({
  backend: 'bff',
  method: 'POST',
  path: '/v1/filter/results',
  access: 'optional',
  summary: 'Pairs that satisfy the rules. Pages of one snapshot are of one moment: give `snapshot` back for the next page',
  body: z.object({
    filter: filterGroupSchema.optional(),
    sort: z.array(filterSortSchema).max(MAX_SORTS).default([]),
    columns: z.array(filterFieldRef).max(MAX_COLUMNS).default([]),
    snapshot: z.string().max(64).optional(),
    page: z.int().min(1).max(100_000).default(1),
    pageSize: z.int().min(1).max(1000).default(50),
  }),
  answer: z.object({
    items: z.array(filterResultSchema),
    /** Ids of the asked columns, in the order asked. */
    columns: z.array(z.string()),
    total: z.int(),
    page: z.int(),
    pageSize: z.int(),
    snapshot: z.string(),
    asOf: isoTime,
    /** Pairs that no rule refused, but that lack the history some rule needs. */
    tooLittleHistory: z.int(),
  }),
  errors: ['invalid', 'exchange-unreachable', 'snapshot-expired'],
});

export const coinFilterSchema = z.object({
  id,
  name: z.string(),
  quoteAsset: asset,
  include: z.array(symbol),
  exclude: z.array(symbol),
  conditions: filterGroupSchema.optional(),
  sort: z.array(filterSortSchema),
  maxCoins: z.int(),
  minAgeDays: z.int(),
  minQuoteVolume24h: money(amountText),
  maxSpreadPct: percent(amountText),
  refreshMinutes: z.int(),
  onError: z.enum(['keepLast', 'empty']),
});
export type CoinFilter = z.infer<typeof coinFilterSchema>;
export const coinFilterBody = coinFilterSchema.omit({ id: true }).extend({
  name: z.string().trim().min(1).max(64),
  quoteAsset: asset.default('USDT'),
  include: z.array(symbol).max(500).default([]),
  exclude: z.array(symbol).max(500).default([]),
  sort: z.array(filterSortSchema).max(MAX_SORTS).default([]),
  maxCoins: z.int().min(1).max(200).default(20),
  minAgeDays: z.int().min(0).max(10_000).default(30),
  minQuoteVolume24h: money(amountText).default('1000000'),
  maxSpreadPct: percent(amountText).default('0.3'),
  refreshMinutes: z.int().min(5).max(1440).default(60),
  onError: z.enum(['keepLast', 'empty']).default('keepLast'),
});
export type CoinFilterBody = z.infer<typeof coinFilterBody>;

export const listCoinFilters = endpoint({
  backend: 'bff',
  method: 'GET',
  path: '/v2/coin-filters',
  access: 'user',
  summary: 'Saved coin filters',
  answer: z.array(coinFilterSchema),
});
export const createCoinFilter = endpoint({
  backend: 'bff',
  method: 'POST',
  path: '/v2/coin-filters',
  access: 'user',
  summary: 'Saves a coin filter',
  body: coinFilterBody,
  answer: coinFilterSchema,
  status: 201,
  idempotent: true,
  errors: ['name-taken', 'invalid'],
});
export const deleteCoinFilter = endpoint({
  backend: 'bff',
  method: 'DELETE',
  path: '/v2/coin-filters/{id}',
  access: 'user',
  summary: 'Deletes a coin filter no bot uses',
  params: idParams,
  answer: z.void(),
  status: 204,
  errors: ['in-use', 'not-found'],
});
export const getCoinFilterCoins = endpoint({
  backend: 'bff',
  method: 'GET',
  path: '/v2/coin-filters/{id}/coins',
  access: 'user',
  summary: 'The coins a filter selects now, in its order, and how many pairs each of its rules left out',
  params: idParams,
  answer: z.object({
    coins: z.array(symbol),
    asOf: isoTime,
    /** `stale`: the last good answer is shown, because the market could not be read (onError keepLast). */
    stale: z.boolean(),
    leftOut: z.array(
      z.object({
        reason: z.enum([
          'notTrading',
          'notOffered',
          'excluded',
          'stablePair',
          'leveraged',
          'feeAsset',
          'age',
          'volume',
          'spread',
          'conditions',
          'maxCoins',
        ]),
        count: z.int(),
      }),
    ),
  }),
  errors: ['not-found', 'exchange-unreachable'],
});

export const screenerContract = {
  getFilterOptions,
  getFilterResults,
  listCoinFilters,
  createCoinFilter,
  deleteCoinFilter,
  getCoinFilterCoins,
};
