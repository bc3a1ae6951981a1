import type { LedgerEntry, SwapEntry } from '@pilotfish/core/positions/ledger-entry';
import { CARRY_OVER_FORMAT } from '@pilotfish/core/trade-import/carry-over-contract';
import type { ImportAnswer } from '@pilotfish/core/trade-import/trade-import-contract';
import type { AppContext } from '../app/context.ts';
import type { LedgerStore } from '../positions/ledger-store.ts';

const ONE_ROW: ImportAnswer['counts'] = { rows: 1, imported: 1, duplicate: 0, crossDuplicate: 0, skipped: 0, question: 0, error: 0 };

export type WriteCarryOver = (accountId: string, swap: Omit<SwapEntry, 'id'>, gaveWay: readonly LedgerEntry[]) => Promise<string>;

/**
 * Writes a swap that the owner of an account tells of, as an import of one row: what gives way to it counts again when it is
 * taken back. Called in the account's turn. Answers the id of the batch.
 */
export function carryOverWriter({ now, newId }: Pick<AppContext, 'now' | 'newId'>, store: Pick<LedgerStore, 'batches'>): WriteCarryOver {
  return async (accountId, swap, gaveWay) => {
    const batchId = newId();
    const at = new Date(swap.at).toISOString();
    const writer = await store.batches.open(accountId, batchId);
    try {
      await writer.add([{ ...swap, id: `swap:${batchId}` }]);
      await writer.replace(gaveWay);
      await writer.commit(async (queries) => {
        await queries
          .insertInto('import_batches')
          .values({
            id: batchId,
            account_id: accountId,
            file_name: nameOf(swap),
            format: CARRY_OVER_FORMAT,
            at: now(),
            counts: JSON.stringify(ONE_ROW),
            period: JSON.stringify({ from: at, to: at }),
            replaced: '[]',
          })
          .execute();
      });
    } catch (error) {
      await writer.discard();
      throw error;
    }
    return batchId;
  };
}

/** `100 MATIC → 100 POL`. */
const nameOf = ({ fromAsset, fromQuantity, asset, quantity }: Omit<SwapEntry, 'id'>): string =>
  `${fromQuantity} ${fromAsset} → ${quantity} ${asset}`;
