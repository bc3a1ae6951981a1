import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Timers } from '@pilotfish/core/time/timers';
import { checkedUrl, publicLookup } from './outbound-address.ts';

export type OutboundAnswer = { readonly status: number; readonly retryAfterSeconds: number | undefined };

export type OutboundRequest = (
  url: string,
  options: { method: 'POST'; headers: Readonly<Record<string, string | number>>; body: string | Buffer },
) => Promise<OutboundAnswer>;

const TIMEOUT_MS = 10_000;
/** An answer is read for its status only; more than this is cut off. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Calls addresses that users gave: public ones over https only, never where a redirect points, within ten seconds
 * and with a small answer. Nothing of the answer but its status is used.
 */
export function outboundRequest({
  allowPrivate,
  timers,
  lookup = publicLookup(),
}: {
  /** The Admin's choice for home servers. */
  allowPrivate: boolean;
  timers: Pick<Timers, 'deadline'>;
  lookup?: LookupFunction;
}): OutboundRequest {
  return (text, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      let url: URL;
      try {
        url = checkedUrl(text, allowPrivate);
      } catch (error) {
        return reject(error as Error);
      }
      const options: RequestOptions = {
        method,
        headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'Pilotfish' },
        // A connection of its own: one kept from before would not be checked again.
        agent: false,
        signal: timers.deadline(TIMEOUT_MS),
        ...(allowPrivate ? {} : { lookup }),
      };
      const call = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (response) => {
        let size = 0;
        const done = () => {
          const seconds = Number(response.headers['retry-after']);
          resolve({ status: response.statusCode ?? 0, retryAfterSeconds: seconds > 0 ? Math.min(seconds, 3600) : undefined });
        };
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size <= MAX_ANSWER_BYTES) return;
          done();
          response.destroy();
        });
        response.on('end', done);
        response.on('error', reject);
      });
      call.on('error', reject);
      call.end(body);
    });
}
