import type { Credentials, LoginAnswer } from '@pilotfish/core/auth/auth-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { Origin } from '../http/endpoint-handler.ts';
import { findById, findByLogin, foldName, totpBinding } from './accounts-store.ts';
import type { AuthParts } from './auth-parts.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import type { RegistrationService } from './registration.ts';
import type { IssuedSession } from './sessions.ts';
import { matchingStep, takeStep } from './totp.ts';

export type LoginService = {
  login(credentials: Credentials, origin: Origin): Promise<LoginAnswer>;
  verify(pendingCode: string, otpCode: string, origin: Origin): Promise<IssuedSession>;
};

const isTotp = (code: string): boolean => /^\d{6}$/.test(code);

export function loginService(parts: AuthParts, registration: Pick<RegistrationService, 'enrol'>): LoginService {
  const { context, policy, hasher, limits, devices, codes } = parts;
  const { database, now, audit, sessions, secretBox } = context;

  return {
    // Unknown names take the same path, the same work and the same answer as wrong passwords.
    login: async ({ username, password }, origin) => {
      const account = await findByLogin(database.queries, username);
      const subject = secretBox.fingerprint(foldName(username));
      const tried = await limits.reserve('account', { subject, accountId: account?.id }, origin);
      const matches = await hasher.verify(account?.password_hash, password, tried.known);
      if (!matches || account === undefined) {
        await audit.record({ accountId: account?.id, action: 'auth.login', outcome: 'failure', origin });
        throw new AppError('invalid-credentials');
      }
      const renewed = hasher.isOutdated(account.password_hash) ? await hasher.hash(password) : undefined;
      const answer = await database.transaction(async (queries): Promise<LoginAnswer> => {
        // Only now is the password known, so only now can a hash of older parameters be made anew.
        if (renewed !== undefined)
          await queries
            .updateTable('accounts')
            .set({ password_hash: renewed })
            .where('id', '=', account.id)
            .where('password_hash', '=', account.password_hash)
            .execute();
        await audit.record({ accountId: account.id, action: 'auth.login', origin }, queries);
        if (account.two_factor_confirmed === 0) return registration.enrol(queries, account.id);
        const { code, expiresAt } = await codes.issue(queries, {
          kind: 'verify',
          accountId: account.id,
          lifeSeconds: policy.pendingCodeSeconds,
        });
        return { code, expiresAt: new Date(expiresAt).toISOString() };
      });
      await tried.succeeded();
      return answer;
    },

    verify: async (pendingCode, otpCode, origin) => {
      const pending = await limits.byCode(origin, () => codes.attempt('verify', pendingCode, policy.pendingCodeTries));
      const tried = await limits.reserve('otp', { subject: pending.accountId, accountId: pending.accountId }, origin);
      const account = await findById(database.queries, pending.accountId);
      const failed = async (code: AppError['code']): Promise<AppError> => {
        await audit.record({
          accountId: pending.accountId,
          action: 'auth.verify-2fa',
          outcome: 'failure',
          origin,
          details: { reason: code },
        });
        return new AppError(code);
      };
      if (account === undefined || account.totp_secret === null) throw await failed('code-expired');
      const step = isTotp(otpCode) ? matchingStep(secretBox.open(account.totp_secret, totpBinding(account.id)), otpCode, now()) : undefined;
      if (isTotp(otpCode) && step === undefined) throw await failed('wrong-code');

      const result = await database.transaction(async (queries): Promise<IssuedSession | AppError['code']> => {
        if (step !== undefined && !(await takeStep(queries, account.id, step))) return 'code-used';
        if (step === undefined && !(await takeRecoveryCode(queries, secretBox, account.id, otpCode, now()))) return 'wrong-code';
        // Two right codes for one sign-in make one session.
        if (!(await codes.consume(queries, pending.id))) return 'code-expired';
        await audit.record(
          { accountId: account.id, action: step === undefined ? 'auth.recovery-code' : 'auth.verify-2fa', origin },
          queries,
        );
        return sessions.open(queries, account, origin);
      });
      if (typeof result === 'string') throw await failed(result);
      await tried.succeeded();
      devices.remember(account.id, origin);
      return result;
    },
  };
}
