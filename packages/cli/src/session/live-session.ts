import { join } from 'node:path';
import type { ClientSession } from '@pilotfish/core/http/client';
import type { ClearedReason } from '@pilotfish/core/http/error-policy';
import type { StoredSession } from '@pilotfish/core/session/stored-session';
import type { Context } from '../app/context.ts';
import { fileLock } from './file-lock.ts';
import { type SessionStore, sessionStore } from './session-store.ts';

/** A token with less left is renewed before it is used: gateway calls are not retried after a refusal. */
const LEAST_LIFE_MS = 30_000;

/** The session of this process: read once, refreshed under the lock that all processes share. */
export type LiveSession = ClientSession & {
  readonly source: 'environment' | 'store' | 'none';
  stored(): StoredSession | undefined;
  /** A session just made by signing in. Answers where it was kept. */
  keep(session: StoredSession, username: string): Promise<'keyring' | 'file'>;
  remove(): Promise<void>;
};

export async function openLiveSession(context: Context): Promise<LiveSession> {
  const { env, profile, now } = context;
  const store = sessionStore(profile, env);
  const given = env.PILOTFISH_TOKEN;
  if (given) return fromEnvironment(given);
  let current = await store.read();
  const refresh = refresher(context, store, (session) => {
    current = session;
  });
  const live: LiveSession = {
    get source() {
      return current ? ('store' as const) : ('none' as const);
    },
    stored: () => current,
    accessToken: () => current?.accessToken,
    refresh: async (spent) => (await refresh(spent)).accessToken,
    cleared: (reason: ClearedReason) => {
      // A refused role is no reason to sign out in a terminal; a refused session is over.
      if (reason === 'clear-storage') return;
      const refused = current?.accessToken;
      current = undefined;
      void store.read().then(async (stored) => {
        // Another process may have renewed it meanwhile.
        if (stored?.accessToken === refused) await store.remove();
      });
    },
    keep: async (session, username) => {
      const known = profile.known();
      profile.remember({ url: profile.url, username, ...(known?.url === profile.url && known.store ? { store: known.store } : {}) });
      const kept = await store.write(session);
      profile.remember({ url: profile.url, username, store: kept });
      current = session;
      return kept;
    },
    remove: async () => {
      await store.remove();
      current = undefined;
    },
  };
  if (current && Date.parse(current.expiresAt) - now() < LEAST_LIFE_MS) {
    try {
      current = await refresh(current.accessToken);
    } catch (error) {
      // Offline: let the command itself fail and say so. Refused: the session is over.
      const { isConnectivity } = await import('@pilotfish/core/http/problem');
      if (!isConnectivity(error)) await live.remove();
    }
  }
  return live;
}

function fromEnvironment(token: string): LiveSession {
  const refuse = async (): Promise<never> => {
    const { AppError } = await import('@pilotfish/core/http/problem');
    throw new AppError('unauthenticated');
  };
  return {
    source: 'environment',
    stored: () => undefined,
    accessToken: () => token,
    refresh: refuse,
    cleared: () => undefined,
    keep: refuse,
    remove: async () => undefined,
  };
}

/** The refresh of the product (`session-refresher`), loaded when a token is spent. */
function refresher({ profile, now, fetch, language }: Context, store: SessionStore, onNew: (session: StoredSession) => void) {
  let made: Promise<(spent: string | undefined) => Promise<StoredSession>> | undefined;
  const make = async () => {
    const [{ createSessionRefresher }, { createClient }, { refreshToken }] = await Promise.all([
      import('@pilotfish/core/session/session-refresher'),
      import('@pilotfish/core/http/client'),
      import('@pilotfish/core/auth/auth-contract'),
    ]);
    const client = createClient({
      contract: { refreshToken },
      baseUrl: profile.url,
      fetch,
      language: () => language,
      session: {
        accessToken: () => undefined,
        refresh: () => Promise.reject(new Error('a refresh is not refreshed')),
        cleared: () => undefined,
      },
    });
    return createSessionRefresher({
      read: store.read,
      write: async (session) => {
        await store.write(session);
      },
      call: (token) => client.refreshToken(undefined, { bearer: token }),
      lock: fileLock(join(profile.folder, 'sessions', `${profile.name}.lock`), now),
    });
  };
  return async (spent: string | undefined): Promise<StoredSession> => {
    made ??= make();
    const session = await (await made)(spent);
    onNew(session);
    return session;
  };
}
