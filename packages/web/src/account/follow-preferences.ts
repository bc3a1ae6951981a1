import type { StoredPreferences } from '@pilotfish/core/account/account-contract';
import type { Preferences } from '@pilotfish/core/account/preferences';
import type { i18n } from 'i18next';
import type { App } from '../platform/app.ts';
import type { FollowedPreferences } from '../platform/app-context.tsx';
import { createStore } from '../platform/store.ts';
import { type Language, withTexts } from '../platform/texts.ts';
import type { Appearance } from '../ui/theme/appearance.ts';
import { appliedTimeZone, applyTimeZone } from '../ui/time-zone.ts';

const DENSITY_KEY = 'prices_density';
const ZONE_KEY = 'time_zone';

/**
 * Keeps this device and the account alike: what the account chose is applied at sign-in, what is changed here while
 * signed in is stored there. Local storage stays the fast path of the first paint, and holds for guests.
 */
export function followPreferences({
  app,
  texts,
  appearance,
  setLanguage,
}: {
  app: App;
  texts: i18n;
  appearance: Appearance;
  setLanguage: (language: Language) => void;
}): FollowedPreferences {
  const { storage } = app.browser;
  const held = createStore<StoredPreferences | undefined>(undefined);
  /** The landing page offers it. */
  const onward = createStore<string | undefined>(undefined);
  let isFirstScreen = false;
  let applying = false;

  const applyDensity = (density: Preferences['density']) => {
    storage.set(DENSITY_KEY, JSON.stringify(density));
    document.documentElement.dataset.density = density;
  };
  const applyZone = (zone: string | null) => {
    if (zone === null) storage.remove(ZONE_KEY);
    else storage.set(ZONE_KEY, zone);
    const before = appliedTimeZone();
    applyTimeZone(zone ?? undefined);
    // What is on the screen was written, and its days were cut, by the other zone.
    if (before !== appliedTimeZone()) app.queries.invalidateAll();
  };
  const apply = (preferences: StoredPreferences) => {
    held.set(preferences);
    applyZone(preferences.timeZone);
    if (preferences.updatedAt === null) return;
    applying = true;
    if (texts.language !== preferences.language) setLanguage(preferences.language);
    appearance.setTheme(preferences.theme);
    appearance.setPalette(preferences.palette);
    applyDensity(preferences.density);
    applying = false;
  };
  const signedIn = () => app.session.getSnapshot().matches('active');
  const change = async (body: Partial<Preferences>): Promise<void> => {
    apply(await app.client.setPreferences({ body }));
  };
  /** A switch in the frame was turned; the account hears of it, and its silence breaks nothing here. */
  const tell = (body: Partial<Preferences>) => {
    const known = held.get();
    const isNew = Object.entries(body).some(([key, value]) => known?.[key as keyof Preferences] !== value);
    if (!applying && signedIn() && known !== undefined && isNew)
      app.client.setPreferences({ body }, { quiet: true }).then(held.set, () => undefined);
  };

  applyTimeZone(storage.get(ZONE_KEY) ?? undefined);
  appearance.theme.subscribe(() => tell({ theme: appearance.theme.get() }));
  appearance.palette.subscribe(() => tell({ palette: appearance.palette.get() }));
  texts.on('languageChanged', (language: string) => tell({ language: language as Language }));
  app.onSignIn(() => {
    isFirstScreen = true;
  });
  let loadedFor: string | undefined;
  app.account.subscribe(({ context }) => {
    const owner = signedIn() ? context.data?.claims.find(({ name }) => name === 'sub')?.value : undefined;
    if (owner === loadedFor) return;
    loadedFor = owner;
    held.set(undefined);
    if (owner === undefined) return;
    app.client
      .getPreferences(undefined, { quiet: true })
      .then((preferences) => {
        if (loadedFor !== owner) return;
        apply(preferences);
        onward.set(isFirstScreen ? preferences.startScreen : undefined);
        isFirstScreen = false;
        // Of no use to a guest, and not in the way of the first paint.
        return withTexts(import('./follow-views.ts')).then(({ viewsOf }) =>
          viewsOf(app, held, tell).begin(owner, preferences, apply, texts),
        );
      })
      .catch(() => undefined);
  });
  return { held, onward, change };
}
