import { authContract } from '@pilotfish/core/auth/auth-contract';
import { isConnectivity } from '@pilotfish/core/http/problem';
import { sessionMachine } from '@pilotfish/core/session/session-machine';
import type { StoredSession } from '@pilotfish/core/session/stored-session';
import { wallClock } from '@pilotfish/core/time/wall-clock';
import { createActor, fromPromise } from 'xstate';
import type { Context } from './context.ts';

type Surroundings = Pick<Context, 'session' | 'client' | 'now' | 'timers'>;

/**
 * The session machine of this process. It decides when a session is kept, renewed and when it ends; this side only writes
 * and removes. Refreshes go through the lock that all processes share.
 */
export async function startSessionActor(context: Surroundings, onRefreshFailed: (error: unknown) => void = () => undefined) {
  const [live, client] = await Promise.all([context.session(), context.client({ logout: authContract.logout })]);
  const machine = sessionMachine.provide({
    actors: {
      refreshSession: fromPromise<StoredSession, { spent: string }>(async ({ input }) => {
        await live.refresh(input.spent).catch((error: unknown) => {
          onRefreshFailed(error);
          throw error;
        });
        return live.stored() as StoredSession;
      }),
      revokeSession: fromPromise<void, { accessToken: string }>(async () => {
        await client.logout(undefined, { quiet: true });
      }),
    },
  });
  // Wall-clock timers: after the machine slept, an overdue renewal runs at once.
  const clock = wallClock({ now: context.now, ...context.timers });
  const actor = createActor(machine, { clock, input: { now: context.now, stored: null } });
  return { actor, live };
}

/** Hands a session made by signing in to the session machine, which keeps it. Answers where. */
export async function keepSession(context: Context, session: StoredSession, username: string): Promise<'keyring' | 'file'> {
  const { actor, live } = await startSessionActor(context);
  const kept = new Promise<StoredSession>((resolve) => actor.on('session.kept', (event) => resolve(event.session)));
  actor.start();
  actor.send({ type: 'session.started', session });
  const where = await live.keep(await kept, username);
  actor.stop();
  return where;
}

/** The session while a command watches. */
export type HeldSession = {
  /** Aborts when the server refuses to renew the session. A lost connection ends nothing: it is tried again. */
  readonly refused: AbortSignal;
  readonly accessToken: () => string | undefined;
  /** After a 401: gives the token that was refused, gets the one to go on with. */
  readonly refresh: (spent: string | undefined) => Promise<string>;
  /** The server answers again. */
  readonly restored: () => void;
  readonly release: () => void;
};

/** Renews the session in time for as long as it is held. A token of the environment is nothing to renew. */
export async function holdSession(context: Surroundings): Promise<HeldSession> {
  let failure: unknown;
  const { actor, live } = await startSessionActor(context, (error) => {
    failure = error;
  });
  const refused = new AbortController();
  actor.on('session.ended', () => isConnectivity(failure) || refused.abort());
  const takeStored = (give: (session: StoredSession) => void) => {
    const session = live.stored();
    if (session) give(session);
  };
  actor.start();
  takeStored((session) => actor.send({ type: 'session.started', session }));
  return {
    refused: refused.signal,
    accessToken: live.accessToken,
    refresh: async (spent) => {
      const token = await live.refresh(spent);
      takeStored((session) => actor.send({ type: 'session.changedElsewhere', session }));
      return token;
    },
    restored: () => actor.send({ type: 'connection.restored' }),
    release: () => void actor.stop(),
  };
}
