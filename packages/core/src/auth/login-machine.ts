import { assign, emit, fromPromise, setup } from 'xstate';
import { codeOf, type ShownProblem, shownProblem } from '../http/problem.ts';
import type { StoredSession } from '../session/stored-session.ts';
import type { Confirmed, Credentials, LoginAnswer } from './auth-contract.ts';

/** When the server names no expiry of a login code, it is treated as living this long. */
export const DEFAULT_CODE_LIFE_MS = 5 * 60_000;

/** What the address of the second-factor screens carries, so that a reload loses nothing. */
export type Challenge = { code: string; secretKey?: string | undefined; username?: string | undefined; expiresAt?: string | undefined };

export type LoginEvent =
  | ({ type: 'login.submitted' } & Credentials)
  /** The second-factor screen was opened by its address. */
  | ({ type: 'challenge.resumed' } & Challenge)
  /** Six digits, or a recovery code. */
  | { type: 'otp.submitted'; otpCode: string }
  | { type: 'recoveryCodes.saved' }
  | { type: 'login.cancelled' };

export type LoginEmitted = { type: 'login.succeeded'; session: StoredSession };

export type LoginContext = {
  now: () => number;
  username: string;
  code: string;
  /** Present while enrolling: the TOTP secret in base32. */
  secretKey: string | undefined;
  /** Milliseconds since 1970 at which `code` dies. */
  codeExpiresAt: number;
  wrongCodes: number;
  problem: ShownProblem | undefined;
  /** Held between enrolment and the moment the user has put the recovery codes away. */
  confirmed: Confirmed | undefined;
};

const notProvided = async (): Promise<never> => {
  throw new Error('provide() the auth calls');
};
const isWrongCode = (error: unknown) => ['wrong-code', 'code-used'].includes(codeOf(error));

/**
 * Sign-in: credentials, then either the second factor or, for accounts that never finished it, enrolment.
 * A wrong code keeps the step; an expired one starts over. `signedIn` waits for the next sign-in.
 */
export const loginMachine = setup({
  types: {
    tags: {} as 'busy',
    context: {} as LoginContext,
    events: {} as LoginEvent,
    input: {} as { now: () => number },
    emitted: {} as LoginEmitted,
  },
  actors: {
    login: fromPromise<LoginAnswer, Credentials>(notProvided),
    verifyTwoFactor: fromPromise<StoredSession, { otpCode: string; code: string }>(notProvided),
    confirmTwoFactor: fromPromise<Confirmed, { otpCode: string; confirmationCode: string }>(notProvided),
  },
  guards: {
    asksEnrolment: ({ event }) => 'secretKey' in event && event.secretKey !== undefined,
    isWrongCode: ({ event }) => 'error' in event && isWrongCode(event.error),
    isExpiredCode: ({ event }) => 'error' in event && codeOf(event.error) === 'code-expired',
  },
  actions: {
    reset: assign({ code: '', secretKey: undefined, codeExpiresAt: 0, wrongCodes: 0, confirmed: undefined }),
    resume: assign(({ context, event }) => {
      if (event.type !== 'challenge.resumed') return {};
      const expiry = Date.parse(event.expiresAt ?? '');
      return {
        username: event.username ?? '',
        code: event.code,
        secretKey: event.secretKey,
        codeExpiresAt: Number.isNaN(expiry) ? context.now() + DEFAULT_CODE_LIFE_MS : expiry,
        wrongCodes: 0,
        problem: undefined,
      };
    }),
    countWrongCode: assign({ wrongCodes: ({ context }) => context.wrongCodes + 1 }),
    showProblem: assign({ problem: ({ event }) => ('error' in event ? shownProblem(event.error) : undefined) }),
    showExpired: assign({ problem: { code: 'code-expired' } }),
    hideProblem: assign({ problem: undefined }),
    finish: emit((_, session: StoredSession) => ({ type: 'login.succeeded', session })),
  },
  delays: { untilCodeExpires: ({ context }) => Math.max(0, context.codeExpiresAt - context.now()) },
}).createMachine({
  id: 'login',
  initial: 'credentials',
  context: ({ input }) => ({
    now: input.now,
    username: '',
    code: '',
    secretKey: undefined,
    codeExpiresAt: 0,
    wrongCodes: 0,
    problem: undefined,
    confirmed: undefined,
  }),
  on: {
    'challenge.resumed': [
      { guard: 'asksEnrolment', target: '.enrolling', actions: 'resume' },
      { target: '.awaitingCode', actions: 'resume' },
    ],
  },
  states: {
    credentials: {
      entry: 'reset',
      on: { 'login.submitted': { target: 'submitting', actions: ['hideProblem', assign({ username: ({ event }) => event.username })] } },
    },
    submitting: {
      tags: 'busy',
      on: { 'login.cancelled': 'credentials' },
      invoke: {
        id: 'login',
        src: 'login',
        input: ({ event }) =>
          event.type === 'login.submitted' ? { username: event.username, password: event.password } : { username: '', password: '' },
        onDone: [
          {
            guard: ({ event }) => event.output.secretKey !== undefined,
            target: 'enrolling',
            actions: assign(({ context, event }) => challenge(context, event.output)),
          },
          { target: 'awaitingCode', actions: assign(({ context, event }) => challenge(context, event.output)) },
        ],
        onError: { target: 'credentials', actions: 'showProblem' },
      },
    },
    awaitingCode: {
      on: { 'otp.submitted': 'verifying', 'login.cancelled': { target: 'credentials', actions: 'hideProblem' } },
      after: { untilCodeExpires: { target: 'credentials', actions: 'showExpired' } },
    },
    verifying: {
      tags: 'busy',
      on: { 'login.cancelled': { target: 'credentials', actions: 'hideProblem' } },
      invoke: {
        id: 'verifyTwoFactor',
        src: 'verifyTwoFactor',
        input: ({ context, event }) => ({ otpCode: event.type === 'otp.submitted' ? event.otpCode : '', code: context.code }),
        onDone: { target: 'signedIn', actions: { type: 'finish', params: ({ event }) => event.output } },
        onError: [
          { guard: 'isWrongCode', target: 'awaitingCode', actions: ['countWrongCode', 'showProblem'] },
          { guard: 'isExpiredCode', target: 'credentials', actions: 'showProblem' },
          { target: 'awaitingCode', actions: 'showProblem' },
        ],
      },
    },
    enrolling: {
      on: { 'otp.submitted': 'confirming', 'login.cancelled': { target: 'credentials', actions: 'hideProblem' } },
      after: { untilCodeExpires: { target: 'credentials', actions: 'showExpired' } },
    },
    confirming: {
      tags: 'busy',
      on: { 'login.cancelled': { target: 'credentials', actions: 'hideProblem' } },
      invoke: {
        id: 'confirmTwoFactor',
        src: 'confirmTwoFactor',
        input: ({ context, event }) => ({ otpCode: event.type === 'otp.submitted' ? event.otpCode : '', confirmationCode: context.code }),
        onDone: { target: 'recoveryCodes', actions: ['hideProblem', assign({ confirmed: ({ event }) => event.output })] },
        onError: [
          { guard: 'isWrongCode', target: 'enrolling', actions: ['countWrongCode', 'showProblem'] },
          { guard: 'isExpiredCode', target: 'credentials', actions: 'showProblem' },
          { target: 'enrolling', actions: 'showProblem' },
        ],
      },
    },
    /** Shown once: leaving needs the user's word that they are kept. */
    recoveryCodes: {
      on: {
        // Opening an old address must not take the codes away unseen.
        'challenge.resumed': {},
        'recoveryCodes.saved': {
          target: 'signedIn',
          actions: { type: 'finish', params: ({ context }) => context.confirmed as Confirmed },
        },
      },
    },
    signedIn: {
      entry: ['reset', 'hideProblem'],
      on: { 'login.submitted': { target: 'submitting', actions: assign({ username: ({ event }) => event.username }) } },
    },
  },
});

const challenge = (context: LoginContext, answer: LoginAnswer) => ({
  code: answer.code,
  secretKey: answer.secretKey,
  codeExpiresAt: answer.expiresAt === undefined ? context.now() + DEFAULT_CODE_LIFE_MS : Date.parse(answer.expiresAt),
  wrongCodes: 0,
  problem: undefined,
});
