import { contract } from '@pilotfish/core/http/contract';
import type { AnyEndpoint, Backend } from '@pilotfish/core/http/endpoint';
import { BACKEND_PREFIX } from '@pilotfish/core/http/endpoint-path';
import { ERROR_CODES, type ErrorCode } from '@pilotfish/core/http/error-codes';
import { problemSchema } from '@pilotfish/core/http/problem-document';
import * as z from 'zod';

type Json = Record<string, unknown>;

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Json;
  return rest;
};

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
    const schema = { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (endpoint.body === undefined) return {};
  const type = endpoint.method === 'PATCH' ? 'application/json-patch+json' : 'application/json';
  return { requestBody: { required: true, content: { [type]: { schema: jsonSchema(endpoint.body, 'input') } } } };
}

function responsesOf(endpoint: AnyEndpoint): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of [...shared(endpoint), ...(endpoint.errors ?? [])]) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), code])]);
  }
  const status = endpoint.status ?? 200;
  const success =
    status === 204
      ? { description: 'Done' }
      : {
          description: 'Success',
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

/** The OpenAPI 3.1 document of one backend, made from the declarations alone. */
export function openApiDocument(backend: Backend, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [id, endpoint] of Object.entries(contract) as [string, AnyEndpoint][]) {
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
        responses: responsesOf(endpoint),
      },
    };
  }
  const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });
  return {
    openapi: '3.1.0',
    info: { title: `Pilotfish ${backend}`, version, license: { name: 'Apache-2.0' } },
    servers: [{ url: BACKEND_PREFIX[backend] }],
    paths,
    components: {
      schemas: { Problem: jsonSchema(problemSchema, 'output') },
      securitySchemes: {
        accessToken: bearer('Access token of a session'),
        pendingCode: bearer('The code of the login answer'),
        refreshToken: bearer('The refresh token of a session'),
      },
    },
  };
}
