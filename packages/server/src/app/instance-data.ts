import type { Logger } from 'pino';
import type { InstancePart } from '../admin/admin-tables.ts';
import { type AppSettings, appSettings, type SettingDefaults } from '../admin/app-settings-store.ts';
import { type CustomTags, customTags } from '../admin/custom-tags.ts';
import { type CurrencySettings, currencySettings } from '../currencies/currency-settings.ts';
import type { Database, Queries } from '../database/database.ts';
import type { StreamHub } from '../stream/stream-hub.ts';

/** What Admins change while the instance runs, held in memory and kept in step with the database. */
export type InstanceData = {
  readonly settings: AppSettings;
  readonly currencies: CurrencySettings;
  readonly tags: CustomTags;
  /** Counts the change in the transaction that makes it. */
  bump(part: InstancePart, queries: Queries): Promise<void>;
  /** Takes up what changed, here or in another process, and tells every app. */
  refresh(): Promise<void>;
  /** Runs when a part was taken up anew. */
  onChange(part: InstancePart, listener: () => Promise<void> | void): void;
  /** How often a part has changed; `0` for never. */
  version(part: InstancePart): string;
};

/** Loads everything before anything else starts. */
export async function openInstanceData(parts: {
  database: Database;
  stream: Pick<StreamHub, 'publish'>;
  defaults: SettingDefaults;
  log: Logger;
}): Promise<InstanceData> {
  const { database, stream } = parts;
  const settings = appSettings(database, parts.defaults, parts.log);
  const currencies = currencySettings(database);
  const tags = customTags(database);
  const loaders: Partial<Record<InstancePart, () => Promise<void>>> = {
    settings: () => settings.load(),
    currencies: () => currencies.load(),
    tags: () => tags.load(),
  };
  const held = new Map<InstancePart, number>();
  const listeners: { part: InstancePart; listener: () => Promise<void> | void }[] = [];
  let refreshing: Promise<void> = Promise.resolve();

  const look = async (): Promise<void> => {
    const rows = await database.queries.selectFrom('instance_revisions').selectAll().execute();
    const changed = rows.filter(({ name, revision }) => (held.get(name) ?? 0) !== revision);
    if (changed.length === 0) return;
    for (const { name, revision } of changed) {
      await loaders[name]?.();
      held.set(name, revision);
      for (const { part, listener } of listeners) if (part === name) await listener();
    }
    if (changed.some(({ name }) => name !== 'tags'))
      stream.publish('instance', { texts: version('texts'), config: version('settings'), currencies: version('currencies') });
  };
  const version = (part: InstancePart): string => String(held.get(part) ?? 0);

  for (const load of Object.values(loaders)) await load();
  for (const { name, revision } of await database.queries.selectFrom('instance_revisions').selectAll().execute()) held.set(name, revision);

  return {
    settings,
    currencies,
    tags,
    version,
    bump: async (part, queries) => {
      await queries
        .insertInto('instance_revisions')
        .values({ name: part, revision: 1 })
        .onConflict((conflict) => conflict.column('name').doUpdateSet((e) => ({ revision: e('instance_revisions.revision', '+', 1) })))
        .execute();
    },
    refresh: () => {
      // One after the other, so that an older look never overtakes a newer one.
      refreshing = refreshing.then(look, look);
      return refreshing;
    },
    onChange: (part, listener) => {
      listeners.push({ part, listener });
    },
  };
}
