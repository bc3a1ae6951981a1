import { authContract } from '@pilotfish/core/auth/auth-contract';
import { sessionMachine } from '@pilotfish/core/session/session-machine';
import type { StoredSession } from '@pilotfish/core/session/stored-session';
import { createActor, fromPromise } from 'xstate';
import type { Context } from '../app/context.ts';

/**
 * The session machine of this process. It decides when a session is kept and when it ends; this side only writes and
 * removes. Refreshes go through the lock that all processes share.
 */
export async function startSessionActor(context: Context) {
  const [live, client] = await Promise.all([context.session(), context.client({ logout: authContract.logout })]);
  const machine = sessionMachine.provide({
    actors: {
      refreshSession: fromPromise<StoredSession, { spent: string }>(async ({ input }) => {
        await live.refresh(input.spent);
        return live.stored() as StoredSession;
      }),
      revokeSession: fromPromise<void, { accessToken: string }>(async () => {
        await client.logout(undefined, { quiet: true });
      }),
    },
  });
  const actor = createActor(machine, { input: { now: context.now, stored: null } });
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
