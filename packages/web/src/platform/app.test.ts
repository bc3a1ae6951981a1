import { SESSION_KEY } from '@pilotfish/core/session/stored-session';
import { describe, expect, test, vi } from 'vitest';
import { createActor, fromCallback } from 'xstate';
import { createApp, SIGNED_OUT_KEY } from './app.ts';
import type { KeyValueStore } from './browser.ts';

const NOW = Date.parse('2026-11-21T00:00:00.000Z');
const session = (number: number, minutes = 15) => ({
  accessToken: `a${number}`,
  refreshToken: `r${number}`,
  expiresAt: new Date(NOW + minutes * 60_000).toISOString(),
});
const account = {
  claims: [{ name: 'role', value: 'Admin' }],
  exchanges: [],
  hasTelegram: false,
  username: 'ada',
  email: 'ada@example.com',
  emailConfirmed: true,
  createdAt: '2026-11-01T00:00:00.000Z',
};

type Reply = { status?: number; body?: unknown } | 'network error';
const problem = (status: number, code: string) => ({ status, body: { title: 'T', status, code, detail: `detail of ${code}` } });

/** The app in a browser made of maps: what it calls, stores and navigates is seen from outside. */
function setUp({
  stored,
  reply,
  path = '/prices',
  asGuest = false,
  loadRemote,
}: {
  stored?: object | string;
  asGuest?: boolean;
  loadRemote?: () => Promise<never>;
  reply: (call: string, bearer: string | null) => Reply;
  path?: string;
}) {
  const storage = new Map<string, string>([['theme', 'light']]);
  if (stored !== undefined) storage.set(SESSION_KEY, typeof stored === 'string' ? stored : JSON.stringify(stored));
  const tab = new Map<string, string>();
  const storeOf = (held: Map<string, string>): KeyValueStore => ({
    get: (key) => held.get(key) ?? null,
    set: (key, value) => void held.set(key, value),
    remove: (key) => void held.delete(key),
    clear: () => held.clear(),
  });
  const calls: string[] = [];
  const fetch = vi.fn(async (url: string, init?: RequestInit) => {
    const call = `${init?.method ?? 'GET'} ${url.split('?')[0]}`;
    const bearer = new Headers(init?.headers).get('authorization');
    calls.push(`${call} ${bearer?.replace('Bearer ', '') ?? '-'}`);
    const answer = reply(call, bearer);
    if (answer === 'network error') throw new TypeError('fetch failed');
    return new Response(answer.body === undefined ? null : JSON.stringify(answer.body), { status: answer.status ?? 200 });
  });
  const load = vi.fn();
  const navigate = vi.fn();
  const onProblem = vi.fn();
  const app = createApp({
    browser: {
      storage: storeOf(storage),
      tabStorage: storeOf(tab),
      fetch: fetch as never,
      now: () => NOW,
      lock: (run) => run(),
      load,
      path: () => path,
    },
    language: () => 'en',
    onProblem,
    navigate,
    asGuest,
    ...(loadRemote ? { loadRemote } : {}),
  });
  app.start();
  return { app, storage, tab, calls, load, navigate, onProblem };
}
/** A server that knows the tokens it gave out. */
const healthy = (call: string, bearer: string | null): Reply => {
  if (call.endsWith('/refresh-token')) return { body: session(2) };
  if (call.endsWith('/v2/account')) return bearer === 'Bearer a2' ? { body: account } : problem(401, 'unauthenticated');
  return { status: 204 };
};

describe('starting', () => {
  test('a stored session is refreshed at once, stored again in exactly its three fields, and the account is loaded', async () => {
    const { app, storage, calls } = setUp({ stored: session(1), reply: healthy });
    await vi.waitFor(() => expect(app.viewer()).toEqual({ signedIn: true, isAdmin: true }));
    expect(calls).toContain('POST /gateway/v1/account/refresh-token r1');
    expect(JSON.parse(storage.get(SESSION_KEY) ?? '')).toEqual(session(2));
  });
  test('an expired session is discarded without a call', async () => {
    const { app, storage, navigate } = setUp({ stored: session(1, -1), reply: healthy });
    expect(app.viewer().signedIn).toBe(false);
    expect(storage.has(SESSION_KEY)).toBe(false);
    expect(navigate).not.toHaveBeenCalled();
  });
  test.each(['{"accessToken":"a"}', 'no json', ''])('a malformed stored session is removed, and nothing is asked for: %s', async (text) => {
    const { app, storage, navigate, calls } = setUp({ stored: text, reply: healthy });
    expect(app.viewer().signedIn).toBe(false);
    expect(storage.has(SESSION_KEY)).toBe(false);
    expect(navigate).not.toHaveBeenCalled();
    expect(calls.filter((call) => call.includes('refresh'))).toEqual([]);
  });
  test('a session that start-up could not take up stays stored, whatever happens to the guest', async () => {
    const { app, storage, load } = setUp({ stored: session(1), reply: () => problem(403, 'forbidden'), asGuest: true });
    expect(app.viewer().signedIn).toBe(false);
    await expect(app.client.listTickers()).rejects.toMatchObject({ code: 'forbidden' });
    expect(load).toHaveBeenCalledWith('/');
    expect([...storage]).toEqual([[SESSION_KEY, JSON.stringify(session(1))]]);
    // Until another one takes its place; from then on it is this page's own.
    app.signIn(session(3));
    expect(storage.get(SESSION_KEY)).toBe(JSON.stringify(session(3)));
    app.session.send({ type: 'session.rejected' });
    expect(storage.has(SESSION_KEY)).toBe(false);
  });
  test('a part of the client that cannot be loaded is no refused refresh: the session is kept', async () => {
    const { app, storage } = setUp({ stored: session(1), reply: healthy, loadRemote: () => Promise.reject(new TypeError('blocked')) });
    await vi.waitFor(() => expect(app.session.getSnapshot().value).toEqual({ active: 'retrying' }));
    expect(storage.has(SESSION_KEY)).toBe(true);
  });
  test('a refused refresh signs out and goes to the login screen', async () => {
    const { storage, tab, navigate, load } = setUp({
      stored: session(1),
      reply: (call) => (call.endsWith('/refresh-token') ? problem(401, 'unauthenticated') : { status: 204 }),
    });
    await vi.waitFor(() => expect(navigate.mock.calls).toEqual([['/auth/login']]));
    expect(storage.has(SESSION_KEY)).toBe(false);
    // What the login screen says of it.
    expect(tab.get(SIGNED_OUT_KEY)).toBe('refresh-failed');
    expect(load).not.toHaveBeenCalled();
  });
  test('no connection keeps the session', async () => {
    const { app, storage, calls } = setUp({ stored: session(1), reply: () => 'network error' });
    await vi.waitFor(() => expect(calls.some((call) => call.includes('refresh-token'))).toBe(true));
    await vi.waitFor(() => expect(app.session.getSnapshot().value).toEqual({ active: 'retrying' }));
    expect(app.viewer().signedIn).toBe(true);
    expect(storage.has(SESSION_KEY)).toBe(true);
  });
});

describe('the error catalogue, in the browser', () => {
  const signedIn = async (reply: (call: string, bearer: string | null) => Reply, path?: string) => {
    const all = setUp({
      stored: session(1),
      reply: (call, bearer) => (call.endsWith('/refresh-token') && bearer === 'Bearer r1' ? { body: session(2) } : reply(call, bearer)),
      ...(path ? { path } : {}),
    });
    await vi.waitFor(() => expect(all.app.session.getSnapshot().value).toEqual({ active: 'fresh' }));
    return all;
  };
  test('gateway 401: the session is removed, the rest of the storage stays, and the browser goes to the root', async () => {
    const { app, storage, load } = await signedIn((call) =>
      call.includes('/sessions') ? problem(401, 'unauthenticated') : { body: account },
    );
    await expect(app.client.listSessions()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(storage.has(SESSION_KEY)).toBe(false);
    expect(storage.get('theme')).toBe('light');
    expect(load.mock.calls).toEqual([['/']]);
  });
  test('BFF 403: all local storage is cleared and the browser goes to the root', async () => {
    const { app, storage, tab, load } = await signedIn((call) =>
      call.includes('/admin/') ? problem(403, 'forbidden') : { body: account },
    );
    await expect(app.client.listUsers({ query: {} })).rejects.toMatchObject({ code: 'forbidden' });
    expect(storage.size).toBe(0);
    expect(tab.get(SIGNED_OUT_KEY)).toBe('rejected');
    expect(load.mock.calls).toEqual([['/']]);
  });
  test('BFF 401 and a refused refresh: the session is cleared and the browser goes to the root', async () => {
    const { app, storage, load, calls } = await signedIn((call) =>
      call.includes('/auto-trades') || call.endsWith('/refresh-token') ? problem(401, 'unauthenticated') : { body: account },
    );
    await expect(app.client.listAutoTrades()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(calls).toContain('POST /gateway/v1/account/refresh-token r2');
    expect(storage.has(SESSION_KEY)).toBe(false);
    expect(storage.get('theme')).toBe('light');
    expect(load.mock.calls).toEqual([['/']]);
  });
  test('a guest at the root is not sent to the root again', async () => {
    const { app, load } = setUp({ reply: () => problem(403, 'forbidden'), path: '/' });
    await expect(app.client.listTickers()).rejects.toMatchObject({ code: 'forbidden' });
    expect(load).not.toHaveBeenCalled();
  });
  test('any other BFF error is toasted with its detail', async () => {
    const { app, onProblem } = await signedIn((call) => (call.includes('/auto-trades') ? problem(409, 'in-use') : { body: account }));
    await expect(app.client.listAutoTrades()).rejects.toMatchObject({ code: 'in-use' });
    // Answers that this server of a test has no body for are failures of their own.
    expect(onProblem.mock.calls.map(([error]) => error).filter(({ code }) => code !== 'internal')).toMatchObject([
      { code: 'in-use', detail: 'detail of in-use' },
    ]);
  });
});

describe('leaving', () => {
  test('signing out revokes the session, forgets everything loaded and goes to the login screen', async () => {
    const { app, storage, tab, calls, navigate } = setUp({ stored: session(1), reply: healthy });
    await vi.waitFor(() => expect(app.viewer().isAdmin).toBe(true));
    // An actor, whose `stop` needs itself.
    const kept = app.keepForSession('kept', () => createActor(fromCallback(() => undefined)).start());
    app.session.send({ type: 'logout.requested' });
    await vi.waitFor(() => expect(navigate.mock.calls).toEqual([['/auth/login']]));
    expect(kept.getSnapshot().status).toBe('stopped');
    expect(calls).toContain('POST /gateway/v1/account/logout a2');
    expect(tab.size).toBe(0);
    expect(storage.has(SESSION_KEY)).toBe(false);
    expect(app.account.getSnapshot().context.data).toBeUndefined();
    expect(app.busy.count.get()).toBeGreaterThanOrEqual(0);
  });
  test('another tab signing out signs this one out, and its new session is taken over', async () => {
    const { app, tab, navigate } = setUp({ stored: session(1), reply: healthy });
    await vi.waitFor(() => expect(app.session.getSnapshot().value).toEqual({ active: 'fresh' }));
    app.storageChanged('theme', 'dark');
    expect(app.viewer().signedIn).toBe(true);
    app.storageChanged(SESSION_KEY, JSON.stringify(session(3)));
    expect(app.session.getSnapshot().context.session).toEqual(session(3));
    app.storageChanged(null, null);
    expect(app.viewer().signedIn).toBe(false);
    expect(tab.get(SIGNED_OUT_KEY)).toBe('elsewhere');
    expect(navigate.mock.calls).toEqual([['/auth/login']]);
  });
});
