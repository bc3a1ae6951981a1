import { AppError } from '@pilotfish/core/http/problem';
import * as z from 'zod';
import type { AppContext } from '../app/context.ts';
import type { Queries } from '../database/database.ts';
import type { Origin, SignedIn } from '../http/endpoint-handler.ts';
import { findById, totpBinding } from './accounts-store.ts';
import type { AuthParts } from './auth-parts.ts';
import { type OneTimeCodes, oneTimeCodes } from './one-time-codes.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import { matchingStep, takeStep } from './totp.ts';

const LIFE_SECONDS = 5 * 60;
/** A proof is no secret to be guessed: 256 bits. The bound only keeps the counter small. */
const USES = 1000;

/** What proved it; a recovery code stands for the authenticator that is lost. */
type Means = 'password' | 'totp';

/**
 * What tries in a living session are counted by: by the session, so that guesses at the sign-in from wherever do not reach
 * into it, and by what is tried. With one count for both, whoever knows the password and guesses codes would begin anew
 * with each right password.
 */
export const stepUpSubject = (sessionId: string, means: Means): string => `${sessionId} ${means}`;
const proofPayload = z.object({ session: z.string(), means: z.array(z.enum(['password', 'totp'])) });

export type StepUpProofs = {
  issue(queries: Queries, account: SignedIn, means: readonly Means[]): Promise<{ proof: string; expiresAt: string }>;
  /**
   * @param needs which means the deed asks for; any of them when empty
   * @throws AppError `step-up-required` without a living proof of this session by those means
   */
  require(account: SignedIn, proof: string | undefined, needs?: readonly Means[]): Promise<void>;
};

/** Proofs that who holds the session was there a moment ago; bound to that session, stored as keyed hashes. */
export function stepUpProofs(context: AppContext, codes: OneTimeCodes = oneTimeCodes(context)): StepUpProofs {
  return {
    issue: async (queries, account, means) => {
      const { code, expiresAt } = await codes.issue(queries, {
        kind: 'step-up',
        accountId: account.id,
        lifeSeconds: LIFE_SECONDS,
        payload: JSON.stringify({ session: account.sessionId, means }),
      });
      return { proof: code, expiresAt: new Date(expiresAt).toISOString() };
    },
    require: async (account, proof, needs = []) => {
      const refused = new AppError('step-up-required');
      if (proof === undefined || proof === '' || proof.length > 200) throw refused;
      const row = await codes.attempt('step-up', proof, USES).catch((error: unknown) => {
        throw error instanceof AppError ? refused : error;
      });
      const { session, means } = proofPayload.parse(JSON.parse(row.payload ?? '{}'));
      const suffices = row.accountId === account.id && session === account.sessionId && needs.every((need) => means.includes(need));
      if (!suffices) throw refused;
    },
  };
}

const isAuthenticatorCode = (code: string): boolean => /^\d{6}$/.test(code);

/** Checks password, authenticator code (or a recovery code) or both, as sign-in does and counted with it. */
export function stepUpService({ context, hasher, throttle }: AuthParts, proofs: StepUpProofs) {
  const { database, now, audit, secretBox, sessions } = context;
  return async (signedIn: SignedIn, given: { password?: string | undefined; otpCode?: string | undefined }, origin: Origin) => {
    const account = await findById(database.queries, signedIn.id);
    if (account === undefined || account.totp_secret === null) throw new AppError('unauthenticated');
    const failed = async (code: 'wrong-password' | 'wrong-code' | 'code-used', path: string): Promise<AppError> => {
      await audit.record({ accountId: account.id, action: 'account.step-up', outcome: 'failure', origin, details: { reason: code } });
      return new AppError(code, { fields: [{ path, code, message: '' }] });
    };
    const means: readonly Means[] = [
      ...(given.password === undefined ? [] : (['password'] as const)),
      ...(given.otpCode === undefined ? [] : (['totp'] as const)),
    ];
    const subjects = means.map((each) => stepUpSubject(signedIn.sessionId, each));
    for (const subject of subjects) await throttle.reserve('stepUp', subject);
    if (given.password !== undefined && !(await hasher.verify(account.password_hash, given.password, true)))
      throw await failed('wrong-password', 'password');
    let step: number | undefined;
    if (given.otpCode !== undefined && isAuthenticatorCode(given.otpCode)) {
      step = matchingStep(secretBox.open(account.totp_secret, totpBinding(account.id)), given.otpCode, now());
      if (step === undefined) throw await failed('wrong-code', 'otpCode');
    }
    const issued = await database.transaction(async (queries) => {
      if (step !== undefined && !(await takeStep(queries, account.id, step))) return 'code-used';
      if (given.otpCode !== undefined && step === undefined) {
        if (!(await takeRecoveryCode(queries, secretBox, account.id, given.otpCode, now()))) return 'wrong-code';
        await audit.record({ accountId: account.id, action: 'account.recovery-code', origin }, queries);
      }
      await audit.record({ accountId: account.id, action: 'account.step-up', origin, details: { means } }, queries);
      if (means.includes('totp')) await sessions.proveSecondFactor(queries, signedIn.sessionId);
      return proofs.issue(queries, signedIn, means);
    });
    if (typeof issued === 'string') throw await failed(issued, 'otpCode');
    for (const subject of subjects) await throttle.succeed('stepUp', subject);
    return issued;
  };
}
