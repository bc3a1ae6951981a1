import { type ExactCandle, intervalLength } from '@pilotfish/core/prices/candle-gaps';
import type { Database } from '../database/database.ts';
import { decodeCandles, encodeCandles } from './candle-codec.ts';

/** Intervals that are kept; the others are made of them. */
export const STORED_INTERVALS = ['15m', '1h', '1d'] as const;
export type StoredInterval = (typeof STORED_INTERVALS)[number];

/** Candles a piece has room for: small enough that adding one rewrites little. */
const CHUNK: Record<StoredInterval, number> = { '15m': 96, '1h': 120, '1d': 100 };

export type CandleStore = {
  /** Stored candles, oldest first, without the filled ones. */
  read(symbol: string, interval: StoredInterval): Promise<ExactCandle[]>;
  /**
   * Puts candles beside those that are there (a later telling wins) and forgets what is older than `keepFrom`.
   * They reach the disk with `flush`; `read` knows them at once.
   */
  write(symbol: string, interval: StoredInterval, candles: readonly ExactCandle[], keepFrom: number): Promise<void>;
  /** Writes what waits, in one transaction. */
  flush(): Promise<void>;
  readonly waiting: number;
  forget(symbol: string): Promise<void>;
  /** Pairs of which something is stored. */
  symbols(): Promise<Set<string>>;
  /** Bytes of all pieces of this market. */
  bytes(): Promise<number>;
  listings(): Promise<Map<string, number>>;
  saveListing(symbol: string, listedAt: number): Promise<void>;
};

export function candleStore(database: Database, market: string): CandleStore {
  const { queries } = database;
  /** Pieces that are newer in memory than on disk. */
  const dirty = new Map<string, { symbol: string; interval: StoredInterval; startAt: number; candles: ExactCandle[] }>();
  const expired = new Map<string, { symbol: string; interval: StoredInterval; before: number }>();
  const keyOf = (symbol: string, interval: string, startAt: number) => `${symbol} ${interval} ${startAt}`;
  const span = (interval: StoredInterval) => CHUNK[interval] * intervalLength(interval)!;
  const startOf = (interval: StoredInterval, openTime: number) => Math.floor(openTime / span(interval)) * span(interval);

  async function pieces(symbol: string, interval: StoredInterval, from: number): Promise<Map<number, ExactCandle[]>> {
    const rows = await queries
      .selectFrom('candle_chunks')
      .select(['start_at', 'body'])
      .where('market', '=', market)
      .where('symbol', '=', symbol)
      .where('candle_interval', '=', interval)
      .where('start_at', '>=', from)
      .orderBy('start_at')
      .execute();
    const found = new Map<number, ExactCandle[]>();
    for (const { start_at: startAt, body } of rows) {
      try {
        found.set(startAt, decodeCandles(body, interval, startAt));
      } catch {
        // A broken piece of a cache is a missing one: it is asked for again.
      }
    }
    for (const piece of dirty.values())
      if (piece.symbol === symbol && piece.interval === interval && piece.startAt >= from) found.set(piece.startAt, piece.candles);
    return found;
  }

  return {
    read: async (symbol, interval) => {
      const found = await pieces(symbol, interval, expired.get(`${symbol} ${interval}`)?.before ?? 0);
      return [...found].sort(([a], [b]) => a - b).flatMap(([, candles]) => candles);
    },
    write: async (symbol, interval, candles, keepFrom) => {
      const real = candles.filter((candle) => candle.filled !== true);
      if (real.length > 0) {
        const known = await pieces(symbol, interval, startOf(interval, Math.min(...real.map((candle) => candle.openTime))));
        const groups = new Map<number, Map<number, ExactCandle>>();
        for (const candle of real) {
          const startAt = startOf(interval, candle.openTime);
          const group = groups.get(startAt) ?? new Map((known.get(startAt) ?? []).map((each) => [each.openTime, each]));
          group.set(candle.openTime, candle);
          groups.set(startAt, group);
        }
        for (const [startAt, group] of groups)
          dirty.set(keyOf(symbol, interval, startAt), {
            symbol,
            interval,
            startAt,
            candles: [...group.values()].sort((a, b) => a.openTime - b.openTime),
          });
      }
      const before = startOf(interval, keepFrom);
      const name = `${symbol} ${interval}`;
      if ((expired.get(name)?.before ?? 0) < before) expired.set(name, { symbol, interval, before });
    },
    flush: async () => {
      if (dirty.size === 0) return;
      const written = new Map(dirty);
      const rows = [...written.values()]
        .filter(({ symbol, interval, startAt }) => startAt >= (expired.get(`${symbol} ${interval}`)?.before ?? 0))
        .map(({ symbol, interval, startAt, candles }) => {
          const body = encodeCandles(candles, interval, startAt);
          return { market, symbol, candle_interval: interval, start_at: startAt, bytes: body.length, body };
        });
      // Only pairs that gained a new piece have an old one to lose.
      const stale = [...written.values()].flatMap(({ symbol, interval }) => expired.get(`${symbol} ${interval}`) ?? []);
      await database.transaction(async (transaction) => {
        // One at a time: the same short statement each time, instead of one per number of rows that stays prepared.
        for (const row of rows)
          await transaction
            .insertInto('candle_chunks')
            .values(row)
            .onConflict((conflict) =>
              conflict
                .columns(['market', 'symbol', 'candle_interval', 'start_at'])
                .doUpdateSet((e) => ({ bytes: e.ref('excluded.bytes'), body: e.ref('excluded.body') })),
            )
            .execute();
        for (const { symbol, interval, before } of new Set(stale))
          await transaction
            .deleteFrom('candle_chunks')
            .where('market', '=', market)
            .where('symbol', '=', symbol)
            .where('candle_interval', '=', interval)
            .where('start_at', '<', before)
            .execute();
      });
      // What was changed while the transaction ran still waits.
      for (const [key, piece] of written) if (dirty.get(key) === piece) dirty.delete(key);
      for (const { symbol, interval } of stale) expired.delete(`${symbol} ${interval}`);
    },
    get waiting() {
      return dirty.size;
    },
    forget: async (symbol) => {
      for (const [key, piece] of dirty) if (piece.symbol === symbol) dirty.delete(key);
      await queries.deleteFrom('candle_chunks').where('market', '=', market).where('symbol', '=', symbol).execute();
    },
    symbols: async () => {
      const rows = await queries.selectFrom('candle_chunks').select('symbol').distinct().where('market', '=', market).execute();
      return new Set(rows.map((row) => row.symbol));
    },
    bytes: async () => {
      const row = await queries
        .selectFrom('candle_chunks')
        .select((e) => e.fn.sum<number | null>('bytes').as('bytes'))
        .where('market', '=', market)
        .executeTakeFirst();
      return Number(row?.bytes ?? 0);
    },
    listings: async () => {
      const rows = await queries.selectFrom('pair_listings').select(['symbol', 'listed_at']).where('market', '=', market).execute();
      return new Map(rows.map((row) => [row.symbol, row.listed_at]));
    },
    saveListing: async (symbol, listedAt) => {
      await queries
        .insertInto('pair_listings')
        .values({ market, symbol, listed_at: listedAt })
        .onConflict((conflict) => conflict.columns(['market', 'symbol']).doUpdateSet({ listed_at: listedAt }))
        .execute();
    },
  };
}
