import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { Insertable } from 'kysely';
import type { AppContext } from '../app/context.ts';
import type { Queries } from '../database/database.ts';
import type { LedgerTables } from './ledger-tables.ts';
import type { BookPosition } from './position-book.ts';

export type BreakageCode = OpenPosition['broken'][number]['code'];
/** A position and why its figures cannot be trusted. */
export type Breakage = { readonly of: BookPosition; readonly code: BreakageCode };
export type Breakages = {
  readonly found: readonly Breakage[];
  /** Assets whose balance differs, held by an open position or not; undefined while nobody compared. */
  readonly mismatched: ReadonlySet<string> | undefined;
};

/** What mends itself by reading on, and what its owner said: nobody is told of it. */
const UNTOLD: ReadonlySet<BreakageCode> = new Set(['USER', 'GAP', 'FEE_UNVALUED']);
/** More positions than this are told together: the first reading of a history finds them all at once. */
const MOST_ALONE = 3;
/** So long nothing must have changed: a file or a history comes in many writes, and a fill is heard before the deposit it sells. */
const SETTLE_MS = 10_000;
/** But so long after the first change it is looked at in any case: a bot that never rests must not keep it untold. */
const MOST_SETTLE_MS = 60_000;
const NAMES = 10;
const ROWS = 200;

type Row = Insertable<LedgerTables['position_breakages']>;
/** A balance that differs is the asset's and not the position's: one that lasts is told once, however many positions come and go. */
const MISMATCH = 'BALANCE_MISMATCH';
const assetRow = (asset: string): string => `asset:${asset}`;
const rowOf = ({ of, code }: Breakage): string => (code === MISMATCH ? assetRow(of.position.baseAsset) : of.id);
const nameOf = ({ position_id, code }: Pick<Row, 'position_id' | 'code'>): string => `${position_id} ${code}`;

export type BreakageNotices = ReturnType<typeof breakageNotices>;

/**
 * Tells each breakage of a position once, when it comes to be; one that was mended and breaks again is told again.
 * @param breakagesOf undefined while nobody can say, as during a reading
 */
export function breakageNotices(
  { database, log, newId, notifier, now, timers }: Pick<AppContext, 'database' | 'log' | 'newId' | 'notifier' | 'now' | 'timers'>,
  breakagesOf: (accountId: string) => Promise<Breakages | undefined>,
  { settleMs = SETTLE_MS, mostMs = MOST_SETTLE_MS } = {},
) {
  const waiting = new Map<string, { quiet: Cancel; limit: Cancel }>();
  let running: Promise<unknown> = Promise.resolve();
  let stopped = false;

  /** What is new of these, after the stored ones were brought up to date. */
  async function exchangeRows(queries: Queries, accountId: string, { found, mismatched }: Breakages): Promise<Breakage[]> {
    const stored = await queries.selectFrom('position_breakages').selectAll().where('account_id', '=', accountId).execute();
    const byName = new Map<string, { row: Row; breakage: Breakage }>();
    for (const breakage of found) {
      const row: Row = { account_id: accountId, position_id: rowOf(breakage), code: breakage.code, found_at: now() };
      if (!byName.has(nameOf(row))) byName.set(nameOf(row), { row, breakage });
    }
    const lasts = (row: Row): boolean =>
      byName.has(nameOf(row)) ||
      (row.code === MISMATCH && (mismatched === undefined || mismatched.has(row.position_id.slice(assetRow('').length))));
    for (const gone of stored.filter((row) => !lasts(row)))
      await queries
        .deleteFrom('position_breakages')
        .where('account_id', '=', accountId)
        .where('position_id', '=', gone.position_id)
        .where('code', '=', gone.code)
        .execute();
    const known = new Set(stored.map(nameOf));
    const fresh = [...byName.values()].flatMap(({ row }) => (known.has(nameOf(row)) ? [] : [row]));
    const inserted: Breakage[] = [];
    for (let from = 0; from < fresh.length; from += ROWS) {
      const part = await queries
        .insertInto('position_breakages')
        .values(fresh.slice(from, from + ROWS))
        .onConflict((conflict) => conflict.columns(['account_id', 'position_id', 'code']).doNothing())
        .returning(['position_id', 'code'])
        .execute();
      inserted.push(...part.flatMap((row) => byName.get(nameOf(row))?.breakage ?? []));
    }
    // In the order of the positions, whatever the database answers in.
    const isNew = new Set(inserted);
    return found.filter((breakage) => isNew.has(breakage));
  }

  /** Looks at an account now. Resolves when what is new is written. */
  async function look(accountId: string): Promise<void> {
    const all = await breakagesOf(accountId);
    if (all === undefined || stopped) return;
    const found = all.found.filter(({ of, code }) => !UNTOLD.has(code) && of.override?.excluded !== true);
    const told = await database.transaction(async (queries) => {
      // A reading that ended with the account itself: nothing new is written of who is gone.
      const account = queries.selectFrom('accounts').select('id').where('id', '=', accountId).where('deleted_at', 'is', null);
      if ((await account.executeTakeFirst()) === undefined) return false;
      const fresh = await exchangeRows(queries, accountId, { ...all, found });
      const positions = new Map<BookPosition, BreakageCode[]>();
      for (const { of, code } of fresh) positions.set(of, [...(positions.get(of) ?? []), code]);
      // The same breakage may come again later: a key of its own for each time.
      const base = { accountId, kind: 'position-broken', key: '' } as const;
      if (positions.size > MOST_ALONE) {
        const symbols = [...new Set([...positions.keys()].map(({ position }) => position.symbol))];
        const pairs = symbols.slice(0, NAMES).join(', ') + (symbols.length > NAMES ? ' …' : '');
        await notifier.enqueue(queries, {
          ...base,
          code: 'positions-broken',
          facts: { count: positions.size, pairs },
          link: '/positions',
          key: `broken:${newId()}`,
        });
      } else
        for (const [{ id, position }, [code]] of positions)
          await notifier.enqueue(queries, {
            ...base,
            code: 'position-broken',
            facts: { symbol: position.symbol, number: position.number, reasonKey: `positions.brokenNames.${code}` },
            link: `/positions/detail/${id}`,
            key: `broken:${id}:${newId()}`,
          });
      return positions.size > 0;
    });
    if (told) notifier.wake();
  }

  const forget = (accountId: string): void => {
    const cancels = waiting.get(accountId);
    cancels?.quiet();
    cancels?.limit();
    waiting.delete(accountId);
  };

  return {
    look,
    /** Something about the account's positions changed: it is looked at once nothing changes any more, or at the latest after a while. */
    poke: (accountId: string): void => {
      if (stopped) return;
      const before = waiting.get(accountId);
      before?.quiet();
      const run = () => {
        forget(accountId);
        const done = look(accountId).catch((error: unknown) => log.error({ err: error }, 'broken positions could not be told'));
        running = Promise.all([running, done]);
      };
      waiting.set(accountId, {
        quiet: timers.after(settleMs, run),
        limit: before?.limit ?? timers.after(mostMs, run),
      });
    },
    forget,
    stop: async (): Promise<void> => {
      stopped = true;
      for (const accountId of waiting.keys()) forget(accountId);
      await running;
    },
  };
}
