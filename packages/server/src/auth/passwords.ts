import { AppError } from '@pilotfish/core/http/problem';
import { formatDuration } from '@pilotfish/core/time/duration';
import type { Queries } from '../database/database.ts';
import { clientNetwork } from '../http/client-network.ts';
import type { Origin, SignedIn } from '../http/endpoint-handler.ts';
import type { Language } from '../http/texts.ts';
import { findById, findByLogin, foldName } from './accounts-store.ts';
import type { AuthParts } from './auth-parts.ts';
import { requireStrongPassword } from './password-strength.ts';
import { stepUpSubject } from './step-up.ts';

export type PasswordService = {
  change(account: SignedIn, currentPassword: string, newPassword: string, origin: Origin): Promise<void>;
  /** Sends a link when the address belongs to an account; works and answers alike when it does not. */
  forgot(email: string, origin: Origin): Promise<void>;
  reset(code: string, newPassword: string, origin: Origin): Promise<void>;
};

/** So many links of an account may live before new ones are sent with a pause between them. */
const FREE_LINKS = 5;
const LINK_PAUSE_MS = 5 * 60_000;

const languageOfRow = (language: string): Language => (language === 'tr' ? 'tr' : 'en');

export function passwordService(parts: AuthParts): PasswordService {
  const { context, policy, hasher, throttle, limits, devices, codes } = parts;
  const { database, now, audit, sessions, texts, mailer, secretBox } = context;

  /** False when the password is no longer the one of `expected`. */
  const store = async (queries: Queries, id: string, passwordHash: string, expected?: string): Promise<boolean> => {
    let update = queries.updateTable('accounts').set({ password_hash: passwordHash, updated_at: now() }).where('id', '=', id);
    if (expected !== undefined) update = update.where('password_hash', '=', expected);
    return (await update.executeTakeFirst()).numUpdatedRows > 0n;
  };
  /** Enough links that live, the newest of them sent a moment ago. */
  const hasFreshLinks = async (queries: Queries, accountId: string): Promise<boolean> => {
    const living = await queries
      .selectFrom('one_time_codes')
      .select('created_at')
      .where('account_id', '=', accountId)
      .where('kind', '=', 'reset')
      .where('used_at', 'is', null)
      .where('tries', '<', policy.pendingCodeTries)
      .where('expires_at', '>', now())
      .orderBy('created_at', 'desc')
      .limit(FREE_LINKS)
      .execute();
    return living.length === FREE_LINKS && (living[0]?.created_at ?? 0) > now() - LINK_PAUSE_MS;
  };
  const wrongPassword = () =>
    new AppError('wrong-password', { fields: [{ path: 'currentPassword', code: 'wrong-password', message: '' }] });

  return {
    change: async (signedIn, currentPassword, newPassword, origin) => {
      const account = await findById(database.queries, signedIn.id);
      if (account === undefined) throw new AppError('unauthenticated');
      await throttle.reserve('stepUp', stepUpSubject(signedIn.sessionId, 'password'));
      if (!(await hasher.verify(account.password_hash, currentPassword, true))) {
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
      await throttle.succeed('stepUp', stepUpSubject(signedIn.sessionId, 'password'));
    },

    forgot: async (email, origin) => {
      const found = await findByLogin(database.queries, email);
      const device = devices.idOf(found?.id, origin);
      const sender = device ?? `${secretBox.fingerprint(foldName(email))} ${clientNetwork(origin.address)}`;
      await throttle.reserve('message', `reset:${sender}`);
      await database.transaction(async (queries) => {
        // Who floods a mailbox has filled it with links that work; asking goes on being answered alike.
        const account = found !== undefined && (await hasFreshLinks(queries, found.id)) ? undefined : found;
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
          time: formatDuration(policy.resetCodeSeconds * 1000, language),
          // What an Admin wrote may still count them itself.
          minutes: policy.resetCodeSeconds / 60,
        };
        const message = {
          to: account?.email ?? '',
          subject: texts.text(language, 'mail.resetPassword.subject'),
          text: texts.text(language, 'mail.resetPassword.text', values),
        };
        await mailer.enqueue(queries, 'mail', account === undefined ? undefined : message);
        await audit.record({ accountId: found?.id, action: 'auth.forgot-password', origin }, queries);
      });
      mailer.wake();
    },

    reset: async (code, newPassword, origin) => {
      const row = await limits.byCode(origin, () => codes.attempt('reset', code, policy.pendingCodeTries));
      const account = await findById(database.queries, row.accountId);
      if (account === undefined) throw new AppError('code-expired');
      await requireStrongPassword(newPassword, [account.username, account.email], 'newPassword');
      const passwordHash = await hasher.hash(newPassword, true);
      const done = await database.transaction(async (queries) => {
        if (!(await codes.consume(queries, row.id))) return false;
        await store(queries, account.id, passwordHash);
        // Whoever reads the mailbox owns the address.
        await queries
          .updateTable('accounts')
          .set({ email_confirmed: 1 })
          .where('id', '=', account.id)
          .where('email_key', '=', foldName(account.email))
          .execute();
        await codes.voidOf(queries, account.id);
        await sessions.revoke({ accountId: account.id }, 'password-reset', queries);
        await audit.record({ accountId: account.id, action: 'auth.reset-password', origin }, queries);
        return true;
      });
      if (!done) throw new AppError('code-expired');
      // Whoever reads the mailbox gets to the second factor, whatever others try meanwhile; one count for all resets.
      devices.remember(account.id, origin, 'mailbox');
    },
  };
}
