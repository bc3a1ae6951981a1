import type { Client } from '@pilotfish/core/http/client';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { STREAM_POSITION_HEADER } from '@pilotfish/core/http/endpoint-path';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import type { Context } from './context.ts';

type Fetch = typeof globalThis.fetch;

/** Whether an answer may be somebody else's: the API tells with every one where its stream is. Other failures of a proxy are of the right address, whose server is away. */
const isUnsigned = ({ headers, status, ok }: Response): boolean =>
  headers.get(STREAM_POSITION_HEADER) === null && (ok || status === 404 || status === 405);

/**
 * Whether such an answer was a page, which has no title of a problem; or, at an address with a path, that there is no such
 * call: servers that are too old to tell of their stream never lie below a path.
 */
const isStranger = ({ code, title }: Partial<ShownProblem>, address: string): boolean =>
  (title === undefined && (code === 'internal' || code === 'not-found')) || (code === 'not-found' && new URL(address).pathname !== '/');

export type WatchedAddress = {
  readonly fetch: Fetch;
  /** The same calls, whose failures at a wrong address say which one to give. */
  named<Contract extends Readonly<Record<string, AnyEndpoint>>>(this: void, client: Client<Contract>): Client<Contract>;
};

/** Watches who answers the calls of a client, so that those that fail at a wrong address say so. */
export function watchAddress(context: Context, fetch: Fetch): WatchedAddress {
  const address = context.profile.url;
  let mayBeWrong = false;
  const watched = (async (...call: Parameters<Fetch>) => {
    const response = await fetch(...call);
    mayBeWrong = isUnsigned(response);
    return response;
  }) as Fetch;
  return {
    fetch: watched,
    named: <Contract extends Readonly<Record<string, AnyEndpoint>>>(client: Client<Contract>): Client<Contract> => {
      type Call = (...given: unknown[]) => Promise<unknown>;
      const calls = Object.entries(client as Readonly<Record<string, Call>>).map(([id, call]): [string, Call] => [
        id,
        (...given) =>
          call(...given).catch(async (error: Partial<ShownProblem>) => {
            if (!mayBeWrong || !isStranger(error, address)) throw error;
            throw await (await import('./wrong-address.ts')).wrongAddress(context, fetch, error);
          }),
      ]);
      return Object.fromEntries(calls) as unknown as Client<Contract>;
    },
  };
}
