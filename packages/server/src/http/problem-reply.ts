import { ERROR_CODES } from '@pilotfish/core/http/error-codes';
import { AppError, type FieldError } from '@pilotfish/core/http/problem';
import type { Problem } from '@pilotfish/core/http/problem-document';
import { formatDuration } from '@pilotfish/core/time/duration';
import type { FastifyReply } from 'fastify';
import { DatabaseAwayError, isDiskFull } from '../database/database-error.ts';
import { LeaseLostError } from '../database/server-lease.ts';
import type { Language, Texts } from './texts.ts';

/** What Fastify itself refuses, in our words. */
const FRAMEWORK_ERRORS: Readonly<Record<string, ConstructorParameters<typeof AppError>[0]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload-too-large',
  FST_REQ_FILE_TOO_LARGE: 'payload-too-large',
  FST_FILES_LIMIT: 'payload-too-large',
  FST_PARTS_LIMIT: 'payload-too-large',
  FST_FIELDS_LIMIT: 'payload-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid',
  FST_ERR_BAD_URL: 'invalid',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
};

/** A PostgreSQL that restarts is back within seconds. */
const DATABASE_RETRY_S = 2;

/** Any thrown value as one of ours; undefined when nobody foresaw it (a bug, to be logged). */
export function foreseenError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (error instanceof DatabaseAwayError) return new AppError('database-unreachable', { cause: error, retryAfter: DATABASE_RETRY_S });
  if (error instanceof LeaseLostError) return new AppError('shutting-down', { cause: error, retryAfter: DATABASE_RETRY_S });
  if (isDiskFull(error)) return new AppError('storage-full', { cause: error });
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' ? FRAMEWORK_ERRORS[code] : undefined;
  if (known !== undefined) return new AppError(known, { cause: error });
  // The JSON parser marks its refusals (syntax, __proto__) with a 400.
  if (error instanceof SyntaxError || statusCode === 400) return new AppError('invalid', { cause: error });
  // Paths that leave the folder of the web app are refused by the file server; to the caller there is nothing there.
  if (statusCode === 403 || statusCode === 404) return new AppError('not-found', { cause: error });
  return undefined;
}

/**
 * The problem document of an error, in the caller's language.
 * @param flagged the call answers a success flag with a message; its failure does, too
 */
export function problemOf(
  error: AppError,
  texts: Texts,
  language: Language,
  instance: string,
  { flagged = false }: { flagged?: boolean } = {},
): Problem {
  const wait = error.retryAfter ?? 0;
  const values = { ...error.parameters, retryAfter: wait, time: formatDuration(wait * 1000, language) };
  const { context } = error.parameters;
  const sentence = (part: 'title' | 'detail'): string =>
    (context === undefined ? undefined : texts.find(language, `errors.${error.code}.${part}_${context}`, values)) ??
    texts.text(language, `errors.${error.code}.${part}`, values);
  const detail = error.detail ?? sentence('detail');
  return {
    // A precondition that a client can fulfil has a type of its own, RFC 9457; what a status says already has none.
    type: ERROR_CODES[error.code].status === 428 ? `urn:pilotfish:problem:${error.code}` : 'about:blank',
    title: error.title ?? sentence('title'),
    status: ERROR_CODES[error.code].status,
    detail,
    instance,
    code: error.code,
    ...(error.fields.length > 0 ? { errors: error.fields.map((field) => withMessage(field, texts, language)) } : {}),
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
    ...(flagged && { success: false as const, message: detail }),
  };
}

/** Services name the rule; its sentence is found here, in the caller's language. */
function withMessage(field: FieldError, texts: Texts, language: Language): FieldError {
  if (field.message !== '') return field;
  const values = { limit: field.limit ?? '', actual: field.actual ?? '' };
  const message = texts.find(language, `validation.${field.code}`, values) ?? texts.find(language, `errors.${field.code}.detail`, values);
  return { ...field, message: message ?? texts.text(language, 'validation.invalid') };
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  if (problem.retryAfter !== undefined) void reply.header('retry-after', String(Math.ceil(problem.retryAfter)));
  if (problem.status === 401) void reply.header('www-authenticate', 'Bearer');
  return reply.code(problem.status).header('content-type', 'application/problem+json; charset=utf-8').send(JSON.stringify(problem));
}
