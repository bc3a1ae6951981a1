// @vitest-environment happy-dom
import { ChakraProvider } from '@chakra-ui/react';
import { loginMachine } from '@pilotfish/core/auth/login-machine';
import { registrationMachine } from '@pilotfish/core/auth/registration-machine';
import { liveActor } from '@pilotfish/core/testing/live-actor';
import { title, transitionPaths } from '@pilotfish/core/testing/machine-paths';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { i18n } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, Route, Routes, useNavigate } from 'react-router-dom';
import { beforeAll, describe, expect, test } from 'vitest';
import { AppProvider } from '../platform/app-context.tsx';
import { createTexts } from '../platform/texts.ts';
import { system } from '../ui/theme/theme.ts';
import LoginPage from './login-page.tsx';
import SecondFactorPage from './second-factor-page.tsx';

// The machine's own paths, walked on the real screens: what a person does becomes a gesture, the rest is settled by
// hand, and after every step the screen must show the state the machine is in.

const NOW = Date.parse('2026-11-21T00:00:00.000Z');
const expiresAt = '2026-11-21T00:10:00.000Z';
const session = { accessToken: 'a', refreshToken: 'r', expiresAt };
const CALLS = ['login', 'verifyTwoFactor', 'confirmTwoFactor'];
const failures = [{ error: { code: 'wrong-code' } }, { error: { code: 'code-expired' } }, { error: { code: 'offline' } }];

const paths = transitionPaths(loginMachine, {
  input: { now: () => NOW },
  identity: ({ wrongCodes }) => wrongCodes,
  stopWhen: ({ context, value }) => context.wrongCodes > 0 || value === 'signedIn',
  cases: {
    'login.submitted': [{ username: 'ada', password: 'long password' }],
    'challenge.resumed': [
      { code: 'c2', username: 'ada', expiresAt },
      { code: 'c2', secretKey: 'JBSWY3DP', username: 'ada', expiresAt },
    ],
    'otp.submitted': [{ otpCode: '123456' }],
    'xstate.done.actor.login': [{ output: { code: 'c1', expiresAt } }, { output: { code: 'c1', secretKey: 'JBSWY3DP', expiresAt } }],
    'xstate.error.actor.login': [{ error: { code: 'invalid-credentials' } }],
    'xstate.done.actor.verifyTwoFactor': [{ output: session }],
    'xstate.error.actor.verifyTwoFactor': failures,
    'xstate.done.actor.confirmTwoFactor': [{ output: { ...session, recoveryCodes: ['aaaaa-bbbbb', 'ccccc-ddddd'] } }],
    'xstate.error.actor.confirmTwoFactor': failures,
  },
  // An address is opened from outside only where no step is under way.
}).filter(({ steps }) => steps.every(({ event }, index) => event.type !== 'challenge.resumed' || index === 1));

let texts: i18n;
beforeAll(async () => {
  texts = await createTexts('en', { all: true });
});

/** Hands the router's navigation to the test. */
function Bridge({ onReady }: { onReady: (navigate: (to: string) => void) => void }) {
  const navigate = useNavigate();
  onReady((to) => void navigate(to));
  return null;
}

function open(path: string) {
  const login = liveActor(loginMachine, CALLS, { now: () => NOW });
  const config = { subscribe: () => ({ unsubscribe: () => undefined }), getSnapshot: () => ({ context: {} }) };
  const registration = liveActor(registrationMachine, ['createAccount', 'confirmTwoFactor'], { now: () => NOW });
  registration.actor.start();
  const kept = new Map<string, string>();
  const app = {
    keep: () => ({ login: login.actor, registration: registration.actor }),
    config,
    browser: {
      tabStorage: {
        get: (key: string) => kept.get(key) ?? null,
        set: (key: string, text: string) => kept.set(key, text),
        remove: (key: string) => kept.delete(key),
      },
    },
  };
  let go: (to: string) => void = () => {};
  const mount = () =>
    render(
      <ChakraProvider value={system}>
        <I18nextProvider i18n={texts}>
          <AppProvider services={{ app } as never}>
            <MemoryRouter initialEntries={[path]}>
              <Bridge onReady={(navigate) => (go = navigate)} />
              <Routes>
                <Route path="/auth/login" element={<LoginPage />} />
                <Route path="/auth/verify-otp" element={<SecondFactorPage />} />
                <Route path="/auth/confirm-2fa" element={<SecondFactorPage />} />
              </Routes>
            </MemoryRouter>
          </AppProvider>
        </I18nextProvider>
      </ChakraProvider>,
    );
  return { ...login, mount, go: (to: string) => go(to) };
}

const boxes = () => Array.from({ length: 6 }, (_, index) => screen.getByLabelText<HTMLInputElement>(`Digit ${index + 1} of 6`));

const SHOWS: Record<string, () => void> = {
  credentials: () => expect(screen.getByRole('heading', { name: 'Welcome back' })).toBeDefined(),
  submitting: () => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Signing in…' }).disabled).toBe(true),
  awaitingCode: () => {
    expect(screen.getByRole('heading', { name: 'Confirm it is you' })).toBeDefined();
    expect(boxes().every(({ disabled }) => !disabled)).toBe(true);
    expect(screen.getByRole('button', { name: 'Use a recovery code' })).toBeDefined();
  },
  verifying: () => expect(boxes().every(({ disabled }) => disabled)).toBe(true),
  enrolling: () => {
    expect(screen.getByRole('img', { name: 'QR code of the authenticator secret' })).toBeDefined();
    expect(screen.getByText('JBSW Y3DP')).toBeDefined();
    expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Open on this device' }).href).toBe(
      'otpauth://totp/Pilotfish:ada?secret=JBSWY3DP&issuer=Pilotfish',
    );
  },
  confirming: () => expect(boxes().every(({ disabled }) => disabled)).toBe(true),
  recoveryCodes: () => expect(screen.getByText('ccccc-ddddd')).toBeDefined(),
  signedIn: () => expect(screen.queryByRole('heading')).toBeNull(),
};

describe('every way through sign-in, on its screens', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const screens = open('/auth/login');
    const gestures: Record<string, (event: Record<string, string>) => void> = {
      'login.submitted': ({ username, password }) => {
        fireEvent.change(screen.getByLabelText('Username or e-mail'), { target: { value: username } });
        fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
        fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
      },
      'challenge.resumed': ({ type: __, ...query }) =>
        screens.go(`/auth/${query.secretKey ? 'confirm-2fa' : 'verify-otp'}?${new URLSearchParams(query)}`),
      'otp.submitted': ({ otpCode }) => fireEvent.change(boxes()[0]!, { target: { value: otpCode } }),
      'recoveryCodes.saved': () => {
        const next = screen.getByRole<HTMLButtonElement>('button', { name: 'Continue to Pilotfish' });
        expect(next.disabled).toBe(true);
        fireEvent.click(screen.getByRole('checkbox'));
        fireEvent.click(next);
      },
      'login.cancelled': () => {
        const startOver = screen.queryByRole('button', { name: 'Start over' });
        // While the password is checked there is nothing on screen to cancel with; leaving the page does it.
        if (startOver) fireEvent.click(startOver);
        else screens.actor.send({ type: 'login.cancelled' });
      },
    };
    for (const { event, state } of path.steps) {
      await act(async () => {
        const gesture = gestures[event.type];
        if (gesture) gesture(event as never);
        else await screens.apply(event as never);
        if (event.type === 'xstate.init') screens.mount();
      });
      expect(screens.actor.getSnapshot().value).toEqual(state.value);
      SHOWS[state.value as string]?.();
      const { problem } = screens.actor.getSnapshot().context;
      const shown = screen.queryByRole('alert');
      if (problem) expect(shown?.textContent).toContain(texts.t(`errors.${problem.code}.title`));
      else expect(shown).toBeNull();
    }
    expect(screens.problems).toEqual([]);
  });
});

test('a wrong code empties the boxes and puts the focus on the first', async () => {
  const screens = open('/auth/verify-otp?code=c1&username=ada');
  await act(async () => {
    await screens.apply({ type: 'xstate.init' });
    screens.mount();
  });
  await act(async () => fireEvent.change(boxes()[0]!, { target: { value: '000000' } }));
  expect(boxes().map(({ value }) => value)).toEqual(['0', '0', '0', '0', '0', '0']);
  await act(async () => screens.apply({ type: 'xstate.error.actor.verifyTwoFactor', error: { code: 'wrong-code' } }));
  expect(boxes().map(({ value }) => value)).toEqual(['', '', '', '', '', '']);
  expect(document.activeElement).toBe(boxes()[0]);
});

test.each([
  ['pasted', '123 456'],
  ['pasted', '123-456'],
  ['pasted', '123\u00a0456'],
  ['filled in', '123 456'],
])('a code in groups fills the boxes: %s %s', async (way, code) => {
  const screens = open('/auth/verify-otp?code=c1&username=ada');
  await act(async () => {
    await screens.apply({ type: 'xstate.init' });
    screens.mount();
  });
  await act(async () => {
    if (way === 'pasted') fireEvent.paste(boxes()[0]!, { clipboardData: { getData: () => code } });
    else fireEvent.change(boxes()[0]!, { target: { value: code } });
  });
  expect(screens.calls.at(-1)).toMatchObject({ name: 'verifyTwoFactor', input: { otpCode: '123456' } });
});

test('a recovery code is sent only once it looks like one', async () => {
  const screens = open('/auth/verify-otp?code=c1');
  await act(async () => {
    await screens.apply({ type: 'xstate.init' });
    screens.mount();
  });
  fireEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Sign in' });
  fireEvent.change(screen.getByLabelText('Recovery code'), { target: { value: 'a1b2c' } });
  expect(submit.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Recovery code'), { target: { value: ' a1b2c-3d4e5 ' } });
  await act(async () => fireEvent.click(submit));
  expect(screens.calls.at(-1)).toMatchObject({ name: 'verifyTwoFactor', input: { otpCode: 'a1b2c-3d4e5', code: 'c1' } });
});
