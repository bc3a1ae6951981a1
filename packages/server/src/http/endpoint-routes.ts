import { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import { contract, type EndpointId } from '@pilotfish/core/http/contract';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { BACKEND_PREFIX, STREAM_POSITION_HEADER } from '@pilotfish/core/http/endpoint-path';
import { PERMISSION_OF } from '@pilotfish/core/http/endpoint-permissions';
import { AppError } from '@pilotfish/core/http/problem';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { AppContext } from '../app/context.ts';
import { basePathOf } from './base-path.ts';
import { clientNetwork } from './client-network.ts';
import { markedBody } from './decimal-numbers.ts';
import { deviceTokens } from './device-tokens.ts';
import type { Handlers, Surroundings, UploadedFile } from './endpoint-handler.ts';
import { type Authenticator, bearerOf, type Guarded, guard } from './guard.ts';
import type { IdempotentCalls, StoredAnswer } from './idempotent-calls.ts';
import { type LoopLag, shed } from './loop-lag.ts';
import { fieldNames, patchBody } from './patch-body.ts';
import { foreseenError } from './problem-reply.ts';
import { type Reader, type ReadLimiter, readCost } from './read-limiter.ts';
import { type SharedAnswers, sendShared } from './shared-answers.ts';
import { type Language, languageOf } from './texts.ts';
import { unknownField } from './unknown-fields.ts';
import { parsePart } from './validation-errors.ts';
import type { WriteLimiter } from './write-limiter.ts';

type AnyHandler = (call: Record<string, unknown> & Surroundings) => unknown;

export type RouteServices = {
  context: Pick<AppContext, 'texts' | 'log' | 'settings'>;
  authenticator: Authenticator;
  idempotency: IdempotentCalls;
  writes: WriteLimiter;
  reads: ReadLimiter;
  shared: SharedAnswers;
  lag: LoopLag;
};

/** `/v2/x/{id}` of a backend as a Fastify path. */
export const routePath = (endpoint: Pick<AnyEndpoint, 'backend' | 'path'>): string =>
  `${BACKEND_PREFIX[endpoint.backend]}${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call answers a success flag with a message, also when it fails. */
    answersSuccess?: boolean;
  }
}
const answersSuccess = ({ answer: schema }: AnyEndpoint): boolean => schema instanceof z.ZodObject && 'success' in schema.shape;

/** Registers every endpoint of the contract; one without a handler answers `not-implemented` to those who may call it. */
export function registerEndpoints(server: FastifyInstance, handlers: Partial<Handlers>, services: RouteServices): void {
  for (const [id, endpoint] of Object.entries(contract) as [EndpointId, AnyEndpoint][]) {
    const handler = handlers[id] as AnyHandler | undefined;
    server.route({
      method: endpoint.method,
      url: routePath(endpoint),
      config: { answersSuccess: answersSuccess(endpoint) },
      handler: (request, reply) => answer(endpoint, id, handler, request, reply, services),
    });
  }
}

async function answer(
  endpoint: AnyEndpoint,
  id: EndpointId,
  handler: AnyHandler | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  services: RouteServices,
): Promise<FastifyReply> {
  const language = languageOf(request.headers['accept-language']);
  const isRead = endpoint.method === 'GET' || endpoint.access === 'optional';
  // Before a token is looked at: a guest costs as little as possible then.
  if (isRead && bearerOf(request) === '') shed(services.lag, 'guest');
  const guarded = await guard(endpoint, PERMISSION_OF[id], request, services.authenticator);
  const reader: Reader = { accountId: guarded.caller?.id, network: clientNetwork(request.ip) };
  if (isRead) {
    // A call that asks for no account is a guest's, whatever it carries.
    shed(services.lag, guarded.caller === undefined ? 'guest' : 'reader');
    await services.reads.admit(reader);
    // Gone while it waited for its turn.
    if (reply.raw.closed) throw new AppError('timeout');
  }
  const charge = (bytes: number, isMade = true) => isRead && services.reads.charge(reader, readCost(bytes, isMade));
  if (endpoint.method !== 'GET') {
    const wait = services.writes.take(guarded.caller?.id ?? clientNetwork(request.ip));
    if (wait > 0) throw new AppError('rate-limited', { retryAfter: wait });
  }
  if (handler === undefined) throw new AppError('not-implemented');
  const input = parseInput(endpoint, request, services, language);
  const call = Object.assign(surroundings(request, reply, guarded, language, endpoint, services), input);
  if (endpoint.sharedMs !== undefined) {
    const { shared, isMade } = await services.shared.get(`${id} ${JSON.stringify(input)}`, endpoint.sharedMs, async () =>
      serialise(endpoint, id, await handler(call)),
    );
    charge(await sendShared(request, reply, shared, STREAM_POSITION_HEADER), isMade);
    return reply;
  }
  if (endpoint.answers === 'file') {
    charge(FILE_BYTES);
    return sendFile(reply, await handler(call), endpoint.mediaType);
  }
  const run = async (): Promise<StoredAnswer> => ({
    status: endpoint.status ?? 200,
    answer: serialise(endpoint, id, await handler(call)),
  });
  const key = endpoint.idempotent === true && guarded.caller !== undefined ? idempotencyKey(request) : undefined;
  const result =
    key === undefined || guarded.caller === undefined
      ? await run()
      : await services.idempotency.once({ accountId: guarded.caller.id, key, endpoint: id, request: input }, run);
  charge(result.answer.length);
  if (result.status === 204) return reply.code(204).send();
  return reply.code(result.status).header('content-type', 'application/json; charset=utf-8').send(result.answer);
}

/** What a file counts as: how long it will be is not known when it begins. */
const FILE_BYTES = 1024 * 1024;

/** To be saved, never to be shown: what a person wrote must not run as a page of ours. */
function sendFile(reply: FastifyReply, content: unknown, mediaType = 'application/json'): FastifyReply {
  return reply
    .header('content-type', `${mediaType}; charset=utf-8`)
    .header('content-disposition', 'attachment')
    .send(typeof content === 'string' ? content : Readable.from(content as AsyncIterable<Uint8Array>, { objectMode: false }));
}

function parseInput(
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  { context }: RouteServices,
  language: Language,
): Record<string, unknown> {
  const isWrite = endpoint.method !== 'GET';
  const parse = (schema: AnyEndpoint['body'], value: unknown, marked = value) => {
    if (schema !== undefined) return parsePart(schema, value, { texts: context.texts, language, isWrite, marked });
    // A call that takes nothing would pass over `before=…` and do all of what was meant for a part.
    if (isWrite) parsePart(NOTHING, value, { texts: context.texts, language, isWrite });
    return undefined;
  };
  const missing = (endpoint.headers ?? []).filter((name) => typeof request.headers[name] !== 'string' || request.headers[name] === '');
  if (missing.length > 0)
    throw new AppError('invalid', {
      fields: missing.map((path) => ({ path, code: 'required', message: context.texts.text(language, 'validation.required') })),
    });
  // As in bodies, see `acceptJsonOnly`.
  if (request.url.includes('%00')) throw new AppError('invalid');
  const plain = (body: unknown) => (endpoint.method === 'PATCH' ? patchBody(body, fieldNames(endpoint.body)) : body);
  return {
    params: parse(endpoint.params, request.params),
    query: parse(endpoint.query, request.query),
    body: endpoint.content === 'multipart' ? undefined : parse(endpoint.body, plain(request.body), plain(markedBody(request.body))),
  };
}

/** What a call may carry that takes no fields. */
const NOTHING = z.object({}).nullish();

/** Texts of frozen answers: what cannot change is checked and written once, however often it is told. */
const written = new WeakMap<object, string>();

/** Only what the contract names leaves the process; an answer that does not fit is our bug, not the caller's. */
function serialise(endpoint: AnyEndpoint, id: string, value: unknown): string {
  if (endpoint.status === 204) return '';
  const frozen = typeof value === 'object' && value !== null && Object.isFrozen(value) ? value : undefined;
  const known = frozen && written.get(frozen);
  if (known !== undefined) return known;
  const parsed = endpoint.answer.safeParse(value);
  if (parsed.success) {
    const text = JSON.stringify(parsed.data);
    if (frozen !== undefined) written.set(frozen, text);
    return text;
  }
  const where = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join('; ');
  throw new Error(`The answer of ${id} does not fit its contract (${where}).`);
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new AppError('invalid', {
    fields: [{ path: 'idempotency-key', code: 'invalid_format', message: '' }],
  });
}

/** What is kept of a user agent: enough to recognise a device, not enough to fill a table. */
export const deviceOf = (request: FastifyRequest): string => (request.headers['user-agent'] ?? '').slice(0, 200);

/** Aborts when the connection closes before the answer is written. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const look = () => {
    if (!raw.writableFinished) controller.abort(new AppError('timeout'));
  };
  if (raw.closed) look();
  else raw.once('close', look);
  return controller.signal;
}

function surroundings(
  request: FastifyRequest,
  reply: FastifyReply,
  guarded: Guarded,
  language: Language,
  endpoint: AnyEndpoint,
  { context: { settings } }: RouteServices,
): Surroundings {
  const device =
    endpoint.backend === 'gateway' &&
    deviceTokens(request, reply, { secure: settings.publicUrl?.startsWith('https:') === true, base: basePathOf(settings) });
  return {
    get account() {
      if (guarded.caller === undefined) throw new AppError('unauthenticated');
      return guarded.caller;
    },
    caller: guarded.caller,
    bearer: guarded.bearer,
    origin: { address: request.ip, device: deviceOf(request), requestId: request.id, ...device },
    language,
    header: (name) => {
      const value = request.headers[name.toLowerCase()];
      return Array.isArray(value) ? value[0] : value;
    },
    gone: () => goneSignal(reply),
    file: async (): Promise<UploadedFile> => {
      const form = endpoint.content === 'multipart' && request.isMultipart() ? await openForm(request) : undefined;
      if (form === undefined) throw new AppError('invalid', { fields: [{ path: 'file', code: 'required', message: '' }] });
      const { file, end } = form;
      return { name: file.filename, mimeType: file.mimetype, stream: file.file, fields: fieldsBefore(file, endpoint), end };
    },
  };
}

/** @throws AppError `payload-too-large` for a field that was cut off; `invalid` for one that is unknown or came twice */
function fieldsBefore({ fields }: Pick<MultipartFile, 'fields'>, { formFields = {} }: AnyEndpoint): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    // The file itself stands among them.
    if (field === undefined || (!Array.isArray(field) && field.type === 'file')) continue;
    if (!Object.hasOwn(formFields, name)) throw new AppError('invalid', { fields: [unknownField([name], Object.keys(formFields))] });
    if (Array.isArray(field) || field.type !== 'field' || typeof field.value !== 'string')
      throw new AppError('invalid', { fields: [{ path: name, code: 'invalid_type', message: '' }] });
    if ('valueTruncated' in field && field.valueTruncated === true) throw new AppError('payload-too-large');
    found[name] = field.value;
  }
  return found;
}

type Form = { readonly file: MultipartFile; readonly end: () => Promise<void> };

/**
 * A form up to its file; undefined when it has none.
 * @throws AppError `invalid` for a body that is no multipart, e.g. one whose header names no boundary
 */
async function openForm(request: FastifyRequest): Promise<Form | undefined> {
  try {
    const parts = request.parts();
    for (;;) {
      const { value: part, done } = await parts.next();
      if (done === true || part === undefined) return undefined;
      if (part.type !== 'file') continue;
      const end = async () => {
        const { value: more } = await parts.next();
        if (more) throw new AppError('invalid', { fields: [{ path: more.fieldname, code: 'after_file', message: '' }] });
      };
      return { file: part, end };
    }
  } catch (error) {
    throw foreseenError(error) ?? new AppError('invalid', { fields: [{ path: 'file', code: 'required', message: '' }], cause: error });
  }
}
