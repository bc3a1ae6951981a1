import type { Account } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/api-key.ts';
import type { Exchange } from '../app/exchange.ts';
import type { Pair } from '../market/market-contract.ts';
import { invalidKey, invalidSymbol } from './api-error.ts';
import type { Security } from './authentication.ts';
import type { RateLimits } from './rate-limits.ts';
import type { RequestParameters } from './request-parameters.ts';

/** One call of the exchange, whichever door it came through. */
export type Call = {
  readonly exchange: Exchange;
  readonly limits: RateLimits;
  readonly parameters: RequestParameters;
  readonly key: ApiKey | undefined;
};

/** One row of the API: where it is reached, who may, what it costs, what it does. */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Name in the WebSocket API, where it has one. */
  readonly socket?: string;
  readonly security: Security;
  readonly weight: number | ((parameters: RequestParameters) => number);
  /** Success costs nothing (orders and cancels since 2026-04-02), or only some successes do. */
  readonly freeOnSuccess?: boolean | ((answer: unknown) => boolean);
  /** The answer carries the order counts. */
  readonly countsOrders?: boolean;
  run(call: Call): unknown;
};

/** Whether this answer gives back the weight that its request was charged. */
export const isFree = ({ freeOnSuccess }: Endpoint, answer: unknown): boolean =>
  typeof freeOnSuccess === 'function' ? freeOnSuccess(answer) : freeOnSuccess === true;

export function accountOf(call: Call): Account {
  if (!call.key) throw invalidKey();
  return call.exchange.accounts.byId(call.key.accountId);
}

export function pairOf(call: Call, symbol = call.parameters.required('symbol')): Pair {
  const pair = call.exchange.view.find(symbol);
  if (!pair) throw invalidSymbol();
  return pair;
}
