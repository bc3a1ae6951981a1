import { AppError } from '@pilotfish/core/http/problem';
import { formatDuration } from '@pilotfish/core/time/duration';
import type { AppContext } from '../app/context.ts';
import type { AuthPolicy } from '../app/settings.ts';
import type { Queries } from '../database/database.ts';
import { isUniqueViolation } from '../database/database-error.ts';
import type { Origin, SignedIn } from '../http/endpoint-handler.ts';
import type { Language } from '../http/texts.ts';
import { foldName, releaseUnconfirmedEmail } from './accounts-store.ts';
import type { AuthParts } from './auth-parts.ts';
import type { EmailChange } from './email-change.ts';
import type { OneTimeCodes } from './one-time-codes.ts';

export type ContactService = {
  confirmEmail(code: string, origin: Origin): Promise<void>;
  sendPhoneCode(account: SignedIn, phone: string, origin: Origin, language: Language): Promise<void>;
  confirmPhone(account: SignedIn, phone: string, code: string, origin: Origin): Promise<void>;
};

/** Puts the message that confirms an e-mail address into the outbox. */
export const emailConfirmation =
  (context: AppContext, policy: AuthPolicy, codes: OneTimeCodes) =>
  async (queries: Queries, account: { id: string; username: string; email: string; language: Language }): Promise<void> => {
    const { code } = await codes.issue(queries, {
      kind: 'email',
      accountId: account.id,
      lifeSeconds: policy.emailCodeSeconds,
      payload: account.email,
    });
    const values = {
      username: account.username,
      link: `${context.publicUrl()}/user/my-account#confirm-email=${code}`,
      time: formatDuration(policy.emailCodeSeconds * 1000, account.language),
      // What an Admin wrote may still count them itself.
      hours: policy.emailCodeSeconds / 3600,
    };
    await context.mailer.enqueue(queries, 'mail', {
      to: account.email,
      subject: context.texts.text(account.language, 'mail.confirmEmail.subject'),
      text: context.texts.text(account.language, 'mail.confirmEmail.text', values),
    });
  };

/** Six digits without bias: values beyond the largest multiple of a million are drawn again. */
function sixDigits(random: AppContext['random']): string {
  for (;;) {
    const [a = 0, b = 0, c = 0, d = 0] = random(4);
    const value = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    if (value < 4_294_000_000) return String(value % 1_000_000).padStart(6, '0');
  }
}

export function contactService(
  { context, policy, throttle, limits, codes }: AuthParts,
  change: Pick<EmailChange, 'confirm'>,
): ContactService {
  const { database, audit, texts, mailer, random, now } = context;
  // Six digits repeat across accounts, so the account and the number are part of what is looked up.
  const phoneCode = (accountId: string, phone: string, code: string) => `${accountId} ${phone} ${code}`;

  return {
    confirmEmail: async (code, origin) => {
      const moving = await codes.attempt('email-change', code, policy.pendingCodeTries).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'code-expired') return undefined;
        throw error;
      });
      if (moving !== undefined) return change.confirm(moving, origin);
      const row = await limits.byCode(origin, () => codes.attempt('email', code, policy.pendingCodeTries));
      const email = row.payload ?? '';
      const done = await database
        .transaction(async (queries) => {
          if (!(await codes.consume(queries, row.id))) return false;
          await releaseUnconfirmedEmail(queries, email, row.accountId);
          const confirmed = await queries
            .updateTable('accounts')
            .set({ email_key: foldName(email), email_confirmed: 1, updated_at: now() })
            .where('id', '=', row.accountId)
            .where('email', '=', email)
            .executeTakeFirst();
          if (confirmed.numUpdatedRows === 0n) return false;
          await audit.record({ accountId: row.accountId, action: 'account.confirm-email', origin }, queries);
          return true;
        })
        .catch((error: unknown) => {
          // Somebody else has confirmed it meanwhile.
          if (isUniqueViolation(error, 'email_key')) return false;
          throw error;
        });
      if (!done) throw new AppError('code-expired');
    },

    sendPhoneCode: async (account, phone, origin, language) => {
      await throttle.reserve('message', `account:${account.id}`);
      const digits = sixDigits(random);
      await database.transaction(async (queries) => {
        // Six digits can come up twice; the earlier row would be in the way.
        await queries.deleteFrom('one_time_codes').where('account_id', '=', account.id).where('kind', '=', 'phone').execute();
        await codes.issue(queries, {
          kind: 'phone',
          accountId: account.id,
          lifeSeconds: policy.phoneCodeSeconds,
          payload: phone,
          code: phoneCode(account.id, phone, digits),
        });
        await mailer.enqueue(queries, 'sms', {
          to: phone,
          subject: texts.text(language, 'sms.confirmPhone.subject'),
          text: texts.text(language, 'sms.confirmPhone.text', { code: digits }),
        });
        await audit.record({ accountId: account.id, action: 'account.receive-phone-confirmation', origin }, queries);
      });
      mailer.wake();
    },

    confirmPhone: async (account, phone, code, origin) => {
      await throttle.reserve('otp', `phone ${account.id}`);
      const row = await codes.attempt('phone', phoneCode(account.id, phone, code), policy.pendingCodeTries).catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'code-expired'
          ? new AppError('wrong-code', { parameters: { context: 'sms' } })
          : error;
      });
      const done = await database.transaction(async (queries) => {
        if (!(await codes.consume(queries, row.id))) return false;
        await queries.updateTable('accounts').set({ phone, phone_confirmed: 1, updated_at: now() }).where('id', '=', account.id).execute();
        await audit.record({ accountId: account.id, action: 'account.confirm-phone', origin }, queries);
        return true;
      });
      if (!done) throw new AppError('code-expired');
      await throttle.succeed('otp', `phone ${account.id}`);
    },
  };
}
