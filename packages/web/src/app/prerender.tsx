import { text } from 'node:stream/consumers';
import { ChakraProvider } from '@chakra-ui/react';
import { prerenderToNodeStream } from 'react-dom/static';
import { I18nextProvider } from 'react-i18next';
import { StaticRouter } from 'react-router-dom';
import type { FollowedPreferences } from '../account/follow-preferences.ts';
import type { Appearance } from '../ui/appearance.ts';
import { system } from '../ui/theme.ts';
import { createApp } from './app.ts';
import { AppProvider } from './app-context.tsx';
import type { KeyValueStore } from './browser.ts';
import { AppRoutes } from './router.tsx';
import { createStore } from './store.ts';
import { createTexts, type Language } from './texts.ts';

const nothing: KeyValueStore = { get: () => null, set: () => undefined, remove: () => undefined, clear: () => undefined };
const never = () => new Promise<never>(() => undefined);

/** The landing page as a guest sees it before any answer has come: the markup of `#root`, and the title in that language. */
export async function prerenderLanding(language: Language): Promise<{ html: string; title: string; description: string }> {
  const texts = await createTexts(language);
  const app = createApp({
    browser: {
      storage: nothing,
      fetch: never,
      now: () => 0,
      lock: (run) => run(),
      load: () => undefined,
      path: () => '/',
      tellServer: () => undefined,
    },
    language: () => language,
    onProblem: () => undefined,
    navigate: () => undefined,
    loadRemote: never,
  });
  const appearance = {
    theme: createStore('dark'),
    palette: createStore('green-red'),
    setTheme: () => undefined,
    setPalette: () => undefined,
  } as unknown as Appearance;
  const { prelude } = await prerenderToNodeStream(
    <ChakraProvider value={system}>
      <I18nextProvider i18n={texts}>
        <AppProvider services={{ app, appearance, setLanguage: () => undefined, preferences: {} as FollowedPreferences }}>
          <StaticRouter location="/">
            <AppRoutes />
          </StaticRouter>
        </AppProvider>
      </I18nextProvider>
    </ChakraProvider>,
    // All of it in its place: pieces that scripts put in later would need scripts in the page.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  return {
    html: await text(prelude),
    title: `${texts.t('routes.landing')} · Pilotfish`,
    description: texts.t('landing.guest.lead'),
  };
}
