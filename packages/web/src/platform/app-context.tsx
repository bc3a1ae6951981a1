import type { StoredPreferences } from '@pilotfish/core/account/account-contract';
import type { Preferences } from '@pilotfish/core/account/preferences';
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { Appearance } from '../ui/theme/appearance.ts';
import type { App } from './app.ts';
import type { Store } from './store.ts';
import type { Language } from './texts.ts';

/** The preferences of the account, and of this device. */
export type FollowedPreferences = {
  /** As the account has them; undefined until they are known. */
  readonly held: Store<StoredPreferences | undefined>;
  /** The screen that somebody who has just signed in begins at. */
  readonly onward: Store<string | undefined>;
  readonly change: (body: Partial<Preferences>) => Promise<void>;
};

export type AppServices = { app: App; appearance: Appearance; setLanguage: (language: Language) => void; preferences: FollowedPreferences };

const AppContext = createContext<AppServices | undefined>(undefined);

export const AppProvider = ({ services, children }: { services: AppServices; children: ReactNode }) => (
  <AppContext value={services}>{children}</AppContext>
);

export function useServices(): AppServices {
  const services = useContext(AppContext);
  if (!services) throw new Error('useServices() outside of AppProvider');
  return services;
}
export const useApp = (): App => useServices().app;
export const useStore = <Value,>(store: Store<Value>): Value => useSyncExternalStore(store.subscribe, store.get);
