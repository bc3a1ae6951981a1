import type { StoredPreferences } from '@pilotfish/core/account/account-contract';
import { DEFAULT_PREFERENCES, type Preferences, preferencesSchema } from '@pilotfish/core/account/preferences';
import type { Queries } from '../database/database.ts';
import type { Language } from '../http/texts.ts';

/** The language an account is written to: mails, Telegram, notifications. English where there is no such account. */
export async function languageOfAccount(queries: Queries, accountId: string): Promise<Language> {
  const row = await queries.selectFrom('accounts').select('language').where('id', '=', accountId).executeTakeFirst();
  return row?.language === 'tr' ? 'tr' : 'en';
}

/** What an account chose; the defaults, with `updatedAt` null, where it never chose anything. */
export async function preferencesOf(queries: Queries, accountId: string): Promise<StoredPreferences> {
  const row = await queries.selectFrom('account_preferences').selectAll().where('account_id', '=', accountId).executeTakeFirst();
  const language = await languageOfAccount(queries, accountId);
  // A choice that is no longer offered falls back to the default, alone.
  const stored: Record<string, unknown> = row === undefined ? {} : (JSON.parse(row.choices) as Record<string, unknown>);
  const kept = Object.fromEntries(
    Object.entries(preferencesSchema.shape).flatMap(([key, schema]) => {
      const parsed = schema.safeParse(stored[key]);
      return parsed.success && stored[key] !== undefined ? [[key, parsed.data]] : [];
    }),
  ) as Partial<Preferences>;
  return {
    ...DEFAULT_PREFERENCES,
    ...kept,
    language,
    updatedAt: row === undefined ? null : new Date(row.updated_at).toISOString(),
  };
}

/** Stores the choices named and leaves the others. Run inside a transaction. */
export async function changePreferences(
  queries: Queries,
  accountId: string,
  { language, ...choices }: { [Key in keyof Preferences]?: Preferences[Key] | undefined },
  time: number,
): Promise<StoredPreferences> {
  if (language !== undefined)
    await queries.updateTable('accounts').set({ language, updated_at: time }).where('id', '=', accountId).execute();
  const { language: _, updatedAt: __, ...before } = await preferencesOf(queries, accountId);
  const given = Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined));
  const row = { choices: JSON.stringify({ ...before, ...given }), updated_at: time };
  await queries
    .insertInto('account_preferences')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
  return preferencesOf(queries, accountId);
}
