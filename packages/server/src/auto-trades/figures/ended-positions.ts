import { type Decimal, decimal } from '@pilotfish/core/money/decimal';
import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { storedRows } from '../../database/stored-rows.ts';

/** The last position read of a bot, in the order of closing. */
export type Cursor = { readonly closedAt: number; readonly id: string };

/** What a position that is over came to. Sums in the quote asset, `left` in its coin. */
export type EndedPosition = {
  /** Late fees are not taken off. */
  readonly realised: Decimal;
  /** All of them, late ones too. */
  readonly fees: Decimal;
  readonly lateFees: Decimal;
  /** What was bought cost, less what left by itself; null in a context of the first shape. */
  readonly spent: Decimal | null;
  /** Of what is left. */
  readonly cost: Decimal;
  readonly left: Decimal;
  readonly exitReason: string | null;
};
/** A position that is over, venue ms. */
export type EndedOne = Cursor & {
  readonly state: string;
  readonly symbol: string;
  readonly openedAt: number | null;
  /** Undefined where what is stored of it cannot be read. */
  readonly position: EndedPosition | undefined;
};

/** Rows of one question, so that others have their turn in between. */
const PAGE = 2000;

/** What SQLite and PostgreSQL say of a stored text that is no JSON. */
export const isNoJson = (error: unknown): boolean =>
  error instanceof Error && /malformed JSON|invalid input syntax for type json/i.test(error.message);

/** A field of a position's context. SQLite reads it without handing over the whole text. */
export const contextField = (dialect: Database['dialect'], name: string): RawBuilder<string | null> =>
  dialect === 'sqlite'
    ? sql<string | null>`json_extract(position.context, ${`$.${name}`})`
    : sql<string | null>`position.context::json ->> ${name}`;

/** The positions of a bot that are over, a page of them in the order of closing, from a cursor on. */
export function endedPage(queries: Database['queries'], autoTradeId: string, cursor: Cursor | undefined) {
  const rows = queries
    .selectFrom('auto_trade_positions as position')
    .where('position.auto_trade_id', '=', autoTradeId)
    .where('position.closed_at', 'is not', null)
    .select(['position.id', 'position.state', 'position.symbol', 'position.opened_at', 'position.closed_at', 'position.realised'])
    .orderBy('position.closed_at')
    .orderBy('position.id')
    .limit(PAGE);
  if (!cursor) return rows;
  return rows
    .where('position.closed_at', '>=', cursor.closedAt)
    .where((e) => e.or([e('position.closed_at', '>', cursor.closedAt), e('position.id', '>', cursor.id)]));
}

const FIELDS = ['fees', 'lateFees', 'spent', 'cost', 'quantity', 'exitReason'] as const;
const text = z.string().nullish();
const contextFields = z.object({ fees: text, lateFees: text, spent: text, cost: text, quantity: text, exitReason: text });
type Fields = z.infer<typeof contextFields>;
type Page = Awaited<ReturnType<ReturnType<typeof endedPage>['execute']>>;

/** Reads positions of a bot that are over one by one: a damaged one costs no other. */
export function endedOneByOne({ queries, dialect }: Pick<Database, 'queries' | 'dialect'>, log: Pick<Logger, 'error'>) {
  const readable = storedRows(log);
  async function read<Row extends Page[number]>(rows: readonly Row[], fieldsOf: (row: Row) => Fields): Promise<EndedOne[]> {
    const found = await readable('auto_trade_positions', rows, (row): readonly [string, EndedPosition] => {
      const { fees, lateFees, spent, cost, quantity, exitReason } = fieldsOf(row);
      const sum = (text: string | null | undefined): Decimal => decimal(text ?? '0');
      return [
        row.id,
        {
          realised: decimal(row.realised),
          fees: sum(fees),
          lateFees: sum(lateFees),
          spent: spent == null ? null : decimal(spent),
          cost: sum(cost),
          left: sum(quantity),
          exitReason: exitReason ?? null,
        },
      ];
    });
    const positions = new Map(found);
    return rows.map(({ id, state, symbol, opened_at: openedAt, closed_at: closedAt }) => ({
      id,
      state,
      symbol,
      openedAt: openedAt === null ? null : Number(openedAt),
      closedAt: Number(closedAt),
      position: positions.get(id),
    }));
  }

  return async (autoTradeId: string, cursor: Cursor | undefined): Promise<EndedOne[]> => {
    const page = endedPage(queries, autoTradeId, cursor);
    try {
      return await read(await page.select(FIELDS.map((name) => contextField(dialect, name).as(name))).execute(), (row) => row);
    } catch (error) {
      if (!isNoJson(error)) throw error;
      return await read(await page.select('position.context').execute(), ({ context }) => contextFields.parse(JSON.parse(context)));
    }
  };
}
