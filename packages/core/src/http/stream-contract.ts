import * as z from 'zod';
import { autoTradeState } from '../auto-trades/auto-trades-contract.ts';
import { storedTraceSchema } from '../auto-trades/trace.ts';
import { notificationSchema } from '../notifications/notifications-contract.ts';
import { syncStatusSchema } from '../positions/positions-contract.ts';
import { alertFiringSchema, priceAlertState } from '../price-alerts/price-alerts-contract.ts';
import { id, isoTime, money, percent, price, symbol } from './wire.ts';

/** Server-sent events: `GET /bff/v2/stream?topics=a,b` (bearer) and, for the public topics, `/bff/v1/stream`. */
export const STREAM_PATH = { user: '/v2/stream', public: '/v1/stream' } as const;
export const STREAM_HEARTBEAT_MS = 15_000;

/** [symbol, price, changePct, quoteVolume, high, low]: an array, because it is sent thousands of times a second. */
const tickerRow = z.tuple([symbol, price(), percent(), money(), price(), price()]);
export type TickerRow = z.infer<typeof tickerRow>;

export const streamPayloads = {
  tickers: z.object({ at: isoTime, items: z.array(tickerRow), stale: z.boolean() }),
  'auto-trades': z.object({ autoTradeId: id, state: autoTradeState, traces: z.array(storedTraceSchema) }),
  account: z.object({ kind: z.enum(['exchange-connection', 'balances', 'session']), at: isoTime }),
  /** Something of these pairs changed: a fill, a calculation, an import. `sync` while the history is read. */
  positions: z.object({ symbols: z.array(symbol), sync: syncStatusSchema.optional() }),
  /** The Admin changed texts or settings that apps show: versions to compare with what one holds. */
  instance: z.object({ texts: z.string(), config: z.string(), currencies: z.string().optional() }),
  'trade-import': z.object({
    uploadId: z.string(),
    phase: z.enum(['reading', 'storing', 'folding']),
    done: z.int(),
    total: z.int().nullable(),
  }),
  /** `firing` when it fired just now: all that is needed to show it. A null state: the alert was deleted. */
  'price-alerts': z.object({ priceAlertId: id, state: priceAlertState.nullable(), firing: alertFiringSchema.optional() }),
  /** A new one, or (with `item` null) a changed unread count. */
  notifications: z.object({ notificationId: id.nullable(), unread: z.int(), item: notificationSchema.nullable() }),
} as const;

export type StreamTopic = keyof typeof streamPayloads;
export type StreamPayload<Topic extends StreamTopic> = z.infer<(typeof streamPayloads)[Topic]>;

export const PUBLIC_TOPICS: readonly StreamTopic[] = ['tickers', 'instance'];
export const STREAM_TOPICS = Object.keys(streamPayloads) as readonly StreamTopic[];
