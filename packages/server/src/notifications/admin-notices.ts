import type { Facts } from '@pilotfish/core/notifications/notification-facts';
import type { AppContext } from '../app/context.ts';

/** Tells every Admin something of the instance itself; the same `key` is told once. */
export const adminNotices =
  ({ database, notifier }: Pick<AppContext, 'database' | 'notifier'>) =>
  async (code: string, facts: Facts, key: string): Promise<void> => {
    const { queries } = database;
    const admins = await queries
      .selectFrom('account_roles')
      .innerJoin('accounts', 'accounts.id', 'account_roles.account_id')
      .select('account_roles.account_id')
      .where('role', '=', 'Admin')
      .where('accounts.deleted_at', 'is', null)
      .execute();
    for (const { account_id: accountId } of admins)
      await notifier.enqueue(queries, { accountId, kind: 'instance', code, facts, link: '/management', key: `instance:${key}` });
    if (admins.length > 0) notifier.wake();
  };
