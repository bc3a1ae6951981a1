import { AppError } from '@pilotfish/core/http/problem';
import { PROCESS_ORIGIN } from '../audit/audit-log.ts';
import type { Database } from '../database/database.ts';
import { findByLogin } from './accounts-store.ts';

/**
 * Makes an account enrol its authenticator anew at the next sign-in: forgets the secret and the recovery codes and
 * ends every session. For the shell only: whoever can run it can read the database anyway.
 * @throws AppError `not-found`
 */
export async function resetTwoFactor(
  database: Database,
  username: string,
  parts: { now: number; newId: () => string },
): Promise<{ username: string }> {
  return database.transaction(async (queries) => {
    const account = await findByLogin(queries, username);
    if (account === undefined) throw new AppError('not-found', { detail: `There is no account "${username}".` });
    await queries
      .updateTable('accounts')
      .set({ two_factor_confirmed: 0, totp_secret: null, updated_at: parts.now })
      .where('id', '=', account.id)
      .execute();
    await queries.deleteFrom('recovery_codes').where('account_id', '=', account.id).execute();
    await queries.deleteFrom('one_time_codes').where('account_id', '=', account.id).execute();
    await queries
      .updateTable('sessions')
      .set({ revoked_at: parts.now, revoked_reason: 'two-factor-reset' })
      .where('account_id', '=', account.id)
      .where('revoked_at', 'is', null)
      .execute();
    await queries
      .insertInto('audit_log')
      .values({
        id: parts.newId(),
        at: parts.now,
        account_id: account.id,
        actor_id: null,
        action: 'auth.reset-2fa',
        target: null,
        outcome: 'success',
        address: PROCESS_ORIGIN.address,
        device: PROCESS_ORIGIN.device,
        request_id: '',
        details: null,
      })
      .execute();
    return { username: account.username };
  });
}
