import { type AutoTradeConfig, autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { OCCUPIED } from '@pilotfish/core/auto-trades/engine/engine-slots';
import { type Trace, traceSchema } from '@pilotfish/core/auto-trades/trace';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { type PositionRow, toPosition } from '../auto-trades-store.ts';
import { HAS_UNVALUED_FEES } from '../auto-trades-tables.ts';

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
/** The last position read of a bot, in the order of closing. */
export type Cursor = { readonly closedAt: number; readonly id: string };

/** Rows of one question, so that others have their turn in between. */
const PAGE = 2000;

/**
 * What the figures of an account's bots are made of. Each question is asked for all of them at once, but for what ended:
 * of that only what is new is read, and only of the bots that have some.
 */
export function figuresStore({ queries, dialect }: Pick<Database, 'queries' | 'dialect'>) {
  const ofBots = (ids: readonly string[]) =>
    queries.selectFrom('auto_trade_positions as position').where('position.auto_trade_id', 'in', [...ids]);
  /** A field of a position's context. SQLite reads it without handing over the whole text. */
  const field = (name: string) =>
    dialect === 'sqlite'
      ? sql<string | null>`json_extract(position.context, ${`$.${name}`})`
      : sql<string | null>`position.context::json ->> ${name}`;

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
      let rows = ofBots([autoTradeId]).where('position.closed_at', 'is not', null);
      if (cursor)
        rows = rows
          .where('position.closed_at', '>=', cursor.closedAt)
          .where((e) => e.or([e('position.closed_at', '>', cursor.closedAt), e('position.id', '>', cursor.id)]));
      const found = await rows
        .select(['position.id', 'position.state', 'position.opened_at', 'position.closed_at', 'position.realised'])
        .select([field('fees').as('fees'), field('lateFees').as('late_fees'), field('exitReason').as('exit_reason')])
        .orderBy('position.closed_at')
        .orderBy('position.id')
        .limit(PAGE)
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
    occupied: async (ids: readonly string[]): Promise<StoredPosition[]> => {
      const rows = await ofBots(ids)
        .where('position.closed_at', 'is', null)
        .where('position.state', 'in', [...OCCUPIED])
        .selectAll('position')
        .orderBy('position.symbol')
        .orderBy('position.id')
        .execute();
      return rows.map((row) => ({ ...toPosition(row), autoTradeId: row.auto_trade_id, updatedAt: Number(row.updated_at) }));
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
    closedSince: async (ids: readonly string[], since: number): Promise<StoredPosition[]> => {
      const rows = await ofBots(ids)
        .where('position.closed_at', '>=', since)
        .where('position.state', '=', 'closed')
        .where('position.opened_at', 'is not', null)
        .selectAll('position')
        .execute();
      return rows.map((row) => ({ ...toPosition(row), autoTradeId: row.auto_trade_id, updatedAt: Number(row.updated_at) }));
    },
    /** The fills of every position that was open at a moment (venue ms) or later, in order, by position. */
    fillsOf: async (
      ids: readonly string[],
      since: number,
    ): Promise<ReadonlyMap<string, readonly (PositionFill & { autoTradeId: string })[]>> => {
      const rows = await ofBots(ids)
        .innerJoin('auto_trade_traces as trace', 'trace.position_id', 'position.id')
        .where('position.opened_at', 'is not', null)
        .where((e) => e.or([e('position.closed_at', 'is', null), e('position.closed_at', '>=', since)]))
        .where('trace.kind', 'in', ['Buy', 'Sell'])
        .select(['trace.position_id', 'trace.auto_trade_id', 'trace.body'])
        .orderBy('trace.position_id')
        .orderBy('trace.seq')
        .execute();
      const fills = new Map<string, (PositionFill & { autoTradeId: string })[]>();
      for (const { position_id: id, auto_trade_id: autoTradeId, body } of rows) {
        const fill = { ...traceSchema.parse(JSON.parse(body)), autoTradeId };
        const known = fills.get(id);
        if (known) known.push(fill);
        else fills.set(id, [fill]);
      }
      return fills;
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
          const { data } = autoTradeConfigSchema.safeParse(JSON.parse(row.config));
          return data ? [[configKey(row.auto_trade_id, row.version), data] as const] : [];
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
