import type { AppContext } from '../app/context.ts';

/** Tells Admins, and whoever has bots at work, that nothing can be stored: without storing that. */
export function storageNotices({ database, log, notifier, storage }: Pick<AppContext, 'database' | 'log' | 'notifier' | 'storage'>) {
  const { queries } = database;
  async function tell(full: boolean): Promise<void> {
    const admins = await queries.selectFrom('account_roles').select('account_id').where('role', '=', 'Admin').execute();
    const owners = await queries
      .selectFrom('auto_trades')
      .select('account_id')
      .distinct()
      .where('state', 'in', ['running', 'paused', 'blocked'])
      .execute();
    const told = new Set([...admins, ...owners].map(({ account_id }) => account_id));
    await notifier.tellNow([...told], {
      kind: 'bot-attention',
      code: full ? 'storage-full' : 'storage-back',
      facts: {},
      link: '/auto-trade',
    });
  }
  const unattended = (full: boolean): void => {
    tell(full).catch((error: unknown) => log.error({ err: error }, 'nobody could be told of the disk of the data folder'));
  };
  storage.onChange(unattended);
  return {
    /** To be called when everything that sends is there: what the start itself found is told. */
    start: (): void => {
      if (storage.isFull()) unattended(true);
    },
  };
}
