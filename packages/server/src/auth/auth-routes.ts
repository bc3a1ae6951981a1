import { STEP_UP_HEADER } from '@pilotfish/core/account/account-security-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { AuthParts } from './auth-parts.ts';
import { contactService, emailConfirmation } from './contact.ts';
import { emailChange } from './email-change.ts';
import { knownDevices } from './known-devices.ts';
import { loginService } from './login.ts';
import { oneTimeCodes } from './one-time-codes.ts';
import { passwordHasher } from './password-hash.ts';
import { passwordService } from './passwords.ts';
import { recoveryCodesLeft, replaceRecoveryCodes } from './recovery-codes.ts';
import { registrationService } from './registration.ts';
import { twoFactorReplacement } from './replace-two-factor.ts';
import { signInLimits } from './sign-in-limits.ts';
import { stepUpProofs, stepUpService } from './step-up.ts';
import { databaseThrottle, RULES } from './throttle.ts';

const SWEEP_MS = 30_000;

/** Accounts and sessions: the gateway's v1 calls. */
export async function authFeature(context: AppContext): Promise<Feature> {
  const { settings, texts, sessions, audit, log, timers } = context;
  const policy = settings.auth;
  const codes = oneTimeCodes(context);
  const throttle = databaseThrottle(context.database, context.now, { ...RULES, create: { free: policy.accountsPerAddress } });
  const devices = knownDevices(context);
  const parts: AuthParts = {
    context,
    policy,
    hasher: await passwordHasher(policy, context.random, timers),
    throttle,
    limits: signInLimits(throttle, devices),
    devices,
    codes,
    sendEmailConfirmation: emailConfirmation(context, policy, codes),
  };
  const registration = registrationService(parts);
  const logins = loginService(parts, registration);
  const passwords = passwordService(parts);
  const change = emailChange(parts);
  context.accountExtras.connections.push(change.waiting);
  const contact = contactService(parts, change);
  const proofs = stepUpProofs(context, codes);
  const prove = stepUpService(parts, proofs);
  const replacement = twoFactorReplacement(parts);
  const done = { success: true } as const;
  let sweeper: Cancel | undefined;

  const sweep = async (): Promise<void> => {
    try {
      await sessions.sweep();
      await parts.throttle.purge();
      await codes.purge();
    } catch (error) {
      log.error({ err: error }, 'expired sessions and codes could not be cleared');
    }
  };

  return {
    handlers: {
      createAccount: ({ body, origin, language }) => registration.create(body, origin, language),
      confirmTwoFactor: ({ body, origin }) => registration.confirm(body.otpCode, body.confirmationCode, origin),
      login: ({ body, origin }) => logins.login(body, origin),
      verifyTwoFactor: ({ body, bearer, origin }) => logins.verify(bearer, body.otpCode, origin),
      refreshToken: async ({ bearer, origin }) => {
        const { session, account } = await sessions.refresh(bearer, origin);
        // One that signed in before there were such tokens, or that lost its cookies.
        if (devices.idOf(account.id, origin) === undefined) devices.remember(account.id, origin, `session ${account.sessionId}`);
        return session;
      },
      logout: async ({ account, origin }) => {
        await sessions.revoke({ accountId: account.id, sessionId: account.sessionId }, 'logout');
        await audit.record({ accountId: account.id, action: 'auth.logout', origin });
      },
      forgotPassword: async ({ body, origin }) => {
        await passwords.forgot(body.email, origin);
        return done;
      },
      resetPassword: async ({ body, origin }) => {
        await passwords.reset(body.code, body.newPassword, origin);
        return done;
      },
      changePassword: async ({ account, body, origin, language }) => {
        await passwords.change(account, body.currentPassword, body.newPassword, origin);
        return { success: true, message: texts.text(language, 'account.passwordChanged') };
      },
      confirmEmail: async ({ body, origin }) => {
        await contact.confirmEmail(body.code, origin);
        return done;
      },
      receivePhoneConfirmation: async ({ account, body, origin, language }) => {
        await contact.sendPhoneCode(account, body.phone, origin, language);
        return done;
      },
      confirmPhone: async ({ account, body, origin }) => {
        await contact.confirmPhone(account, body.phone, body.code, origin);
        return done;
      },
      listSessions: async ({ account }) => {
        const live = await sessions.listLive(account.id);
        return {
          items: live.map((session) => ({
            id: session.id,
            createdAt: new Date(session.created_at).toISOString(),
            lastUsedAt: new Date(session.last_used_at).toISOString(),
            expiresAt: new Date(session.expires_at).toISOString(),
            address: session.address,
            device: session.device,
            current: session.id === account.sessionId,
          })),
        };
      },
      revokeSession: async ({ account, params, origin }) => {
        // Another account's session is as unknown as one that never was.
        const ended = await sessions.revoke({ accountId: account.id, sessionId: params.id }, 'revoked-by-user');
        if (ended === 0) throw new AppError('not-found');
        await audit.record({ accountId: account.id, action: 'auth.revoke-session', target: params.id, origin });
      },
      revokeOtherSessions: async ({ account, origin }) => {
        const ended = await sessions.revoke({ accountId: account.id, except: account.sessionId }, 'revoked-by-user');
        await audit.record({ accountId: account.id, action: 'auth.revoke-other-sessions', origin, details: { ended } });
        return { ended };
      },
      listAuditLog: async ({ account, query: { page, pageSize, ...filter } }) => ({
        ...(await audit.list(account.id, page, pageSize, filter)),
        page,
        pageSize,
      }),
      stepUp: ({ account, body, origin }) => prove(account, body, origin),
      resendEmailConfirmation: async ({ account, origin }) => {
        await change.resend(account, origin);
        return done;
      },
      changeEmail: async ({ account, body, origin, header }) => {
        await proofs.require(account, header(STEP_UP_HEADER), ['password']);
        await change.begin(account, body.email, origin);
        return done;
      },
      getRecoveryCodes: ({ account }) => recoveryCodesLeft(context.database.queries, account.id),
      renewRecoveryCodes: async ({ account, origin, header }) => {
        await proofs.require(account, header(STEP_UP_HEADER), ['password', 'totp']);
        const recoveryCodes = await context.database.transaction(async (queries) => {
          await audit.record({ accountId: account.id, action: 'account.renew-recovery-codes', origin }, queries);
          return replaceRecoveryCodes(queries, account.id, context);
        });
        return { recoveryCodes };
      },
      replaceTwoFactor: async ({ account, origin, header }) => {
        // Whoever has a session and one of the two must not be able to replace the other.
        await proofs.require(account, header(STEP_UP_HEADER), ['password', 'totp']);
        return replacement.begin(account, origin);
      },
      confirmReplacedTwoFactor: async ({ account, body, origin }) => ({
        recoveryCodes: await replacement.confirm(account, body.otpCode, body.confirmationCode, origin),
      }),
    },
    start: async () => {
      sweeper = timers.every(SWEEP_MS, () => void sweep());
    },
    stop: async () => sweeper?.(),
  };
}
