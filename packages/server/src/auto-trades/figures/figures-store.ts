import { type AutoTradeConfig, autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { OCCUPIED } from '@pilotfish/core/auto-trades/engine/engine-slots';
import { type Trace, traceSchema } from '@pilotfish/core/auto-trades/trace';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import { isUnreadable, storedRows } from '../../database/stored-rows.ts';
import { type PositionRow, toPosition } from '../auto-trades-store.ts';
import { HAS_UNVALUED_FEES } from '../auto-trades-tables.ts';
import { type Cursor, contextField, endedOneByOne, endedPage } from './ended-positions.ts';

/** A position that is over, by what its figures are made of: decimal text, venue ms. */
export type EndedRow = {
  readonly id: string;
  readonly state: string;
  readonly openedAt: number | null;
  readonly closedAt: number;
  readonly realised: string;
  readonly fees: string;
  readonly lateFees: string;
  readonly exitReason: string | null;
};
export type StoredPosition = PositionRow & { readonly autoTradeId: string; readonly updatedAt: number };
export type PositionFill = Pick<Trace, 'kind' | 'at' | 'before' | 'after'>;
/** What could be read, and the bots of which a row could not: nothing may be summed of these. */
type ReadRows<Value> = { readonly rows: Value; readonly unread: ReadonlySet<string> };
/**
 * What the figures of an account's bots are made of. Each question is asked for all of them at once, but for what ended:
 * of that only what is new is read, and only of the bots that have some.
 */
export function figuresStore({ queries, dialect }: Pick<Database, 'queries' | 'dialect'>, log: Pick<Logger, 'error'>) {
  const readable = storedRows(log);
  /** Reads rows one by one: a damaged one costs the figures of its own bot, not those of all. */
  async function readOf<Row extends { readonly id: string; readonly auto_trade_id: string }, Value>(
    table: string,
    rows: readonly Row[],
    read: (row: Row) => Value,
  ): Promise<ReadRows<Value[]>> {
    const found = await readable(table, rows, (row) => ({ id: row.id, value: read(row) }));
    const ids = new Set(found.map(({ id }) => id));
    const unread = new Set(rows.flatMap(({ id, auto_trade_id }) => (ids.has(id) ? [] : [auto_trade_id])));
    return { rows: found.map(({ value }) => value), unread };
  }
  const toStored = (row: Parameters<typeof toPosition>[0]): StoredPosition => ({
    ...toPosition(row),
    autoTradeId: row.auto_trade_id,
    updatedAt: Number(row.updated_at),
  });
  const ofBots = (ids: readonly string[]) =>
    queries.selectFrom('auto_trade_positions as position').where('position.auto_trade_id', 'in', [...ids]);
  const field = (name: string) => contextField(dialect, name);

  return {
    /** How many positions of each bot are over, from the index alone: a bot whose number stands has nothing new. */
    endedCounts: async (ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
      // Without the market, which these bots have all the same, no row is read beside the index.
      const { rows } = await sql<{ autoTradeId: string; count: number }>`
        select auto_trade_id as "autoTradeId", count(*) as count from auto_trade_positions
        where auto_trade_id in (${sql.join([...ids])}) and closed_at is not null group by auto_trade_id`.execute(queries);
      return new Map(rows.map((row) => [row.autoTradeId, Number(row.count)]));
    },
    /** Positions of a bot that are over, in the order of closing, from a cursor on. */
    endedAfter: async (autoTradeId: string, cursor: Cursor | undefined): Promise<EndedRow[]> => {
      const found = await endedPage(queries, autoTradeId, cursor)
        .select([field('fees').as('fees'), field('lateFees').as('late_fees'), field('exitReason').as('exit_reason')])
        .execute();
      return found.map((row) => ({
        id: row.id,
        state: row.state,
        openedAt: row.opened_at === null ? null : Number(row.opened_at),
        closedAt: Number(row.closed_at),
        realised: row.realised,
        fees: row.fees ?? '0',
        lateFees: row.late_fees ?? '0',
        exitReason: row.exit_reason,
      }));
    },
    /** The same, one by one and with all that a list of them shows: a damaged one costs no other. */
    endedOneByOne: endedOneByOne({ queries, dialect }, log),
    /** By bot the closed positions whose figures may still change, in one text: a fee of theirs has no value yet. */
    unsettled: async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      // Few rows of all bots, by an index of their own; told the bots, the database would go through all that these closed.
      const rows = await queries
        .selectFrom('auto_trade_positions')
        .select(['id', 'auto_trade_id', 'updated_at'])
        .where(HAS_UNVALUED_FEES)
        .where('updated_at', '>=', 0)
        .orderBy('updated_at')
        .orderBy('id')
        .execute();
      const texts = new Map(ids.map((id) => [id, '']));
      for (const { auto_trade_id: of, id, updated_at: at } of rows) if (texts.has(of)) texts.set(of, `${texts.get(of)} ${id}:${at}`);
      return texts;
    },
    /** Positions that take up a slot of their bot. */
    occupied: async (ids: readonly string[]): Promise<ReadRows<StoredPosition[]>> => {
      const rows = await ofBots(ids)
        .where('position.closed_at', 'is', null)
        .where('position.state', 'in', [...OCCUPIED])
        .selectAll('position')
        .orderBy('position.symbol')
        .orderBy('position.id')
        .execute();
      return readOf('auto_trade_positions', rows, toStored);
    },
    /** When each position that takes up a slot changed last, wall ms, by its id: what was read before is whole while this stands. */
    stamps: async (ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
      const rows = await ofBots(ids)
        .where('position.closed_at', 'is', null)
        .where('position.state', 'in', [...OCCUPIED])
        .select(['position.id', 'position.updated_at'])
        .execute();
      return new Map(rows.map((row) => [row.id, Number(row.updated_at)]));
    },
    /** Positions that were sold out from a moment on (venue ms); not those that bought nothing, or that their owner took over. */
    closedSince: async (ids: readonly string[], since: number): Promise<ReadRows<StoredPosition[]>> => {
      const rows = await ofBots(ids)
        .where('position.closed_at', '>=', since)
        .where('position.state', '=', 'closed')
        .where('position.opened_at', 'is not', null)
        .selectAll('position')
        .execute();
      return readOf('auto_trade_positions', rows, toStored);
    },
    /** The fills of every position that was open at a moment (venue ms) or later, in order, by position. */
    fillsOf: async (
      ids: readonly string[],
      since: number,
    ): Promise<ReadRows<ReadonlyMap<string, readonly (PositionFill & { autoTradeId: string })[]>>> => {
      const rows = await ofBots(ids)
        .innerJoin('auto_trade_traces as trace', 'trace.position_id', 'position.id')
        .where('position.opened_at', 'is not', null)
        .where((e) => e.or([e('position.closed_at', 'is', null), e('position.closed_at', '>=', since)]))
        .where('trace.kind', 'in', ['Buy', 'Sell'])
        .select(['trace.id', 'trace.position_id', 'trace.auto_trade_id', 'trace.body'])
        .orderBy('trace.position_id')
        .orderBy('trace.seq')
        .execute();
      const fills = new Map<string, (PositionFill & { autoTradeId: string })[]>();
      const read = await readOf('auto_trade_traces', rows, ({ position_id: id, auto_trade_id: autoTradeId, body }) => ({
        id,
        fill: { ...traceSchema.parse(JSON.parse(body)), autoTradeId },
      }));
      for (const { id, fill } of read.rows) {
        const known = fills.get(id);
        if (known) known.push(fill);
        else fills.set(id, [fill]);
      }
      return { rows: fills, unread: read.unread };
    },
    /** The settings that positions in a slot live by, by bot and version; those left out that this version cannot read. */
    configsOf: async (ids: readonly string[]): Promise<ReadonlyMap<string, AutoTradeConfig>> => {
      const rows = await ofBots(ids)
        .innerJoin('auto_trade_configs as config', (join) =>
          join.onRef('config.auto_trade_id', '=', 'position.auto_trade_id').onRef('config.version', '=', 'position.config_version'),
        )
        .where('position.closed_at', 'is', null)
        .where('position.state', 'in', [...OCCUPIED])
        .select(['config.auto_trade_id', 'config.version', 'config.config'])
        .distinct()
        .execute();
      return new Map(
        rows.flatMap((row) => {
          try {
            return [[configKey(row.auto_trade_id, row.version), autoTradeConfigSchema.parse(JSON.parse(row.config))] as const];
          } catch (error) {
            if (!isUnreadable(error)) throw error;
            return [];
          }
        }),
      );
    },
    /** When each bot's newest trace was, venue ms. */
    lastEvents: async (ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
      const rows = await queries
        .selectFrom('auto_trades as bot')
        .where('bot.id', 'in', [...ids])
        .select((e) => [
          'bot.id',
          e
            .selectFrom('auto_trade_traces as trace')
            .whereRef('trace.auto_trade_id', '=', 'bot.id')
            .select('trace.at')
            .orderBy('trace.seq', 'desc')
            .limit(1)
            .as('at'),
        ])
        .execute();
      return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, Number(at)] as const])));
    },
  };
}
export type FiguresStore = ReturnType<typeof figuresStore>;

/** Where the settings of a version stand in `configsOf`. */
export const configKey = (autoTradeId: string, version: number): string => `${autoTradeId} ${version}`;
