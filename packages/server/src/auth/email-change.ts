import { AppError } from '@pilotfish/core/http/problem';
import { formatDuration } from '@pilotfish/core/time/duration';
import type { AccountConnection } from '../app/context.ts';
import type { Queries } from '../database/database.ts';
import { isUniqueViolation } from '../database/database-error.ts';
import type { Origin, SignedIn } from '../http/endpoint-handler.ts';
import { findById, foldName, releaseUnconfirmedEmail } from './accounts-store.ts';
import type { AuthParts } from './auth-parts.ts';
import type { CodeRow } from './one-time-codes.ts';

/** `ada@example.com` → `a***@example.com`: enough to recognise, not enough to write to. */
const masked = (email: string): string => email.replace(/^(.)[^@]*/, '$1***');

/** A new address is the account's once its mailbox has answered; the old one hears of both steps. */
export function emailChange({ context, policy, throttle, codes, sendEmailConfirmation }: AuthParts) {
  const { database, audit, mailer, now, texts } = context;
  const known = async (id: string) => {
    const account = await findById(database.queries, id);
    if (account === undefined) throw new AppError('unauthenticated');
    return { ...account, language: account.language === 'tr' ? ('tr' as const) : ('en' as const) };
  };

  /** Whether somebody other than `by` has confirmed the address: nobody else's links are sent there. */
  const isTaken = async (queries: Queries, email: string, by = ''): Promise<boolean> =>
    (await queries
      .selectFrom('accounts')
      .select('id')
      .where('email_key', '=', foldName(email))
      .where('email_confirmed', '=', 1)
      .where('id', '!=', by)
      .executeTakeFirst()) !== undefined;

  return {
    /** An address that waits for its mailbox: whoever opens the link there has the account's mails. */
    waiting: {
      kind: 'mail',
      list: async (accountId, queries) =>
        (await codes.livingOf(queries, accountId, 'email-change')).map(({ payload, createdAt }) => ({
          name: payload ?? '',
          addedAt: createdAt,
        })),
      end: (accountId, origin) =>
        database.transaction(async (queries) => {
          await codes.voidOf(queries, accountId, 'email-change');
          await audit.record({ accountId, action: 'account.change-email-ended', origin }, queries);
        }),
    } satisfies AccountConnection,

    /** Answers alike where somebody else has confirmed the address meanwhile, and writes to nobody then. */
    resend: async (signedIn: SignedIn, origin: Origin): Promise<void> => {
      const account = await known(signedIn.id);
      if (account.email_confirmed === 1) return;
      await throttle.reserve('message', `account:${account.id}`);
      await database.transaction(async (queries) => {
        if (!(await isTaken(queries, account.email, account.id))) await sendEmailConfirmation(queries, account);
        await audit.record({ accountId: account.id, action: 'account.resend-email-confirmation', origin }, queries);
      });
      mailer.wake();
    },

    /** Answers alike whether the address is free or somebody else's: who asks learns nothing of others. */
    begin: async (signedIn: SignedIn, email: string, origin: Origin): Promise<void> => {
      const account = await known(signedIn.id);
      await throttle.reserve('message', `account:${account.id}`);
      await database.transaction(async (queries) => {
        const taken = await isTaken(queries, email);
        const { code } = await codes.issue(queries, {
          kind: 'email-change',
          accountId: account.id,
          lifeSeconds: policy.emailCodeSeconds,
          payload: email,
        });
        const values = {
          username: account.username,
          email: masked(email),
          time: formatDuration(policy.emailCodeSeconds * 1000, account.language),
          // What an Admin wrote may still count them itself.
          hours: policy.emailCodeSeconds / 3600,
        };
        const link = `${context.publicUrl()}/user/my-account#confirm-email=${code}`;
        const message = {
          to: email,
          subject: texts.text(account.language, 'mail.changeEmail.subject'),
          text: texts.text(account.language, 'mail.changeEmail.text', { ...values, link }),
        };
        await mailer.enqueue(queries, 'mail', taken ? undefined : message);
        await mailer.enqueue(queries, 'mail', {
          to: account.email,
          subject: texts.text(account.language, 'mail.emailChanging.subject'),
          text: texts.text(account.language, 'mail.emailChanging.text', values),
        });
        await audit.record({ accountId: account.id, action: 'account.change-email', origin }, queries);
      });
      mailer.wake();
    },

    /** @throws AppError `code-expired`, also where somebody else has taken the address meanwhile */
    confirm: async (row: CodeRow, origin: Origin): Promise<void> => {
      const account = await known(row.accountId);
      const email = row.payload ?? '';
      const done = await database
        .transaction(async (queries) => {
          if (!(await codes.consume(queries, row.id))) return false;
          await releaseUnconfirmedEmail(queries, email, account.id);
          const changed = await queries
            .updateTable('accounts')
            .set({ email, email_key: foldName(email), email_confirmed: 1, updated_at: now() })
            .where('id', '=', account.id)
            .where('deleted_at', 'is', null)
            .executeTakeFirst();
          if (changed.numUpdatedRows === 0n) return false;
          // A link that was mailed to the old address must not set a password any more.
          await codes.voidOf(queries, account.id);
          await mailer.enqueue(queries, 'mail', {
            to: account.email,
            subject: texts.text(account.language, 'mail.emailChanged.subject'),
            text: texts.text(account.language, 'mail.emailChanged.text', { username: account.username, email: masked(email) }),
          });
          await audit.record({ accountId: account.id, action: 'account.email-changed', origin }, queries);
          return true;
        })
        .catch((error: unknown) => {
          if (isUniqueViolation(error, 'email_key')) return false;
          throw error;
        });
      if (!done) throw new AppError('code-expired');
      mailer.wake();
    },
  };
}
export type EmailChange = ReturnType<typeof emailChange>;
