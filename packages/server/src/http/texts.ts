import { isolated } from '@pilotfish/core/fields/isolated';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };

export type Language = 'en' | 'tr';
export const LANGUAGES: readonly Language[] = ['en', 'tr'];

/** The texts both apps carry, as the server says them: `{{name}}` in a text is filled from the values. */
export type Texts = {
  /** The text of a namespaced key, e.g. `errors.invalid.title`; undefined when there is none. */
  find(language: Language, key: string, values?: Readonly<Record<string, string | number>>): string | undefined;
  /** The same, falling back to the key itself, which tests catch. */
  text(language: Language, key: string, values?: Readonly<Record<string, string | number>>): string;
  /** Replaces or restores a text at run time (the admin's localization resources). */
  override(language: Language, key: string, text: string | undefined): void;
  /** What `override` replaced or added. */
  overridden(language: Language): ReadonlyMap<string, string>;
  /** Every key of the bundle with its text. */
  bundled(language: Language): ReadonlyMap<string, string>;
};

const flatten = (tree: object, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value] as [string, string]] : flatten(value as object, `${prefix}${key}.`),
  );

const fill = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? isolated(String(values[name])) : whole));

export function createTexts(): Texts {
  const bundles = { en: new Map(flatten(en)), tr: new Map(flatten(tr)) };
  const overrides = { en: new Map<string, string>(), tr: new Map<string, string>() };
  const lookUp = (language: Language, key: string): string | undefined => overrides[language].get(key) ?? bundles[language].get(key);
  const find: Texts['find'] = (language, key, values) => {
    const text = lookUp(language, key) ?? lookUp('en', key);
    return text === undefined ? undefined : fill(text, values);
  };
  return {
    find,
    text: (language, key, values) => find(language, key, values) ?? key,
    override: (language, key, text) => {
      if (text === undefined) overrides[language].delete(key);
      else overrides[language].set(key, text);
    },
    overridden: (language) => overrides[language],
    bundled: (language) => bundles[language],
  };
}

/** The best of our two languages for an `Accept-Language` header: highest weight first, English otherwise. */
export function languageOf(header: string | undefined): Language {
  if (header === undefined) return 'en';
  const wanted = header
    .slice(0, 500)
    .split(',')
    .map((part, order) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = Number(
        parameters
          .find((parameter) => parameter.trim().startsWith('q='))
          ?.trim()
          .slice(2) ?? 1,
      );
      return { language: tag.trim().split('-')[0], weight: Number.isFinite(weight) ? weight : 0, order };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.order - b.order);
  for (const { language } of wanted) if (language === 'en' || language === 'tr') return language;
  return 'en';
}
