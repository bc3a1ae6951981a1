import { sql } from 'kysely';
import type { Queries } from '../database/database.ts';

/** Usernames and addresses are unique and found without regard to case. ASCII by contract, so folding is unambiguous. */
export const foldName = (text: string): string => text.trim().normalize('NFKC').toLowerCase();

/** The account of a username or an address; one that was deleted has neither. */
export const findByLogin = (queries: Queries, login: string) => {
  const key = foldName(login);
  return queries
    .selectFrom('accounts')
    .selectAll()
    .where(key.includes('@') ? 'email_key' : 'username_key', '=', key)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
};

/**
 * Takes an address back from an account that has not confirmed it, for the one whose turn it is. That account goes on and signs
 * in by its name; whoever opens the link first has the address.
 */
export async function releaseUnconfirmedEmail(queries: Queries, email: string, except = ''): Promise<void> {
  // One statement: whoever confirms in the same moment keeps the address.
  await queries
    .updateTable('accounts')
    // No address looks like that, so it is found by none.
    .set({ email_key: sql<string>`'unconfirmed ' || id` })
    .where('email_key', '=', foldName(email))
    .where('email_confirmed', '=', 0)
    .where('id', '!=', except)
    .execute();
}

export const findById = (queries: Queries, id: string) =>
  queries.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();

export const rolesOf = async (queries: Queries, accountId: string): Promise<string[]> => {
  const rows = await queries.selectFrom('account_roles').select('role').where('account_id', '=', accountId).orderBy('role').execute();
  return rows.map((row) => row.role);
};

/** Makes the account Admin if nobody was first before it; one conditional update decides between two at once. */
export async function claimFirstAdmin(queries: Queries, accountId: string, now: number): Promise<boolean> {
  const claim = await queries
    .updateTable('instance')
    .set({ first_account_id: accountId })
    .where('first_account_id', 'is', null)
    .executeTakeFirst();
  if (claim.numUpdatedRows === 0n) return false;
  await queries
    .insertInto('account_roles')
    .values({ account_id: accountId, role: 'Admin', granted_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'role']).doNothing())
    .execute();
  return true;
}

export const totpBinding = (accountId: string) => ({ user: accountId, kind: 'account', field: 'totp_secret' });
