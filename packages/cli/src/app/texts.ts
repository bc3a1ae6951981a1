export type Language = 'en' | 'tr';

/** Fills the text of a key (or of the first key that has one). */
export type Translate = (key: string | readonly string[], values?: Readonly<Record<string, unknown>>) => string;

/** `--lang`, else the language of the locale variables, else English. */
export function chosenLanguage(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Language {
  const flag = argv.indexOf('--lang');
  const named = flag >= 0 ? argv[flag + 1] : argv.find((word) => word.startsWith('--lang='))?.slice('--lang='.length);
  const wanted = named ?? (env.LC_ALL || env.LC_MESSAGES || env.LANG || '');
  return /^tr(\b|_)/i.test(wanted) ? 'tr' : 'en';
}

/** The texts of one language. Commands that only print data never load them. */
export async function loadTexts(language: Language): Promise<Translate> {
  const [{ createInstance }, { default: texts }] = await Promise.all([
    import('i18next'),
    language === 'tr'
      ? import('@pilotfish/core/locales/tr.json', { with: { type: 'json' } })
      : import('@pilotfish/core/locales/en.json', { with: { type: 'json' } }),
  ]);
  const instance = createInstance();
  await instance.init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: texts } },
    interpolation: { escapeValue: false },
    // i18next would otherwise print an advertisement on stdout, into the data.
    showSupportNotice: false,
  } as Parameters<typeof instance.init>[0]);
  return (key, values = {}) => String(instance.t(key as string, values));
}
