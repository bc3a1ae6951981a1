import { type GivenMeanings, operationName } from '@pilotfish/core/trade-import/statement-operations';
import {
  type ImportAnswer,
  MOST_OPERATIONS,
  OPERATION_MEANINGS,
  type OperationMeaning,
} from '@pilotfish/core/trade-import/trade-import-contract';
import type { Queries } from '../database/database.ts';
import type { Reading } from './import-reading.ts';

const isMeaning = (text: string): text is OperationMeaning => OPERATION_MEANINGS.some((each) => each === text);

/** What the owner said with earlier files. */
export async function rememberedMeanings(queries: Queries, accountId: string): Promise<GivenMeanings> {
  const rows = await queries.selectFrom('import_operations').select(['operation', 'meaning']).where('account_id', '=', accountId).execute();
  return Object.fromEntries(rows.flatMap(({ operation, meaning }) => (isMeaning(meaning) ? [[operation, meaning] as const] : [])));
}

/** Keeps what was said of the operations of a file; what is said later counts. */
export async function rememberMeanings(queries: Queries, accountId: string, given: GivenMeanings, at: number): Promise<void> {
  for (const [operation, meaning] of Object.entries(given))
    await queries
      .insertInto('import_operations')
      .values({ account_id: accountId, operation, meaning, at })
      .onConflict((conflict) => conflict.columns(['account_id', 'operation']).doUpdateSet({ meaning, at }))
      .execute();
}

/** The unknown operations of a file, those that are still to be asked about first. */
export function operationsOf({ operations }: Pick<Reading, 'operations'>, meanings: GivenMeanings): ImportAnswer['operations'] {
  return [...operations.values()]
    .map(({ name, rows, assets }) => {
      const key = operationName(name);
      return { name, rows, assets: [...assets], meaning: (Object.hasOwn(meanings, key) ? meanings[key] : undefined) ?? null };
    })
    .sort((one, other) => Number(one.meaning !== null) - Number(other.meaning !== null) || other.rows - one.rows)
    .slice(0, MOST_OPERATIONS);
}
