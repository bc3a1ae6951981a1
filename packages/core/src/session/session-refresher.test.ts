import { describe, expect, test, vi } from 'vitest';
import { AppError } from '../http/problem.ts';
import { createSessionRefresher } from './session-refresher.ts';
import type { StoredSession } from './stored-session.ts';

const session = (number: number): StoredSession => ({
  accessToken: `a${number}`,
  refreshToken: `r${number}`,
  expiresAt: '2026-11-21T03:00:00.000Z',
});

/** A server whose refresh tokens work once, as ours do: a second use of one signs everybody out. */
function server() {
  let newest = 1;
  let revoked = false;
  const call = vi.fn(async (refreshToken: string): Promise<StoredSession> => {
    await Promise.resolve();
    if (revoked || refreshToken !== `r${newest}`) {
      revoked = true;
      throw new AppError('unauthenticated');
    }
    newest += 1;
    return session(newest);
  });
  return { call };
}

/** What tabs share: one store and one lock. */
function browser() {
  let stored: StoredSession | undefined = session(1);
  let tail: Promise<unknown> = Promise.resolve();
  return {
    read: () => stored,
    write: (next: StoredSession | undefined) => {
      stored = next;
    },
    lock: <Value>(run: () => Promise<Value>): Promise<Value> => {
      const result = tail.then(run, run);
      tail = result.catch(() => undefined);
      return result;
    },
  };
}

describe('a single tab', () => {
  test('a hundred concurrent callers make one call and get one session', async () => {
    const { call } = server();
    const refresh = createSessionRefresher({ ...browser(), call });
    const sessions = await Promise.all(Array.from({ length: 100 }, () => refresh('a1')));
    expect(call).toHaveBeenCalledTimes(1);
    expect(new Set(sessions.map(({ accessToken }) => accessToken))).toEqual(new Set(['a2']));
  });
  test('a late caller with a token spent before the refresh is given the newest without a call', async () => {
    const { call } = server();
    const refresh = createSessionRefresher({ ...browser(), call });
    await refresh('a1');
    expect((await refresh('a1')).accessToken).toBe('a2');
    expect(call).toHaveBeenCalledTimes(1);
    expect((await refresh('a2')).accessToken).toBe('a3');
    expect(call).toHaveBeenCalledTimes(2);
  });
  test('a caller whose token is the newest refreshes although another refresh is running', async () => {
    const shared = browser();
    const { call } = server();
    const refresh = createSessionRefresher({ ...shared, call });
    const [first, second] = await Promise.all([refresh('a1'), refresh('a2')]);
    expect([first.accessToken, second.accessToken]).toEqual(['a2', 'a3']);
  });
  test('a failure reaches every caller, is not remembered, and writes nothing', async () => {
    const shared = browser();
    const call = vi.fn().mockRejectedValueOnce(new AppError('offline')).mockResolvedValueOnce(session(2));
    const refresh = createSessionRefresher({ ...shared, call });
    const both = await Promise.allSettled([refresh('a1'), refresh('a1')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(shared.read()).toEqual(session(1));
    expect((await refresh('a1')).accessToken).toBe('a2');
    expect(call).toHaveBeenCalledTimes(2);
  });
  test('with nothing stored there is nothing to refresh', async () => {
    const shared = browser();
    shared.write(undefined);
    const { call } = server();
    await expect(createSessionRefresher({ ...shared, call })('a1')).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(call).not.toHaveBeenCalled();
  });
});

test('ten tabs refreshing at once spend one refresh token, and none is signed out', async () => {
  const shared = browser();
  const { call } = server();
  const tabs = Array.from({ length: 10 }, () => createSessionRefresher({ ...shared, call }));
  const sessions = await Promise.all(tabs.flatMap((refresh) => [refresh('a1'), refresh('a1')]));
  expect(call).toHaveBeenCalledTimes(1);
  expect(sessions.every(({ accessToken }) => accessToken === 'a2')).toBe(true);
  expect(shared.read()).toEqual(session(2));
});
