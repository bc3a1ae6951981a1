/**
 * Every error that can cross the wire, in the two families a trader feels differently:
 * `connectivity` (we retry and say so) and `refusal` (you must act). `code` is stable, a localization key
 * (`errors.<code>.title` / `.detail`), and maps to one HTTP status and one exit code of the terminal app.
 */
export const ERROR_CODES = {
  // connectivity
  offline: { family: 'connectivity', status: 503, exit: 1 },
  timeout: { family: 'connectivity', status: 504, exit: 1 },
  'rate-limited': { family: 'connectivity', status: 429, exit: 1 },
  'exchange-unreachable': { family: 'connectivity', status: 502, exit: 6 },
  'exchange-rate-limited': { family: 'connectivity', status: 503, exit: 6 },
  'clock-skew': { family: 'connectivity', status: 503, exit: 6 },
  'shutting-down': { family: 'connectivity', status: 503, exit: 1 },
  'database-unreachable': { family: 'connectivity', status: 503, exit: 1 },
  // refusals every endpoint shares
  invalid: { family: 'refusal', status: 400, exit: 2 },
  'unsupported-media-type': { family: 'refusal', status: 415, exit: 2 },
  'payload-too-large': { family: 'refusal', status: 413, exit: 2 },
  unauthenticated: { family: 'refusal', status: 401, exit: 4 },
  forbidden: { family: 'refusal', status: 403, exit: 5 },
  'not-found': { family: 'refusal', status: 404, exit: 7 },
  conflict: { family: 'refusal', status: 409, exit: 8 },
  'not-implemented': { family: 'refusal', status: 501, exit: 1 },
  internal: { family: 'refusal', status: 500, exit: 1 },
  // accounts
  'invalid-credentials': { family: 'refusal', status: 400, exit: 4 },
  'username-taken': { family: 'refusal', status: 409, exit: 8 },
  'email-taken': { family: 'refusal', status: 409, exit: 8 },
  'weak-password': { family: 'refusal', status: 400, exit: 2 },
  'wrong-code': { family: 'refusal', status: 400, exit: 4 },
  'code-used': { family: 'refusal', status: 400, exit: 4 },
  'code-expired': { family: 'refusal', status: 400, exit: 4 },
  'wrong-password': { family: 'refusal', status: 400, exit: 4 },
  /** Precondition: prove once more who is there. Never 401 or 403, which would end the session. */
  'step-up-required': { family: 'refusal', status: 428, exit: 4 },
  'registration-closed': { family: 'refusal', status: 409, exit: 8 },
  throttled: { family: 'refusal', status: 429, exit: 4 },
  'last-admin': { family: 'refusal', status: 409, exit: 8 },
  // exchange connection
  'not-connected': { family: 'refusal', status: 409, exit: 6 },
  'invalid-key': { family: 'refusal', status: 422, exit: 6 },
  'withdrawals-enabled': { family: 'refusal', status: 422, exit: 6 },
  'reading-disabled': { family: 'refusal', status: 422, exit: 6 },
  'trading-disabled': { family: 'refusal', status: 422, exit: 6 },
  'connection-in-use': { family: 'refusal', status: 409, exit: 8 },
  // orders
  'insufficient-balance': { family: 'refusal', status: 422, exit: 6 },
  'filter-violated': { family: 'refusal', status: 422, exit: 6 },
  'order-rejected': { family: 'refusal', status: 422, exit: 6 },
  'unknown-order': { family: 'refusal', status: 404, exit: 7 },
  // market
  'snapshot-expired': { family: 'refusal', status: 410, exit: 1 },
  // bots
  'rules-violated': { family: 'refusal', status: 422, exit: 2 },
  'version-conflict': { family: 'refusal', status: 409, exit: 8 },
  'has-open-positions': { family: 'refusal', status: 409, exit: 8 },
  'order-in-flight': { family: 'refusal', status: 409, exit: 8 },
  'not-disabled': { family: 'refusal', status: 409, exit: 8 },
  'not-ready': { family: 'refusal', status: 409, exit: 8 },
  'in-use': { family: 'refusal', status: 409, exit: 8 },
  'name-taken': { family: 'refusal', status: 409, exit: 8 },
  // notifications
  'channel-unavailable': { family: 'refusal', status: 409, exit: 8 },
  'address-refused': { family: 'refusal', status: 422, exit: 2 },
  'telegram-not-connected': { family: 'refusal', status: 409, exit: 8 },
  underfunded: { family: 'refusal', status: 409, exit: 8 },
} as const satisfies Record<string, { family: 'connectivity' | 'refusal'; status: number; exit: number }>;

export type ErrorCode = keyof typeof ERROR_CODES;
export type ErrorFamily = 'connectivity' | 'refusal';

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_CODES, code);
