import { STREAM_POSITION_HEADER } from '@pilotfish/core/http/endpoint-path';
import { AppError } from '@pilotfish/core/http/problem';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { AppContext } from '../app/context.ts';
import { clientNetwork } from './client-network.ts';
import { type LoopLag, shed } from './loop-lag.ts';
import { openApiDocument } from './openapi.ts';
import { type ReadLimiter, readCost } from './read-limiter.ts';
import { type SharedAnswers, sendShared } from './shared-answers.ts';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** What a reverse proxy says of itself or of who it speaks for. */
const FORWARDED = /^(?:x-forwarded-.+|x-real-ip|forwarded|via)$/;

/**
 * This very machine, and not somebody a reverse proxy speaks for: such a one adds a header, or asks for it below the path
 * of the public URL.
 */
const isLocal = (request: FastifyRequest): boolean =>
  LOOPBACK.test(request.socket.remoteAddress ?? '') &&
  !Object.keys(request.headers).some((name) => FORWARDED.test(name)) &&
  /^\/metrics(?:\?|$)/.test(request.originalUrl);

/** It never changes while the server runs: kept as packed bytes as long as anybody asks. */
const DOCUMENT_MS = 60_000;

/** What machines ask: alive, ready, figures, and the two API documents. */
export function registerHealth(
  server: FastifyInstance,
  context: Pick<AppContext, 'database' | 'metrics' | 'storage'>,
  {
    version,
    base,
    closing,
    reads,
    lag,
    shared,
  }: { version: string; base: string; closing: () => boolean; reads: ReadLimiter; lag: LoopLag; shared: SharedAnswers },
): void {
  server.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }));
  server.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    if (closing()) throw new AppError('shutting-down');
    await sql`select 1`.execute(context.database.queries);
    // It still answers and sells; what needs room has to go elsewhere.
    if (context.storage.isFull()) return reply.code(503).send({ status: 'storage-full' });
    return { status: 'ready' };
  });
  server.get('/metrics', { logLevel: 'silent' }, async (request, reply) => {
    if (!isLocal(request)) throw new AppError('not-found');
    return reply.header('content-type', context.metrics.registry.contentType).send(await context.metrics.registry.metrics());
  });
  for (const backend of ['gateway', 'bff'] as const) {
    let document: string | undefined;
    server.get(`/${backend}/openapi.json`, async (request, reply) => {
      shed(lag, 'guest');
      const reader = { accountId: undefined, network: clientNetwork(request.ip) };
      await reads.admit(reader);
      const { shared: answer, isMade } = await shared.get(`openapi ${backend}`, DOCUMENT_MS, async () => {
        document ??= JSON.stringify(openApiDocument(backend, version, base));
        return document;
      });
      reads.charge(reader, readCost(await sendShared(request, reply, answer, STREAM_POSITION_HEADER), isMade));
      return reply;
    });
  }
}
