import { authActors } from '@pilotfish/core/auth/auth-api';
import { authContract } from '@pilotfish/core/auth/auth-contract';
import { createClient } from '@pilotfish/core/http/client';
import type { Context } from '../app/context.ts';

/** The calls of the sign-in machines: nobody is signed in yet, so there is no session to lose. */
export const gatewayActors = ({ profile, fetch, language }: Context) =>
  authActors(
    createClient({
      contract: authContract,
      baseUrl: profile.url,
      fetch,
      language: () => language,
      session: { accessToken: () => undefined, refresh: () => Promise.reject(new Error('nobody is signed in')), cleared: () => undefined },
    }),
  );
