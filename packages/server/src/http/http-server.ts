import fastifyCompress from '@fastify/compress';
import fastifyCors from '@fastify/cors';
import fastifyMultipart from '@fastify/multipart';
import { STREAM_POSITION_HEADER } from '@pilotfish/core/http/endpoint-path';
import { AppError } from '@pilotfish/core/http/problem';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AppContext } from '../app/context.ts';
import type { Settings } from '../app/settings.ts';
import { registerCurrencyIcons } from '../currencies/currencies-routes.ts';
import { registerStream } from '../stream/stream-routes.ts';
import { basePathOf, withoutBasePath } from './base-path.ts';
import { drainConnections } from './connection-drain.ts';
import { noteLongNumbers } from './decimal-numbers.ts';
import type { Handlers } from './endpoint-handler.ts';
import { registerEndpoints } from './endpoint-routes.ts';
import type { Authenticator } from './guard.ts';
import { registerHealth } from './health-routes.ts';
import { registerHostCheck } from './host-check.ts';
import type { IdempotentCalls } from './idempotent-calls.ts';
import { isDeeperThan } from './json-depth.ts';
import { type LoopLag, measuredLag } from './loop-lag.ts';
import { foreseenError, problemOf, sendProblem } from './problem-reply.ts';
import { READ_LIMITS, type ReadLimits, readLimiter } from './read-limiter.ts';
import { API_HEADERS, COMMON_HEADERS, strictTransport } from './security-headers.ts';
import { sharedAnswers } from './shared-answers.ts';
import { languageOf } from './texts.ts';
import { registerWebFiles } from './web-files.ts';
import { writeLimiter } from './write-limiter.ts';

const BODY_LIMIT = 256 * 1024;
/** One file of an import (`trade-import`), streamed, never held in memory by this layer. */
const UPLOAD_LIMIT = 50 * 1024 * 1024;
/** Bytes of a field beside an upload: a thousand answers about operations with long names. */
const FORM_FIELD_LIMIT = 256 * 1024;
/** How long a request may take to arrive, ms. Without a bound one sent byte by byte would hold its connection for ever. */
export type RequestTimes = {
  /** The whole of it, upload included. */
  readonly request: number;
  readonly headers: number;
  /** How often connections are looked at. */
  readonly look: number;
};
const TIMES: RequestTimes = { request: 5 * 60_000, headers: 30_000, look: 10_000 };
const WRITES = { perMinute: 240, burst: 120 };

export type HttpServerOptions = {
  context: AppContext;
  handlers: Partial<Handlers>;
  authenticator: Authenticator;
  idempotency: IdempotentCalls;
  version: string;
  times?: RequestTimes;
  reads?: ReadLimits;
  /** How far the process is behind, ms; measured when absent. */
  lag?: LoopLag;
};

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? '/';

/** The process's one HTTP server: API, streams, health, documents and the web app, not yet listening. */
export async function createHttpServer({
  context,
  handlers,
  authenticator,
  idempotency,
  version,
  times = TIMES,
  reads = READ_LIMITS,
  lag,
}: HttpServerOptions): Promise<FastifyInstance> {
  const { settings, texts, log, metrics } = context;
  let closing = false;
  const measured = lag === undefined ? measuredLag(context.timers.running) : { lag, stop: () => undefined };
  const base = basePathOf(settings);
  const headers = {
    ...COMMON_HEADERS,
    ...(settings.publicUrl?.startsWith('https:') ? { 'strict-transport-security': strictTransport(base) } : {}),
  };
  const refuse = (error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendProblem(
      reply,
      problemOf(error, texts, languageOf(request.headers['accept-language']), pathOf(request), {
        flagged: request.routeOptions?.config.answersSuccess === true,
      }),
    );
  const server: FastifyInstance = fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: times.request,
    http: { headersTimeout: times.headers, connectionsCheckingInterval: times.look },
    trustProxy: trusted(settings.trustProxy),
    rewriteUrl: ({ url = '/' }) => withoutBasePath(base, url),
    // `drainConnections` closes them.
    forceCloseConnections: false,
    genReqId: () => context.newId(),
    routerOptions: { maxParamLength: 300 },
    // Our own page answers unknown paths, so the default log line with the full URL must not exist.
    logger: false,
    // Paths that no router can read are refused before any hook runs.
    frameworkErrors: (error, request, reply) => {
      void reply.headers(headers).header('x-request-id', request.id);
      return refuse(foreseenError(error) ?? new AppError('internal'), request as FastifyRequest, reply as unknown as FastifyReply);
    },
  });
  server.addHook('preClose', () => {
    closing = true;
    measured.stop();
    context.stream.close();
  });

  drainConnections(server, context.timers);

  server.addHook('onRequest', async (request, reply) => {
    void reply.headers(headers).header('x-request-id', request.id);
    const path = pathOf(request);
    if (path.startsWith('/gateway/') || path.startsWith('/bff/'))
      void reply.headers(API_HEADERS).header(STREAM_POSITION_HEADER, context.stream.position());
  });
  registerHostCheck(server, settings, texts);
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.requests.observe({ route, method: request.method, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    log.debug(
      { requestId: request.id, method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    );
  });

  acceptJsonOnly(server);
  if (settings.corsOrigins.length > 0)
    await server.register(fastifyCors, {
      origin: [...settings.corsOrigins],
      credentials: false,
      exposedHeaders: ['retry-after', 'x-request-id', STREAM_POSITION_HEADER],
    });
  // No brotli of what is made for one call: it saves a tenth and costs several times as much.
  await server.register(fastifyCompress, { global: true, threshold: 1024, encodings: ['gzip', 'deflate'], zlibOptions: { level: 4 } });
  await server.register(fastifyMultipart, {
    throwFileSizeLimit: true,
    limits: { files: 1, fields: 8, fieldSize: FORM_FIELD_LIMIT, fieldNameSize: 100, headerPairs: 50, parts: 9, fileSize: UPLOAD_LIMIT },
  });

  server.setErrorHandler((error, request, reply) => {
    const foreseen = foreseenError(error);
    if (foreseen === undefined)
      log.error({ requestId: request.id, route: request.routeOptions.url, err: error }, 'a request failed unexpectedly');
    else if (foreseen.code === 'storage-full')
      log.warn({ requestId: request.id, route: request.routeOptions.url, err: foreseen.cause }, 'the disk has no room for what was asked');
    else if (foreseen.code === 'database-unreachable')
      log.warn({ requestId: request.id, route: request.routeOptions.url, err: foreseen.cause }, 'the database does not answer');
    return refuse(foreseen ?? new AppError('internal'), request, reply);
  });

  const { running } = context.timers;
  const limiter = readLimiter(running, reads);
  const shared = sharedAnswers(running, () => context.stream.position());
  registerHealth(server, context, { version, base, closing: () => closing, reads: limiter, lag: measured.lag, shared });
  registerCurrencyIcons(server, context);
  registerStream(server, context, { authenticator, reads: limiter, lag: measured.lag });
  registerEndpoints(server, handlers, {
    context,
    authenticator,
    idempotency,
    writes: writeLimiter(context.now, WRITES),
    reads: limiter,
    shared,
    lag: measured.lag,
  });
  const pages = settings.webFolder === undefined ? undefined : await registerWebFiles(server, settings.webFolder, base);
  server.setNotFoundHandler(
    pages ??
      (() => {
        throw new AppError('not-found');
      }),
  );
  return server;
}

/**
 * Whose forwarded headers count. By number exactly that many hops: one more, and callers could invent their address; none
 * are believed by 0. By address whoever speaks from one of them.
 */
const trusted = (proxies: Settings['trustProxy']) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies];

/** Lists and objects in each other. The deepest body of the contract has a dozen; a filter that is too deep is still named by its rule. */
const MAX_JSON_DEPTH = 100;

/** A NUL as JSON writes it, and not the backslash and five characters that somebody else wrote. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/**
 * JSON in two dialects and nothing else: forms and plain text would let another site's page post here. No text in it
 * holds a NUL: PostgreSQL keeps none, and whatever is written in C ends at one.
 */
function acceptJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<string>(['application/json', 'application/json-patch+json'], { parseAs: 'string' }, (request, body, done) => {
    // A call without a body may still carry the header.
    if (body === '') done(null, undefined);
    else if (body.includes('\\u0000') && NUL.test(body)) done(new AppError('invalid'));
    else if (isDeeperThan(body, MAX_JSON_DEPTH))
      done(new AppError('invalid', { fields: [{ path: '', code: 'too_deep', message: '', limit: String(MAX_JSON_DEPTH) }] }));
    else
      void parse(request, body, (error, parsed) => {
        if (error === null) noteLongNumbers(parsed, body);
        done(error, parsed);
      });
  });
}
