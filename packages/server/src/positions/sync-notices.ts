import type { AppContext } from '../app/context.ts';
import type { SyncRun } from './sync-store.ts';

/** A reading that took at least this long was waited for by nobody: its end is told. */
const LONG_MS = 10_000;

/** Tells the end of a reading of the trade history that took long or found something, and one that failed for good. */
export async function tellSynced(
  { database, notifier }: Pick<AppContext, 'database' | 'notifier'>,
  accountId: string,
  run: SyncRun | undefined,
): Promise<void> {
  if (run === undefined || run.finishedAt === null || run.state === 'running') return;
  const failed = run.state === 'failed';
  if (!failed && run.tradesFound === 0 && run.finishedAt - run.startedAt < LONG_MS) return;
  await notifier.enqueue(database.queries, {
    accountId,
    kind: 'history-synced',
    code: failed ? 'history-failed' : 'history-synced',
    facts: failed ? {} : { trades: run.tradesFound },
    link: '/positions/open-positions',
    // A failing one is tried again and again; once an hour is enough.
    key: failed ? `history-failed:${Math.floor(run.finishedAt / 3_600_000)}` : `history:${run.startedAt}`,
  });
  notifier.wake();
}
