import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { amountText, asset, decimalText, interval, isoTime, positiveText, symbol } from '../http/wire.ts';

export const pairStatus = z.enum(['TRADING', 'END_OF_DAY', 'HALT', 'BREAK', 'CANCEL_ONLY']);

/** The rules an order of this pair must satisfy, from the exchange's filters. A bound of 0 is disabled. */
export const pairFiltersSchema = z.object({
  tickSize: amountText,
  minPrice: amountText,
  maxPrice: amountText,
  stepSize: amountText,
  minQty: amountText,
  maxQty: amountText,
  marketMaxQty: amountText,
  minNotional: amountText,
  maxNotional: amountText,
  /** Price must lie within these multiples of the average price. */
  bidMultiplierUp: amountText,
  bidMultiplierDown: amountText,
  askMultiplierUp: amountText,
  askMultiplierDown: amountText,
  maxNumOrders: z.int(),
  maxNumAlgoOrders: z.int(),
});
export type PairFilters = z.infer<typeof pairFiltersSchema>;

export const pairSchema = z.object({
  symbol,
  baseAsset: asset,
  quoteAsset: asset,
  baseAssetPrecision: z.int(),
  quoteAssetPrecision: z.int(),
  /** Digits after the point that the tick size needs; prices of the pair are printed with it. */
  pricePrecision: z.int(),
  /** Digits after the point that the lot step needs. */
  quantityPrecision: z.int(),
  status: pairStatus,
  filters: pairFiltersSchema,
});
export type Pair = z.infer<typeof pairSchema>;

/** 24 h figures of a pair. Percentages in percent units. */
export const tickerSchema = z.object({
  symbol,
  price: decimalText,
  open: decimalText,
  high: decimalText,
  low: decimalText,
  volume: decimalText,
  quoteVolume: decimalText,
  changePct: decimalText,
  at: isoTime,
});
export type Ticker = z.infer<typeof tickerSchema>;

export const candleSchema = z.object({
  openTime: isoTime,
  open: positiveText,
  high: positiveText,
  low: positiveText,
  close: positiveText,
  volume: amountText,
  closed: z.boolean(),
});
export type Candle = z.infer<typeof candleSchema>;

export const marketSource = z.enum(['simulated', 'binance', 'binance-testnet']);

const bff = { backend: 'bff', method: 'GET', access: 'none' } as const;

export const listPairs = endpoint({
  ...bff,
  path: '/v1/pairs',
  summary: 'Every pair of the exchange with its precisions and filters',
  answer: z.array(pairSchema),
  errors: ['exchange-unreachable'],
});

export const listTickers = endpoint({
  ...bff,
  path: '/v1/tickers',
  summary: 'The newest figures of every pair; asOf is the age of the data, stale says whether the stream is behind',
  answer: z.object({ items: z.array(tickerSchema), asOf: isoTime, stale: z.boolean() }),
  errors: ['exchange-unreachable'],
});

export const listCandles = endpoint({
  ...bff,
  path: '/v1/candles/{symbol}',
  summary: 'Candles of one pair, oldest first',
  params: z.object({ symbol }),
  query: z.object({
    interval: interval.default('1m'),
    limit: z.coerce.number().int().min(1).max(1000).default(500),
    endTime: isoTime.optional(),
  }),
  answer: z.object({ symbol, interval, items: z.array(candleSchema) }),
  errors: ['not-found', 'exchange-unreachable'],
});

export const getAppConfig = endpoint({
  ...bff,
  path: '/v1/app-config',
  summary: 'What the apps must know before anyone signs in',
  answer: z.object({
    name: z.string(),
    version: z.string(),
    exchange: marketSource,
    exchangeName: z.enum(['Binance']),
    primaryCurrency: z.literal('USDT'),
    locales: z.array(z.enum(['en', 'tr'])),
    defaultLocale: z.literal('en'),
    orderTypes: z.array(z.enum(['Limit', 'Market'])),
    toastDurationMs: z.literal(3000),
    refreshLeadMs: z.int(),
    /** True for the simulated exchange: the connect screen offers demo accounts. */
    demoAccounts: z.boolean(),
    telegram: z.boolean(),
    features: z.array(z.string()),
  }),
});
export type AppConfig = z.infer<typeof getAppConfig.answer>;

export const listCurrencies = endpoint({
  ...bff,
  path: '/v1/currencies',
  summary: 'The assets the instance knows',
  answer: z.array(z.object({ code: asset, name: z.string(), precision: z.int(), icon: z.string(), enabled: z.boolean(), sort: z.int() })),
});

export const listTags = endpoint({
  ...bff,
  path: '/v1/tags',
  summary: 'Tags of pairs',
  answer: z.array(z.object({ key: z.string(), label: z.string(), symbols: z.array(symbol) })),
});

const filterOperation = z.string().max(40);
export const filterOptionSchema = z.object({
  key: z.string(),
  label: z.string(),
  type: z.enum(['number', 'enum', 'bool', 'time', 'text', 'tags']),
  unit: z.string().optional(),
  operations: z.array(filterOperation),
  values: z.array(z.string()).optional(),
  timeframes: z.array(z.string()).optional(),
  example: z.string().optional(),
});

export const getFilterOptions = endpoint({
  ...bff,
  path: '/v1/filter/options',
  summary: 'What the screener can filter and sort by; the screens are generated from it',
  answer: z.object({ sort: z.array(z.object({ key: z.string(), label: z.string() })), filter: z.array(filterOptionSchema) }),
});

const filterValue = z.union([z.string().max(100), z.number(), z.boolean()]);
export const filterRuleSchema = z.object({
  key: z.string().max(60),
  operation: filterOperation,
  value: z.union([filterValue, z.array(filterValue).max(200)]).optional(),
  timeframe: z.string().max(10).optional(),
  negate: z.boolean().optional(),
});
export type FilterGroup = { match: 'all' | 'any'; rules: (z.infer<typeof filterRuleSchema> | FilterGroup)[] };
/** AND/OR groups; depth ≤ 3 and ≤ 30 rules are checked by the screener. */
export const filterGroupSchema: z.ZodType<FilterGroup> = z.lazy(() =>
  z.object({ match: z.enum(['all', 'any']), rules: z.array(z.union([filterRuleSchema, filterGroupSchema])).max(60) }),
);

export const getFilterResults = endpoint({
  backend: 'bff',
  method: 'POST',
  path: '/v1/filter/results',
  access: 'optional',
  summary: 'Pairs that satisfy the rules, in one snapshot',
  body: z.object({
    filter: filterGroupSchema.optional(),
    sort: z
      .array(z.object({ key: z.string(), direction: z.enum(['asc', 'desc']) }))
      .max(5)
      .optional(),
    snapshot: z.string().optional(),
    page: z.int().min(1).default(1),
    pageSize: z.int().min(1).max(1000).default(50),
  }),
  answer: z.object({
    items: z.array(z.record(z.string(), z.unknown())),
    total: z.int(),
    page: z.int(),
    pageSize: z.int(),
    snapshot: z.string(),
    asOf: isoTime,
    tooLittleHistory: z.int(),
  }),
});

export const coinFilterSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  quoteAsset: asset,
  include: z.array(symbol),
  exclude: z.array(symbol),
  conditions: filterGroupSchema.optional(),
  sort: z.array(z.object({ key: z.string(), direction: z.enum(['asc', 'desc']) })),
  maxCoins: z.int(),
  minAgeDays: z.int(),
  minQuoteVolume24h: amountText,
  maxSpreadPct: amountText,
  refreshMinutes: z.int(),
  onError: z.enum(['keepLast', 'empty']),
});
const coinFilterBody = coinFilterSchema.omit({ id: true }).extend({
  name: z.string().trim().min(1).max(64),
  include: z.array(symbol).max(500).default([]),
  exclude: z.array(symbol).max(500).default([]),
  sort: coinFilterSchema.shape.sort.default([]),
  maxCoins: z.int().min(1).max(200).default(20),
  minAgeDays: z.int().min(0).max(10_000).default(30),
  minQuoteVolume24h: amountText.default('1000000'),
  maxSpreadPct: amountText.default('0.3'),
  refreshMinutes: z.int().min(5).max(1440).default(60),
  onError: z.enum(['keepLast', 'empty']).default('keepLast'),
});

export const listCoinFilters = endpoint({
  ...bff,
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
  errors: ['name-taken'],
});
export const deleteCoinFilter = endpoint({
  backend: 'bff',
  method: 'DELETE',
  path: '/v2/coin-filters/{id}',
  access: 'user',
  summary: 'Deletes a coin filter no bot uses',
  params: z.object({ id: z.uuid() }),
  answer: z.void(),
  status: 204,
  errors: ['in-use'],
});

export const pricesContract = {
  listPairs,
  listTickers,
  listCandles,
  getAppConfig,
  listCurrencies,
  listTags,
  getFilterOptions,
  getFilterResults,
  listCoinFilters,
  createCoinFilter,
  deleteCoinFilter,
};
