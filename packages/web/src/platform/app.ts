import type { Account } from '@pilotfish/core/account/account-contract';
import { hasRole } from '@pilotfish/core/account/claims';
import { AppError } from '@pilotfish/core/http/problem';
import { sessionMachine } from '@pilotfish/core/session/session-machine';
import { isExpired, readSession, SESSION_KEY, type StoredSession, writeSession } from '@pilotfish/core/session/stored-session';
import { wallClock } from '@pilotfish/core/time/wall-clock';
import { createActor, fromPromise } from 'xstate';
import { BASE } from './base-path.ts';
import type { Browser } from './browser.ts';
import { createBusy } from './busy.ts';
import { lateClient } from './late-client.ts';
import { createLive } from './live.ts';
import { createQueries } from './queries.ts';
import type { Remote } from './remote.ts';
import type { Viewer } from './route-table.ts';
import { createSecondFactor } from './second-factor.ts';
import { createStore } from './store.ts';

export type AppOptions = {
  browser: Browser;
  language: () => string;
  /** A toast is due: a call of the BFF failed, or the connection of an account. */
  onProblem: (error: AppError) => void;
  /** The app's own navigation, once the router is up. */
  navigate: (to: string) => void;
  /** How the part that speaks to the server arrives; a chunk of its own. */
  loadRemote?: () => Promise<Pick<typeof import('./remote.ts'), 'createRemote'>>;
  /** Start-up could not take up the stored session: nobody is signed in, and it stays stored for the next start. */
  asGuest?: boolean;
};

/** Why the last session ended without its person's doing; until the next one begins. */
export const SIGNED_OUT_KEY = 'pilotfish.signedOut';

/** Where a guard sent somebody away from to sign in: what the landing page offers first. */
export const DETOUR_KEY = 'pilotfish.detour';

/** Puts actors, client, stream and storage together. Nothing here knows React. */
export function createApp({
  browser,
  language,
  onProblem,
  navigate,
  loadRemote = () => import('./remote.ts'),
  asGuest = false,
}: AppOptions) {
  const { storage, now } = browser;
  const clock = wallClock({ now, setTimeout: (run, ms) => setTimeout(run, ms), clearTimeout: (handle) => clearTimeout(handle) });
  const busy = createBusy();
  const secondFactor = createSecondFactor();
  const readStored = () => readSession(storage.get(SESSION_KEY));
  const writeStored = (session: StoredSession) => {
    const text = writeSession(session);
    if (storage.get(SESSION_KEY) !== text) storage.set(SESSION_KEY, text);
  };
  /** A session is stored that this page does not use: nothing that happens to a guest may remove it. */
  const sessionSetAside = createStore(asGuest);
  const removeStored = () => {
    if (!sessionSetAside.get()) storage.remove(SESSION_KEY);
  };
  const clearStorage = () => {
    const kept = sessionSetAside.get() ? storage.get(SESSION_KEY) : null;
    storage.clear();
    if (kept !== null) storage.set(SESSION_KEY, kept);
  };

  // What nobody can read is no session, and would be taken for one by each start.
  if (storage.get(SESSION_KEY) !== null && readStored() === undefined) storage.remove(SESSION_KEY);

  const makeRemote = ({ createRemote }: Pick<typeof import('./remote.ts'), 'createRemote'>) =>
    createRemote(
      {
        baseUrl: BASE,
        fetch: browser.fetch,
        language,
        onProblem,
        onStreamPosition: (position) => live.answered(position),
        onSecondFactor: secondFactor.ask,
        session: {
          accessToken: () => session.getSnapshot().context.session?.accessToken,
          refresh: async (spent) => (await renew(spent)).accessToken,
          cleared: (reason) => {
            if (reason === 'clear-storage') clearStorage();
            const wasActive = session.getSnapshot().matches('active');
            session.send({ type: 'session.rejected' });
            removeStored();
            // The root has nothing to send a guest away from; anywhere else a full load forgets everything.
            if (wasActive || browser.path() !== '/') browser.load('/');
          },
        },
      },
      { read: readStored, write: writeStored, lock: browser.lock },
    );
  let arriving: Promise<Remote> | undefined;
  /** Asked for again by the next call when it could not be loaded, which is a matter of the connection and ends no session. */
  const remote = (): Promise<Remote> => {
    arriving ??= loadRemote().then(makeRemote, (cause: unknown) => {
      arriving = undefined;
      throw new AppError('offline', { cause });
    });
    return arriving;
  };
  remote().catch(() => undefined);
  const client = lateClient(remote);
  const refresh = async (spent: string | undefined) => (await remote()).refresh(spent);
  /** A refresh somebody else asked for, which the session has to hear of. */
  const renew = async (spent: string | undefined) => {
    const renewed = await refresh(spent);
    session.send({ type: 'session.changedElsewhere', session: renewed });
    return renewed;
  };

  const session = createActor(
    sessionMachine.provide({
      actors: {
        refreshSession: fromPromise<StoredSession, { spent: string }>(({ input }) => refresh(input.spent)),
        revokeSession: fromPromise<void, { accessToken: string }>(({ input, signal }) =>
          client.logout(undefined, { signal, bearer: input.accessToken }),
        ),
      },
    }),
    { clock, input: { now, stored: asGuest ? null : storage.get(SESSION_KEY) } },
  );
  const queries = createQueries(client, now, busy);
  const live = createLive({
    follow: async (options) => (await remote()).followStream(options),
    fetch: browser.fetch,
    accessToken: () => session.getSnapshot().context.session?.accessToken,
    refresh: renew,
    setTimeout: (run, ms) => setTimeout(run, ms),
    clearTimeout: (handle) => clearTimeout(handle),
  });
  const account = queries.get<null, Account>('account', (api, _, signal) => api.getAccount(undefined, { signal }));
  const config = queries.get('config', (api, _: null, signal) => api.getAppConfig(undefined, { signal, quiet: true }));

  session.on('session.kept', ({ session: kept }) => {
    browser.tabStorage.remove(SIGNED_OUT_KEY);
    writeStored(kept);
  });
  session.on('session.ended', ({ reason }) => {
    removeStored();
    // Nobody is sent away without a word; after a full load only the tab's storage remembers it.
    if (reason === 'logout') browser.tabStorage.remove(SIGNED_OUT_KEY);
    else browser.tabStorage.set(SIGNED_OUT_KEY, reason);
    queries.closeAll();
    secondFactor.answer(false);
    for (const each of ofSession.values()) each.stop();
    ofSession.clear();
    config.send({ type: 'query.requested', params: null });
    if (reason === 'logout' || reason === 'refresh-failed' || reason === 'elsewhere') navigate('/auth/login');
  });
  let signedIn = false;
  session.subscribe({
    next: (snapshot) => {
      const is = snapshot.matches('active');
      if (is === signedIn) return;
      signedIn = is;
      live.sessionChanged();
      if (!is) return;
      sessionSetAside.set(false);
      account.send({ type: 'query.requested', params: null });
    },
    error: (error) => console.error('session', error),
  });
  live.onReset(() => queries.invalidateAll());
  busy.watch(session);

  const heldIsExpired = () => {
    const snapshot = session.getSnapshot();
    const held = snapshot.context.session;
    // While it is being refreshed the answer decides.
    return held !== undefined && isExpired(held, now()) && snapshot.matches({ active: 'fresh' });
  };
  const kept = new Map<string, unknown>();
  const ofSession = new Map<string, { stop: () => void }>();
  const signInListeners: (() => void)[] = [];

  return {
    browser,
    client,
    clock,
    session,
    queries,
    live,
    busy,
    secondFactor,
    sessionSetAside,
    account,
    config,
    /** Actors that a feature's own code makes when its screens are first opened, and that outlive them. */
    keep: <Value>(name: string, make: () => Value): Value => {
      if (!kept.has(name)) kept.set(name, make());
      return kept.get(name) as Value;
    },
    /** The same for what belongs to who is signed in: stopped and forgotten when the session ends. */
    keepForSession: <Value extends { stop: () => void }>(name: string, make: () => Value): Value => {
      if (!ofSession.has(name)) ofSession.set(name, make());
      return ofSession.get(name) as Value;
    },
    /** Somebody has proved who they are, just now. */
    signIn: (begun: StoredSession) => {
      session.send({ type: 'session.started', session: readSession(writeSession(begun)) ?? begun });
      for (const run of signInListeners) run();
    },
    onSignIn: (run: () => void) => void signInListeners.push(run),
    /** Who is looking, for the route guard. */
    viewer: (): Viewer => {
      const { data, problem } = account.getSnapshot().context;
      return {
        signedIn: session.getSnapshot().matches('active') && !heldIsExpired(),
        isAdmin: data ? hasRole(data, 'Admin') : problem ? false : undefined,
      };
    },
    /** A session past its expiry is discarded when a route is entered. */
    discardExpired: () => {
      if (heldIsExpired()) session.send({ type: 'session.expired' });
    },
    start: () => {
      config.send({ type: 'query.requested', params: null });
      session.start();
    },
    /** The tab is looked at again, or the network is back. */
    woke: () => clock.wake(),
    connectionRestored: () => {
      session.send({ type: 'connection.restored' });
      queries.retryAll();
    },
    /** Another tab wrote or removed the session. */
    storageChanged: (key: string | null, text: string | null) => {
      if (key !== null && key !== SESSION_KEY) return;
      session.send({ type: 'session.changedElsewhere', session: readSession(key === null ? null : text) });
    },
  };
}
export type App = ReturnType<typeof createApp>;
