import { isolated } from '@pilotfish/core/fields/isolated';
import builtIn from '@pilotfish/core/locales/en.json?part=first';
import { formatSpoken } from '@pilotfish/core/money/spoken-count';
import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createStore } from './store.ts';

export const LANGUAGES = ['en', 'tr'] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_KEY = 'language';

/**
 * In two parts (vite.config.ts cuts them): what a guest's landing page says, and everything else. The first part in
 * English is in the app's own code: it is spoken where nothing else could be loaded.
 */
const PARTS = {
  en: {
    first: () => Promise.resolve({ default: builtIn }),
    rest: () => import('@pilotfish/core/locales/en.json?part=rest'),
  },
  tr: {
    first: () => import('@pilotfish/core/locales/tr.json?part=first'),
    rest: () => import('@pilotfish/core/locales/tr.json?part=rest'),
  },
} as const;

export const isLanguage = (text: string | null | undefined): text is Language => text === 'en' || text === 'tr';

/** Texts could not be loaded and English stands in their place; the page says so. */
export const textsMissing = createStore(false);

let spoken: i18n | undefined;
/** The second part by language, asked for at most once at a time. */
const arriving = new Map<Language, Promise<void>>();

/**
 * The texts of one language, loaded when first spoken.
 * @param all also those that the landing page of a guest does not need
 * @throws when they cannot be loaded; `builtInTexts` cannot fail
 */
export async function createTexts(language: Language, { all = false }: { all?: boolean } = {}): Promise<i18n> {
  const texts = i18next.createInstance();
  const [{ default: first }, rest] = await Promise.all([PARTS[language].first(), all ? PARTS[language].rest() : undefined]);
  // i18next adds to what it is given: the English that is built in is not to grow by it.
  await texts.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { translation: structuredClone(builtIn) }, [language]: { translation: structuredClone(first) } },
    // React escapes what it shows; what is left is that a name must not turn the sentence around it.
    interpolation: { escape: isolated, alwaysFormat: true, format: formatSpoken },
    showSupportNotice: false,
    react: { useSuspense: false },
  } as Parameters<i18n['init']>[0]);
  if (rest) texts.addResourceBundle(language, 'translation', rest.default, true);
  spoken = texts;
  arriving.clear();
  if (all) arriving.set(language, Promise.resolve());
  return texts;
}

/** English as far as it is in the app's own code, for a start at which the texts could not be loaded. */
export async function builtInTexts(): Promise<i18n> {
  const texts = await createTexts('en');
  textsMissing.set(true);
  return texts;
}

/** Resolves when every text of a language is there; pages wait for it with their code. */
export function allTexts(language: Language | undefined = spoken?.language as Language | undefined): Promise<void> {
  const texts = spoken;
  if (!texts || !isLanguage(language)) return Promise.resolve();
  const known = arriving.get(language);
  if (known) return known;
  const add = (of: Language, { default: rest }: { default: Record<string, unknown> }) =>
    // What is there already stays: an Admin may have changed it.
    void texts.addResourceBundle(of, 'translation', rest, true, false);
  const inEnglish = async (error: unknown) => {
    if (language === 'en') throw error;
    add('en', await PARTS.en.rest());
    textsMissing.set(true);
  };
  const arrival = PARTS[language]
    .rest()
    .then((rest) => add(language, rest), inEnglish)
    .catch((error: unknown) => {
      textsMissing.set(true);
      arriving.delete(language);
      throw error;
    });
  arriving.set(language, arrival);
  return arrival;
}

/** A part of the app that says more than a guest's landing page does: its code, once its texts are there, too. */
export async function withTexts<Module>(code: Promise<Module>): Promise<Module> {
  const [loaded] = await Promise.all([code, allTexts()]);
  return loaded;
}

/** Switches the language, fetching its texts first so that nothing flashes. What cannot be loaded is not spoken. */
export async function speak(texts: i18n, language: Language): Promise<void> {
  try {
    if (!texts.hasResourceBundle(language, 'translation')) {
      const { default: first } = await PARTS[language].first();
      texts.addResourceBundle(language, 'translation', first, true, false);
    }
    if (arriving.size > 0) await allTexts(language);
  } catch (error) {
    console.error('texts', error);
    textsMissing.set(true);
    return;
  }
  await texts.changeLanguage(language);
}
