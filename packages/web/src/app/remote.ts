import { refreshCall } from '@pilotfish/core/auth/auth-api';
import { type Client, type ClientOptions, createClient } from '@pilotfish/core/http/client';
import { followStream } from '@pilotfish/core/http/client-stream';
import { type Contract, contract } from '@pilotfish/core/http/contract';
import { createSessionRefresher, type RefresherOptions } from '@pilotfish/core/session/session-refresher';

export type Remote = { client: Client<Contract>; refresh: ReturnType<typeof createSessionRefresher>; followStream: typeof followStream };

/** Everything that speaks to the server. A chunk of its own: nothing of it is needed to draw the first screen. */
export function createRemote(options: Omit<ClientOptions<Contract>, 'contract'>, keeper: Omit<RefresherOptions, 'call'>): Remote {
  const client = createClient({ ...options, contract });
  return { client, refresh: createSessionRefresher({ ...keeper, call: refreshCall(client) }), followStream };
}
