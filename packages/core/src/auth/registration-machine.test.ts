import { describe, expect, test } from 'vitest';
import { liveActor } from '../../testing/live-actor.ts';
import { title, transitionPaths, transitionTable } from '../../testing/machine-paths.ts';
import { type RegistrationContext, type RegistrationEmitted, registrationMachine } from './registration-machine.ts';

const NOW = Date.parse('2026-11-21T00:00:00.000Z');
const expiresAt = '2026-11-21T00:10:00.000Z';
const input = { now: () => NOW };
const identity = ({ wrongCodes }: RegistrationContext) => wrongCodes || undefined;
const paths = transitionPaths(registrationMachine, {
  input,
  identity,
  stopWhen: ({ context }) => context.wrongCodes > 1,
  cases: {
    'registration.submitted': [{ username: 'ada', email: 'ada@example.com', password: 'long password' }],
    'otp.submitted': [{ otpCode: '123456' }],
    'xstate.done.actor.createAccount': [{ output: { secretKey: 'JBSW', code: 'c1', expiresAt } }],
    'xstate.error.actor.createAccount': [{ error: { code: 'username-taken' } }, { error: { code: 'offline' } }],
    'xstate.done.actor.confirmTwoFactor': [{ output: { accessToken: 'a', refreshToken: 'r', expiresAt, recoveryCodes: ['aaaaa-bbbbb'] } }],
    'xstate.error.actor.confirmTwoFactor': [
      { error: { code: 'wrong-code' } },
      { error: { code: 'code-expired' } },
      { error: { code: 'offline' } },
    ],
  },
});

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, identity as never)).toMatchFileSnapshot('registration-machine.transitions.txt');
});

describe('every transition, on a live actor', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const { actor, apply, calls, problems, timers } = liveActor(registrationMachine, ['createAccount', 'confirmTwoFactor'], input);
    const emitted: RegistrationEmitted[] = [];
    actor.on('registration.succeeded', (event) => emitted.push(event));
    for (const step of path.steps) {
      const heard = emitted.length;
      await apply(step.event as never);
      const snapshot = actor.getSnapshot();
      expect(snapshot).toMatchObject({ status: 'active', value: step.state.value });
      expect(snapshot.context.enrolment !== undefined).toBe(
        ['enrolling', 'confirming', 'recoveryCodes'].some((state) => snapshot.matches(state as never)),
      );
      expect(Object.values(timers())).toEqual(snapshot.matches('enrolling') ? [10 * 60_000] : []);
      // No session before the recovery codes are put away, and exactly one after.
      expect(emitted.length - heard).toBe(snapshot.matches('done') ? 1 : 0);
      expect(snapshot.context.confirmed !== undefined).toBe(snapshot.matches('recoveryCodes'));
      expect(JSON.stringify(snapshot.context)).not.toContain('long password');
    }
    for (const { input: given } of calls) expect(Object.values(given as object)).not.toContain('');
    expect(problems).toEqual([]);
  });
});

test('invitation and set-up code go to the server as they were given', async () => {
  const { actor, apply, calls } = liveActor(registrationMachine, ['createAccount', 'confirmTwoFactor'], input);
  const fields = { username: 'ada', email: 'ada@example.com', password: 'long password', inviteCode: 'come in', setupCode: 'AAAAA-BBBBB' };
  actor.start();
  await apply({ type: 'registration.submitted', ...fields } as never);
  expect(calls.map((call) => call.input)).toEqual([fields]);
});
