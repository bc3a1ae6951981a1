import { AppError } from '@pilotfish/core/http/problem';
import type { Queries } from '../database/database.ts';
import { clientNetwork } from '../http/client-network.ts';
import type { Origin, SignedIn } from '../http/endpoint-handler.ts';
import type { Language } from '../http/texts.ts';
import { findById, foldName } from './accounts-store.ts';
import type { AuthParts } from './auth-parts.ts';
import { requireStrongPassword } from './password-strength.ts';

export type PasswordService = {
  change(account: SignedIn, currentPassword: string, newPassword: string, origin: Origin): Promise<void>;
  /** Sends a link when the address belongs to an account; works and answers alike when it does not. */
  forgot(email: string, origin: Origin): Promise<void>;
  reset(code: string, newPassword: string, origin: Origin): Promise<void>;
};

const languageOfRow = (language: string): Language => (language === 'tr' ? 'tr' : 'en');

export function passwordService(parts: AuthParts): PasswordService {
  const { context, policy, hasher, throttle, codes } = parts;
  const { database, now, audit, sessions, texts, mailer, secretBox } = context;

  /** False when the password is no longer the one of `expected`. */
  const store = async (queries: Queries, id: string, passwordHash: string, expected?: string): Promise<boolean> => {
    let update = queries.updateTable('accounts').set({ password_hash: passwordHash, updated_at: now() }).where('id', '=', id);
    if (expected !== undefined) update = update.where('password_hash', '=', expected);
    return (await update.executeTakeFirst()).numUpdatedRows > 0n;
  };
  const wrongPassword = () =>
    new AppError('wrong-password', { fields: [{ path: 'currentPassword', code: 'wrong-password', message: '' }] });

  return {
    change: async (signedIn, currentPassword, newPassword, origin) => {
      const account = await findById(database.queries, signedIn.id);
      if (account === undefined) throw new AppError('unauthenticated');
      const subject = secretBox.fingerprint(account.username_key);
      await throttle.reserve('account', subject);
      if (!(await hasher.verify(account.password_hash, currentPassword))) {
        await audit.record({ accountId: account.id, action: 'account.change-password', outcome: 'failure', origin });
        throw wrongPassword();
      }
      await requireStrongPassword(newPassword, [account.username, account.email], 'newPassword');
      const passwordHash = await hasher.hash(newPassword);
      const done = await database.transaction(async (queries) => {
        // Of several who knew the old password only the first sets the new one; a reset in between wins over all.
        if (!(await store(queries, account.id, passwordHash, account.password_hash))) return false;
        await codes.voidOf(queries, account.id);
        await sessions.revoke({ accountId: account.id, except: signedIn.sessionId }, 'password-changed', queries);
        await audit.record({ accountId: account.id, action: 'account.change-password', origin }, queries);
        return true;
      });
      if (!done) throw wrongPassword();
      await throttle.succeed('account', subject);
    },

    forgot: async (email, origin) => {
      await throttle.reserve('message', `address:${clientNetwork(origin.address)}`);
      await throttle.reserve('message', `mail:${secretBox.fingerprint(foldName(email))}`);
      await database.transaction(async (queries) => {
        const account = await queries.selectFrom('accounts').selectAll().where('email_key', '=', foldName(email)).executeTakeFirst();
        const { code } = await codes.issue(queries, {
          kind: 'reset',
          accountId: account?.id ?? null,
          lifeSeconds: policy.resetCodeSeconds,
        });
        const language = languageOfRow(account?.language ?? 'en');
        // In the fragment: it is not sent to servers, logged, or passed on as a referrer.
        const values = {
          username: account?.username ?? '',
          link: `${context.publicUrl()}/auth/forgot-password#code=${code}`,
          minutes: policy.resetCodeSeconds / 60,
        };
        const message = {
          to: account?.email ?? '',
          subject: texts.text(language, 'mail.resetPassword.subject'),
          text: texts.text(language, 'mail.resetPassword.text', values),
        };
        await mailer.enqueue(queries, 'mail', account === undefined ? undefined : message);
        await audit.record({ accountId: account?.id, action: 'auth.forgot-password', origin }, queries);
      });
      mailer.wake();
    },

    reset: async (code, newPassword, origin) => {
      await throttle.reserve('address', origin.address);
      const row = await codes.attempt('reset', code, policy.pendingCodeTries);
      const account = await findById(database.queries, row.accountId);
      if (account === undefined) throw new AppError('code-expired');
      await requireStrongPassword(newPassword, [account.username, account.email], 'newPassword');
      const passwordHash = await hasher.hash(newPassword);
      const done = await database.transaction(async (queries) => {
        if (!(await codes.consume(queries, row.id))) return false;
        await store(queries, account.id, passwordHash);
        // Whoever reads the mailbox owns the address.
        await queries.updateTable('accounts').set({ email_confirmed: 1 }).where('id', '=', account.id).execute();
        await codes.voidOf(queries, account.id);
        await sessions.revoke({ accountId: account.id }, 'password-reset', queries);
        await audit.record({ accountId: account.id, action: 'auth.reset-password', origin }, queries);
        return true;
      });
      if (!done) throw new AppError('code-expired');
      await throttle.succeed('account', secretBox.fingerprint(account.username_key));
      await throttle.succeed('address', origin.address);
    },
  };
}
