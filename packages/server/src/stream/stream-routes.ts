import { BACKEND_PREFIX, STREAM_POSITION_HEADER } from '@pilotfish/core/http/endpoint-path';
import { AppError } from '@pilotfish/core/http/problem';
import { PUBLIC_TOPICS, STREAM_PATH, STREAM_TOPICS, type StreamTopic } from '@pilotfish/core/http/stream-contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../app/context.ts';
import { clientNetwork } from '../http/client-network.ts';
import { type Authenticator, bearerOf } from '../http/guard.ts';
import { type LoopLag, shed } from '../http/loop-lag.ts';
import { type Reader, type ReadLimiter, readCost } from '../http/read-limiter.ts';
import { languageOf } from '../http/texts.ts';
import { GREETING, type StreamClient } from './stream-hub.ts';

/** Bytes a slow reader may leave unread before it is dropped; it resumes by its last event id. */
const MAX_UNREAD = 1024 * 1024;
/** Open streams per account (or address, for guests): a browser with many tabs stays below. */
const MAX_STREAMS = 30;

type StreamServices = { readonly authenticator: Authenticator; readonly reads: ReadLimiter; readonly lag: LoopLag };

/**
 * `GET /bff/v2/stream` (bearer) and `GET /bff/v1/stream` (public topics). Opening one is a read like any other: it begins
 * with how all tickers stand, so opening one after the other would be a way around the limits of reading.
 */
export function registerStream(server: FastifyInstance, context: AppContext, { authenticator, reads, lag }: StreamServices): void {
  const open = new Map<string, number>();

  const serve = async (request: FastifyRequest, reply: FastifyReply, allowed: readonly StreamTopic[], signedIn: boolean): Promise<void> => {
    if (!signedIn) shed(lag, 'guest');
    const account = signedIn ? await authenticator.authenticate(bearerOf(request)) : undefined;
    if (signedIn && account === undefined) throw new AppError('unauthenticated');
    if (signedIn) shed(lag, 'reader');
    const reader: Reader = { accountId: account?.id, network: clientNetwork(request.ip) };
    await reads.admit(reader);
    const topics = requestedTopics(request, allowed, context);
    // Whoever left while the session was looked up says "close" no more, and would be held open for ever.
    if (reply.raw.destroyed) return void reply.hijack();
    const holder = account?.id ?? reader.network;
    if ((open.get(holder) ?? 0) >= MAX_STREAMS) throw new AppError('rate-limited', { retryAfter: 30 });
    open.set(holder, (open.get(holder) ?? 0) + 1);

    reply.hijack();
    const { raw } = reply;
    const packed = acceptsGzip(request.headers['accept-encoding']);
    const headers = {
      ...reply.getHeaders(),
      ...(packed ? { 'content-encoding': 'gzip' } : {}),
      vary: 'accept-encoding',
      // It begins here, and not where it was asked for.
      [STREAM_POSITION_HEADER]: context.stream.position(),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // The connection serves nothing after the stream, so a stopping server need not wait for it.
      connection: 'close',
    };
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value as string);
    raw.writeHead(200);
    raw.write(packed ? GREETING.packed : GREETING.plain);
    raw.socket?.setNoDelay(true);

    let sent = 0;
    const client: StreamClient = {
      topics: new Set(topics),
      accountId: account?.id,
      sessionId: account?.sessionId,
      packed,
      write: (bytes) => {
        if (raw.writableLength > MAX_UNREAD) return false;
        sent += bytes.length;
        raw.write(bytes);
        return true;
      },
      end: (reason) => {
        // A slow reader's buffer would keep the socket open for as long as it does not read.
        if (reason === 'slow') raw.destroy();
        else raw.end();
      },
    };
    const lastEventId = request.headers['last-event-id'];
    const detach = context.stream.attach(client, typeof lastEventId === 'string' ? lastEventId.slice(0, 100) : undefined);
    // What it begins with; what comes after is made for all.
    reads.charge(reader, readCost(sent, false));
    raw.once('close', () => {
      detach();
      const left = (open.get(holder) ?? 1) - 1;
      if (left === 0) open.delete(holder);
      else open.set(holder, left);
    });
  };

  server.get(`${BACKEND_PREFIX.bff}${STREAM_PATH.user}`, (request, reply) => serve(request, reply, STREAM_TOPICS, true));
  server.get(`${BACKEND_PREFIX.bff}${STREAM_PATH.public}`, (request, reply) => serve(request, reply, PUBLIC_TOPICS, false));
}

/** Named, and not with weight zero. */
const acceptsGzip = (header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .split(',')
    .some((part) => /^\s*gzip\s*(;\s*q\s*=\s*(1|0\.0*[1-9])|$)/i.test(part));

/** Topics asked for by `?topics=a,b`; all allowed ones without it. */
function requestedTopics(
  request: FastifyRequest,
  allowed: readonly StreamTopic[],
  context: Pick<AppContext, 'texts'>,
): readonly StreamTopic[] {
  const { topics } = request.query as { topics?: unknown };
  if (topics === undefined || topics === '') return allowed;
  const wanted = typeof topics === 'string' ? topics.split(',').map((topic) => topic.trim()) : [''];
  const known = allowed.filter((topic) => wanted.includes(topic));
  if (wanted.every((topic) => (allowed as readonly string[]).includes(topic))) return known;
  const message = context.texts.text(languageOf(request.headers['accept-language']), 'validation.invalid_value', {
    limit: allowed.join(', '),
  });
  throw new AppError('invalid', { fields: [{ path: 'topics', code: 'invalid_value', message, limit: allowed.join(', ') }] });
}
