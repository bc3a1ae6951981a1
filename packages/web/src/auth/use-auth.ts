import { authActors } from '@pilotfish/core/auth/auth-api';
import { type Challenge, loginMachine } from '@pilotfish/core/auth/login-machine';
import { registrationMachine } from '@pilotfish/core/auth/registration-machine';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import type { StoredSession } from '@pilotfish/core/session/stored-session';
import { useSelector } from '@xstate/react';
import { useMemo } from 'react';
import { createActor } from 'xstate';
import type { App } from '../platform/app.ts';
import { useApp } from '../platform/app-context.tsx';

/** Where the second factor in progress is kept for a reload: in this tab, because addresses end up in histories and logs. */
const CHALLENGE_KEY = 'pilotfish.challenge';

/** The four parameters of an address, or undefined where it has none. */
function challengeIn(query: URLSearchParams): Challenge | undefined {
  const code = query.get('code');
  if (code === null || code === '') return undefined;
  const of = (name: string) => query.get(name) ?? undefined;
  return { code, secretKey: of('secretKey'), username: of('username'), expiresAt: of('expiresAt') };
}

/** What the second-factor screen was opened with: read once from the address, and kept in the tab from then on. */
export function useChallenge() {
  const { tabStorage } = useApp().browser;
  return useMemo(
    () => ({
      keep: (query: URLSearchParams) => {
        if (challengeIn(query)) tabStorage.set(CHALLENGE_KEY, query.toString());
      },
      read: () => challengeIn(new URLSearchParams(tabStorage.get(CHALLENGE_KEY) ?? '')),
      forget: () => tabStorage.remove(CHALLENGE_KEY),
    }),
    [tabStorage],
  );
}

function createAuth({ client, clock, browser: { now, tabStorage }, busy, signIn }: App) {
  const calls = authActors(client);
  const login = createActor(
    loginMachine.provide({
      actors: { login: calls.login, verifyTwoFactor: calls.verifyTwoFactor, confirmTwoFactor: calls.confirmTwoFactor },
    }),
    { clock, input: { now } },
  );
  const registration = createActor(
    registrationMachine.provide({ actors: { createAccount: calls.createAccount, confirmTwoFactor: calls.confirmTwoFactor } }),
    { clock, input: { now } },
  );
  login.subscribe({ error: (error) => console.error('login', error) });
  registration.subscribe({ error: (error) => console.error('registration', error) });
  const succeeded = ({ session }: { session: StoredSession }) => {
    tabStorage.remove(CHALLENGE_KEY);
    signIn(session);
  };
  login.on('login.succeeded', succeeded);
  registration.on('registration.succeeded', succeeded);
  for (const actor of [login, registration]) {
    busy.watch(actor);
    actor.start();
  }
  return { login, registration };
}
/** Sign-in and registration in progress; they go on from one of their screens to the next. */
const authOf = (app: App): ReturnType<typeof createAuth> => app.keep('auth', () => createAuth(app));

export function useLogin() {
  const { login } = authOf(useApp());
  return {
    state: useSelector(login, (snapshot) => snapshot.value),
    context: useSelector(login, (snapshot) => snapshot.context),
    submit: (username: string, password: string) => login.send({ type: 'login.submitted', username, password }),
    resume: (challenge: Challenge) => login.send({ type: 'challenge.resumed', ...challenge }),
  };
}

export function useRegistration() {
  const { registration } = authOf(useApp());
  return {
    state: useSelector(registration, (snapshot) => snapshot.value),
    context: useSelector(registration, (snapshot) => snapshot.context),
    submit: (fields: { username: string; email: string; password: string; inviteCode?: string; setupCode?: string }) =>
      registration.send({ type: 'registration.submitted', ...fields }),
  };
}

/** What the second-factor screen shows, whichever machine it belongs to. */
export type SecondFactor = {
  step: 'code' | 'enrolment' | 'recoveryCodes';
  username: string;
  secretKey: string | undefined;
  code: string;
  expiresAt: number;
  busy: boolean;
  wrongCodes: number;
  problem: ShownProblem | undefined;
  recoveryCodes: readonly string[];
  submit: (otpCode: string) => void;
  cancel: () => void;
  saved: () => void;
};

/** The second factor in progress: of a registration if there is one, else of a sign-in; undefined when neither waits. */
export function useSecondFactor(): SecondFactor | undefined {
  const { login, registration } = authOf(useApp());
  const registering = useSelector(registration, (snapshot) => snapshot);
  const signingIn = useSelector(login, (snapshot) => snapshot);

  if (registering.matches('enrolling') || registering.matches('confirming') || registering.matches('recoveryCodes')) {
    const { context } = registering;
    return {
      step: registering.matches('recoveryCodes') ? 'recoveryCodes' : 'enrolment',
      username: context.username,
      secretKey: context.enrolment?.secretKey,
      code: context.enrolment?.code ?? '',
      expiresAt: Date.parse(context.enrolment?.expiresAt ?? ''),
      busy: registering.hasTag('busy'),
      wrongCodes: context.wrongCodes,
      problem: context.problem,
      recoveryCodes: context.confirmed?.recoveryCodes ?? [],
      submit: (otpCode) => registration.send({ type: 'otp.submitted', otpCode }),
      cancel: () => registration.send({ type: 'registration.cancelled' }),
      saved: () => registration.send({ type: 'recoveryCodes.saved' }),
    };
  }
  const enrols = signingIn.matches('enrolling') || signingIn.matches('confirming');
  if (enrols || signingIn.matches('awaitingCode') || signingIn.matches('verifying') || signingIn.matches('recoveryCodes')) {
    const { context } = signingIn;
    return {
      step: signingIn.matches('recoveryCodes') ? 'recoveryCodes' : enrols ? 'enrolment' : 'code',
      username: context.username,
      secretKey: context.secretKey,
      code: context.code,
      expiresAt: context.codeExpiresAt,
      busy: signingIn.hasTag('busy'),
      wrongCodes: context.wrongCodes,
      problem: context.problem,
      recoveryCodes: context.confirmed?.recoveryCodes ?? [],
      submit: (otpCode) => login.send({ type: 'otp.submitted', otpCode }),
      cancel: () => login.send({ type: 'login.cancelled' }),
      saved: () => login.send({ type: 'recoveryCodes.saved' }),
    };
  }
  return undefined;
}

/** The address of the second-factor screen; the specification names these four parameters. */
export function secondFactorPath({
  secretKey,
  code,
  username,
  expiresAt,
}: Pick<SecondFactor, 'secretKey' | 'code' | 'username' | 'expiresAt'>): string {
  const query = new URLSearchParams();
  if (secretKey !== undefined) query.set('secretKey', secretKey);
  query.set('code', code);
  if (username !== '') query.set('username', username);
  if (Number.isFinite(expiresAt)) query.set('expiresAt', new Date(expiresAt).toISOString());
  return `/auth/${secretKey === undefined ? 'verify-otp' : 'confirm-2fa'}?${query}`;
}
