/**
 * Every error that can cross the wire, in the two families a trader feels differently:
 * `connectivity` (we retry and say so) and `refusal` (you must act). `code` is stable, a localization key
 * (`errors.<code>.title` / `.detail`), and maps to one HTTP status and one exit code of the terminal app (`cli/src/app/exit-codes.ts`).
 */
export const ERROR_CODES = {
  // connectivity
  offline: { family: 'connectivity', status: 503 },
  timeout: { family: 'connectivity', status: 504 },
  'rate-limited': { family: 'connectivity', status: 429 },
  'exchange-unreachable': { family: 'connectivity', status: 502 },
  'exchange-rate-limited': { family: 'connectivity', status: 503 },
  'clock-skew': { family: 'connectivity', status: 503 },
  'shutting-down': { family: 'connectivity', status: 503 },
  /** The server is behind: guests are sent away first, whoever writes never. */
  overloaded: { family: 'connectivity', status: 503 },
  'database-unreachable': { family: 'connectivity', status: 503 },
  // refusals every endpoint shares
  invalid: { family: 'refusal', status: 400 },
  'unsupported-media-type': { family: 'refusal', status: 415 },
  'payload-too-large': { family: 'refusal', status: 413 },
  /** Called by a name that is not the server's: a page may have let its own name lead here. */
  'host-refused': { family: 'refusal', status: 421 },
  /** A write from a page of another site. Never 403, which would sign its reader out. */
  'origin-refused': { family: 'refusal', status: 400 },
  unauthenticated: { family: 'refusal', status: 401 },
  forbidden: { family: 'refusal', status: 403 },
  /** No role of the account allows it; the detail names the permission. Never 403, which would end the session. */
  'not-permitted': { family: 'refusal', status: 422 },
  'not-found': { family: 'refusal', status: 404 },
  conflict: { family: 'refusal', status: 409 },
  /** What was asked is not for the state it is in; the detail says what to do first. */
  'not-possible-now': { family: 'refusal', status: 409 },
  'not-implemented': { family: 'refusal', status: 501 },
  internal: { family: 'refusal', status: 500 },
  /** Nothing of it was kept: the server's disk has no room. */
  'storage-full': { family: 'refusal', status: 507 },
  // accounts
  'invalid-credentials': { family: 'refusal', status: 400 },
  'username-taken': { family: 'refusal', status: 409 },
  'email-taken': { family: 'refusal', status: 409 },
  'weak-password': { family: 'refusal', status: 400 },
  'wrong-code': { family: 'refusal', status: 400 },
  'code-used': { family: 'refusal', status: 400 },
  'code-expired': { family: 'refusal', status: 400 },
  'wrong-password': { family: 'refusal', status: 400 },
  /** Precondition: prove once more who is there. Never 401 or 403, which would end the session. */
  'step-up-required': { family: 'refusal', status: 428 },
  /** Precondition: a code of the authenticator in this session, not long ago. A client asks for it and repeats the call. */
  'second-factor-required': { family: 'refusal', status: 428 },
  'setup-code-required': { family: 'refusal', status: 428 },
  'wrong-setup-code': { family: 'refusal', status: 400 },
  'registration-closed': { family: 'refusal', status: 409 },
  throttled: { family: 'refusal', status: 429 },
  'last-admin': { family: 'refusal', status: 409 },
  // exchange connection
  'not-connected': { family: 'refusal', status: 409 },
  'invalid-key': { family: 'refusal', status: 422 },
  'withdrawals-enabled': { family: 'refusal', status: 422 },
  'reading-disabled': { family: 'refusal', status: 422 },
  'trading-disabled': { family: 'refusal', status: 422 },
  /** Somebody else has connected it: two would count on the same money. */
  'exchange-account-taken': { family: 'refusal', status: 409 },
  'connection-in-use': { family: 'refusal', status: 409 },
  // orders
  'insufficient-balance': { family: 'refusal', status: 422 },
  'filter-violated': { family: 'refusal', status: 422 },
  'order-rejected': { family: 'refusal', status: 422 },
  'unknown-order': { family: 'refusal', status: 404 },
  // market
  'snapshot-expired': { family: 'refusal', status: 410 },
  // bots
  'rules-violated': { family: 'refusal', status: 422 },
  'version-conflict': { family: 'refusal', status: 409 },
  'has-open-positions': { family: 'refusal', status: 409 },
  'order-in-flight': { family: 'refusal', status: 409 },
  /** The exchange has paused the pair, or taken it off its list. */
  'not-trading': { family: 'refusal', status: 409 },
  'no-jump': { family: 'refusal', status: 409 },
  'not-disabled': { family: 'refusal', status: 409 },
  /** What was asked would sell at once; it is asked again with the consent to that. */
  'would-sell-now': { family: 'refusal', status: 409 },
  'not-ready': { family: 'refusal', status: 409 },
  'in-use': { family: 'refusal', status: 409 },
  /** As many as an account may have; the detail names the limit and the number in use. */
  'quota-reached': { family: 'refusal', status: 409 },
  'name-taken': { family: 'refusal', status: 409 },
  // notifications
  'channel-unavailable': { family: 'refusal', status: 409 },
  'address-refused': { family: 'refusal', status: 422 },
  'telegram-not-connected': { family: 'refusal', status: 409 },
  underfunded: { family: 'refusal', status: 409 },
} as const satisfies Record<string, { family: 'connectivity' | 'refusal'; status: number }>;

export type ErrorCode = keyof typeof ERROR_CODES;
export type ErrorFamily = 'connectivity' | 'refusal';

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_CODES, code);
