import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { asset, isoTime, money, percent, price, quantity, symbol } from '../http/wire.ts';

const landingInterval = z.object({ interval: z.enum(['1h', '24h', '7d', '30d']).default('24h') });
const range = z.object({ range: z.enum(['1d', '7d', '30d', '1y', 'all']).default('30d') });

const moverSchema = z.object({
  symbol,
  baseAsset: asset,
  price: price(),
  /** Decimals that the tick size of the pair needs; an older server does not tell. */
  pricePrecision: z.int().optional(),
  changePct: percent(),
  quoteVolume: money(),
  /** Closes over the interval, oldest first, at most 48: for a small line, not for arithmetic. */
  sparkline: z.array(z.number()),
});
export type Mover = z.infer<typeof moverSchema>;

const bff = { backend: 'bff', method: 'GET', access: 'none' } as const;

export const getNews = endpoint({
  ...bff,
  path: '/v1/news',
  summary: 'Headlines of the configured feeds; available is false when none could be reached',
  answer: z.object({
    available: z.boolean(),
    items: z.array(z.object({ title: z.string(), link: z.string(), source: z.string(), publishedAt: isoTime, summary: z.string() })),
  }),
});
export const getGainers = endpoint({
  ...bff,
  path: '/v1/landing/gainers',
  summary: 'Pairs of the primary currency that rose most',
  query: landingInterval,
  answer: z.array(moverSchema),
});
export const getLosers = endpoint({
  ...bff,
  path: '/v1/landing/losers',
  summary: 'Pairs of the primary currency that fell most',
  query: landingInterval,
  answer: z.array(moverSchema),
});
export const getNewListings = endpoint({
  ...bff,
  path: '/v1/landing/new-listings',
  summary: 'Pairs first seen lately, newest first',
  query: landingInterval,
  answer: z.array(moverSchema.extend({ firstSeenAt: isoTime })),
});
export const getHoldings = endpoint({
  ...bff,
  path: '/v1/landing/holdings',
  access: 'optional',
  summary: "The signed-in user's coins with value and share; empty for guests",
  query: landingInterval,
  answer: z.array(z.object({ asset, quantity: quantity(), value: money(), sharePct: percent(), changePct: percent().nullable() })),
});
export const getWalletChartV2 = endpoint({
  ...bff,
  path: '/v1/landing/wallet-chartv2',
  access: 'user',
  summary: 'Total against invested over time, in the primary currency',
  query: range,
  answer: z.array(
    z.object({
      time: isoTime,
      total: money(),
      invested: money(),
      available: money(),
      /** What came in less what went out since the point before, as deposits and withdrawals: no result of trading. */
      flow: money().optional(),
    }),
  ),
});
export const getWalletChart = endpoint({
  ...bff,
  path: '/v1/landing/wallet-chart',
  access: 'user',
  summary: 'The older [[time, total]] form of the same series',
  query: range,
  answer: z.array(z.tuple([isoTime, money()])),
});
export const getEstimatedBalance = endpoint({
  ...bff,
  path: '/v2/estimated-balance',
  access: 'user',
  summary: 'What everything on the exchange account is worth in the primary currency',
  answer: z.object({
    total: money(),
    currency: asset,
    btc: quantity().nullable(),
    available: money(),
    invested: money(),
    /** Percent, deposits and withdrawals left out; null where a price of a day ago is missing. */
    change24h: percent().nullable(),
    /** Assets without a price in the primary currency: named, not counted as zero. */
    unpriced: z.array(asset),
    asOf: isoTime,
  }),
  errors: ['not-connected', 'exchange-unreachable'],
});

export const landingContract = {
  getNews,
  getGainers,
  getLosers,
  getNewListings,
  getHoldings,
  getWalletChartV2,
  getWalletChart,
  getEstimatedBalance,
};
