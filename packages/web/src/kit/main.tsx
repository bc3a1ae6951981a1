import { ChakraProvider } from '@chakra-ui/react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { AppProvider, type AppServices } from '../platform/app-context.tsx';
import { createStore } from '../platform/store.ts';
import { createTexts } from '../platform/texts.ts';
import { system } from '../ui/theme/theme.ts';
import { KitPage } from './kit-page.tsx';

// `/kit`, `/kit#light`, `/kit#light-blue-orange`, `/kit#tr`: what a picture is taken of is in the address.
const root = document.documentElement;
const wants = (word: string) => window.location.hash.includes(word);
root.className = wants('light') ? 'light' : 'dark';
if (wants('blue-orange')) root.dataset.palette = 'blue-orange';
window.addEventListener('hashchange', () => window.location.reload());

/** Of the app the components ask for the time alone, and whether prices come. */
const services = { app: { browser: { now: Date.now }, live: { status: createStore('live') } } } as unknown as AppServices;

const texts = await createTexts(wants('tr') ? 'tr' : 'en', { all: true });
createRoot(document.getElementById('root')!).render(
  <ChakraProvider value={system}>
    <I18nextProvider i18n={texts}>
      <AppProvider services={services}>
        <KitPage />
      </AppProvider>
    </I18nextProvider>
  </ChakraProvider>,
);
