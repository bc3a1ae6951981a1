import { orderPrefixFor } from '@pilotfish/core/auto-trades/position/position-ids';
import type { Database } from './database.ts';
import type { Random } from './uuid.ts';

/** What the orders of this start of this installation are known by. */
export type Installation = {
  /** Six base-36 digits: the same for as long as the database and its copies live. */
  readonly tag: string;
  /** Thirteen base-36 digits: no other start has them, also none of a copy. */
  readonly epoch: string;
  readonly orderPrefix: string;
};

const TAG_DIGITS = 6;
const SECOND_DIGITS = 7;
const CHANCE_DIGITS = 6;

/** Digits that nobody foresees. The least bytes that leave each digit as likely as the next, but for one in 2^40. */
function drawn(random: Random, digits: number): string {
  const value = random(digits + 5).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return (value % 36n ** BigInt(digits)).toString(36).padStart(digits, '0');
}

/**
 * Begins an epoch of this installation: for whoever has the database for itself, once a start, before anything is
 * signed. It begins with the second, so that epochs sort in the order of the starts. That alone would not do: a
 * database that was set back has forgotten its last epoch, and the clock may have been set back too. What follows is
 * drawn, so that no two starts share one.
 * @param now epoch milliseconds
 */
export async function beginEpoch(database: Pick<Database, 'transaction'>, now: number, random: Random): Promise<Installation> {
  return database.transaction(async (queries) => {
    const known = await queries.selectFrom('installation').selectAll().executeTakeFirst();
    const last = known ? Number.parseInt(known.epoch.slice(0, SECOND_DIGITS), 36) : 0;
    const second = Math.max(last + 1, Math.floor(now / 1000));
    const epoch = second.toString(36).padStart(SECOND_DIGITS, '0') + drawn(random, CHANCE_DIGITS);
    const tag = known?.tag ?? drawn(random, TAG_DIGITS);
    const orderPrefix = orderPrefixFor(tag, epoch);
    if (known) await queries.updateTable('installation').set({ epoch, begun_at: now }).execute();
    else
      await queries
        .insertInto('installation')
        .values({ id: 'installation', tag, epoch, begun_at: now, seen_at: null, market: null })
        .execute();
    return { tag, epoch, orderPrefix };
  });
}
