import { isolated } from '@pilotfish/core/fields/isolated';
import type { TextValues } from '@pilotfish/core/fields/text-values';
import { formatSpoken } from '@pilotfish/core/money/spoken-count';

export type Language = 'en' | 'tr';

/** Fills the text of a key (or of the first key that has one). */
export type Translate = (key: string | readonly string[], values?: TextValues) => string;

/** `--lang`, else the language of the locale variables, else English. */
export function chosenLanguage(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Language {
  const flag = argv.indexOf('--lang');
  const named = flag >= 0 ? argv[flag + 1] : argv.find((word) => word.startsWith('--lang='))?.slice('--lang='.length);
  const wanted = named ?? (env.LC_ALL || env.LC_MESSAGES || env.LANG || '');
  return /^tr(\b|_)/i.test(wanted) ? 'tr' : 'en';
}

/** Texts that the Admin of a server says differently can be put over those of this program, and taken away again. */
export type Texts = Translate & { readonly override: (texts: Readonly<Record<string, string>>) => void };

/** The texts of one language. Commands that only print data never load them. */
export async function loadTexts(language: Language): Promise<Texts> {
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
    interpolation: { escape: isolated, alwaysFormat: true, format: formatSpoken },
    // i18next would otherwise print an advertisement on stdout, into the data.
    showSupportNotice: false,
  } as Parameters<typeof instance.init>[0]);
  const own = (key: string): string | undefined => {
    let at: unknown = texts;
    for (const part of key.split('.')) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[part] : undefined;
    return typeof at === 'string' ? at : undefined;
  };
  /** What this program says where something else is said now. */
  const bundled = new Map<string, string>();
  let isCopy = false;
  const translate: Translate = (key, values = {}) => String(instance.t(key as string, values));
  return Object.assign(translate, {
    override: (said: Readonly<Record<string, string>>) => {
      // The texts are one object for all commands of a process, and i18next writes into it.
      if (!isCopy) instance.addResourceBundle(language, 'translation', texts);
      isCopy = true;
      for (const [key, text] of bundled) instance.addResource(language, 'translation', key, text);
      bundled.clear();
      for (const [key, text] of Object.entries(said)) {
        const before = own(key);
        // Only what this program says itself: keys of other apps, or none at all, change nothing here.
        if (before === undefined) continue;
        bundled.set(key, before);
        instance.addResource(language, 'translation', key, text);
      }
    },
  });
}
