import { ChakraProvider } from '@chakra-ui/react';
import type { i18n } from 'i18next';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { BrowserRouter } from 'react-router-dom';
import type { App } from '../platform/app.ts';
import { AppProvider, type FollowedPreferences } from '../platform/app-context.tsx';
import { BASE } from '../platform/base-path.ts';
import type { Language } from '../platform/texts.ts';
import type { Appearance } from '../ui/theme/appearance.ts';
import { system } from '../ui/theme/theme.ts';
import { AppRoutes, NavigationBridge } from './router.tsx';

export type MountOptions = {
  app: App;
  texts: i18n;
  appearance: Appearance;
  setLanguage: (language: Language) => void;
  preferences: FollowedPreferences;
  onNavigation: (navigate: (to: string) => void) => void;
};

/** Puts the app on its root element, in place of the skeleton of `index.html`. */
export function mount({ app, texts, appearance, setLanguage, preferences, onNavigation }: MountOptions): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root, { onUncaughtError: (error) => console.error('app failed', error) }).render(
    <ChakraProvider value={system}>
      <I18nextProvider i18n={texts}>
        <AppProvider services={{ app, appearance, setLanguage, preferences }}>
          <BrowserRouter basename={`${BASE}/`}>
            <NavigationBridge onReady={onNavigation} />
            <AppRoutes />
          </BrowserRouter>
        </AppProvider>
      </I18nextProvider>
    </ChakraProvider>,
  );
}
