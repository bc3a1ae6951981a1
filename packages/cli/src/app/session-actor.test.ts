import { AppError } from '@pilotfish/core/http/problem';
import type { StoredSession } from '@pilotfish/core/session/stored-session';
import { afterEach, expect, test, vi } from 'vitest';
import { holdSession } from './session-actor.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-03-01T00:00:00Z');
const LIFE = 12 * 60 * MINUTE;

/** A process whose clock is moved by hand and whose server renews, refuses or cannot be reached. */
function process({ fails }: { fails?: () => Error | undefined } = {}) {
  vi.useFakeTimers({ now: START });
  let count = 0;
  const made = (): StoredSession => ({
    accessToken: `a${++count}`,
    refreshToken: `r${count}`,
    expiresAt: new Date(Date.now() + LIFE).toISOString(),
  });
  let stored = made();
  const refresh = vi.fn(async (spent: string | undefined) => {
    const failure = fails?.();
    if (failure) throw failure;
    if (spent === stored.accessToken) stored = made();
    return stored.accessToken;
  });
  const live = { stored: () => stored, accessToken: () => stored.accessToken, refresh };
  const context = {
    session: async () => live as never,
    client: async () => ({}) as never,
    now: Date.now,
    timers: { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout as never },
  };
  return { context, refresh, passes: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}
afterEach(() => void vi.useRealTimers());

test('a session that is held is renewed before it runs out, again and again, and no longer once it is let go', async () => {
  const { context, refresh, passes } = process();
  const held = await holdSession(context);
  await passes(LIFE - 6 * MINUTE);
  expect(refresh).not.toHaveBeenCalled();
  await passes(2 * MINUTE);
  expect(held.accessToken()).toBe('a2');
  await passes(LIFE);
  expect(held.accessToken()).toBe('a3');
  held.release();
  await passes(10 * LIFE);
  expect(refresh.mock.calls).toEqual([['a1'], ['a2']]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a server that refuses to renew it ends it', async () => {
  const { context, passes } = process({ fails: () => new AppError('unauthenticated') });
  const held = await holdSession(context);
  await passes(LIFE);
  expect(held.refused.aborted).toBe(true);
});

test('a server that cannot be reached ends nothing, for however long; what was renewed for a refused call counts', async () => {
  let isDown = true;
  const { context, refresh, passes } = process({ fails: () => (isDown ? new AppError('offline') : undefined) });
  const held = await holdSession(context);
  await passes(3 * LIFE);
  expect(held.refused.aborted).toBe(false);
  isDown = false;
  held.restored();
  refresh.mockClear();
  expect(await held.refresh('a1')).toBe('a2');
  await passes(LIFE);
  expect(refresh.mock.calls).toEqual([['a1'], ['a2']]);
});
