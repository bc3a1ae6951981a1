import type { StoredPreferences } from '@pilotfish/core/account/account-contract';
import {
  DEFAULT_PREFERENCES,
  type Preferences,
  preferencesSchema,
  type ViewChoices,
  viewChoicesSchema,
} from '@pilotfish/core/account/preferences';
import type { Queries } from '../database/database.ts';
import type { Language } from '../http/texts.ts';

/** The language an account is written to: mails, Telegram, notifications. English where there is no such account. */
export async function languageOfAccount(queries: Queries, accountId: string): Promise<Language> {
  const row = await queries.selectFrom('accounts').select('language').where('id', '=', accountId).executeTakeFirst();
  return row?.language === 'tr' ? 'tr' : 'en';
}

const SHAPE = { ...preferencesSchema.shape, ...viewChoicesSchema.shape };
const NO_VIEWS = Object.fromEntries(Object.keys(viewChoicesSchema.shape).map((name) => [name, null])) as unknown as ViewChoices;

type Stored = Partial<Preferences> & Partial<ViewChoices>;
type Changes = { [Key in keyof Stored]?: Stored[Key] | undefined };

/** What an account has stored. A choice that is no longer offered is none, alone. */
async function storedOf(queries: Queries, accountId: string): Promise<{ choices: Stored; updatedAt: number } | undefined> {
  const row = await queries.selectFrom('account_preferences').selectAll().where('account_id', '=', accountId).executeTakeFirst();
  if (row === undefined) return undefined;
  const stored = JSON.parse(row.choices) as Record<string, unknown>;
  const kept = Object.entries(SHAPE).flatMap(([key, schema]) => {
    const parsed = schema.safeParse(stored[key]);
    return parsed.success && stored[key] !== undefined ? [[key, parsed.data]] : [];
  });
  return { choices: Object.fromEntries(kept) as Stored, updatedAt: row.updated_at };
}

/** Whether any of these is more than how a screen is arranged. */
export const isPreference = (choices: object): boolean => Object.keys(choices).some((key) => Object.hasOwn(preferencesSchema.shape, key));

/** Whether any of these says how the product looks: the time zone, which a device stores on its own, must not decide the theme of others. */
const isLook = (choices: object): boolean => Object.keys(choices).some((key) => key !== 'timeZone' && isPreference({ [key]: null }));

/** What an account chose; the defaults, with `updatedAt` null, where it never chose how the product looks. */
export async function preferencesOf(queries: Queries, accountId: string): Promise<StoredPreferences> {
  const stored = await storedOf(queries, accountId);
  const chosen = stored !== undefined && isLook(stored.choices);
  return {
    ...DEFAULT_PREFERENCES,
    ...NO_VIEWS,
    ...stored?.choices,
    language: await languageOfAccount(queries, accountId),
    updatedAt: chosen ? new Date(stored.updatedAt).toISOString() : null,
  };
}

/** Stores the choices named and leaves the others. Run inside a transaction. */
export async function changePreferences(
  queries: Queries,
  accountId: string,
  { language, ...choices }: Changes,
  time: number,
): Promise<StoredPreferences> {
  if (language !== undefined)
    await queries.updateTable('accounts').set({ language, updated_at: time }).where('id', '=', accountId).execute();
  const given = Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined));
  // A first look brings the defaults of the others, which a device then shows; a favourite must not change its theme.
  const { language: _, ...defaults } = language !== undefined || isLook(given) ? DEFAULT_PREFERENCES : ({} as Partial<Preferences>);
  const before = (await storedOf(queries, accountId))?.choices;
  const row = { choices: JSON.stringify({ ...defaults, ...before, ...given }), updated_at: time };
  await queries
    .insertInto('account_preferences')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
  return preferencesOf(queries, accountId);
}
