import { ChakraProvider } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import type { App } from '../src/platform/app.ts';
import { AppProvider } from '../src/platform/app-context.tsx';
import { createBusy } from '../src/platform/busy.ts';
import { createQueries } from '../src/platform/queries.ts';
import { createStore } from '../src/platform/store.ts';
import { createTexts } from '../src/platform/texts.ts';
import { system } from '../src/ui/theme/theme.ts';
import '../src/ui/app.css';

type Handler = (payload: never) => void;

/**
 * What the screens under test take from the app, without a server: a storage, and a stream that is fed by hand.
 * @param calls what the server answers, by name
 */
export async function benchApp(calls: Readonly<Record<string, () => Promise<unknown>>> = {}) {
  const texts = await createTexts('en', { all: true });
  const handlers = new Set<Handler>();
  const app = {
    browser: { storage: { get: () => null, set: () => undefined, remove: () => undefined }, now: Date.now },
    session: { on: () => undefined, getSnapshot: () => ({ matches: () => false }) },
    queries: createQueries(calls as never, Date.now, createBusy()),
    keep: (_: string, make: () => unknown) => make(),
    live: {
      status: createStore('live'),
      on: (_: string, handler: Handler) => {
        handlers.add(handler);
        return () => handlers.delete(handler);
      },
    },
  } as unknown as App;
  return {
    around: (children: ReactNode) => (
      <ChakraProvider value={system}>
        <I18nextProvider i18n={texts}>
          <AppProvider services={{ app, appearance: undefined as never, setLanguage: () => undefined, preferences: undefined as never }}>
            {children}
          </AppProvider>
        </I18nextProvider>
      </ChakraProvider>
    ),
    feed: (payload: object) => {
      for (const handler of handlers) handler(payload as never);
    },
  };
}
