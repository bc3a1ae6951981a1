import { createHash } from 'node:crypto';
import type { LocalizationResource } from '@pilotfish/core/admin/localization-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { AppContext } from '../app/context.ts';
import type { Queries } from '../database/database.ts';
import type { Origin } from '../http/endpoint-handler.ts';
import { LANGUAGES, type Language } from '../http/texts.ts';

export type Resource = LocalizationResource;
type State = 'all' | 'changed' | 'missing' | 'same';
type Values = Partial<Record<Language, string>>;
type Change = { key: string; values: Partial<Record<Language, string>> };
type Deed = { actorId: string; origin: Origin };

/** A text's id is made from its key (a UUID of version 8), so bundled texts have one without being stored. */
export function resourceId(key: string): string {
  const hex = createHash('sha256').update(`localization ${key}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

const placeholders = (text: string): string[] => [...new Set([...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1] ?? ''))].sort();

export type Localization = {
  /** Makes the stored overrides effective in this process. */
  load(): Promise<void>;
  list(query: { filter?: string | undefined; state: State; page: number; pageSize: number }): {
    items: Resource[];
    page: number;
    pageSize: number;
    total: number;
    counts: Record<State, number>;
  };
  create(change: Change, deed: Deed): Promise<Resource>;
  update(id: string, change: Change, deed: Deed): Promise<Resource>;
  remove(id: string, deed: Deed): Promise<void>;
  /** What the import takes back. */
  export(scope: 'changed' | 'all'): Record<string, Values>;
  /** All or none; what is said already is left alone. */
  import(texts: Record<string, Values>, dryRun: boolean, deed: Deed): Promise<{ added: number; changed: number; unchanged: number }>;
  /** What this instance says differently in one language. */
  overrides(language: Language): Record<string, string>;
};

export function localization({ database, texts, audit, now, instance }: AppContext): Localization {
  /** Keys that are overridden or added, in the order they came. */
  const changed = new Set<string>();

  const keys = (): string[] => [...new Set([...texts.bundled('en').keys(), ...changed])].sort();
  const said = (language: Language, key: string): string | undefined =>
    texts.overridden(language).get(key) ?? texts.bundled(language).get(key);
  const resource = (key: string): Resource => {
    const [en, tr] = [texts.bundled('en').get(key), texts.bundled('tr').get(key)];
    return {
      id: resourceId(key),
      key,
      values: { en: texts.find('en', key) ?? '', tr: texts.find('tr', key) ?? '' },
      bundled: en === undefined && tr === undefined ? null : { en: en ?? '', tr: tr ?? '' },
      changed: changed.has(key),
      missing: LANGUAGES.filter((language) => (said(language, key) ?? '').trim() === ''),
    };
  };
  /** Two or more letters that both languages share are perhaps a word that nobody translated. */
  const isSame = ({ values }: Resource): boolean => values.en === values.tr && /\p{L}{2}/u.test(values.en.replace(/\{\{.*?\}\}/g, ''));
  const isOf: Record<State, (resource: Resource) => boolean> = {
    all: () => true,
    changed: (resource) => resource.changed,
    missing: (resource) => resource.missing.length > 0,
    same: isSame,
  };
  const keyOf = (id: string): string => {
    const key = keys().find((candidate) => resourceId(candidate) === id);
    if (key === undefined) throw new AppError('not-found');
    return key;
  };
  const apply = (key: string, values: Partial<Record<Language, string | null>>): void => {
    for (const language of LANGUAGES) texts.override(language, key, values[language] ?? undefined);
  };

  /** A text that names other values than the bundle's would be shown with holes. */
  const requireSamePlaceholders = (key: string, values: Change['values'], path = 'values'): void => {
    const bundled = texts.bundled('en').get(key);
    if (bundled === undefined) return;
    const allowed = placeholders(bundled);
    for (const language of LANGUAGES) {
      const unknown = placeholders(values[language] ?? '').filter((name) => !allowed.includes(name));
      if (unknown.length > 0)
        throw new AppError('invalid', {
          fields: [
            {
              path: `${path}.${language}`,
              code: 'placeholder',
              message: unknown.map((name) => `{{${name}}}`).join(', '),
              limit: allowed.join(', '),
            },
          ],
        });
    }
  };

  const write = async (queries: Queries, { key, values }: Change): Promise<void> => {
    const row = { en: values.en ?? null, tr: values.tr ?? null, updated_at: now() };
    await queries
      .insertInto('localization_overrides')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
  };
  const store = async ({ key, values }: Change, action: string, { actorId, origin }: Deed): Promise<Resource> => {
    requireSamePlaceholders(key, values);
    const before = resource(key).values;
    await database.transaction(async (queries) => {
      await write(queries, { key, values });
      await instance.bump('texts', queries);
      await audit.record({ accountId: actorId, action, target: key, origin, details: { before, after: values } }, queries);
    });
    await instance.refresh();
    return resource(key);
  };
  const load = async (): Promise<void> => {
    const rows = await database.queries.selectFrom('localization_overrides').selectAll().execute();
    const stored = new Set(rows.map(({ key }) => key));
    for (const key of [...changed].filter((each) => !stored.has(each))) {
      changed.delete(key);
      apply(key, {});
    }
    for (const row of rows) {
      changed.add(row.key);
      apply(row.key, row);
    }
  };

  return {
    load,
    list: ({ filter = '', state, page, pageSize }) => {
      // Both letters i of Turkish are found by either, whichever language is searched in.
      const fold = (text: string) => text.toLocaleLowerCase('tr').replaceAll('ı', 'i').normalize('NFC');
      const wanted = fold(filter.trim());
      const matching = keys()
        .map(resource)
        .filter(({ key, values }) => wanted === '' || [key, values.en, values.tr].some((text) => fold(text).includes(wanted)));
      const count = (which: State) => matching.filter(isOf[which]).length;
      const found = matching.filter(isOf[state]).sort((a, b) => b.missing.length - a.missing.length || (a.key < b.key ? -1 : 1));
      return {
        items: found.slice((page - 1) * pageSize, page * pageSize),
        page,
        pageSize,
        total: found.length,
        counts: { all: matching.length, changed: count('changed'), missing: count('missing'), same: count('same') },
      };
    },
    export: (scope) => {
      const chosen = scope === 'all' ? keys() : [...changed].sort();
      const values = (key: string): Values =>
        Object.fromEntries(
          LANGUAGES.flatMap((language) => {
            const text = scope === 'all' ? said(language, key) : texts.overridden(language).get(key);
            return text === undefined ? [] : [[language, text]];
          }),
        );
      return Object.fromEntries(chosen.map((key) => [key, values(key)]));
    },
    import: async (given, dryRun, { actorId, origin }) => {
      const known = new Set(keys());
      const wanted = Object.entries(given).flatMap(([key, values]): Change[] => {
        const different = Object.entries(values).filter(([language, text]) => said(language as Language, key) !== text);
        if (different.length === 0) return [];
        // What is not named stays as it is overridden; what the product says anyway needs no override.
        const kept = Object.fromEntries(
          LANGUAGES.flatMap((language) => {
            const text = values[language] ?? texts.overridden(language).get(key);
            return text === undefined || text === texts.bundled(language).get(key) ? [] : [[language, text]];
          }),
        );
        return [{ key, values: kept }];
      });
      for (const { key, values } of wanted) requireSamePlaceholders(key, values, `texts.${key}`);
      const added = wanted.filter(({ key }) => !known.has(key)).length;
      const counts = { added, changed: wanted.length - added, unchanged: Object.keys(given).length - wanted.length };
      if (dryRun || wanted.length === 0) return counts;
      await database.transaction(async (queries) => {
        for (const change of wanted) {
          if (Object.keys(change.values).length > 0) await write(queries, change);
          else await queries.deleteFrom('localization_overrides').where('key', '=', change.key).execute();
        }
        await instance.bump('texts', queries);
        const details = { ...counts, keys: wanted.slice(0, 50).map(({ key }) => key) };
        await audit.record({ accountId: actorId, action: 'admin.import-texts', origin, details }, queries);
      });
      await instance.refresh();
      return counts;
    },
    overrides: (language) => {
      const own = texts.overridden(language);
      // A text added in one language only is shown in the other, too.
      const borrowed = [...texts.overridden('en')].filter(([key]) => !own.has(key) && !texts.bundled(language).has(key));
      return Object.fromEntries([...borrowed, ...own]);
    },
    create: async (change, deed) => {
      if (keys().includes(change.key)) throw new AppError('conflict', { parameters: { context: 'name_taken', name: change.key } });
      return store(change, 'admin.create-text', deed);
    },
    update: async (id, change, deed) => {
      const key = keyOf(id);
      // A key is a text's name in the code; another key is another text.
      if (change.key !== key) throw new AppError('invalid', { fields: [{ path: 'key', code: 'invalid_value', message: '', limit: key }] });
      return store({ key, values: change.values }, 'admin.change-text', deed);
    },
    remove: async (id, { actorId, origin }) => {
      const key = keyOf(id);
      if (!changed.has(key)) throw new AppError('not-found');
      await database.transaction(async (queries) => {
        await queries.deleteFrom('localization_overrides').where('key', '=', key).execute();
        await instance.bump('texts', queries);
        const details = { before: resource(key).values };
        await audit.record({ accountId: actorId, action: 'admin.remove-text', target: key, origin, details }, queries);
      });
      await instance.refresh();
    },
  };
}
