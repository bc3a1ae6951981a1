import type { AdminTag } from '@pilotfish/core/admin/instance-contract';
import type { Database, Queries } from '../database/database.ts';

export type CustomTag = { key: string; labels: { en: string; tr: string }; assets: readonly string[] };
export type CustomTags = {
  /** Tags of this instance, by key. */
  all(): readonly CustomTag[];
  /** Keys of the tags an asset bears. */
  of(asset: string): readonly string[];
  store(queries: Queries, tag: Omit<AdminTag, 'builtIn'>, time: number): Promise<void>;
  /** False where there is no such tag. */
  remove(queries: Queries, key: string): Promise<boolean>;
  load(): Promise<void>;
};

export function customTags(database: Database): CustomTags {
  let tags: readonly CustomTag[] = [];
  let byAsset = new Map<string, string[]>();
  return {
    all: () => tags,
    of: (asset) => byAsset.get(asset) ?? [],
    store: async (queries, { key, labels, assets }, time) => {
      const row = { label_en: labels.en, label_tr: labels.tr, assets: JSON.stringify([...new Set(assets)].sort()), updated_at: time };
      await queries
        .insertInto('custom_tags')
        .values({ key, ...row })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
        .execute();
    },
    remove: async (queries, key) => (await queries.deleteFrom('custom_tags').where('key', '=', key).executeTakeFirst()).numDeletedRows > 0n,
    load: async () => {
      const rows = await database.queries.selectFrom('custom_tags').selectAll().orderBy('key').execute();
      tags = rows.map((row) => ({
        key: row.key,
        labels: { en: row.label_en, tr: row.label_tr },
        assets: JSON.parse(row.assets) as string[],
      }));
      const next = new Map<string, string[]>();
      for (const { key, assets } of tags) for (const asset of assets) next.set(asset, [...(next.get(asset) ?? []), key]);
      byAsset = next;
    },
  };
}
