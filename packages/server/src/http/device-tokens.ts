import { DEVICE_HEADER } from '@pilotfish/core/http/endpoint-path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Origin } from './endpoint-handler.ts';

const COOKIE = 'pilotfish_device';
const MOST_LETTERS = 1000;
const YEAR_S = 365 * 86_400;

/**
 * How a device carries what it keeps of earlier sign-ins: a browser by a cookie that no script reads and no other site
 * sends, whoever sends the header (the terminal) by that header.
 * @param at secure: the public URL is https; base: the path that the server lies below
 */
export function deviceTokens(
  request: FastifyRequest,
  reply: FastifyReply,
  { secure, base }: { secure: boolean; base: string },
): Required<Pick<Origin, 'deviceTokens' | 'keepDeviceTokens'>> {
  const header = request.headers[DEVICE_HEADER];
  const held = typeof header === 'string' ? header : (cookieOf(request.headers.cookie) ?? '');
  return {
    deviceTokens: held.length > MOST_LETTERS ? [] : held.split('~').filter((token) => token !== ''),
    keepDeviceTokens: (tokens) => {
      const text = tokens.join('~');
      if (header === undefined)
        void reply.header(
          'set-cookie',
          `${COOKIE}=${text}; Path=${base}/gateway/v1/account; Max-Age=${YEAR_S}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`,
        );
      else void reply.header(DEVICE_HEADER, text);
    },
  };
}

const cookieOf = (header: string | undefined): string | undefined => new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w.~-]+)`).exec(header ?? '')?.[1];
