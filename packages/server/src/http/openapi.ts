import { contract, type EndpointId } from '@pilotfish/core/http/contract';
import type { AnyEndpoint, Backend } from '@pilotfish/core/http/endpoint';
import { BACKEND_PREFIX, STREAM_POSITION_HEADER } from '@pilotfish/core/http/endpoint-path';
import { PERMISSION_OF } from '@pilotfish/core/http/endpoint-permissions';
import { ERROR_CODES, type ErrorCode } from '@pilotfish/core/http/error-codes';
import { problemSchema } from '@pilotfish/core/http/problem-document';
import { PUBLIC_TOPICS, STREAM_PATH, STREAM_TOPICS, type StreamTopic, streamPayloads } from '@pilotfish/core/http/stream-contract';
import * as z from 'zod';
import { isDecimal } from './decimal-numbers.ts';

type Json = Record<string, unknown>;

/** @param isClosed of a body: unknown fields are refused (`unknownFields`), decimals may be numbers (`decimalsAsText`) */
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output', isClosed = false): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ zodSchema, jsonSchema: json }) => {
      if (isClosed && zodSchema._zod.def.type === 'object') json.additionalProperties ??= false;
      if (isClosed && isDecimal(zodSchema)) Object.assign(json, { type: ['string', 'number'] });
    },
  }) as Json;
  return rest;
};

const POSITION = { [STREAM_POSITION_HEADER]: { $ref: '#/components/headers/StreamPosition' } };

/** Refusals every endpoint of this kind may answer with. */
const shared = (endpoint: AnyEndpoint): ErrorCode[] => [
  'invalid',
  'internal',
  ...(endpoint.access === 'none' ? [] : (['unauthenticated'] as const)),
  ...(endpoint.access === 'admin' ? (['forbidden'] as const) : []),
  ...(endpoint.params === undefined ? [] : (['not-found'] as const)),
  ...(endpoint.method === 'GET' ? [] : (['rate-limited'] as const)),
];

function parametersOf(endpoint: AnyEndpoint): Json[] {
  const fields = (schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] => {
    if (schema === undefined) return [];
    const { properties = {}, required = [] } = jsonSchema(schema, 'input') as { properties?: Record<string, Json>; required?: string[] };
    return Object.entries(properties).map(([name, shape]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: shape,
    }));
  };
  return [
    ...fields(endpoint.params, 'path'),
    ...fields(endpoint.query, 'query'),
    ...(endpoint.headers ?? []).map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } })),
    ...(endpoint.idempotent === true
      ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 200 } }]
      : []),
  ];
}

function bodyOf(endpoint: AnyEndpoint): Json {
  if (endpoint.content === 'multipart') {
    const fields = Object.entries(endpoint.formFields ?? {}).map(([name, description]) => [name, { type: 'string', description }]);
    const properties = { ...Object.fromEntries(fields), file: { type: 'string', format: 'binary' } };
    const schema = { type: 'object', properties, required: ['file'] };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (endpoint.body === undefined) return {};
  const type = endpoint.method === 'PATCH' ? 'application/json-patch+json' : 'application/json';
  const required = !endpoint.body.safeParse(undefined).success;
  return { requestBody: { required, content: { [type]: { schema: jsonSchema(endpoint.body, 'input', true) } } } };
}

function responsesOf(id: EndpointId, endpoint: AnyEndpoint): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of [
    ...shared(endpoint),
    ...(endpoint.errors ?? []),
    ...(PERMISSION_OF[id] === undefined ? [] : ['not-permitted' as const]),
    ...(endpoint.secondFactor ? ['second-factor-required' as const] : []),
  ]) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), code])]);
  }
  const status = endpoint.status ?? 200;
  const success =
    status === 204
      ? { description: 'Done', headers: POSITION }
      : {
          description: 'Success',
          headers: POSITION,
          content: { [endpoint.mediaType ?? 'application/json']: { schema: jsonSchema(endpoint.answer, 'output') } },
        };
  const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return Object.fromEntries([
    [String(status), success],
    ...[...byStatus].sort(([a], [b]) => a - b).map(([code, codes]) => [String(code), { description: codes.join(', '), content: problem }]),
  ]);
}

const BEARERS: Partial<Record<AnyEndpoint['access'], string>> = {
  user: 'accessToken',
  admin: 'accessToken',
  optional: 'accessToken',
  pending: 'pendingCode',
  refresh: 'refreshToken',
};

/** The stream of events, which no endpoint is declared for: it answers for as long as somebody listens. */
function streamOf(topics: readonly StreamTopic[], isPublic: boolean): Json {
  const refused = (description: string) => ({
    description,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  });
  return {
    operationId: isPublic ? 'followPublicStream' : 'followStream',
    summary: 'Events as they happen, as server-sent events',
    description:
      'To lose nothing: ask for what you show, keep the x-stream-position of the answer, and open the stream with it as last-event-id. ' +
      'It first tells what happened after that. Open it again with the id of the last event you heard. ' +
      'The event `reset` says that the position is not known any more, after a restart or a long while: ask for everything anew. ' +
      'Tickers have no place in it: whoever comes is told all of them.',
    security: isPublic ? [] : [{ accessToken: [] }],
    parameters: [
      {
        name: 'topics',
        in: 'query',
        required: false,
        description: `Which to hear, parted by commas; all of them when left out: ${topics.join(', ')}.`,
        schema: { type: 'string' },
      },
      {
        name: 'last-event-id',
        in: 'header',
        required: false,
        description: 'The id of the last event that was heard, or the x-stream-position of an answer.',
        schema: { type: 'string', maxLength: 100 },
      },
    ],
    responses: {
      200: {
        description: 'The events; x-stream-position says where it began.',
        headers: POSITION,
        content: {
          'text/event-stream': {
            schema: { oneOf: topics.map((topic) => ({ title: topic, ...jsonSchema(streamPayloads[topic], 'output') })) },
          },
        },
      },
      [ERROR_CODES.invalid.status]: refused('invalid'),
      ...(isPublic ? {} : { [ERROR_CODES.unauthenticated.status]: refused('unauthenticated') }),
      [ERROR_CODES['rate-limited'].status]: refused('rate-limited'),
    },
  };
}

/**
 * The OpenAPI 3.1 document of one backend, made from the declarations alone.
 * @param base the path that the server lies below
 */
export function openApiDocument(backend: Backend, version: string, base = ''): Json {
  const paths: Record<string, Json> = {};
  for (const [id, endpoint] of Object.entries(contract) as [EndpointId, AnyEndpoint][]) {
    if (endpoint.backend !== backend) continue;
    const bearer = BEARERS[endpoint.access];
    const security = bearer === undefined ? [] : endpoint.access === 'optional' ? [{}, { [bearer]: [] }] : [{ [bearer]: [] }];
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: {
        operationId: id,
        summary: endpoint.summary,
        security,
        parameters: parametersOf(endpoint),
        ...bodyOf(endpoint),
        responses: responsesOf(id, endpoint),
      },
    };
  }
  if (backend === 'bff') {
    paths[STREAM_PATH.user] = { get: streamOf(STREAM_TOPICS, false) };
    paths[STREAM_PATH.public] = { get: streamOf(PUBLIC_TOPICS, true) };
  }
  const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });
  return {
    openapi: '3.1.0',
    info: { title: `Pilotfish ${backend}`, version, license: { name: 'Apache-2.0' } },
    servers: [{ url: base + BACKEND_PREFIX[backend] }],
    paths,
    components: {
      headers: {
        StreamPosition: {
          description:
            'Which event of the stream was the newest when this was asked for. As last-event-id it has the stream tell what happened since.',
          schema: { type: 'string' },
        },
      },
      schemas: { Problem: jsonSchema(problemSchema, 'output') },
      securitySchemes: {
        accessToken: bearer('Access token of a session'),
        pendingCode: bearer('The code of the login answer'),
        refreshToken: bearer('The refresh token of a session'),
      },
    },
  };
}
