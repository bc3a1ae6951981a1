import type { Unreadable } from '@pilotfish/core/account/account-contract';
import type { AppContext } from '../app/context.ts';
import type { Queries } from '../database/database.ts';
import type { AutoTradesStore } from './auto-trades-store.ts';

export type UnreadableBot = { readonly id: string; readonly accountId: string; readonly name: string; readonly state: string };

/** One of the market that this server works with. */
type UnreadableHere = UnreadableBot & { readonly walletId: string };

/** Bots whose settings or state this version cannot read: they do not trade, and what they hold is not known. */
export function unreadableBots(
  { accountExtras, database, notifier }: Pick<AppContext, 'accountExtras' | 'database' | 'notifier'>,
  store: Pick<AutoTradesStore, 'all' | 'list'>,
) {
  const list = async (accountId?: string): Promise<UnreadableHere[]> => {
    // The rows first: of a bot that is created meanwhile only the second look would know.
    const stored = database.queries
      .selectFrom('auto_trades')
      .select(['id', 'account_id as accountId', 'wallet_id as walletId', 'name', 'state'])
      .where('state', '!=', 'deleted')
      .orderBy('id');
    const rows = await (accountId === undefined ? stored : stored.where('account_id', '=', accountId)).execute();
    const read = new Set((await (accountId === undefined ? store.all() : store.list(accountId))).map(({ id }) => id));
    return rows.filter(({ id }) => !read.has(id));
  };
  accountExtras.unreadable.push(async (accountId) =>
    (await list(accountId)).map(({ id, name, state }): Unreadable => ({ kind: 'auto-trade', id, name, halted: state === 'halted' })),
  );
  return {
    of: (accountId: string): Promise<UnreadableHere[]> => list(accountId),
    /** Tells each owner, once for each bot. */
    tell: async (): Promise<void> => {
      const bots = await list();
      for (const { id, accountId, name } of bots)
        await notifier.enqueue(database.queries, {
          accountId,
          kind: 'bot-attention',
          code: 'bot-unreadable',
          facts: { bot: name },
          link: '/auto-trade',
          key: `unreadable:${id}`,
        });
      if (bots.length > 0) notifier.wake();
    },
  };
}

const objectIn = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Writes a halt into the row. The rest of it stays as it is, readable or not: a later version may read it. */
export async function haltUnreadable({ id }: UnreadableBot, reason: string, at: number, on: Queries): Promise<void> {
  const row = await on.selectFrom('auto_trades').select('context').where('id', '=', id).executeTakeFirst();
  const context = row && objectIn(row.context);
  await on
    .updateTable('auto_trades')
    .set({
      state: 'halted',
      updated_at: at,
      ...(context && { context: JSON.stringify({ ...context, reason, pausedUntil: null, mustAcknowledge: true }) }),
    })
    .where('id', '=', id)
    .where('state', '!=', 'deleted')
    .execute();
}
