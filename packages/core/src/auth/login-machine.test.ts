import { describe, expect, test } from 'vitest';
import { liveActor } from '../../testing/live-actor.ts';
import { title, transitionPaths, transitionTable } from '../../testing/machine-paths.ts';
import { authenticatorLink } from './auth-api.ts';
import { DEFAULT_CODE_LIFE_MS, type LoginContext, type LoginEmitted, loginMachine } from './login-machine.ts';

const NOW = Date.parse('2026-11-21T00:00:00.000Z');
const expiresAt = '2026-11-21T00:10:00.000Z';
const session = { accessToken: 'a', refreshToken: 'r', expiresAt };
const input = { now: () => NOW };
const CALLS = ['login', 'verifyTwoFactor', 'confirmTwoFactor'];

const identity = ({ wrongCodes }: LoginContext) => wrongCodes || undefined;
const failures = [
  { error: { code: 'wrong-code' } },
  { error: { code: 'code-used' } },
  { error: { code: 'code-expired' } },
  { error: { code: 'offline' } },
  { error: { code: 'throttled', retryAfter: 30 } },
];
const cases = {
  'login.submitted': [{ username: 'ada', password: 'long password' }],
  'challenge.resumed': [
    { code: 'c2', username: 'ada', expiresAt },
    { code: 'c2', secretKey: 'JBSW', username: 'ada' },
  ],
  'otp.submitted': [{ otpCode: '123456' }],
  'xstate.done.actor.login': [{ output: { code: 'c1' } }, { output: { code: 'c1', secretKey: 'JBSW', expiresAt } }],
  'xstate.error.actor.login': [{ error: { code: 'invalid-credentials' } }],
  'xstate.done.actor.verifyTwoFactor': [{ output: session }],
  'xstate.error.actor.verifyTwoFactor': failures,
  'xstate.done.actor.confirmTwoFactor': [{ output: { ...session, recoveryCodes: ['aaaaa-bbbbb'] } }],
  'xstate.error.actor.confirmTwoFactor': failures,
};
const paths = transitionPaths(loginMachine, { input, identity, cases, stopWhen: ({ context }) => context.wrongCodes > 1 });

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, identity as never)).toMatchFileSnapshot('login-machine.transitions.txt');
});

describe('every transition, on a live actor', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const { actor, apply, calls, problems, timers } = liveActor(loginMachine, CALLS, input);
    const emitted: LoginEmitted[] = [];
    actor.on('login.succeeded', (event) => emitted.push(event));
    for (const step of path.steps) {
      const heard = emitted.length;
      await apply(step.event as never);
      const snapshot = actor.getSnapshot();
      const { context } = snapshot;
      expect(snapshot).toMatchObject({ status: 'active', value: step.state.value });
      const waitsForCode = snapshot.matches('awaitingCode') || snapshot.matches('enrolling');
      // A code that can expire is watched, and only then.
      expect(Object.keys(timers())).toHaveLength(waitsForCode ? 1 : 0);
      if (waitsForCode || snapshot.matches('verifying') || snapshot.matches('confirming')) expect(context.code).not.toBe('');
      // The secret is on screen exactly while enrolling.
      expect(context.secretKey !== undefined).toBe(
        ['enrolling', 'confirming', 'recoveryCodes'].some((state) => snapshot.matches(state as never)),
      );
      // The session leaves once, on arrival in signedIn, and never before the recovery codes are put away.
      expect(emitted.length - heard).toBe(snapshot.matches('signedIn') ? 1 : 0);
      expect(context.confirmed !== undefined).toBe(snapshot.matches('recoveryCodes'));
      if (snapshot.matches('credentials') || snapshot.matches('signedIn')) expect(context).toMatchObject({ code: '', wrongCodes: 0 });
      expect(JSON.stringify(context)).not.toContain('long password');
    }
    for (const { input: given } of calls) expect(Object.values(given as object)).not.toContain('');
    expect(problems).toEqual([]);
  });
});

describe('codes', () => {
  test('one without an expiry lives five minutes, a named one until then', async () => {
    const { apply, timers } = liveActor(loginMachine, CALLS, input);
    await apply({ type: 'xstate.init' });
    await apply({ type: 'challenge.resumed', code: 'c' } as never);
    expect(Object.values(timers())).toEqual([DEFAULT_CODE_LIFE_MS]);
    await apply({ type: 'challenge.resumed', code: 'c', expiresAt } as never);
    expect(Object.values(timers())).toEqual([10 * 60_000]);
  });
  test('each wrong one is counted and shown; a lost connection is shown and not counted', async () => {
    const { actor, apply } = liveActor(loginMachine, CALLS, input);
    await apply({ type: 'xstate.init' });
    await apply({ type: 'challenge.resumed', code: 'c' } as never);
    for (const code of ['wrong-code', 'offline', 'code-used']) {
      await apply({ type: 'otp.submitted', otpCode: '000000' } as never);
      await apply({ type: 'xstate.error.actor.verifyTwoFactor', error: { code } });
      expect(actor.getSnapshot().context.problem).toMatchObject({ code });
    }
    expect(actor.getSnapshot()).toMatchObject({ value: 'awaitingCode', context: { wrongCodes: 2 } });
  });
});

test('the authenticator link names issuer and user and survives awkward names', () => {
  expect(authenticatorLink('ada', 'JBSWY3DP')).toBe('otpauth://totp/Pilotfish:ada?secret=JBSWY3DP&issuer=Pilotfish');
  const link = new URL(authenticatorLink('a b:ç&?', 'X'));
  expect(decodeURIComponent(link.pathname)).toBe('/Pilotfish:a b:ç&?');
  expect(link.searchParams.get('secret')).toBe('X');
  expect(authenticatorLink('', 'X')).toBe('otpauth://totp/Pilotfish?secret=X&issuer=Pilotfish');
});
