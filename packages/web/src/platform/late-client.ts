import type { Client } from '@pilotfish/core/http/client';
import type { Contract } from '@pilotfish/core/http/contract';
import type { Remote } from './remote.ts';

/** A client whose calls wait for the real one to arrive. */
export const lateClient = (remote: () => Promise<Remote>): Client<Contract> =>
  new Proxy({} as Client<Contract>, {
    get: (_, id: keyof Contract) => async (input: never, call: never) =>
      ((await remote()).client[id] as (input: never, call: never) => Promise<unknown>)(input, call),
  });
