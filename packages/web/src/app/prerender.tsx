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

type MadeAhead = {
  /** The markup of `#root`. */
  html: string;
  /** Style elements for the head, after all other styles. */
  styles: string;
  title: string;
  description: string;
};

/**
 * Takes Emotion's rules out of the markup, where each stands before the element that is first to need it, and puts them
 * into few elements, in the same order and marked as Emotion marks them, so that it takes them over where they are.
 */
function gatherStyles(markup: string): Pick<MadeAhead, 'html' | 'styles'> {
  const globals = new Map<string, string>();
  const rules = new Map<string, string>();
  const html = markup.replaceAll(
    /<style data-emotion="(css(?:-global)?) (\w+)">([^<]*)<\/style>/g,
    (_, kind: string, id: string, text: string) => {
      const known = kind === 'css' ? rules : globals;
      if (!known.has(id)) known.set(id, text);
      return '';
    },
  );
  const ids = [...rules.keys()].join(' ');
  const styles = [
    ...[...globals].map(([id, text]) => `<style data-emotion="css-global ${id}" data-s="">${text}</style>`),
    `<style data-emotion="css ${ids}" data-s="">${[...rules.values()].join('')}</style>`,
  ];
  return { html, styles: styles.join('') };
}

/** The landing page as a guest sees it before any answer has come, and its title in that language. */
export async function prerenderLanding(language: Language): Promise<MadeAhead> {
  const texts = await createTexts(language);
  const app = createApp({
    browser: {
      storage: nothing,
      tabStorage: nothing,
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
    ...gatherStyles(await text(prelude)),
    title: `${texts.t('routes.landing')} · Pilotfish`,
    description: texts.t('landing.guest.lead'),
  };
}
