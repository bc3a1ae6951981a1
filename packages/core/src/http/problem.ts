import { ERROR_CODES, type ErrorCode, type ErrorFamily, isErrorCode } from './error-codes.ts';
import type { Problem } from './problem-document.ts';

/** One broken field: where, which rule (stable code), and a sentence in the caller's language. */
export type FieldError = {
  path: string;
  code: string;
  message: string;
  /** What the rule allows and what was found, for rules with a bound. */
  limit?: string | undefined;
  actual?: string | undefined;
};

/**
 * The one error value of the whole product: thrown by the client, by services and by actors.
 * `code` is enumerable, so guards branch on it and generated paths can tell two errors apart.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly title: string | undefined;
  readonly fields: readonly FieldError[];
  readonly retryAfter: number | undefined;
  /**
   * Values for the sentence of this code, e.g. {bot: 'Dip'}. Never secrets.
   * `context` chooses a title and a sentence of its own, `errors.<code>.title_<context>` and `detail_<context>`, where they
   * exist: a wrong code from a text message has nothing to do with the clock of an authenticator.
   */
  readonly parameters: Readonly<Record<string, string | number>>;

  constructor(
    code: ErrorCode,
    more: {
      detail?: string | undefined;
      title?: string | undefined;
      fields?: readonly FieldError[] | undefined;
      retryAfter?: number | undefined;
      parameters?: Readonly<Record<string, string | number>>;
      cause?: unknown;
    } = {},
  ) {
    super(more.detail ?? code, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = more.detail;
    this.title = more.title;
    this.fields = more.fields ?? [];
    this.retryAfter = more.retryAfter;
    this.parameters = more.parameters ?? {};
  }

  get family(): ErrorFamily {
    return ERROR_CODES[this.code].family;
  }
  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}

/** Anything thrown into an `AppError`, so that machines and screens meet one shape only. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('internal', { cause: error, detail: error instanceof Error ? error.message : String(error) });
}

/** The code of anything thrown; `internal` for what is not ours. Machines branch on it. */
export const codeOf = (error: unknown): ErrorCode => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && isErrorCode(code) ? code : 'internal';
};

/** True when trying again later may help: offline, timeout, busy. */
export const isConnectivity = (error: unknown): boolean => ERROR_CODES[codeOf(error)].family === 'connectivity';

/** What a screen needs of an error; `AppError` is one. */
export type ShownProblem = Pick<AppError, 'code'> & Partial<Pick<AppError, 'title' | 'detail' | 'fields' | 'retryAfter'>>;

/** Anything thrown, as something a screen can show. */
export const shownProblem = (error: unknown): ShownProblem =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' && isErrorCode(error.code)
    ? (error as ShownProblem)
    : toAppError(error);

/** A problem document back into an error; unknown codes keep their text and become `internal` or their status' kin. */
export function errorFromProblem(problem: Problem): AppError {
  const code: ErrorCode = isErrorCode(problem.code) ? problem.code : problem.status === 401 ? 'unauthenticated' : 'internal';
  return new AppError(code, {
    title: problem.title,
    detail: problem.detail,
    fields: problem.errors,
    retryAfter: problem.retryAfter,
  });
}
