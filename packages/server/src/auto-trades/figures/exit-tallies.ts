import { type ExitTally, exitTally } from '@pilotfish/core/auto-trades/exit-tally';
import { add, type Decimal, decimal, subtract, ZERO } from '@pilotfish/core/money/decimal';
import { accountTurns } from '../../database/account-turns.ts';
import { type Cursor, isNoJson } from './ended-positions.ts';
import type { EndedRow, FiguresStore } from './figures-store.ts';

/** Bots whose exits are held in memory, of all accounts. */
const KEPT = 2000;

/** What the positions of a bot that are over came to, sums in the quote asset; late fees are taken off. */
export type Ended = { readonly exits: Pick<ExitTally, 'figures'>; readonly realised: Decimal; readonly fees: Decimal };
type Held = {
  exits: ExitTally;
  realised: Decimal;
  fees: Decimal;
  /** Positions counted so far, the last of them, and what the ones that may still change looked like. */
  count: number;
  cursor: Cursor | undefined;
  unsettled: string;
};

/** A bot that was deleted is looked at no more; its curve goes with the account's others once there are too many. */
export function exitTallies(store: Pick<FiguresStore, 'endedCounts' | 'endedAfter' | 'unsettled'>, points: number) {
  const held = new Map<string, Held>();
  /** Two that count the same new positions at once would count them twice. */
  const inTurn = accountTurns();
  const begun = (unsettled: string): Held => ({
    exits: exitTally(points),
    realised: ZERO,
    fees: ZERO,
    count: 0,
    cursor: undefined,
    unsettled,
  });

  function count(tally: Held, row: EndedRow): void {
    const result = subtract(decimal(row.realised), decimal(row.lateFees));
    tally.count += 1;
    tally.cursor = { closedAt: row.closedAt, id: row.id };
    tally.realised = add(tally.realised, result);
    tally.fees = add(tally.fees, decimal(row.fees));
    // What its owner took over ended without an exit; what bought nothing was never begun.
    if (row.state !== 'closed' || row.openedAt === null) return;
    tally.exits.add({ at: row.closedAt, result, heldMs: row.closedAt - row.openedAt, reason: row.exitReason });
  }

  async function readOn(id: string, tally: Held): Promise<Held> {
    for (;;) {
      const rows = await store.endedAfter(id, tally.cursor);
      if (rows.length === 0) return tally;
      for (const row of rows) count(tally, row);
    }
  }

  /** Undefined where a stored position is no JSON: its bot has no figures then, the others keep theirs. */
  async function readAll(id: string, tally: Held): Promise<Held | undefined> {
    try {
      return await readOn(id, tally);
    } catch (error) {
      if (!isNoJson(error)) throw error;
      return undefined;
    }
  }

  return {
    /**
     * Of these bots of an account, without those of which a position cannot be read; reads what ended since it was asked
     * last, and a bot anew whose past has changed.
     */
    of: (accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Ended>> =>
      inTurn(accountId, async () => {
        const [counts, unsettled] = [await store.endedCounts(ids), await store.unsettled(ids)];
        const all = new Map<string, Ended>();
        for (const id of ids) {
          const [counted, text] = [counts.get(id) ?? 0, unsettled.get(id) ?? ''];
          let tally = held.get(id);
          if (tally?.unsettled !== text) tally = undefined;
          if (!tally || tally.count < counted) tally = await readAll(id, tally ?? begun(text));
          // One that closed, by the time of the exchange, before what was read already.
          if (tally && tally.count < counted) tally = await readAll(id, begun(text));
          held.delete(id);
          if (!tally) continue;
          held.set(id, tally);
          all.set(id, tally);
        }
        while (held.size > KEPT) held.delete(held.keys().next().value!);
        return all;
      }),
  };
}
export type ExitTallies = ReturnType<typeof exitTallies>;
