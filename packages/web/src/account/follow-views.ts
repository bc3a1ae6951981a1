import type { StoredPreferences } from '@pilotfish/core/account/account-contract';
import type { Preferences, ViewChoices } from '@pilotfish/core/account/preferences';
import type { i18n } from 'i18next';
import type { App } from '../platform/app.ts';
import { choicesOf, VIEW_NAMES } from '../platform/choices.ts';
import type { Store } from '../platform/store.ts';
import { giveZone } from './give-zone.ts';

/** Whose choices this browser holds: of those that are nobody's an account takes what it has not chosen itself. */
const OWNER_KEY = 'choices_of';

/** Keeps how the screens are arranged here and in the account alike. */
function followViews(app: App, held: Store<StoredPreferences | undefined>, tell: (body: Partial<Preferences>) => void) {
  const { storage } = app.browser;
  const choices = choicesOf(app);
  let owner: string | undefined;
  let isSending = false;
  app.session.on('session.ended', () => {
    owner = undefined;
  });

  /** One at a time, or an earlier call would overtake a later choice. What is refused waits for the next choice: an older server refuses all of it. */
  const send = () => {
    const body = choices.unsent();
    const sender = owner;
    if (sender === undefined || isSending || Object.keys(body).length === 0) return;
    isSending = true;
    app.client.setPreferences({ body }, { quiet: true }).then(
      (stored) => {
        isSending = false;
        if (owner === sender) {
          held.set(stored);
          choices.sent(body);
        }
        send();
      },
      () => {
        isSending = false;
        // Another account's choices waited for this one's answer.
        if (owner !== sender) send();
      },
    );
  };

  choices.onChosen((name, value) => {
    if (name !== 'density') return send();
    const density = value as Preferences['density'];
    document.documentElement.dataset.density = density;
    tell({ density });
  });

  return {
    /** The account's views win; of a device whose choices are nobody's yet it takes over what it lacks. */
    begin: (who: string, preferences: StoredPreferences, apply: (stored: StoredPreferences) => void, texts: i18n) => {
      if (!app.session.getSnapshot().matches('active')) return;
      owner = who;
      const isNobodys = storage.get(OWNER_KEY) === null;
      const taken: Partial<Record<keyof ViewChoices, unknown>> = {};
      for (const name of VIEW_NAMES) {
        const value = preferences[name];
        // An older server keeps no such thing, and what was chosen a moment ago is newer than this answer.
        if (value === undefined || name in choices.unsent()) continue;
        const here = choices.of(name).get();
        if (value === null && isNobodys && here !== undefined) taken[name] = here;
        else choices.load(name, value ?? undefined);
      }
      if (preferences.updatedAt !== null) choices.load('density', preferences.density);
      choices.add(taken as Partial<ViewChoices>);
      storage.set(OWNER_KEY, who);
      send();
      if (preferences.timeZone === null)
        void giveZone(app, texts).then((stored) => {
          if (stored && owner === who) apply(stored);
        });
    },
  };
}

export const viewsOf = (...given: Parameters<typeof followViews>) => given[0].keep('views', () => followViews(...given));
