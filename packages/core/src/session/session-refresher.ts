import { AppError } from '../http/problem.ts';
import type { StoredSession } from './stored-session.ts';

export type RefresherOptions = {
  /** The stored session as it is now: other tabs and processes write it too. */
  read: () => StoredSession | undefined | Promise<StoredSession | undefined>;
  write: (session: StoredSession) => void | Promise<void>;
  /** The refresh call, with the refresh token as bearer. */
  call: (refreshToken: string) => Promise<StoredSession>;
  /** Runs one at a time over all tabs or processes: Web Locks in the browser, a lock file in the terminal. */
  lock: <Value>(run: () => Promise<Value>) => Promise<Value>;
};

/**
 * One refresh for everybody. Inside a tab concurrent callers share a promise; between tabs and processes the lock
 * lets one through at a time, and the others find the new session when they read the store again, because refresh
 * tokens are single-use: spending one twice would sign the whole family out.
 */
export function createSessionRefresher({ read, write, call, lock }: RefresherOptions) {
  let running: { spent: string | undefined; result: Promise<StoredSession> } | undefined;

  const renew = (spent: string | undefined): Promise<StoredSession> =>
    lock(async () => {
      const stored = await read();
      if (!stored) throw new AppError('unauthenticated');
      if (stored.accessToken !== spent) return stored;
      const session = await call(stored.refreshToken);
      await write(session);
      return session;
    });

  /**
   * A session newer than the one whose access token is `spent`.
   * @throws AppError `unauthenticated` when nothing is stored, or whatever the refresh call refused with.
   */
  return function refresh(spent: string | undefined): Promise<StoredSession> {
    // A caller that already holds the newest token needs a refresh of its own, not the one that produced it.
    if (running && running.spent === spent) return running.result;
    const result = renew(spent).finally(() => {
      if (running?.result === result) running = undefined;
    });
    running = { spent, result };
    return result;
  };
}
