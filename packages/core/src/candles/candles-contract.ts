import * as z from 'zod';
import { endpoint, fileText } from '../http/endpoint.ts';
import { interval, isoTime, symbol } from '../http/wire.ts';

/** Intervals that are stored: those whose candles begin on a grid within the day. */
export const storedInterval = interval.exclude(['3d', '1w', '1M']);
export type StoredCandleInterval = z.infer<typeof storedInterval>;

/** A calendar month of UTC, `2024-01`. The exchange began in 2017. */
export const month = z.string().regex(/^20(1[7-9]|[2-9]\d)-(0[1-9]|1[0-2])$/);

/** Where candles of a month came from: the exchange's REST interface, its monthly archives, or a file that was uploaded. */
export const candleOrigin = z.enum(['exchange', 'archive', 'file']);
export type CandleOrigin = z.infer<typeof candleOrigin>;

export const candleMonthSchema = z.object({
  symbol,
  interval: storedInterval,
  month,
  rows: z.int(),
  /** Candles that are missing between the first one and `coveredTo`: the exchange had none. */
  gaps: z.int(),
  origin: candleOrigin,
  /** On the server's disk. */
  bytes: z.int(),
  /** All candles that open before this time are stored, as far as the exchange has them. */
  coveredTo: isoTime,
  /** False while the month runs, or where a file ended before the month did. */
  complete: z.boolean(),
});
export type CandleMonth = z.infer<typeof candleMonthSchema>;

const monthParams = z.object({ symbol, interval: storedInterval, month });
const pairParams = z.object({ symbol, interval: storedInterval });
const bff = { backend: 'bff', access: 'user' } as const;

export const listCandleMonths = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/candle-months',
  summary: 'Months of candles that the server stores of its market, by pair, interval and month',
  query: z.object({ symbol: symbol.optional(), interval: storedInterval.optional(), from: month.optional(), to: month.optional() }),
  answer: z.object({
    items: z.array(candleMonthSchema),
    /** Of all stored months, and most they may take. */
    bytes: z.int(),
    mostBytes: z.int(),
  }),
});

export const readCandleMonth = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/candle-months/{symbol}/{interval}/{month}',
  summary:
    'A stored month: a line for each candle with its place in the month, open, high, low, close, volume, quote volume and number of trades',
  params: monthParams,
  answers: 'file',
  mediaType: 'text/csv',
  answer: fileText,
  errors: ['not-found'],
});

export const putCandleMonth = endpoint({
  ...bff,
  access: 'admin',
  method: 'PUT',
  path: '/v2/candle-months/{symbol}/{interval}/{month}',
  summary:
    "Stores a month of candles from a file of the exchange's archive (CSV, gzip or ZIP), which is refused whole where a row is wrong",
  params: monthParams,
  content: 'multipart',
  answer: candleMonthSchema,
  errors: ['invalid', 'not-found', 'payload-too-large', 'storage-full'],
});

export const removeCandleMonths = endpoint({
  ...bff,
  access: 'admin',
  method: 'DELETE',
  path: '/v2/candle-months/{symbol}/{interval}',
  summary: 'Removes stored months; all of the pair and interval where no span is given',
  params: pairParams,
  query: z.object({ from: month.optional(), to: month.optional() }),
  answer: z.object({ removed: z.int() }),
});

/** Why a month could not be stored, or not from where it was asked for. */
export const CANDLE_PROBLEMS = [
  'checksum',
  'badFile',
  'noChecksum',
  'archiveUnreachable',
  'exchangeUnreachable',
  'exchangeRefused',
  'exchangeLimited',
  'unknownPair',
  'beforePair',
  'noCandles',
  'unreadable',
  'noRoom',
  'bound',
  'share',
  'failed',
] as const;
export type CandleProblem = (typeof CANDLE_PROBLEMS)[number];

export const candleFetchSchema = z.object({
  symbol,
  interval: storedInterval,
  from: month,
  to: month,
  source: z.enum(['exchange', 'archives']),
  state: z.enum(['running', 'done', 'failed', 'ended']),
  startedAt: isoTime,
  months: z.int(),
  /** Months that are finished: stored now, stored before (`had`), or not storable (`problems`). */
  done: z.int(),
  had: z.int(),
  /** Of `done`: of the time before the pair began; the exchange has no candles of it, and nothing is stored. */
  before: z.int(),
  /** Of `done`: stored from the exchange because the archives lack them. */
  notInArchives: z.int(),
  /** Of `done`: stored again because the month that was stored was found damaged. */
  damaged: z.int(),
  /** The month in which the pair began, once a month from before was asked for. */
  began: month.nullable(),
  rows: z.int(),
  bytes: z.int(),
  /** What happens now; `share` is that of the month (0–1). */
  doing: z.object({ month, what: z.enum(['checking', 'asking', 'downloading', 'storing']), share: z.number() }).nullable(),
  problems: z.array(z.object({ month, code: z.enum(CANDLE_PROBLEMS), message: z.string() })),
});
export type CandleFetch = z.infer<typeof candleFetchSchema>;

const path = '/v2/candle-fetch';
export const startCandleFetch = endpoint({
  ...bff,
  method: 'POST',
  path,
  summary:
    'Begins to store months of candles that are missing; one fetch of an account at a time, and the same again answers the running one',
  body: z.object({
    symbol,
    interval: storedInterval,
    from: month,
    /** The running month when absent. */
    to: month.optional(),
    source: z.enum(['exchange', 'archives']).default('exchange'),
  }),
  answer: candleFetchSchema,
  status: 202,
  errors: ['invalid', 'not-found', 'not-possible-now', 'rate-limited', 'exchange-unreachable'],
});
export const getCandleFetch = endpoint({
  ...bff,
  method: 'GET',
  path,
  summary: 'How far the last fetch of the account is, since the server started',
  answer: candleFetchSchema,
  errors: ['not-found'],
});
export const endCandleFetch = endpoint({
  ...bff,
  method: 'DELETE',
  path,
  summary: 'Ends the fetch of the account; months that are stored stay',
  answer: z.void(),
  status: 204,
  errors: ['not-found'],
});

export const candlesContract = {
  listCandleMonths,
  readCandleMonth,
  putCandleMonth,
  removeCandleMonths,
  startCandleFetch,
  getCandleFetch,
  endCandleFetch,
};
