import { refreshCall } from '@pilotfish/core/auth/auth-api';
import { type Client, type ClientOptions, createClient } from '@pilotfish/core/http/client';
import { followStream } from '@pilotfish/core/http/client-stream';
import { type Contract, contract } from '@pilotfish/core/http/contract';
import { oncePerCause } from '@pilotfish/core/http/once-per-cause';
import type { AppError } from '@pilotfish/core/http/problem';
import { createSessionRefresher, type RefresherOptions } from '@pilotfish/core/session/session-refresher';
import { createStore } from './store.ts';

type RemoteOptions = Omit<ClientOptions<Contract>, 'contract' | 'onProblem' | 'onAnswer'> & {
  /** A toast is due. */
  onProblem: (error: AppError) => void;
};
export type Remote = { client: Client<Contract>; refresh: ReturnType<typeof createSessionRefresher>; followStream: typeof followStream };

/**
 * True while the server changes its market: this page asked for it and waits, or is about to be loaded again for it. Calls
 * that fail for that look like a server that is offline, which would be told as a failure of what was asked for.
 */
export const marketChanges = createStore(false);

/** Everything that speaks to the server. A chunk of its own: nothing of it is needed to draw the first screen. */
export function createRemote(options: RemoteOptions, keeper: Omit<RefresherOptions, 'call'>): Remote {
  const toasts = oncePerCause((error) => (error.code === 'offline' && marketChanges.get()) || options.onProblem(error));
  const client = createClient({ ...options, contract, onProblem: toasts.failed, onAnswer: toasts.answered });
  return { client, refresh: createSessionRefresher({ ...keeper, call: refreshCall(client) }), followStream };
}
