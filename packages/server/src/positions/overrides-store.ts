import type { PositionWord } from '@pilotfish/core/positions/position-machine';
import { yesNo } from '../database/column-types.ts';
import type { Database } from '../database/database.ts';

/** What a person says of a position: kept apart from what the exchange says, and never changed by a calculation. */
export type PositionOverride = PositionWord & {
  readonly symbol: string;
  /** The entry that opened the position when it was said. */
  readonly entryId: string;
  readonly entryAt: number;
};

export type OverridesStore = ReturnType<typeof overridesStore>;

export function overridesStore({ queries }: Database) {
  return {
    list: async (accountId: string): Promise<PositionOverride[]> => {
      const rows = await queries.selectFrom('position_overrides').selectAll().where('account_id', '=', accountId).execute();
      return rows.map((row) => ({
        symbol: row.symbol,
        entryId: row.entry_id,
        entryAt: row.entry_at,
        targetPrice: row.target_price,
        closing:
          row.closed_at === null || row.closed_remainder === null
            ? null
            : { at: row.closed_at, remainder: row.closed_remainder, price: row.closed_price ?? '0' },
        reopenedUntil: row.reopened_until,
        excluded: row.is_excluded === 1,
        brokenText: row.broken_text,
      }));
    },
    /** Writes it; one that says nothing any more is taken away. */
    save: async (accountId: string, override: PositionOverride, at: number): Promise<void> => {
      const { targetPrice, closing, reopenedUntil, excluded, brokenText } = override;
      if (targetPrice === null && closing === null && reopenedUntil === null && !excluded && brokenText === null) {
        await queries
          .deleteFrom('position_overrides')
          .where('account_id', '=', accountId)
          .where('entry_id', '=', override.entryId)
          .execute();
        return;
      }
      const row = {
        target_price: targetPrice,
        closed_at: closing?.at ?? null,
        closed_remainder: closing?.remainder ?? null,
        closed_price: closing?.price ?? null,
        reopened_until: reopenedUntil,
        is_excluded: yesNo(excluded),
        broken_text: brokenText,
        updated_at: at,
      };
      await queries
        .insertInto('position_overrides')
        .values({ account_id: accountId, symbol: override.symbol, entry_id: override.entryId, entry_at: override.entryAt, ...row })
        .onConflict((conflict) => conflict.columns(['account_id', 'entry_id']).doUpdateSet(row))
        .execute();
    },
  };
}
