import { assign, emit, fromPromise, setup } from 'xstate';
import { codeOf, type ShownProblem, shownProblem } from '../http/problem.ts';
import type { StoredSession } from '../session/stored-session.ts';
import type { Confirmed, Enrolment, Registration } from './auth-contract.ts';

export type RegistrationEvent =
  | ({ type: 'registration.submitted' } & Registration)
  | { type: 'otp.submitted'; otpCode: string }
  | { type: 'recoveryCodes.saved' }
  | { type: 'registration.cancelled' };

export type RegistrationEmitted = { type: 'registration.succeeded'; session: StoredSession };

export type RegistrationContext = {
  now: () => number;
  username: string;
  enrolment: Enrolment | undefined;
  wrongCodes: number;
  problem: ShownProblem | undefined;
  confirmed: Confirmed | undefined;
};

const notProvided = async (): Promise<never> => {
  throw new Error('provide() the auth calls');
};

/** Registration: the account, the authenticator, the recovery codes, and only then the session. */
export const registrationMachine = setup({
  types: {
    tags: {} as 'busy',
    context: {} as RegistrationContext,
    events: {} as RegistrationEvent,
    input: {} as { now: () => number },
    emitted: {} as RegistrationEmitted,
  },
  actors: {
    createAccount: fromPromise<Enrolment, Registration>(notProvided),
    confirmTwoFactor: fromPromise<Confirmed, { otpCode: string; confirmationCode: string }>(notProvided),
  },
  guards: {
    isWrongCode: ({ event }) => 'error' in event && ['wrong-code', 'code-used'].includes(codeOf(event.error)),
    isExpiredCode: ({ event }) => 'error' in event && codeOf(event.error) === 'code-expired',
  },
  actions: {
    reset: assign({ enrolment: undefined, wrongCodes: 0, confirmed: undefined }),
    showProblem: assign({ problem: ({ event }) => ('error' in event ? shownProblem(event.error) : undefined) }),
    showExpired: assign({ problem: { code: 'code-expired' } }),
    hideProblem: assign({ problem: undefined }),
    countWrongCode: assign({ wrongCodes: ({ context }) => context.wrongCodes + 1 }),
    finish: emit(({ context }) => ({ type: 'registration.succeeded', session: context.confirmed as Confirmed })),
  },
  delays: {
    untilCodeExpires: ({ context }) => Math.max(0, Date.parse(context.enrolment?.expiresAt ?? '') - context.now() || 0),
  },
}).createMachine({
  id: 'registration',
  initial: 'form',
  context: ({ input }) => ({
    now: input.now,
    username: '',
    enrolment: undefined,
    wrongCodes: 0,
    problem: undefined,
    confirmed: undefined,
  }),
  states: {
    form: {
      entry: 'reset',
      on: {
        'registration.submitted': { target: 'creating', actions: ['hideProblem', assign({ username: ({ event }) => event.username })] },
      },
    },
    creating: {
      tags: 'busy',
      on: { 'registration.cancelled': 'form' },
      invoke: {
        id: 'createAccount',
        src: 'createAccount',
        input: ({ event }) =>
          event.type === 'registration.submitted'
            ? {
                username: event.username,
                email: event.email,
                password: event.password,
                ...(event.inviteCode !== undefined && { inviteCode: event.inviteCode }),
                ...(event.setupCode !== undefined && { setupCode: event.setupCode }),
              }
            : { username: '', email: '', password: '' },
        onDone: { target: 'enrolling', actions: assign({ enrolment: ({ event }) => event.output }) },
        onError: { target: 'form', actions: 'showProblem' },
      },
    },
    enrolling: {
      on: { 'otp.submitted': 'confirming', 'registration.cancelled': { target: 'form', actions: 'hideProblem' } },
      // The account exists by now: signing in leads back to enrolment.
      after: { untilCodeExpires: { target: 'form', actions: 'showExpired' } },
    },
    confirming: {
      tags: 'busy',
      on: { 'registration.cancelled': { target: 'form', actions: 'hideProblem' } },
      invoke: {
        id: 'confirmTwoFactor',
        src: 'confirmTwoFactor',
        input: ({ context, event }) => ({
          otpCode: event.type === 'otp.submitted' ? event.otpCode : '',
          confirmationCode: context.enrolment?.code ?? '',
        }),
        onDone: { target: 'recoveryCodes', actions: ['hideProblem', assign({ confirmed: ({ event }) => event.output })] },
        onError: [
          { guard: 'isWrongCode', target: 'enrolling', actions: ['countWrongCode', 'showProblem'] },
          { guard: 'isExpiredCode', target: 'form', actions: 'showProblem' },
          { target: 'enrolling', actions: 'showProblem' },
        ],
      },
    },
    recoveryCodes: { on: { 'recoveryCodes.saved': { target: 'done', actions: 'finish' } } },
    done: {
      entry: ['reset', 'hideProblem'],
      on: { 'registration.submitted': { target: 'creating', actions: assign({ username: ({ event }) => event.username }) } },
    },
  },
});
