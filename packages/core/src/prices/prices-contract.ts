import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import {
  amountText,
  asset,
  interval,
  isoTime,
  listOf,
  money,
  percent,
  positiveText,
  price,
  quantity,
  ratio,
  symbol,
} from '../http/wire.ts';
import { SPARKLINE_HOURS } from './sparkline.ts';

export const pairStatus = z.enum(['TRADING', 'END_OF_DAY', 'HALT', 'BREAK', 'CANCEL_ONLY']);

/** The rules an order of this pair must satisfy, from the exchange's filters. A bound of 0 is disabled. */
export const pairFiltersSchema = z.object({
  tickSize: price(amountText),
  minPrice: price(amountText),
  maxPrice: price(amountText),
  stepSize: quantity(amountText),
  minQty: quantity(amountText),
  maxQty: quantity(amountText),
  marketMaxQty: quantity(amountText),
  /** Of market orders, on top of `minQty` and `stepSize`. Older servers tell none. */
  marketMinQty: quantity(amountText).optional(),
  marketStepSize: quantity(amountText).optional(),
  minNotional: money(amountText),
  maxNotional: money(amountText),
  /** What of these binds market orders, 0 for nothing; left out by older servers. */
  marketMinNotional: money(amountText).optional(),
  marketMaxNotional: money(amountText).optional(),
  /** Market orders are valued by the average price of so many minutes; 0: by the last price. */
  averageMinutes: z.int().optional(),
  /** Price must lie within these multiples of the average price. */
  bidMultiplierUp: ratio(amountText),
  bidMultiplierDown: ratio(amountText),
  askMultiplierUp: ratio(amountText),
  askMultiplierDown: ratio(amountText),
  maxNumOrders: z.int(),
  maxNumAlgoOrders: z.int(),
  /** Kinds of orders of ours that the exchange does not take of the pair; left out where it takes all. */
  withoutOrders: z.array(z.enum(['Limit', 'Market', 'StopLimit'])).optional(),
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
  /** False where an Admin no longer offers one of its assets; left out where it is offered. */
  offered: z.boolean().optional(),
  filters: pairFiltersSchema,
});
export type Pair = z.infer<typeof pairSchema>;

/** 24 h figures of a pair. Percentages in percent units. */
export const tickerSchema = z.object({
  symbol,
  price: price(),
  open: price(),
  high: price(),
  low: price(),
  volume: quantity(),
  quoteVolume: money(),
  changePct: percent(),
  at: isoTime,
});
export type Ticker = z.infer<typeof tickerSchema>;

export const candleSchema = z.object({
  openTime: isoTime,
  open: price(positiveText),
  high: price(positiveText),
  low: price(positiveText),
  close: price(positiveText),
  volume: quantity(amountText),
  /** In the quote asset, and how many trades there were; a candle that streams in leaves them out. */
  quoteVolume: money(amountText).optional(),
  trades: z.int().optional(),
  closed: z.boolean(),
  /** True where the exchange has no candle (nobody traded, or it was down): the last close repeated, volume 0. */
  filled: z.boolean().optional(),
});
export type Candle = z.infer<typeof candleSchema>;

export const marketSource = z.enum(['simulated', 'binance', 'binance-demo', 'binance-testnet']);
export type MarketSource = z.infer<typeof marketSource>;
/**
 * Whether the exchange answers about the wallet (`/sapi`): rights of keys, deposits, withdrawals, conversions, dust. Demo
 * mode and the test network do not, so there all of that is unknown.
 */
export const hasWallet = (source: MarketSource): boolean => source === 'simulated' || source === 'binance';

const bff = { backend: 'bff', method: 'GET', access: 'none' } as const;

export const listPairs = endpoint({
  ...bff,
  path: '/v1/pairs',
  summary: 'Every pair of the exchange with its precisions and filters',
  answer: z.array(pairSchema),
  sharedMs: 1000,
  errors: ['exchange-unreachable'],
});

export const listTickers = endpoint({
  ...bff,
  path: '/v1/tickers',
  summary: 'The newest figures of every pair; asOf is the age of the data, stale says whether the stream is behind',
  answer: z.object({ items: z.array(tickerSchema), asOf: isoTime, stale: z.boolean() }),
  sharedMs: 500,
  errors: ['exchange-unreachable'],
});

export const listSparklines = endpoint({
  ...bff,
  path: '/v2/prices/sparklines',
  summary:
    'The last 24 hours of pairs as small lines, to be drawn only: closes of hours as whole numbers, 0 at the lowest of them and 100 at the highest',
  query: z.object({
    /** Of these pairs; of all that are traded when left out. */
    symbols: listOf(symbol).optional(),
  }),
  answer: z.object({
    /** When the newest known hour of all pairs closed. */
    until: isoTime,
    /**
     * Oldest first, whole numbers. Pairs whose hours are not all known have none. Only that they are numbers is checked: to
     * look at the bounds of each took two thirds of the time of an answer with 3,000 pairs.
     */
    items: z.array(z.object({ symbol, points: z.array(z.number()).max(SPARKLINE_HOURS) })),
  }),
  sharedMs: 5000,
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
  sharedMs: 500,
  errors: ['not-found', 'exchange-unreachable', 'rate-limited'],
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
    /** For those who never chose; en unless an Admin says otherwise. */
    defaultLocale: z.enum(['en', 'tr']),
    defaultTheme: z.enum(['dark', 'light']),
    registration: z.enum(['open', 'invite', 'closed']),
    /** The first account needs the set-up code that the operator was shown. */
    setupCode: z.boolean().optional(),
    /** What the Admin wants everybody to read, by language; null for nothing. */
    notice: z.object({ en: z.string(), tr: z.string() }).nullable(),
    /** Version of the texts this instance says differently; `0` for none. */
    textsVersion: z.string(),
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
  summary: 'Tags of pairs: what kind of asset their base is, and what is true of them now (new, stablecoin pair…)',
  answer: z.array(z.object({ key: z.string(), label: z.string(), symbols: z.array(symbol) })),
});

export const pricesContract = {
  listPairs,
  listTickers,
  listCandles,
  listSparklines,
  getAppConfig,
  listCurrencies,
  listTags,
};
