import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';

export const LANGUAGES = ['en', 'tr'] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_KEY = 'language';

const BUNDLES = {
  en: () => import('@pilotfish/core/locales/en.json'),
  tr: () => import('@pilotfish/core/locales/tr.json'),
} as const;

export const isLanguage = (text: string | null | undefined): text is Language => text === 'en' || text === 'tr';

/** The texts of one language, loaded when first spoken. */
export async function createTexts(language: Language): Promise<i18n> {
  const texts = i18next.createInstance();
  const { default: bundle } = await BUNDLES[language]();
  await texts.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: bundle } },
    interpolation: { escapeValue: false },
    showSupportNotice: false,
    react: { useSuspense: false },
  } as Parameters<i18n['init']>[0]);
  return texts;
}

/** Switches the language, fetching its texts first so that nothing flashes. */
export async function speak(texts: i18n, language: Language): Promise<void> {
  if (!texts.hasResourceBundle(language, 'translation')) {
    const { default: bundle } = await BUNDLES[language]();
    texts.addResourceBundle(language, 'translation', bundle);
  }
  await texts.changeLanguage(language);
}
