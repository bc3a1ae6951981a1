import * as z from 'zod';
import type { ErrorCode } from './error-codes.ts';

/** Which of the two backends answers: accounts live behind the gateway, everything else behind the BFF. */
export type Backend = 'gateway' | 'bff';

/**
 * Who may call:
 * `none` anyone · `optional` anyone, more when signed in · `pending` the short-lived 2FA code as bearer ·
 * `refresh` the refresh token as bearer · `user` an access token · `admin` an access token of role Admin.
 */
export type Access = 'none' | 'optional' | 'pending' | 'refresh' | 'user' | 'admin';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One declaration per endpoint. The typed client, the server's routes, the OpenAPI document and the contract
 * tests are all made from it, so a field exists in one place only.
 */
export type Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> = {
  readonly backend: Backend;
  readonly method: Method;
  /** Fastify/OpenAPI-neutral path with `{name}` placeholders, e.g. `/v2/auto-trades/{id}`. */
  readonly path: `/${string}`;
  readonly access: Access;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * Names of fields of the body by which the server refuses more than it would without them, such as the version of what was
   * agreed to. A server that is too old to know one is asked without it.
   */
  readonly guards?: readonly string[];
  /** Required request headers, lower-case names. */
  readonly headers?: readonly string[];
  /** `multipart` bodies carry one file; everything else is JSON (PATCH as application/json-patch+json). */
  readonly content?: 'json' | 'multipart';
  /** Fields that may stand before the file of a multipart body, each with what it says: for what is too long for an address. */
  readonly formFields?: Readonly<Record<string, string>>;
  /** `file`: the answer is text to be saved, sent piece by piece; see `fileText`. JSON otherwise. */
  readonly answers?: 'json' | 'file';
  /** Of a file; JSON unless said. */
  readonly mediaType?: 'application/x-ndjson' | 'text/csv';
  readonly answer: Answer;
  /** Status of success; 200 unless said. 204 carries no body. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Codes this endpoint may refuse with, besides those every endpoint shares. */
  readonly errors?: readonly ErrorCode[];
  /** Needs a second factor given in this session within ten minutes; `second-factor-required` (428) otherwise. */
  readonly secondFactor?: boolean;
  /**
   * The answer is the same for everybody, in every language, and may be told again for so many ms: it is made and packed
   * once for all who ask. Only where nobody has to be signed in.
   */
  readonly sharedMs?: number;
  /** True when a repeated call with the same `Idempotency-Key` answers the first result. */
  readonly idempotent?: boolean;
};

export type AnyEndpoint = Endpoint;

/** The answer of endpoints that answer a file: its text, which a handler may give in pieces. */
export const fileText = z
  .custom<string | AsyncIterable<string | Uint8Array>>()
  .pipe(z.string() as z.ZodType<string, string | AsyncIterable<string | Uint8Array>>);

/** Identity with inference: keeps the literal types of one declaration. */
export const endpoint = <
  const Params extends z.ZodType = z.ZodUndefined,
  const Query extends z.ZodType = z.ZodUndefined,
  const Body extends z.ZodType = z.ZodUndefined,
  const Answer extends z.ZodType = z.ZodType,
>(
  declaration: Endpoint<Params, Query, Body, Answer>,
): Endpoint<Params, Query, Body, Answer> => declaration;

type Part<Schema, Key extends string, Side extends 'input' | 'output'> = Schema extends z.ZodUndefined
  ? unknown
  : Schema extends z.ZodType
    ? Side extends 'output'
      ? { [K in Key]: z.output<Schema> }
      : undefined extends z.input<Schema>
        ? { [K in Key]?: z.input<Schema> }
        : { [K in Key]: z.input<Schema> }
    : unknown;

/** What a caller passes to the client. */
export type CallInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, z.ZodType>
    ? Part<P, 'params', 'input'> & Part<Q, 'query', 'input'> & Part<B, 'body', 'input'>
    : never;

/** What a handler receives, parsed. */
export type HandlerInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, z.ZodType>
    ? Part<P, 'params', 'output'> & Part<Q, 'query', 'output'> & Part<B, 'body', 'output'>
    : never;

/** What a caller receives, parsed. */
export type Answer<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer A> ? z.output<A> : never;
/** What a handler returns, before it is serialised. */
export type HandlerAnswer<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer A> ? z.input<A> : never;
