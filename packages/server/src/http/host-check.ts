import { isIPv6 } from 'node:net';
import { AppError } from '@pilotfish/core/http/problem';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Settings } from '../app/settings.ts';
import { languageOf, type Texts } from './texts.ts';

/** What of the settings says under which names this server may be called. */
type Named = Pick<Settings, 'host' | 'publicUrl' | 'allowedHosts' | 'corsOrigins'>;

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The name in a Host header as a URL writes it (`Localhost.:4600` → `localhost`); undefined for what is no host. */
function nameOf(header: string | undefined): string | undefined {
  // A URL would also take user names, paths and spaces.
  if (header === undefined || !/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.test(header)) return undefined;
  const url = `http://${header}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined;
}

/** The address a connection came in at, as a Host header names it; what a wildcard stands for differs by connection. */
function nameOfAddress(address: string | undefined): string | undefined {
  const plain = address?.split('%')[0]?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
  return nameOf(isIPv6(plain) ? `[${plain}]` : plain);
}

/**
 * Refuses requests for names that are not this server's, and writes that a page of another origin makes. A page can
 * let its own name lead to this machine after it was loaded (DNS rebinding); its requests then count as same-origin in
 * the browser, and only the Host header still tells.
 */
export function hostCheck({ host, publicUrl, allowedHosts, corsOrigins }: Named): (request: FastifyRequest) => void {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  // Names that only an operator can have meant; a proxy may put another one into the Host header.
  const given = new Set([...(own === undefined ? [] : [own.host]), ...allowedHosts].flatMap((each) => nameOf(each) ?? []));
  const known = new Set([...given, ...LOCAL_NAMES, ...(host === '0.0.0.0' ? [] : [nameOf(host) ?? host])]);
  const origins = new Set([...corsOrigins, ...(own === undefined ? [] : [own.origin])]);

  const isOwnOrigin = (origin: string, hostHeader: string | undefined): boolean => {
    if (origins.has(origin)) return true;
    if (!URL.canParse(origin)) return false;
    const { host: from } = new URL(origin);
    const name = nameOf(from);
    return name !== undefined && (from === hostHeader?.toLowerCase() || given.has(name));
  };

  return ({ headers, method, socket }) => {
    const name = nameOf(headers.host);
    if (name === undefined || !(known.has(name) || name === nameOfAddress(socket.localAddress))) throw new AppError('host-refused');
    const { origin } = headers;
    if (!READS.has(method) && origin !== undefined && !isOwnOrigin(origin, headers.host)) throw new AppError('origin-refused');
  };
}

/** Checks every request before anything else looks at it: API, streams, pages and files alike. */
export function registerHostCheck(server: FastifyInstance, settings: Named, texts: Texts): void {
  const check = hostCheck(settings);
  server.addHook('onRequest', async (request, reply) => {
    try {
      check(request);
    } catch (error) {
      // A person who opened the page by another name reads a sentence; programs get the problem document.
      if (!(error instanceof AppError) || !/\btext\/html\b/.test(request.headers.accept ?? '')) throw error;
      const say = (part: string) => texts.text(languageOf(request.headers['accept-language']), `errors.${error.code}.${part}`);
      return reply
        .code(error.status)
        .type('text/plain; charset=utf-8')
        .send(`${say('title')}\n${say('detail')}\n`);
    }
  });
}
