import type { Enrolment } from '@pilotfish/core/auth/auth-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { Origin, SignedIn } from '../http/endpoint-handler.ts';
import { totpBinding } from './accounts-store.ts';
import type { AuthParts } from './auth-parts.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { matchingStep, newTotpSecret, takeStep } from './totp.ts';

/** Another authenticator for an account that has one. The present one works until the new one has shown a right code. */
export function twoFactorReplacement({ context, policy, throttle, codes }: AuthParts) {
  const { database, now, random, audit, sessions, secretBox } = context;
  return {
    begin: (account: SignedIn, origin: Origin): Promise<Enrolment> =>
      database.transaction(async (queries) => {
        const secretKey = newTotpSecret(random);
        const { code, expiresAt } = await codes.issue(queries, {
          kind: 'replace-2fa',
          accountId: account.id,
          lifeSeconds: policy.pendingCodeSeconds,
          payload: secretKey,
        });
        await audit.record({ accountId: account.id, action: 'account.replace-2fa', origin }, queries);
        return { secretKey, code, expiresAt: new Date(expiresAt).toISOString() };
      }),

    confirm: async (account: SignedIn, otpCode: string, confirmationCode: string, origin: Origin): Promise<string[]> => {
      await throttle.reserve('otp', `replace ${account.id}`);
      const row = await codes.attempt('replace-2fa', confirmationCode, policy.pendingCodeTries);
      if (row.accountId !== account.id || row.payload === undefined) throw new AppError('code-expired');
      const secret = row.payload;
      const step = matchingStep(secret, otpCode, now());
      if (step === undefined) {
        await audit.record({ accountId: account.id, action: 'account.confirm-replaced-2fa', outcome: 'failure', origin });
        throw new AppError('wrong-code');
      }
      const recoveryCodes = await database.transaction(async (queries) => {
        if (!(await codes.consume(queries, row.id))) throw new AppError('code-used');
        await queries
          .updateTable('accounts')
          .set({ totp_secret: secretBox.seal(secret, totpBinding(account.id)), updated_at: now() })
          .where('id', '=', account.id)
          .execute();
        // A step belongs to its secret: what the old one used up says nothing of the new one.
        await queries.deleteFrom('totp_steps').where('account_id', '=', account.id).execute();
        await takeStep(queries, account.id, step);
        await codes.voidOf(queries, account.id);
        await sessions.revoke({ accountId: account.id, except: account.sessionId }, 'two-factor-replaced', queries);
        await audit.record({ accountId: account.id, action: 'account.confirm-replaced-2fa', origin }, queries);
        return replaceRecoveryCodes(queries, account.id, context);
      });
      await throttle.succeed('otp', `replace ${account.id}`);
      return recoveryCodes;
    },
  };
}
