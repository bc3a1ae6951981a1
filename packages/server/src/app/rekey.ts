import { type Kysely, sql, type Transaction } from 'kysely';
import { PROCESS_ORIGIN } from '../audit/audit-log.ts';
import { type Database, openDatabase } from '../database/database.ts';
import type { Schema } from '../database/migrations.ts';
import { LEASE_OF_A_FILE, takeLease } from '../database/server-lease.ts';
import type { Random } from '../database/uuid.ts';
import { adoptNextKey, createNextKey, openSecretBox, readMasterKey, retiredKeyBinding } from '../secrets/master-key.ts';
import { FINGERPRINT, type SecretBox, secretBox } from '../secrets/secret-box.ts';
import { chatBinding, chatSubject } from '../telegram/telegram-chats.ts';
import { lockDataFolder, requireWholeFolder, StartError } from './data-folder.ts';
import { ENDED_BY_NEW_KEY, SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

export type Rekeyed = {
  /** Texts sealed anew. */
  readonly sealed: number;
  /** Recovery codes that still work, or were dropped. */
  readonly recoveryCodes: number;
  /** Where the key of before was kept. */
  readonly oldKeyFile: string;
};

/** Moments at which a process may die; for tests that let it. */
export type RekeyPoint = 'next key written' | 'half sealed' | 'sealed' | 'committed' | 'adopted';

/**
 * Seals everything anew under a new key. Offline: it takes the data folder and the database for itself.
 *
 * The database changes in one transaction, and the new key lies beside the old one before it begins. Whoever dies in
 * between leaves a database that is all of one key, with the file of that key there: the next start sees which it is,
 * and running this again does it again.
 *
 * Keyed hashes: those of chats are made anew. Recovery codes are known as hashes only, so the key behind them is kept,
 * sealed with the new one; with `dropRecoveryCodes` they end instead. Codes that live for minutes end.
 * @throws StartError where a server runs on the folder, or where all is sealed anew and its old traces could not be
 *   removed; DatabaseStartError where one runs on the database, or when the key file of now does not open it
 */
export async function rekey(options: {
  dataDir: string;
  databaseUrl?: string | undefined;
  random: Random;
  now: () => number;
  newId: () => string;
  /** For a key file that somebody else may have: codes of 50 bits can be guessed with it. */
  dropRecoveryCodes?: boolean;
  /** False leaves what was sealed with the old key in pages that are free now. */
  clean?: boolean;
  at?: (point: RekeyPoint) => void;
}): Promise<Rekeyed> {
  const { databaseUrl } = options;
  requireWholeFolder(options.dataDir, options.databaseUrl === undefined);
  const lock = lockDataFolder(options.dataDir);
  try {
    // The lock of a data folder says nothing of another machine on the same PostgreSQL: it would go on with the old key.
    const lease = databaseUrl === undefined ? LEASE_OF_A_FILE : await takeLease({ databaseUrl, purpose: 'rekey', onLost: () => undefined });
    try {
      const database = await openDatabase({ ...options, lease });
      try {
        return await rekeyDatabase(database, options);
      } finally {
        await database.close();
      }
    } finally {
      await lease.release();
    }
  } finally {
    lock.release();
  }
}

async function rekeyDatabase(database: Database, options: Parameters<typeof rekey>[0]): Promise<Rekeyed> {
  const { dataDir, random, now, newId, dropRecoveryCodes = false, at = () => undefined } = options;
  const from = await openSecretBox(database.queries, dataDir, now, random);
  const current = readMasterKey(dataDir);
  if (current === undefined) throw new StartError('The key file is gone.');
  const to = secretBox(createNextKey(dataDir, random, current), random);
  at('next key written');
  let sealed = 0;
  let recoveryCodes = 0;
  await database.transaction(async (queries) => {
    sealed = 0;
    for (const [place, column] of SEALED_COLUMNS.entries()) {
      sealed += await sealAnew(queries, column, from, to);
      if (place === Math.floor(SEALED_COLUMNS.length / 2)) at('half sealed');
    }
    const chats = await queries.selectFrom('telegram_chats').select(['account_id', 'chat']).execute();
    for (const { account_id, chat } of chats) {
      const chat_hash = to.fingerprint(chatSubject(Number(to.open(chat, chatBinding(account_id)))));
      await queries.updateTable('telegram_chats').set({ chat_hash }).where('account_id', '=', account_id).execute();
    }
    for (const table of ENDED_BY_NEW_KEY) await queries.deleteFrom(table).execute();
    const { count } = await queries
      .selectFrom('recovery_codes')
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow();
    recoveryCodes = Number(count);
    if (dropRecoveryCodes) {
      await queries.deleteFrom('recovery_codes').execute();
      await queries.deleteFrom('retired_keys').execute();
    } else if (recoveryCodes > 0) {
      const id = newId();
      const key = Buffer.from(from.deriveKey(FINGERPRINT)).toString('base64');
      await queries
        .insertInto('retired_keys')
        .values({ id, key: to.seal(key, retiredKeyBinding(id)), retired_at: now() })
        .execute();
    }
    await queries
      .insertInto('audit_log')
      .values({
        id: newId(),
        at: now(),
        account_id: null,
        actor_id: null,
        action: 'admin.rekey',
        target: null,
        outcome: 'success',
        address: PROCESS_ORIGIN.address,
        device: PROCESS_ORIGIN.device,
        request_id: '',
        details: JSON.stringify({ sealed, recoveryCodes: dropRecoveryCodes ? 'dropped' : 'kept' }),
      })
      .execute();
    at('sealed');
  });
  at('committed');
  const oldKeyFile = adoptNextKey(dataDir);
  at('adopted');
  if (options.clean !== false)
    await emptyFreePages(database).catch((cause: unknown) => {
      throw new StartError(
        `Everything is sealed with the new key now; the key of before is ${oldKeyFile}. But what was sealed with that one may still lie in free pages of the database: ${(cause as Error).message}. Make room for a second copy of the database and run this again.`,
        { cause },
      );
    });
  return { sealed, recoveryCodes, oldKeyFile };
}

/** What was sealed with the old key lies in free pages until they are used again. */
async function emptyFreePages({ dialect, queries }: Database): Promise<void> {
  if (dialect === 'sqlite') {
    await sql`vacuum`.execute(queries);
    await sql`pragma wal_checkpoint(truncate)`.execute(queries);
    return;
  }
  // Those that end held sealed texts, too: the secret of an authenticator waits in a code until it is confirmed.
  const tables = new Set<string>([...SEALED_COLUMNS.map(({ table }) => table), ...ENDED_BY_NEW_KEY]);
  for (const table of tables) await sql`vacuum full ${sql.table(table)}`.execute(queries);
}

/** @returns how many texts there were */
async function sealAnew(queries: Transaction<Schema>, { table, column, id, owner, binding }: SealedColumn, from: SecretBox, to: SecretBox) {
  // Names of tables and columns come from the list above and nowhere else.
  const anyTable = queries as unknown as Kysely<Record<string, Record<string, string | null>>>;
  const rows = await anyTable
    .selectFrom(table)
    .select([id, column, ...(owner === undefined ? [] : [owner])])
    .where(column, 'is not', null)
    .execute();
  for (const row of rows) {
    const texts = row as Record<string, string>;
    const anew = to.seal(from.open(texts[column]!, binding(texts)), binding(texts));
    await anyTable
      .updateTable(table)
      .set({ [column]: anew })
      .where(id, '=', texts[id]!)
      // An account has keys of several markets: another row than this one must not get them.
      .where(column, '=', texts[column]!)
      .execute();
  }
  return rows.length;
}
