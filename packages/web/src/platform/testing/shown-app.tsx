import { ChakraProvider } from '@chakra-ui/react';
import type { AppError } from '@pilotfish/core/http/problem';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router-dom';
import { createAppearance } from '../../ui/theme/appearance.ts';
import { system } from '../../ui/theme/theme.ts';
import { type App, createApp } from '../app.ts';
import { AppProvider, type FollowedPreferences } from '../app-context.tsx';
import type { KeyValueStore } from '../browser.ts';
import { createTexts } from '../texts.ts';

const nothing: KeyValueStore = { get: () => null, set: () => undefined, remove: () => undefined, clear: () => undefined };
const silent = () => new Promise<never>(() => undefined);

type Server = {
  /** What its calls answer, by their names; those left out never answer. */
  calls?: Readonly<Record<string, unknown>>;
  /** Instead of calls: what the real client reaches. */
  fetch?: typeof globalThis.fetch;
  onProblem?: (error: AppError) => void;
};

/** An app without a browser over a server that is given. Its clock stands at the beginning of 1970. */
export function testApp({ calls = {}, fetch, onProblem = () => undefined }: Server = {}): App {
  const client = new Proxy(calls, { get: (given, name) => Reflect.get(given, name) ?? (name === 'then' ? undefined : silent) });
  const remote = { client, refresh: silent, followStream: async () => undefined };
  return createApp({
    browser: {
      storage: nothing,
      tabStorage: nothing,
      fetch: fetch ?? silent,
      now: () => 0,
      lock: (run) => run(),
      load: () => undefined,
      path: () => '/somewhere',
    },
    language: () => 'en',
    onProblem,
    navigate: () => undefined,
    ...(fetch ? {} : { loadRemote: async () => ({ createRemote: () => remote as never }) }),
  });
}

/** Signs somebody in whose account is what `getAccount` answers. */
export function signedIn(app: App): App {
  app.session.start();
  app.signIn({ accessToken: 'a', refreshToken: 'r', expiresAt: '2100-01-01T00:00:00.000Z' });
  return app;
}

/** Draws something of the app, in English. @param at the address it stands at */
export async function show(app: App, node: ReactNode, at = '/', preferences: Partial<FollowedPreferences> = {}) {
  const texts = await createTexts('en', { all: true });
  const services = {
    app,
    appearance: createAppearance(nothing, document.documentElement),
    setLanguage: () => undefined,
    preferences: preferences as FollowedPreferences,
  };
  return render(
    <ChakraProvider value={system}>
      <I18nextProvider i18n={texts}>
        <AppProvider services={services}>
          <MemoryRouter initialEntries={[at]}>{node}</MemoryRouter>
        </AppProvider>
      </I18nextProvider>
    </ChakraProvider>,
  );
}
