import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@pilotfish/core/http/problem';
import { sql } from 'kysely';
import type { AppContext } from '../app/context.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import { rolesOf } from '../auth/accounts-store.ts';
import type { Queries } from '../database/database.ts';
import { FORGOTTEN_AT_ONCE } from './exported-tables.ts';

/** Holds up other changes of roles until this transaction ends, so that two cannot each remove the other's last Admin. */
export const oneAtATime = (queries: Queries) =>
  queries
    .updateTable('instance')
    .set((e) => ({ created_at: e.ref('created_at') }))
    .execute();

/** @throws AppError `last-admin` */
export async function requireAnotherAdmin(queries: Queries, id: string): Promise<void> {
  const other = await queries
    .selectFrom('account_roles')
    .innerJoin('accounts', 'accounts.id', 'account_roles.account_id')
    .select('account_id')
    .where('role', '=', 'Admin')
    .where('account_id', '!=', id)
    .where('accounts.deleted_at', 'is', null)
    .executeTakeFirst();
  if (other === undefined) throw new AppError('last-admin');
}

/** What only the server of another market would end: without that its bots of there would go on when that market is back. */
async function endElsewhere(everywhere: Queries, id: string): Promise<void> {
  await everywhere.updateTable('wallets').set({ paper_key: null, paper_secret: null }).where('account_id', '=', id).execute();
  await everywhere.deleteFrom('price_alerts').where('account_id', '=', id).execute();
}

/**
 * Deletes an account: its bots end first, then sessions, keys and every way in; its names are free at once. What it
 * traded is kept under its bare id until the purge.
 * @param entry what the audit log says of it, in the same transaction
 * @throws AppError `last-admin`; whatever a bot's end throws, and then nothing is deleted
 */
export async function removeAccount(
  { database, now, audit, sessions, accountExtras, settings }: AppContext,
  id: string,
  entry: AuditEntry,
): Promise<void> {
  const isAdmin = async (queries: Queries) => (await rolesOf(queries, id)).includes('Admin');
  if (await isAdmin(database.queries)) await requireAnotherAdmin(database.queries, id);
  for (const end of accountExtras.beforeDelete) await end(id);
  const present = new Set((await database.queries.introspection.getTables()).map(({ name }) => name));
  await database.transaction(async (queries) => {
    await oneAtATime(queries);
    if (await isAdmin(queries)) await requireAnotherAdmin(queries, id);
    await sessions.revoke({ accountId: id }, 'account-deleted', queries);
    for (const table of FORGOTTEN_AT_ONCE)
      if (present.has(table)) await sql`delete from ${sql.table(table)} where account_id = ${id}`.execute(queries);
    await endElsewhere(queries.withoutPlugins(), id);
    // The names are free at once and nothing personal stays; the id keeps the trades together until the purge.
    const gone = `deleted ${id}`;
    await queries
      .updateTable('accounts')
      .set({
        username: gone,
        username_key: gone,
        email: gone,
        email_key: gone,
        phone: null,
        phone_confirmed: 0,
        email_confirmed: 0,
        password_hash: '',
        totp_secret: null,
        two_factor_confirmed: 0,
        updated_at: now(),
        deleted_at: now(),
      })
      .where('id', '=', id)
      .execute();
    await audit.record(entry, queries);
  });
  rmSync(join(settings.dataDir, 'exports', `${id}.json`), { force: true });
  for (const forget of accountExtras.afterDelete) await forget(id);
}
