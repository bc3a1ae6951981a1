import { fromPromise } from 'xstate';
import type { Client } from '../http/client.ts';
import type { StoredSession } from '../session/stored-session.ts';
import type { authContract, Confirmed, Credentials, Enrolment, LoginAnswer, Registration } from './auth-contract.ts';

type AuthClient = Pick<
  Client<typeof authContract>,
  'login' | 'verifyTwoFactor' | 'confirmTwoFactor' | 'createAccount' | 'refreshToken' | 'logout'
>;

/** The calls of the login, registration and session machines, as their `provide({ actors })` wants them. */
export const authActors = (client: AuthClient) => ({
  login: fromPromise<LoginAnswer, Credentials>(({ input, signal }) => client.login({ body: input }, { signal })),
  verifyTwoFactor: fromPromise<StoredSession, { otpCode: string; code: string }>(({ input, signal }) =>
    client.verifyTwoFactor({ body: { otpCode: input.otpCode } }, { signal, bearer: input.code }),
  ),
  confirmTwoFactor: fromPromise<Confirmed, { otpCode: string; confirmationCode: string }>(({ input, signal }) =>
    client.confirmTwoFactor({ body: input }, { signal }),
  ),
  createAccount: fromPromise<Enrolment, Registration>(({ input, signal }) => client.createAccount({ body: input }, { signal })),
});

/** The refresh call with the refresh token as bearer. */
export const refreshCall =
  (client: AuthClient) =>
  (refreshToken: string): Promise<StoredSession> =>
    client.refreshToken(undefined, { bearer: refreshToken });

/**
 * The otpauth:// link of an authenticator, issuer Pilotfish (Key URI Format of Google Authenticator):
 * SHA-1, 6 digits, 30 seconds are its defaults and are left out, because some apps refuse to see them.
 */
export function authenticatorLink(username: string, secretKey: string, issuer = 'Pilotfish'): string {
  const label = username === '' ? encodeURIComponent(issuer) : `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  return `otpauth://totp/${label}?secret=${encodeURIComponent(secretKey)}&issuer=${encodeURIComponent(issuer)}`;
}
