import type { Access, Backend } from './endpoint.ts';

/** What a refused answer does to the whole app, before the caller sees the error. */
export type ErrorPolicy =
  /** Gateway 401: the session is removed and the app goes to the root. */
  | 'remove-session'
  /** BFF 403: all local storage is cleared and the app goes to the root. */
  | 'clear-storage'
  /** BFF 401: one refresh, then the request once more with the new token. */
  | 'refresh-and-retry'
  /** BFF 401 although just refreshed: as when the refresh fails, session cleared and root. */
  | 'clear-session'
  /** Any other BFF error: a toast with the detail, or "An error occurred". */
  | 'toast'
  /** The caller's own business: gateway errors belong to the form that caused them. */
  | 'none';

/** Why a client gave the session up; every one of them leads to the root. */
export type ClearedReason = Extract<ErrorPolicy, 'remove-session' | 'clear-storage' | 'clear-session'>;

/**
 * The error catalogue of the product (section 8 of the specification) as one total function.
 * The refresh call itself is left out: who asked for the refresh decides what its failure means.
 * @param status HTTP status, or 0 when there was no answer at all
 * @param retried true for the second try after a refresh
 */
export function errorPolicy({
  backend,
  status,
  access,
  retried,
}: {
  backend: Backend;
  status: number;
  access: Access;
  retried: boolean;
}): ErrorPolicy {
  if (access === 'refresh') return 'none';
  if (backend === 'gateway') return status === 401 ? 'remove-session' : 'none';
  if (status === 403) return 'clear-storage';
  if (status === 401) return retried ? 'clear-session' : 'refresh-and-retry';
  return 'toast';
}
