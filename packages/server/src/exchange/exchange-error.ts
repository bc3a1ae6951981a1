import type { MarketTrouble } from '@pilotfish/core/admin/market-choice-contract';
import { AppError } from '@pilotfish/core/http/problem';

/**
 * What went wrong at the exchange. `unknown` is the dangerous one: a request that may or may not have been executed
 * (no answer, 5xx). It is settled by asking, never by sending again.
 */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly kind: 'refused' | 'unknown' | 'limited' | 'unreachable';
  /** The exchange's own code, e.g. -2010. */
  readonly code: number | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ExchangeError['kind'],
    message: string,
    more: { code?: number | undefined; status?: number | undefined; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.kind = kind;
    this.code = more.code;
    this.status = more.status;
    this.retryAfterMs = more.retryAfterMs;
  }
}

/** The exchange knows no pair by that name, or none any more. */
export const namesNoPair = (error: unknown): boolean => error instanceof ExchangeError && error.kind === 'refused' && error.code === -1121;

const isRefused = (error: ExchangeError, code: number, words: RegExp): boolean => error.code === code && words.test(error.message);
/** An order of this id is there: an attempt has one id for ever. */
export const isDuplicate = (error: ExchangeError): boolean => isRefused(error, -2010, /duplicate/i);
/** The account has too little of what the order would give. */
export const lacksBalance = (error: ExchangeError): boolean => isRefused(error, -2010, /insufficient balance/i);
/** The pair is listed and not traded. */
export const isNotTraded = ({ message }: ExchangeError): boolean => /market is closed|symbol is not trading/i.test(message);
/** The account may not trade the pair: the permissions of either may have changed since they were read. */
export const isNotPermitted = (error: unknown): boolean =>
  error instanceof ExchangeError && isRefused(error, -2010, /symbol is (not permitted|restricted) for this account/i);
/** A filter or a precision: the exchange may have changed them since they were read. */
export const breaksRule = ({ code }: ExchangeError): boolean => code === -1013 || code === -1111;

/** Kept back by ourselves: another server may work with our database. Nothing has left, and trying again is safe. */
export class KeptBackError extends ExchangeError {
  constructor() {
    super('unreachable', 'This server may not be the only one on its database: nothing is signed until that is known.');
  }
}

/** What the exchange says of an order that it would not have, and the rule by the name that its documentation gives it. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/insufficient balance/i, 'INSUFFICIENT_BALANCE'],
  [/would (immediately )?trigger/i, 'STOP_WOULD_TRIGGER'],
];

/** The code of a refused order with the rule it broke, as far as the exchange names one: `-1013 MAX_NUM_ALGO_ORDERS`. */
export function refusalCode({ code, status, message }: ExchangeError): string {
  const rule = /Filter failure: ([A-Z_]+)/.exec(message)?.[1] ?? RULES.find(([words]) => words.test(message))?.[1];
  const number = String(code ?? status ?? 'REFUSED');
  return rule === undefined ? number : `${number} ${rule}`;
}

/** Longest sentence of a refusal that is passed on. */
const MAX_DETAIL = 200;

/**
 * What the exchange said of a refused order; never anything of the request. Whoever answers decides its length and its
 * characters: one that a database does not take would keep the step of the bot from being written.
 */
export const refusalDetail = ({ message }: ExchangeError): string =>
  Array.from(message.replaceAll(/\p{C}/gu, ' ')).slice(0, MAX_DETAIL).join('');

/** The exchange does not accept the key, from here, for this, or any more. */
export const isKeyRefusal = (error: unknown): boolean =>
  error instanceof ExchangeError && error.kind === 'refused' && (error.code === -2014 || error.code === -2015 || error.code === -1022);

const KEY_CODES = new Set([-2014, -2015, -1022, -1002]);

/** Why the exchange does not answer this server: for `place` and `firewall`, asking again at once does not help. */
export function troubleOf(error: unknown): MarketTrouble {
  if (!(error instanceof ExchangeError)) return 'network';
  if (error.status === 451) return 'place';
  if (error.status === 403 && error.code === undefined) return 'firewall';
  return error.kind === 'limited' ? 'pause' : 'network';
}

/** The exchange's refusal as an error of the product; texts of the exchange go into the detail, never the request. */
export function toAppErrorFromExchange(error: unknown): AppError {
  if (!(error instanceof ExchangeError)) return new AppError('internal', { cause: error });
  if (error instanceof KeptBackError) return new AppError('exchange-unreachable', { detail: error.message, cause: error });
  const trouble = troubleOf(error);
  if (trouble === 'place' || trouble === 'firewall')
    return new AppError('exchange-unreachable', { parameters: { context: trouble }, cause: error });
  if (error.kind === 'limited')
    return new AppError('exchange-rate-limited', { retryAfter: Math.ceil((error.retryAfterMs ?? 1000) / 1000), cause: error });
  if (error.kind !== 'refused') return new AppError('exchange-unreachable', { cause: error });
  const { code } = error;
  if (code === undefined) return new AppError('exchange-unreachable', { cause: error });
  if (KEY_CODES.has(code)) return new AppError('invalid-key', { cause: error });
  if (code === -1021) return new AppError('clock-skew', { cause: error });
  if (code === -2011 || code === -2013) return new AppError('unknown-order', { cause: error });
  if (code === -1121) return new AppError('not-found', { cause: error });
  if (code === -1013 || code === -1111) return new AppError('filter-violated', { detail: error.message, cause: error });
  if (code === -2010 && /insufficient balance/i.test(error.message)) return new AppError('insufficient-balance', { cause: error });
  return new AppError('order-rejected', { detail: error.message, cause: error });
}
