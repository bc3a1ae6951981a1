import type { AppContext } from '../app/context.ts';
import type { AutoTradesStore } from './auto-trades-store.ts';

/** Bots whose settings or state this version cannot read: they do not trade, and what they hold is not known. */
export function unreadableBots({ database, notifier }: Pick<AppContext, 'database' | 'notifier'>, store: Pick<AutoTradesStore, 'all'>) {
  const list = async () => {
    const read = new Set((await store.all()).map(({ id }) => id));
    const rows = await database.queries
      .selectFrom('auto_trades')
      .select(['id', 'account_id', 'name'])
      .where('state', '!=', 'deleted')
      .execute();
    return rows.filter(({ id }) => !read.has(id));
  };
  return {
    of: async (accountId: string): Promise<{ id: string; accountId: string }[]> =>
      (await list()).filter((bot) => bot.account_id === accountId).map(({ id }) => ({ id, accountId })),
    /** Tells each owner, once for each bot. */
    tell: async (): Promise<void> => {
      const bots = await list();
      for (const { id, account_id: accountId, name } of bots)
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
