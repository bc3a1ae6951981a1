import { refreshCall } from '@pilotfish/core/auth/auth-api';
import { type Client, type ClientOptions, createClient } from '@pilotfish/core/http/client';
import { followStream } from '@pilotfish/core/http/client-stream';
import { type Contract, contract } from '@pilotfish/core/http/contract';
import { oncePerCause } from '@pilotfish/core/http/once-per-cause';
import type { AppError } from '@pilotfish/core/http/problem';
import { createSessionRefresher, type RefresherOptions } from '@pilotfish/core/session/session-refresher';

type RemoteOptions = Omit<ClientOptions<Contract>, 'contract' | 'onProblem' | 'onAnswer'> & {
  /** A toast is due. */
  onProblem: (error: AppError) => void;
};
export type Remote = { client: Client<Contract>; refresh: ReturnType<typeof createSessionRefresher>; followStream: typeof followStream };

/** Everything that speaks to the server. A chunk of its own: nothing of it is needed to draw the first screen. */
export function createRemote(options: RemoteOptions, keeper: Omit<RefresherOptions, 'call'>): Remote {
  const toasts = oncePerCause((error) => options.onProblem?.(error));
  const client = createClient({ ...options, contract, onProblem: toasts.failed, onAnswer: toasts.answered });
  return { client, refresh: createSessionRefresher({ ...keeper, call: refreshCall(client) }), followStream };
}
