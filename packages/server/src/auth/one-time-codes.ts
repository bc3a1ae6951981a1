import { AppError } from '@pilotfish/core/http/problem';
import type { Database, Queries } from '../database/database.ts';
import type { Random } from '../database/uuid.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { CodeKind } from './auth-tables.ts';

export type CodeRow = { id: string; accountId: string; payload: string | undefined; tries: number };

export type OneTimeCodes = {
  /** Makes a code and stores its keyed hash; older texted ones, and links that confirm an address, stop working. */
  issue(
    queries: Queries,
    code: { kind: CodeKind; accountId: string | null; lifeSeconds: number; payload?: string; code?: string },
  ): Promise<{ code: string; expiresAt: number }>;
  /**
   * Counts one try of a code that is about to be checked further (a second factor).
   * @throws AppError `code-expired` when it is unknown, used, too old, or tried too often
   */
  attempt(kind: CodeKind, code: string, maxTries: number): Promise<CodeRow>;
  /** Marks a code used; false when it already was. */
  consume(queries: Queries, id: string): Promise<boolean>;
  /** Ends what an old password began: sign-ins, enrolments and links not yet used; or codes of one kind. */
  voidOf(queries: Queries, accountId: string, kind?: CodeKind): Promise<void>;
  /** Codes of a kind that still work. */
  livingOf(queries: Queries, accountId: string, kind: CodeKind): Promise<{ payload: string | undefined; createdAt: number }[]>;
  purge(): Promise<void>;
};

/** Of these only the newest works. Sign-ins on two devices may overlap; a reset that others ask for voids no link. */
const SUPERSEDED: ReadonlySet<CodeKind> = new Set(['email', 'phone', 'email-change', 'replace-2fa']);

/** What an old password began. */
const BY_PASSWORD: readonly CodeKind[] = ['verify', 'enrol', 'reset', 'step-up', 'email-change', 'replace-2fa'];

export function oneTimeCodes(parts: {
  database: Database;
  secretBox: SecretBox;
  random: Random;
  now: () => number;
  newId: () => string;
}): OneTimeCodes {
  const { database, secretBox, random, now, newId } = parts;
  const binding = (id: string) => ({ user: id, kind: 'one-time-code', field: 'payload' });
  const hashOf = (kind: CodeKind, code: string) => secretBox.fingerprint(`${kind} ${code}`);
  return {
    issue: async (queries, { kind, accountId, lifeSeconds, payload, code = Buffer.from(random(32)).toString('base64url') }) => {
      const time = now();
      const id = newId();
      if (SUPERSEDED.has(kind))
        await queries
          .updateTable('one_time_codes')
          .set({ used_at: time })
          .where('account_id', '=', accountId ?? '')
          .where('kind', '=', kind)
          .where('used_at', 'is', null)
          .execute();
      await queries
        .insertInto('one_time_codes')
        .values({
          id,
          account_id: accountId,
          kind,
          code_hash: hashOf(kind, code),
          payload: payload === undefined ? null : secretBox.seal(payload, binding(id)),
          tries: 0,
          created_at: time,
          expires_at: time + lifeSeconds * 1000,
          used_at: null,
        })
        .execute();
      return { code, expiresAt: time + lifeSeconds * 1000 };
    },
    attempt: async (kind, code, maxTries) => {
      const row = await database.queries
        .updateTable('one_time_codes')
        .set((e) => ({ tries: e('tries', '+', 1) }))
        .where('code_hash', '=', hashOf(kind, code))
        .where('kind', '=', kind)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .where('tries', '<', maxTries)
        .returning(['id', 'account_id', 'payload', 'tries'])
        .executeTakeFirst();
      if (row === undefined || row.account_id === null) throw new AppError('code-expired');
      return {
        id: row.id,
        accountId: row.account_id,
        payload: row.payload === null ? undefined : secretBox.open(row.payload, binding(row.id)),
        tries: row.tries,
      };
    },
    consume: async (queries, id) => {
      const result = await queries
        .updateTable('one_time_codes')
        .set({ used_at: now() })
        .where('id', '=', id)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
    voidOf: async (queries, accountId, kind) => {
      await queries
        .updateTable('one_time_codes')
        .set({ used_at: now() })
        .where('account_id', '=', accountId)
        .where('kind', 'in', kind === undefined ? BY_PASSWORD : [kind])
        .where('used_at', 'is', null)
        .execute();
    },
    livingOf: async (queries, accountId, kind) => {
      const rows = await queries
        .selectFrom('one_time_codes')
        .select(['id', 'payload', 'created_at'])
        .where('account_id', '=', accountId)
        .where('kind', '=', kind)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .orderBy('created_at')
        .execute();
      return rows.map(({ id, payload, created_at: createdAt }) => ({
        payload: payload === null ? undefined : secretBox.open(payload, binding(id)),
        createdAt,
      }));
    },
    purge: async () => {
      await database.queries
        .deleteFrom('one_time_codes')
        .where('expires_at', '<', now() - 86_400_000)
        .execute();
    },
  };
}
