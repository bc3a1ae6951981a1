import { createHash } from 'node:crypto';
import { type YesNo, yesNo } from '../database/column-types.ts';
import type { Database, Queries } from '../database/database.ts';

/** What this instance says of one currency; null leaves a field to the exchange. */
export type CurrencyChoice = {
  name: string | null;
  precision: number | null;
  enabled: boolean | null;
  sort: number | null;
  icon: { png: Buffer; etag: string } | undefined;
};
type Change = { [Key in 'name' | 'precision' | 'enabled' | 'sort']?: CurrencyChoice[Key] | undefined };

export type CurrencySettings = {
  get(code: string): CurrencyChoice | undefined;
  codes(): readonly string[];
  /** False where an Admin no longer offers one of the assets of a pair. */
  readonly isOffered: (pair: { readonly baseAsset: string; readonly quoteAsset: string }) => boolean;
  /** Changes the fields named and leaves the others. */
  store(queries: Queries, code: string, change: Change, time: number): Promise<void>;
  storeIcon(queries: Queries, code: string, png: Buffer | null, time: number): Promise<void>;
  /** False where nothing was said of it. */
  remove(queries: Queries, code: string): Promise<boolean>;
  load(): Promise<void>;
};

export const etagOf = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

export function currencySettings(database: Database): CurrencySettings {
  let choices = new Map<string, CurrencyChoice>();
  const upsert = (
    queries: Queries,
    code: string,
    change: { name?: string | null; precision?: number | null; enabled?: YesNo | null; sort?: number | null; icon?: string | null },
    time: number,
  ) =>
    queries
      .insertInto('currency_settings')
      .values({ code, name: null, precision: null, enabled: null, sort: null, icon: null, ...change, updated_at: time })
      .onConflict((conflict) => conflict.column('code').doUpdateSet({ ...change, updated_at: time }))
      .execute();
  return {
    get: (code) => choices.get(code),
    codes: () => [...choices.keys()],
    isOffered: ({ baseAsset, quoteAsset }) => [baseAsset, quoteAsset].every((code) => choices.get(code)?.enabled !== false),
    store: async (queries, code, { name, precision, enabled, sort }, time) => {
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(precision === undefined ? {} : { precision }),
        ...(enabled === undefined ? {} : { enabled: enabled === null ? null : yesNo(enabled) }),
        ...(sort === undefined ? {} : { sort }),
      };
      await upsert(queries, code, change, time);
    },
    storeIcon: async (queries, code, png, time) => {
      await upsert(queries, code, { icon: png === null ? null : png.toString('base64') }, time);
    },
    remove: async (queries, code) =>
      (await queries.deleteFrom('currency_settings').where('code', '=', code).executeTakeFirst()).numDeletedRows > 0n,
    load: async () => {
      const rows = await database.queries.selectFrom('currency_settings').selectAll().execute();
      choices = new Map(
        rows.map(({ code, name, precision, enabled, sort, icon }) => {
          const png = icon === null ? undefined : Buffer.from(icon, 'base64');
          return [
            code,
            {
              name,
              precision,
              enabled: enabled === null ? null : enabled === 1,
              sort,
              icon: png && { png, etag: etagOf(png) },
            },
          ];
        }),
      );
    },
  };
}
