import type { Timers } from '@pilotfish/core/time/timers';
import { ExchangeError } from './exchange-error.ts';
import { type WeightBudget, weightBudget } from './weight-budget.ts';

/** What of a request decides which limits it falls under. */
export type Counted = {
  readonly method: string;
  readonly path: string;
  readonly weight: number;
  readonly urgent?: boolean;
  readonly signer?: { readonly apiKey: string };
};

/** The one way out to the exchange's REST API: every request passes it, by the limits that are its own. */
export type RequestGate = {
  /**
   * Resolves when the request may leave.
   * @throws ExchangeError `limited`, when it is an order of an account that may place none for now: nothing has left
   */
  enter(request: Counted): Promise<void>;
  /** What the answer says of the weight in use. */
  answered(request: Counted, headers: Headers): void;
  /** The exchange turned a request away for a limit (429), or the whole address (418). */
  limited(request: Counted, status: number, code: number | undefined, forMs: number): void;
  /** The exchange answered the handshake of a WebSocket with this status instead of a connection. */
  connectionRefused(status: number, forMs: number): void;
  /** No WebSocket may be opened before then, epoch ms: each attempt would prolong a ban. */
  readonly connectionsFrom: number;
};

/** Weight of `/sapi` in a minute and by address: a count of its own, which exchangeInfo does not name. */
const SAPI_WEIGHT = 12_000;
const BANNED = 418;
const LIMITED = 429;
/** Where no `Retry-After` says how long, ms: the shortest ban, a minute of weight, and a minute for a firewall or a place that is not served. */
const UNSAID_MS: Readonly<Record<number, number>> = { [BANNED]: 120_000, [LIMITED]: 60_000, 403: 60_000, 451: 60_000 };
/** The longest ban. A longer wait would overflow a timer, which then runs at once. */
const LONGEST_MS = 3 * 86_400_000;
/** The longest wait for anything but a ban or a limit: a gateway's page must not keep an account without its events for days. */
const LONGEST_ELSE_MS = 60_000;
/** Said of an account, by its key: too many new orders. */
const TOO_MANY_ORDERS = -1015;

/** How long nothing may be sent after an answer with this status that names `saidMs`, ms; 0 where nothing forbids it. */
export function pauseMs(status: number, saidMs: number | undefined): number {
  if (saidMs === undefined || Number.isNaN(saidMs)) return UNSAID_MS[status] ?? 0;
  const [least, most] = status === BANNED || status === LIMITED ? [1000, LONGEST_MS] : [0, LONGEST_ELSE_MS];
  return Math.min(most, Math.max(least, saidMs));
}

/** The same for an answer with this `Retry-After` header, seconds. */
export const retryAfterMs = (status: number, header: string | null | undefined): number =>
  pauseMs(status, Number(header || Number.NaN) * 1000);

/**
 * `/api` and `/sapi` are counted apart, so reading histories of the wallet never holds back a sale. Orders are counted by
 * account: one that has placed too many is turned away here until it may go on, and no other account waits for it. After a ban
 * nothing leaves at all, since each request would prolong it, and no WebSocket is opened. A handshake that is answered with
 * 418 is such a ban; one that is answered with 429 says that there were too many connections, so only connections wait, and
 * exits by REST go on.
 */
export function requestGate(options: { budget: WeightBudget; timers: Pick<Timers, 'wait'>; now: () => number }): RequestGate {
  const { budget: api, timers, now } = options;
  const sapi = weightBudget({ limit: SAPI_WEIGHT, now, timers });
  const poolOf = ({ path }: Counted) => (path.startsWith('/sapi/') ? sapi : api);
  const ordersFrom = new Map<string, number>();
  let connectionsFrom = 0;
  const isOrder = ({ method, path }: Counted) => method === 'POST' && path.startsWith('/api/v3/order');
  const weightIn = (headers: Headers, name: string): number | undefined => {
    const used = Number(headers.get(name) ?? Number.NaN);
    return Number.isFinite(used) ? used : undefined;
  };
  const holdConnections = (forMs: number): void => {
    connectionsFrom = Math.max(connectionsFrom, now() + forMs);
  };
  const ban = (forMs: number): void => {
    for (const pool of [api, sapi]) pool.pause(forMs);
    holdConnections(forMs);
  };
  return {
    enter: async (request) => {
      const { signer, weight, urgent = false } = request;
      const waitMs = (signer && isOrder(request) ? (ordersFrom.get(signer.apiKey) ?? 0) : 0) - now();
      if (waitMs > 0)
        throw new ExchangeError('limited', 'This account has placed as many orders as it may for now.', {
          code: TOO_MANY_ORDERS,
          retryAfterMs: waitMs,
        });
      await poolOf(request).spend(weight, urgent, signer?.apiKey);
    },
    answered: (request, headers) => {
      const pool = poolOf(request);
      pool.observe(weightIn(headers, pool === sapi ? 'x-sapi-used-ip-weight-1m' : 'x-mbx-used-weight-1m'));
    },
    limited: (request, status, code, forMs) => {
      if (status === BANNED) ban(forMs);
      else if (code !== TOO_MANY_ORDERS) poolOf(request).pause(forMs);
      else if (request.signer) ordersFrom.set(request.signer.apiKey, now() + forMs);
    },
    connectionRefused: (status, forMs) => {
      if (status === BANNED) ban(forMs);
      else if (status === LIMITED) holdConnections(forMs);
    },
    get connectionsFrom() {
      return connectionsFrom;
    },
  };
}
