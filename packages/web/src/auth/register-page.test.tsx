// @vitest-environment happy-dom
import { ChakraProvider } from '@chakra-ui/react';
import { loginMachine } from '@pilotfish/core/auth/login-machine';
import { registrationMachine } from '@pilotfish/core/auth/registration-machine';
import { liveActor } from '@pilotfish/core/testing/live-actor';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { i18n } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router-dom';
import { beforeAll, expect, test } from 'vitest';
import { AppProvider } from '../platform/app-context.tsx';
import { createTexts } from '../platform/texts.ts';
import { system } from '../ui/theme/theme.ts';
import RegisterPage from './register-page.tsx';

let texts: i18n;
beforeAll(async () => {
  texts = await createTexts('en', { all: true });
});

function open(data: { registration: string; setupCode?: boolean }) {
  const input = { now: () => 0 };
  const registration = liveActor(registrationMachine, ['createAccount', 'confirmTwoFactor'], input);
  const login = liveActor(loginMachine, ['login', 'verifyTwoFactor', 'confirmTwoFactor'], input);
  registration.actor.start();
  login.actor.start();
  const config = { subscribe: () => ({ unsubscribe: () => undefined }), getSnapshot: () => ({ context: { data } }) };
  render(
    <ChakraProvider value={system}>
      <I18nextProvider i18n={texts}>
        <AppProvider services={{ app: { keep: () => ({ login: login.actor, registration: registration.actor }), config } } as never}>
          <MemoryRouter>
            <RegisterPage />
          </MemoryRouter>
        </AppProvider>
      </I18nextProvider>
    </ChakraProvider>,
  );
  return registration;
}
const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const submit = async () => {
  type(/^Username/, 'ada');
  type(/^E-mail/, 'ada@example.com');
  type(/^Password/, 'plain walking stick');
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Create account' })));
};

test('a server that is set up asks for no set-up code', () => {
  open({ registration: 'open', setupCode: false });
  expect(screen.queryByLabelText(/^Set-up code/)).toBeNull();
});

test('the set-up code is asked for, sent, and its refusal stands at its field', async () => {
  const { calls, apply } = open({ registration: 'open', setupCode: true });
  type(/^Set-up code/, ' AAAAA-BBBBB ');
  await submit();
  expect(calls.at(-1)?.input).toMatchObject({ username: 'ada', setupCode: 'AAAAA-BBBBB' });
  await act(() => apply({ type: 'xstate.error.actor.createAccount', error: { code: 'wrong-setup-code' } } as never));
  const field = screen.getByLabelText(/^Set-up code/);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText(/The code is wrong/)).toBeTruthy();
});

test('a page that was read before the server began to ask shows the field once it is refused', async () => {
  const { calls, apply } = open({ registration: 'open' });
  await submit();
  expect(calls.at(-1)?.input).not.toHaveProperty('setupCode');
  await act(() => apply({ type: 'xstate.error.actor.createAccount', error: { code: 'setup-code-required' } } as never));
  expect(screen.getByLabelText(/^Set-up code/)).toBeTruthy();
});
