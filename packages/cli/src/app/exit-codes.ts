import { ERROR_CODES, type ErrorCode } from '@pilotfish/core/http/error-codes';

/** What the shell is told; documented in every `--help`. Signals end with 128 plus their number. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 4,
  forbidden: 5,
  refusedByExchange: 6,
  notFound: 7,
  conflict: 8,
} as const;

export const SIGNAL_EXIT = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export const exitCodeOf = (code: ErrorCode): number => ERROR_CODES[code].exit;
