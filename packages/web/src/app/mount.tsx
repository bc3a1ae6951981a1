import { ChakraProvider } from '@chakra-ui/react';
import type { i18n } from 'i18next';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { BrowserRouter } from 'react-router-dom';
import type { FollowedPreferences } from '../account/follow-preferences.ts';
import type { Appearance } from '../ui/appearance.ts';
import { system } from '../ui/theme.ts';
import type { App } from './app.ts';
import { AppProvider } from './app-context.tsx';
import { BASE } from './base-path.ts';
import { AppRoutes, NavigationBridge } from './router.tsx';
import type { Language } from './texts.ts';

export type MountOptions = {
  app: App;
  texts: i18n;
  appearance: Appearance;
  setLanguage: (language: Language) => void;
  preferences: FollowedPreferences;
  onNavigation: (navigate: (to: string) => void) => void;
};

/** Puts the app on its root element, or takes over a page that was made ahead for this reader. */
export async function mount({ app, texts, appearance, setLanguage, preferences, onNavigation }: MountOptions): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  const made = root.dataset.prerendered;
  const isAlike = made !== undefined && made === texts.language && app.browser.path() === '/' && !app.viewer().signedIn;
  const tree = (
    <ChakraProvider value={system}>
      <I18nextProvider i18n={texts}>
        <AppProvider services={{ app, appearance, setLanguage, preferences }}>
          <BrowserRouter basename={`${BASE}/`}>
            <NavigationBridge onReady={onNavigation} />
            <AppRoutes />
          </BrowserRouter>
        </AppProvider>
      </I18nextProvider>
    </ChakraProvider>
  );
  const onUncaughtError = (error: unknown) => console.error('app failed', error);
  // The page's own code first: until it is there nothing of what is seen may be touched.
  if (made !== undefined) await import('./home-page.tsx');
  // Another language, or a stored session, which could not be loaded: index.html hid what now turns out to be alike.
  if (isAlike) delete document.documentElement.dataset.unlike;
  if (isAlike) hydrateRoot(root, tree, { onUncaughtError, onRecoverableError: (error) => console.warn('drawn anew', error) });
  else {
    root.replaceChildren();
    delete root.dataset.prerendered;
    createRoot(root, { onUncaughtError }).render(tree);
  }
}
