import { createHash } from 'node:crypto';
import { AppError } from '@pilotfish/core/http/problem';
import type { AppContext } from '../app/context.ts';
import type { Origin } from '../http/endpoint-handler.ts';
import { LANGUAGES, type Language } from '../http/texts.ts';

export type Resource = { id: string; key: string; values: Record<Language, string> };
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
  list(query: { filter?: string | undefined; page: number; pageSize: number }): {
    items: Resource[];
    page: number;
    pageSize: number;
    total: number;
  };
  create(change: Change, deed: Deed): Promise<Resource>;
  update(id: string, change: Change, deed: Deed): Promise<Resource>;
  remove(id: string, deed: Deed): Promise<void>;
};

export function localization({ database, texts, audit, now }: AppContext): Localization {
  /** Keys that are overridden or added, in the order they came. */
  const changed = new Set<string>();

  const keys = (): string[] => [...new Set([...texts.bundled('en').keys(), ...changed])].sort();
  const resource = (key: string): Resource => ({
    id: resourceId(key),
    key,
    values: { en: texts.find('en', key) ?? '', tr: texts.find('tr', key) ?? '' },
  });
  const keyOf = (id: string): string => {
    const key = keys().find((candidate) => resourceId(candidate) === id);
    if (key === undefined) throw new AppError('not-found');
    return key;
  };
  const apply = (key: string, values: Partial<Record<Language, string | null>>): void => {
    for (const language of LANGUAGES) texts.override(language, key, values[language] ?? undefined);
  };

  /** A text that names other values than the bundle's would be shown with holes. */
  const requireSamePlaceholders = (key: string, values: Change['values']): void => {
    const bundled = texts.bundled('en').get(key);
    if (bundled === undefined) return;
    const allowed = placeholders(bundled);
    for (const language of LANGUAGES) {
      const unknown = placeholders(values[language] ?? '').filter((name) => !allowed.includes(name));
      if (unknown.length > 0)
        throw new AppError('invalid', {
          fields: [
            {
              path: `values.${language}`,
              code: 'placeholder',
              message: unknown.map((name) => `{{${name}}}`).join(', '),
              limit: allowed.join(', '),
            },
          ],
        });
    }
  };

  const store = async ({ key, values }: Change, action: string, { actorId, origin }: Deed): Promise<Resource> => {
    requireSamePlaceholders(key, values);
    const row = { en: values.en ?? null, tr: values.tr ?? null, updated_at: now() };
    const before = resource(key).values;
    await database.transaction(async (queries) => {
      await queries
        .insertInto('localization_overrides')
        .values({ key, ...row })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
        .execute();
      await audit.record({ accountId: actorId, action, target: key, origin, details: { before, after: values } }, queries);
    });
    changed.add(key);
    apply(key, row);
    return resource(key);
  };

  return {
    load: async () => {
      for (const row of await database.queries.selectFrom('localization_overrides').selectAll().execute()) {
        changed.add(row.key);
        apply(row.key, row);
      }
    },
    list: ({ filter = '', page, pageSize }) => {
      // Both letters i of Turkish are found by either, whichever language is searched in.
      const fold = (text: string) => text.toLocaleLowerCase('tr').replaceAll('ı', 'i').normalize('NFC');
      const wanted = fold(filter.trim());
      const found = keys()
        .map(resource)
        .filter(({ key, values }) => wanted === '' || [key, values.en, values.tr].some((text) => fold(text).includes(wanted)));
      return { items: found.slice((page - 1) * pageSize, page * pageSize), page, pageSize, total: found.length };
    },
    create: async (change, deed) => {
      if (keys().includes(change.key)) throw new AppError('conflict');
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
        await audit.record({ accountId: actorId, action: 'admin.remove-text', target: key, origin }, queries);
      });
      changed.delete(key);
      apply(key, {});
    },
  };
}
