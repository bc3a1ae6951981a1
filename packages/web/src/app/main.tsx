import './strict-zod.ts';
import { SESSION_KEY } from '@pilotfish/core/session/stored-session';
import { runStartup, type StartupModule } from '@pilotfish/core/startup/run-startup';
import type { i18n } from 'i18next';
import { followPreferences } from '../account/follow-preferences.ts';
import { createAppearance } from '../ui/appearance.ts';
import { problemText, showToast } from '../ui/toasts.ts';
import { type App, createApp } from './app.ts';
import { realBrowser } from './browser.ts';
import { followInstance } from './follow-instance.ts';
import { mount } from './mount.tsx';
import { createTexts, isLanguage, LANGUAGE_KEY, type Language, speak } from './texts.ts';

const browser = realBrowser();
let texts: i18n | undefined;
let app: App | undefined;
let navigate: (to: string) => void = (to) => browser.load(to);

const storedLanguage = (): Language => {
  const stored = browser.storage.get(LANGUAGE_KEY);
  return isLanguage(stored) ? stored : 'en';
};
const t = (key: string): string => texts?.t(key) ?? key;

const modules: StartupModule[] = [
  {
    name: 'texts',
    load: async () => {
      const loaded = await createTexts(storedLanguage(), { all: browser.storage.get(SESSION_KEY) !== null });
      return {
        run: () => {
          texts = loaded;
          return undefined;
        },
      };
    },
  },
  {
    name: 'session',
    load: async () => ({
      run: () => {
        app = createApp({
          browser,
          language: () => texts?.language ?? storedLanguage(),
          onProblem: (error) => void showToast('error', problemText(error, t)),
          navigate: (to) => navigate(to),
        });
        app.start({ later: document.querySelector('#root[data-prerendered]') !== null });
        return undefined;
      },
    }),
  },
];

void runStartup(modules, {
  mount: async () => {
    if (!app || !texts) throw new Error('start-up ran without texts or session');
    const [speaking, running] = [texts, app];
    const appearance = createAppearance(browser.storage, document.documentElement);
    const setLanguage = (language: Language) => {
      browser.storage.set(LANGUAGE_KEY, language);
      browser.tellServer(LANGUAGE_KEY, language);
      void speak(speaking, language);
    };
    await mount({
      app: running,
      texts: speaking,
      appearance,
      setLanguage,
      preferences: followPreferences({ app: running, texts: speaking, appearance, setLanguage, navigate: (to) => navigate(to) }),
      onNavigation: (next) => {
        navigate = next;
      },
    });
    followInstance(running, speaking);
    import('./focus-keeper.ts').then(({ keepFocus }) => keepFocus(document)).catch(() => undefined);
    // Of no use to the landing page, and wanted at once by whoever leaves it.
    import('./page-code.ts').catch(() => undefined);
    // Who chose before the server was told so.
    if (browser.storage.get(LANGUAGE_KEY) !== null) browser.tellServer(LANGUAGE_KEY, storedLanguage());
    // Who never chose gets what the Admin says.
    const chosen = { language: browser.storage.get(LANGUAGE_KEY) !== null, theme: browser.storage.get('theme') !== null };
    const unfollow = running.config.subscribe(({ context: { data } }) => {
      if (!data) return;
      if (!chosen.language && data.defaultLocale !== speaking.language) void speak(speaking, data.defaultLocale);
      if (!chosen.theme) appearance.theme.set(data.defaultTheme);
      unfollow.unsubscribe();
    });
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && running.woke());
    window.addEventListener('online', () => running.connectionRestored());
    window.addEventListener('storage', (event) => running.storageChanged(event.key, event.newValue));
  },
  redirect: browser.load,
  log: (message, error) => console.error(message, error),
});
