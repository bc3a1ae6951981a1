import { AppError } from '@pilotfish/core/http/problem';
import type { Database } from '../database/database.ts';
import { sha256 } from '../secrets/secret-box.ts';

export type StoredAnswer = { status: number; answer: string };

export type IdempotentCalls = {
  /**
   * Runs `work` once per account and key; later calls get the first answer. A refused or failed first call is
   * forgotten, so that it may be tried again.
   * @throws AppError `conflict` when the key was used for something else, or its first call never ended
   */
  once(
    call: { accountId: string; key: string; endpoint: string; request: unknown },
    work: () => Promise<StoredAnswer>,
  ): Promise<StoredAnswer>;
  /** Forgets answers older than a day. */
  purge(): Promise<void>;
};

const KEPT_MS = 24 * 3600 * 1000;

export function idempotentCalls(database: Database, now: () => number): IdempotentCalls {
  const running = new Map<string, Promise<StoredAnswer>>();

  const first = async (
    { accountId, key, endpoint, request }: Parameters<IdempotentCalls['once']>[0],
    work: () => Promise<StoredAnswer>,
  ): Promise<StoredAnswer> => {
    const requestHash = sha256(JSON.stringify(request) ?? '');
    const row = { account_id: accountId, key, endpoint, request_hash: requestHash, status: null, answer: null, created_at: now() };
    const claim = await database.queries
      .insertInto('idempotent_calls')
      .values(row)
      .onConflict((c) => c.columns(['account_id', 'key']).doNothing())
      .executeTakeFirst();
    if (claim.numInsertedOrUpdatedRows === 0n) {
      const stored = await database.queries
        .selectFrom('idempotent_calls')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('key', '=', key)
        .executeTakeFirst();
      if (
        !stored ||
        stored.endpoint !== endpoint ||
        stored.request_hash !== requestHash ||
        stored.status === null ||
        stored.answer === null
      )
        throw new AppError('conflict', { parameters: { context: 'key_used' } });
      return { status: stored.status, answer: stored.answer };
    }
    try {
      const result = await work();
      await database.queries
        .updateTable('idempotent_calls')
        .set({ status: result.status, answer: result.answer })
        .where('account_id', '=', accountId)
        .where('key', '=', key)
        .execute();
      return result;
    } catch (error) {
      await database.queries.deleteFrom('idempotent_calls').where('account_id', '=', accountId).where('key', '=', key).execute();
      throw error;
    }
  };

  return {
    once: async (call, work) => {
      const name = `${call.accountId} ${call.key}`;
      // Wait for a first call in this process, then read what it stored.
      for (let before = running.get(name); before !== undefined; before = running.get(name)) await before.catch(() => undefined);
      const mine = first(call, work);
      running.set(name, mine);
      try {
        return await mine;
      } finally {
        running.delete(name);
      }
    },
    purge: async () => {
      await database.queries
        .deleteFrom('idempotent_calls')
        .where('created_at', '<', now() - KEPT_MS)
        .execute();
    },
  };
}
