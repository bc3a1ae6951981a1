import { authActors } from '@pilotfish/core/auth/auth-api';
import { authContract } from '@pilotfish/core/auth/auth-contract';
import { createClient } from '@pilotfish/core/http/client';
import { DEVICE_HEADER } from '@pilotfish/core/http/endpoint-path';
import type { Context } from '../app/context.ts';

/** Sends what the profile keeps of earlier sign-ins at its server, and keeps what a sign-in answers. */
const asKnownDevice =
  ({ profile, fetch }: Context): typeof globalThis.fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set(DEVICE_HEADER, profile.device() ?? 'none');
    const response = await fetch(input, { ...init, headers });
    const token = response.headers.get(DEVICE_HEADER);
    if (token !== null && /^[\w.~-]{1,1000}$/.test(token)) profile.keepDevice(token);
    return response;
  };

/** The calls of the sign-in machines: nobody is signed in yet, so there is no session to lose. */
export const gatewayActors = (context: Context) => {
  const address = context.watchAddress(asKnownDevice(context));
  const client = createClient({
    contract: authContract,
    baseUrl: context.profile.url,
    fetch: address.fetch,
    language: () => context.language,
    session: { accessToken: () => undefined, refresh: () => Promise.reject(new Error('nobody is signed in')), cleared: () => undefined },
  });
  return authActors(address.named(client));
};
