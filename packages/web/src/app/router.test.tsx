// @vitest-environment happy-dom
import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../platform/app.ts';
import { AppProvider } from '../platform/app-context.tsx';
import type { KeyValueStore } from '../platform/browser.ts';
import { GUARD_FAILED } from '../platform/route-table.ts';
import { createTexts } from '../platform/texts.ts';
import { createAppearance } from '../ui/theme/appearance.ts';
import { system } from '../ui/theme/theme.ts';
import { AppRoutes } from './router.tsx';

const nothing: KeyValueStore = { get: () => null, set: () => undefined, remove: () => undefined, clear: () => undefined };
const never = () => new Promise<never>(() => undefined);

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a guard that fails', () => {
  test.each([
    ['en', 'This screen stopped working'],
    ['tr', 'Bu ekran'],
  ] as const)('is logged in Turkish, and shows nothing of the page it guards (%s)', async (language, title) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken = new TypeError('no roles');
    const app = createApp({
      browser: {
        storage: nothing,
        tabStorage: nothing,
        fetch: never,
        now: () => 0,
        lock: (run) => run(),
        load: () => undefined,
        path: () => '/management',
      },
      language: () => language,
      onProblem: () => undefined,
      navigate: () => undefined,
      loadRemote: never,
    });
    app.session.start();
    app.viewer = () => {
      throw broken;
    };
    const texts = await createTexts(language);
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
            <MemoryRouter initialEntries={['/management']}>
              <AppRoutes />
            </MemoryRouter>
          </AppProvider>
        </I18nextProvider>
      </ChakraProvider>,
    );
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain(title);
    // The frame stays, to go elsewhere.
    expect(screen.getAllByRole('navigation').length).toBeGreaterThan(0);
    expect(screen.queryByText(/no roles/)).toBeNull();
    expect(logged).toHaveBeenCalledWith(GUARD_FAILED, broken);
    expect(GUARD_FAILED).toMatch(/[ığüşöç]/);
  });
});
