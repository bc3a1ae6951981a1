import '../platform/strict-zod.ts';
import { SESSION_KEY } from '@pilotfish/core/session/stored-session';
import { runStartup, type StartupModule } from '@pilotfish/core/startup/run-startup';
import type { i18n } from 'i18next';
import { followPreferences } from '../account/follow-preferences.ts';
import { type App, createApp, SIGNED_OUT_KEY } from '../platform/app.ts';
import { OWN_KEYS } from '../platform/base-path.ts';
import { realBrowser } from '../platform/browser.ts';
import { entryOf, guard } from '../platform/route-table.ts';
import { builtInTexts, createTexts, isLanguage, LANGUAGE_KEY, type Language, speak, withTexts } from '../platform/texts.ts';
import { createAppearance } from '../ui/theme/appearance.ts';
import { showToast, toastText } from '../ui/toasts.ts';
import { followInstance } from './follow-instance.ts';
import { mount } from './mount.tsx';

const browser = realBrowser();
let texts: i18n | undefined;
let app: App | undefined;
let navigate: (to: string) => void = (to) => browser.load(to);

const storedLanguage = (): Language => {
  const stored = browser.storage.get(LANGUAGE_KEY);
  return isLanguage(stored) ? stored : 'en';
};
const t = (key: string): string => texts?.t(key) ?? key;
const loadRemote = () => import('../platform/remote.ts');
const startApp = (asGuest: boolean): App => {
  const started = createApp({
    browser,
    language: () => texts?.language ?? storedLanguage(),
    onProblem: (error) => void showToast('error', toastText(error, t)),
    navigate: (to) => navigate(to),
    loadRemote,
    asGuest,
  });
  started.start();
  return started;
};

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
    load: async () => {
      // A guest's page is drawn before this arrives; a stored session is of no use without it.
      if (browser.storage.get(SESSION_KEY) !== null) await loadRemote();
      return {
        run: () => {
          app = startApp(false);
          return undefined;
        },
      };
    },
  },
];

/** Until what `index.html` shows by itself is on the screen; a page in the background draws no frame and waits for none. */
const shown = (): Promise<void> =>
  new Promise((resolve) => {
    const most = setTimeout(resolve, 100);
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(most);
        resolve();
      }),
    );
  });

void runStartup(modules, {
  mount: async () => {
    await shown();
    // What could not be loaded: English that is built in, and nobody signed in. The page says so.
    texts ??= await builtInTexts();
    app ??= startApp(true);
    const [speaking, running] = [texts, app];
    const appearance = createAppearance(browser.storage, document.documentElement);
    const setLanguage = (language: Language) => {
      browser.storage.set(LANGUAGE_KEY, language);
      void speak(speaking, language);
    };
    mount({
      app: running,
      texts: speaking,
      appearance,
      setLanguage,
      preferences: followPreferences({ app: running, texts: speaking, appearance, setLanguage }),
      onNavigation: (next) => {
        navigate = next;
      },
    });
    const signedOut = browser.tabStorage.get(SIGNED_OUT_KEY);
    // The login screen says it itself.
    const isSaid = browser.path() === '/auth/login' || 'redirect' in guard(entryOf(browser.path()), running.viewer(), '');
    if (signedOut !== null && !isSaid && running.session.getSnapshot().matches('signedOut'))
      withTexts(import('../auth/signed-out.ts'))
        .then(({ signedOutText }) => void showToast('warning', t(signedOutText(signedOut))))
        .catch(() => undefined);
    followInstance(running, speaking);
    import('./late-start.ts').then(({ startLate }) => startLate(running)).catch(() => undefined);
    // Of no use to the landing page, and wanted at once by whoever leaves it.
    import('./page-code.ts').catch(() => undefined);
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
    window.addEventListener('storage', ({ key, newValue }) => {
      if (key === null || key.startsWith(OWN_KEYS)) running.storageChanged(key?.slice(OWN_KEYS.length) ?? null, newValue);
    });
  },
  redirect: browser.load,
  log: (message, error) => console.error(message, error),
});
