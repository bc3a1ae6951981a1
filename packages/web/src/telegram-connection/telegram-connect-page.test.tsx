// @vitest-environment happy-dom
import { ChakraProvider } from '@chakra-ui/react';
import { AppError } from '@pilotfish/core/http/problem';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, test } from 'vitest';
import { createApp } from '../platform/app.ts';
import { AppProvider } from '../platform/app-context.tsx';
import type { KeyValueStore } from '../platform/browser.ts';
import { createTexts } from '../platform/texts.ts';
import { createAppearance } from '../ui/theme/appearance.ts';
import { system } from '../ui/theme/theme.ts';
import TelegramConnectPage from './telegram-connect-page.tsx';

const nothing: KeyValueStore = { get: () => null, set: () => undefined, remove: () => undefined, clear: () => undefined };
const LINKED = { connected: true, available: true, botName: 'pilot', connectedAt: '2026-01-15T00:00:00.000Z', mutedUntil: null };

/** The page over calls that are given. */
async function open(path: string, calls: object) {
  const app = createApp({
    browser: {
      storage: nothing,
      tabStorage: nothing,
      fetch: () => new Promise<never>(() => undefined),
      now: () => 0,
      lock: (run) => run(),
      load: () => undefined,
      path: () => '/user/telegram-connect',
    },
    language: () => 'en',
    onProblem: () => undefined,
    navigate: () => undefined,
    loadRemote: async () => ({
      createRemote: () =>
        ({ client: calls, refresh: () => Promise.reject(new Error('none')), followStream: async () => undefined }) as never,
    }),
  });
  app.session.start();
  const texts = await createTexts('en', { all: true });
  const services = {
    app,
    appearance: createAppearance(nothing, document.documentElement),
    setLanguage: () => undefined,
    preferences: {} as never,
  };
  render(
    <ChakraProvider value={system}>
      <I18nextProvider i18n={texts}>
        <AppProvider services={services}>
          <MemoryRouter initialEntries={[path]}>
            <TelegramConnectPage />
          </MemoryRouter>
        </AppProvider>
      </I18nextProvider>
    </ChakraProvider>,
  );
}
const toast = (text: string) =>
  expect.poll(() => [...document.querySelectorAll('.Toastify__toast')].map(({ textContent }) => textContent)).toContain(text);

describe('what fails says its title and its detail in a toast', () => {
  test('connecting', async () => {
    await open('/user/telegram-connect?code=old', {
      getTelegramLink: async () => ({ ...LINKED, connected: false, available: false, reason: 'unreachable' }),
      connectTelegram: () => Promise.reject(new AppError('code-expired', { title: 'Code expired', detail: 'Ask the bot for a new one.' })),
    });
    await toast('Code expired: Ask the bot for a new one.');
    // In its place, too.
    expect((await screen.findAllByText(/Ask the bot for a new one/)).length).toBeGreaterThan(1);
  });
  test('disconnecting, and the dialog stays', async () => {
    await open('/user/telegram-connect', {
      getTelegramLink: async () => LINKED,
      disconnectTelegram: () => Promise.reject(new AppError('conflict', { title: 'Not unlinked', detail: 'The bot is busy.' })),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Unlink' }));
    const dialog = document.querySelector('dialog') as HTMLElement;
    fireEvent.click(within(dialog).getByRole('button', { name: 'Unlink', hidden: true }));
    await toast('Not unlinked: The bot is busy.');
    expect(within(dialog).getByText('The bot is busy.')).toBeTruthy();
  });
});
