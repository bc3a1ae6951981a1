import type { Confirmed, Enrolment, Registration } from '@pilotfish/core/auth/auth-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { Queries } from '../database/database.ts';
import { isUniqueViolation } from '../database/database-error.ts';
import type { Origin } from '../http/endpoint-handler.ts';
import type { Language } from '../http/texts.ts';
import { claimFirstAdmin, foldName, releaseUnconfirmedEmail, totpBinding } from './accounts-store.ts';
import type { AuthParts } from './auth-parts.ts';
import { requireStrongPassword } from './password-strength.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { matchingStep, newTotpSecret, takeStep } from './totp.ts';

/** An account nobody ever confirmed gives its names free after a day. */
const UNCONFIRMED_KEPT_MS = 86_400_000;

export type RegistrationService = {
  create(registration: Registration, origin: Origin, language: Language): Promise<Enrolment>;
  /** A new secret for an account that has to enrol (again). */
  enrol(queries: Queries, accountId: string): Promise<Enrolment>;
  confirm(otpCode: string, confirmationCode: string, origin: Origin): Promise<Confirmed>;
};

export function registrationService(parts: AuthParts): RegistrationService {
  const { context, policy, hasher, throttle, limits, devices, codes, sendEmailConfirmation } = parts;
  const { database, now, newId, random, audit, sessions, secretBox } = context;

  const enrol: RegistrationService['enrol'] = async (queries, accountId) => {
    const secretKey = newTotpSecret(random);
    const { code, expiresAt } = await codes.issue(queries, {
      kind: 'enrol',
      accountId,
      lifeSeconds: policy.pendingCodeSeconds,
      payload: secretKey,
    });
    return { secretKey, code, expiresAt: new Date(expiresAt).toISOString() };
  };

  /** The first account is always let in: somebody has to be the Admin who closes the door. */
  const requireOpenDoor = async (inviteCode: string | undefined): Promise<void> => {
    const mode = context.instance.settings.get('registration.mode');
    if (mode === 'open') return;
    const expected = context.instance.settings.get('registration.inviteCode');
    const invited = mode === 'invite' && expected !== '' && secretBox.fingerprint(inviteCode ?? '') === secretBox.fingerprint(expected);
    if (invited) return;
    const instance = await database.queries.selectFrom('instance').select('first_account_id').executeTakeFirst();
    if (instance?.first_account_id != null) throw new AppError('registration-closed');
  };

  return {
    enrol,
    create: async ({ username, email, password, inviteCode, setupCode }, origin, language) => {
      await throttle.reserve('create', origin.address);
      await context.setupCode.require(setupCode, origin.address, throttle);
      await requireOpenDoor(inviteCode);
      await requireStrongPassword(password, [username, email], 'password');
      const passwordHash = await hasher.hash(password);
      const id = newId();
      const time = now();
      const enrolment = await database
        .transaction(async (queries) => {
          await queries
            .deleteFrom('accounts')
            .where((e) => e.or([e('username_key', '=', foldName(username)), e('email_key', '=', foldName(email))]))
            .where('two_factor_confirmed', '=', 0)
            .where('deleted_at', 'is', null)
            .where('created_at', '<', time - UNCONFIRMED_KEPT_MS)
            // One whose authenticator was reset from the shell has a history and stays.
            .where((e) =>
              e.not(e.exists(e.selectFrom('sessions').select('sessions.id').whereRef('sessions.account_id', '=', 'accounts.id'))),
            )
            .where((e) =>
              e.not(
                e.exists(e.selectFrom('totp_steps').select('totp_steps.account_id').whereRef('totp_steps.account_id', '=', 'accounts.id')),
              ),
            )
            .execute();
          await releaseUnconfirmedEmail(queries, email);
          await queries
            .insertInto('accounts')
            .values({
              id,
              username,
              username_key: foldName(username),
              email,
              email_key: foldName(email),
              email_confirmed: 0,
              password_hash: passwordHash,
              phone: null,
              phone_confirmed: 0,
              two_factor_confirmed: 0,
              totp_secret: null,
              language,
              created_at: time,
              updated_at: time,
              deleted_at: null,
            })
            .execute();
          // Not when it is confirmed: whoever enrols again has the roles that Admins left or took.
          const role = context.instance.settings.get('registration.role');
          if (role !== '') await queries.insertInto('account_roles').values({ account_id: id, role, granted_at: time }).execute();
          await audit.record({ accountId: id, action: 'auth.create', origin, ...(role === '' ? {} : { details: { role } }) }, queries);
          await sendEmailConfirmation(queries, { id, username, email, language });
          return enrol(queries, id);
        })
        .catch((error: unknown) => {
          if (isUniqueViolation(error, 'username_key'))
            throw new AppError('username-taken', { fields: [{ path: 'username', code: 'username-taken', message: '' }] });
          if (isUniqueViolation(error, 'email_key'))
            throw new AppError('email-taken', { fields: [{ path: 'email', code: 'email-taken', message: '' }] });
          throw error;
        });
      context.mailer.wake();
      return enrolment;
    },
    confirm: async (otpCode, confirmationCode, origin) => {
      const row = await limits.byCode(origin, () => codes.attempt('enrol', confirmationCode, policy.pendingCodeTries));
      const step = row.payload === undefined ? undefined : matchingStep(row.payload, otpCode, now());
      const secret = row.payload;
      if (secret === undefined || step === undefined) {
        await audit.record({ accountId: row.accountId, action: 'auth.confirm-2fa', outcome: 'failure', origin });
        throw new AppError('wrong-code');
      }
      const confirmed = await database.transaction(async (queries): Promise<Confirmed> => {
        // A refusal here throws, so that nothing half-enrolled is kept and the next code may be tried.
        if (!(await codes.consume(queries, row.id))) throw new AppError('code-used');
        // Of several enrolments begun, the first one confirmed counts.
        const account = await queries
          .updateTable('accounts')
          .set({ two_factor_confirmed: 1, totp_secret: secretBox.seal(secret, totpBinding(row.accountId)), updated_at: now() })
          .where('id', '=', row.accountId)
          .where('two_factor_confirmed', '=', 0)
          .returning(['id', 'username'])
          .executeTakeFirst();
        if (account === undefined) throw new AppError('code-used');
        if (!(await takeStep(queries, account.id, step))) throw new AppError('code-used');
        const recoveryCodes = await replaceRecoveryCodes(queries, account.id, context);
        const first = await claimFirstAdmin(queries, account.id, now());
        await audit.record(
          { accountId: account.id, action: 'auth.confirm-2fa', origin, ...(first ? { details: { role: 'Admin' } } : {}) },
          queries,
        );
        return { ...(await sessions.open(queries, account, origin)), recoveryCodes };
      });
      context.setupCode.done();
      devices.remember(row.accountId, origin);
      return confirmed;
    },
  };
}
