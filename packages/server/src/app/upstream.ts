import type { Upstream } from '@pilotfish/simulator/mirror/upstream';
import * as z from 'zod';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError } from '../exchange/exchange-error.ts';

/** What is public is passed on as it is: what it means is read by whoever asked. */
const anything = z.unknown();

/**
 * An exchange as a mirror of it asks it: within the weight of this process, by the connections that it has anyway.
 * @returns `gap`, to be called when its streams were interrupted and go on
 */
export function upstreamOf(exchange: Pick<Exchange, 'rest' | 'stream'>): { readonly upstream: Upstream; readonly gap: () => void } {
  const listeners = new Set<() => void>();
  return {
    gap: () => {
      for (const listener of listeners) listener();
    },
    upstream: {
      get: async (path, query, weight) => {
        try {
          const parameters = Object.fromEntries(new URLSearchParams(query));
          const body = await exchange.rest.request({ method: 'GET', path, weight, parameters, answer: anything });
          return { status: 200, text: JSON.stringify(body) };
        } catch (error) {
          if (!(error instanceof ExchangeError) || error.status === undefined) throw error;
          const { status, code = -1000, message: msg, retryAfterMs } = error;
          return {
            status,
            text: JSON.stringify({ code, msg }),
            ...(retryAfterMs === undefined ? {} : { retryAfter: Math.ceil(retryAfterMs / 1000) }),
          };
        }
      },
      subscribe: (stream, listener) => exchange.stream.subscribe(stream, listener),
      onGap: (listener) => void listeners.add(listener),
      get connected() {
        return exchange.stream.connected;
      },
    },
  };
}
