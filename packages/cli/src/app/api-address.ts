import type { Client } from '@pilotfish/core/http/client';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { STREAM_POSITION_HEADER } from '@pilotfish/core/http/endpoint-path';
import type { Context } from './context.ts';

type Fetch = typeof globalThis.fetch;

/**
 * Whether somebody else answered: every answer of the API tells where its stream is. A page, or no such place, at an address
 * with a path. Other failures of a proxy are of the right address, whose server is away; servers that are too old for that
 * header never lie below a path.
 */
const isStranger = ({ headers, status, ok }: Response, address: string): boolean => {
  if (headers.get(STREAM_POSITION_HEADER) !== null || !(ok || status === 404 || status === 405)) return false;
  const isJson = /\bjson\b/.test(headers.get('content-type') ?? '');
  return isJson ? status === 404 && new URL(address).pathname !== '/' : true;
};

export type WatchedAddress = {
  readonly fetch: Fetch;
  /** The same calls, whose failures at a wrong address say which one to give. */
  named<Contract extends Readonly<Record<string, AnyEndpoint>>>(this: void, client: Client<Contract>): Client<Contract>;
};

/** Watches who answers the calls of a client, so that those that fail at a wrong address say so. */
export function watchAddress(context: Context, fetch: Fetch): WatchedAddress {
  const address = context.profile.url;
  let isWrong = false;
  const watched = (async (...call: Parameters<Fetch>) => {
    const response = await fetch(...call);
    isWrong = isStranger(response, address);
    return response;
  }) as Fetch;
  return {
    fetch: watched,
    named: <Contract extends Readonly<Record<string, AnyEndpoint>>>(client: Client<Contract>): Client<Contract> => {
      type Call = (...given: unknown[]) => Promise<unknown>;
      const calls = Object.entries(client as Readonly<Record<string, Call>>).map(([id, call]): [string, Call] => [
        id,
        (...given) =>
          call(...given).catch(async (error: unknown) => {
            if (!isWrong) throw error;
            throw await (await import('./wrong-address.ts')).wrongAddress(context, fetch, error);
          }),
      ]);
      return Object.fromEntries(calls) as unknown as Client<Contract>;
    },
  };
}
