import { existsSync, readFileSync } from 'node:fs';
import { basename, join, normalize } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { BACKEND_PREFIX } from '@pilotfish/core/http/endpoint-path';
import { AppError } from '@pilotfish/core/http/problem';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageBelow } from './base-path.ts';
import { contentSecurityPolicy } from './security-headers.ts';

/** `name-<hash>.js`: the content can never change under that name. */
const HASHED = /[-.][\w-]{8,}\.(?:js|css|woff2?|svg|png|webp|avif|ico|json|wasm)$/;

type NotFoundHandler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
/** A page, and its packed copies: the first one that a reader takes is sent. */
type Page = { html: string; policy: string; packed: readonly (readonly [coding: string, bytes: Buffer])[] };

/** Packed copies that the build has put beside a file, and how one is made where a page is not as the build wrote it. */
const CODINGS = [
  ['br', '.br', (html: string) => brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })],
  ['gzip', '.gz', (html: string) => gzipSync(html, { level: 9 })],
] as const;
const takes = (accepted: string, coding: string): boolean =>
  accepted.split(',').some((each) => {
    const [name, quality = '1'] = each.trim().split(/\s*;\s*q=/i);
    return name === coding && Number(quality) > 0;
  });

/**
 * Serves the built web app: hashed assets for ever, pages never cached, and the page itself for every path that is
 * neither an API nor a file, so the app's own router answers it.
 * Answers the handler of such paths; undefined when there is no built app in the folder.
 * @param base the path that all of it lies below, for whoever comes from outside
 */
export async function registerWebFiles(server: FastifyInstance, folder: string, base: string): Promise<NotFoundHandler | undefined> {
  const page = (file: string): Page | undefined => {
    if (!existsSync(join(folder, file))) return undefined;
    const built = readFileSync(join(folder, file), 'utf8');
    const html = pageBelow(base, built);
    const packed = CODINGS.map(([coding, end, pack]) => [coding, join(folder, file + end), pack] as const)
      .filter(([, path]) => existsSync(path))
      .map(([coding, path, pack]) => [coding, html === built ? readFileSync(path) : pack(html)] as const);
    return { html, policy: contentSecurityPolicy(html), packed };
  };
  const shell = page('index.html');
  if (shell === undefined) return undefined;
  const { html, policy, packed } = shell;

  const sendPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    void reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .header('vary', 'accept-encoding');
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const [coding, bytes] = packed.find(([each]) => takes(accepted, each)) ?? [];
    return bytes === undefined || coding === undefined ? reply.send(html) : reply.header('content-encoding', coding).send(bytes);
  };

  await server.register(fastifyStatic, {
    root: folder,
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    // Pages are sent by `sendPage` alone: their files are of the root of a site, and come without a policy.
    allowedPath: (path) => !/\.html(?:\.br|\.gz)?$/i.test(normalize(path)),
    setHeaders: (response, path) => {
      const name = basename(path).replace(/\.(?:br|gz)$/, '');
      response.setHeader('vary', 'accept-encoding');
      response.setHeader('cache-control', HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  server.get('/', sendPage);
  server.get('/index.html', sendPage);
  return (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !isApi(path) && !/\.[a-z0-9]{1,8}$/i.test(path);
    if (!isPage) throw new AppError('not-found');
    return sendPage(request, reply);
  };
}

const isApi = (path: string): boolean => Object.values(BACKEND_PREFIX).some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
