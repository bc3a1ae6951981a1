import type { BotTemplate } from '@pilotfish/core/auto-trades/bot-templates-contract';
import { type BotSettings, botSettingsSchema } from '@pilotfish/core/auto-trades/config/bot-settings';
import { nameKey } from '@pilotfish/core/fields/name-key';
import type { Selectable } from 'kysely';
import type { Database, Queries } from '../database/database.ts';
import { isUnreadable } from '../database/stored-rows.ts';
import type { BotTemplatesTables } from './bot-templates-tables.ts';

/** Settings of an earlier version get the defaults of what came later, as those of bots do; null for what cannot be read. */
function readSettings(text: string): BotSettings | null {
  try {
    return botSettingsSchema.parse(JSON.parse(text));
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return null;
  }
}

const toTemplate = (row: Selectable<BotTemplatesTables['bot_templates']>): BotTemplate => ({
  id: row.id,
  name: row.name,
  settings: readSettings(row.settings),
  currency: row.currency,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
});

type Change = {
  readonly name?: string | undefined;
  readonly settings?: BotSettings | undefined;
  readonly currency?: string | null | undefined;
  /** When it was last changed, as its reader knows it. */
  readonly basedOn?: string | undefined;
};

export function botTemplatesStore(database: Database) {
  const { queries } = database;
  const ofAccount = (on: Queries, accountId: string) => on.selectFrom('bot_templates').selectAll().where('account_id', '=', accountId);
  return {
    list: async (accountId: string): Promise<BotTemplate[]> =>
      (await ofAccount(queries, accountId).orderBy('name_key').execute()).map(toTemplate),
    /** Undefined when the name is taken. @param requireRoom throws where there are as many as may be */
    insert: async (
      template: { id: string; accountId: string; name: string; settings: BotSettings; currency: string | null; at: number },
      requireRoom: (transaction: Queries) => Promise<void>,
    ): Promise<BotTemplate | undefined> =>
      database.transaction(async (transaction) => {
        await requireRoom(transaction);
        const row = await transaction
          .insertInto('bot_templates')
          .values({
            id: template.id,
            account_id: template.accountId,
            name: template.name,
            name_key: nameKey(template.name),
            settings: JSON.stringify(template.settings),
            currency: template.currency,
            created_at: template.at,
            updated_at: template.at,
          })
          .onConflict((conflict) => conflict.columns(['account_id', 'name_key']).doNothing())
          .returningAll()
          .executeTakeFirst();
        return row && toTemplate(row);
      }),
    /**
     * What is not named stays. `missing`: the account has no such template; `taken`: another of its templates has the name;
     * `changed`: it is not as its reader knows it.
     */
    update: async (
      accountId: string,
      id: string,
      { name, settings, currency, basedOn }: Change,
      at: number,
    ): Promise<BotTemplate | 'missing' | 'taken' | 'changed'> =>
      database.transaction(async (transaction) => {
        // Renames of an account take turns: of two to the same name the second sees the first.
        await transaction
          .updateTable('accounts')
          .set((e) => ({ id: e.ref('id') }))
          .where('id', '=', accountId)
          .execute();
        const key = name === undefined ? undefined : nameKey(name);
        const old = await ofAccount(transaction, accountId).where('id', '=', id).executeTakeFirst();
        if (!old) return 'missing';
        if (basedOn !== undefined && Date.parse(basedOn) !== old.updated_at) return 'changed';
        const holder =
          key === undefined ? undefined : await ofAccount(transaction, accountId).where('name_key', '=', key).executeTakeFirst();
        if (holder && holder.id !== id) return 'taken';
        const row = await transaction
          .updateTable('bot_templates')
          .set({
            ...(name !== undefined && key !== undefined && { name, name_key: key }),
            // Amounts are in the currency that comes with them, or in one that is not known.
            ...(settings !== undefined && { settings: JSON.stringify(settings), currency: currency ?? null }),
            // Two changes of one millisecond are two to the next reader.
            updated_at: Math.max(at, old.updated_at + 1),
          })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        return row === undefined ? 'missing' : toTemplate(row);
      }),
    /** False where the account has no such template. */
    remove: async (accountId: string, id: string): Promise<boolean> =>
      (await queries.deleteFrom('bot_templates').where('account_id', '=', accountId).where('id', '=', id).returning('id').execute())
        .length > 0,
  };
}
