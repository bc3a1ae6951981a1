import { textWithin } from '@pilotfish/core/http/body-within';
import type { Timers } from '@pilotfish/core/time/timers';
import type * as z from 'zod';
import { exchangeClock, type Told } from './exchange-clock.ts';
import { ExchangeError, KeptBackError } from './exchange-error.ts';
import { parseExchangeJson } from './exchange-json.ts';
import { type ExchangeOrigins, restHosts } from './exchange-origins.ts';
import { listsIn, type UnreadRow, unreadOf } from './exchange-rows.ts';
import { type Counted, type RequestGate, requestGate, retryAfterMs } from './request-gate.ts';
import { encodeParameters, type Parameters, type Signer, signedQuery } from './signing.ts';
import type { WeightBudget } from './weight-budget.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type Request<Answer> = {
  readonly method: Method;
  readonly path: `/${string}`;
  readonly weight: number;
  readonly parameters?: Parameters;
  readonly signer?: Signer;
  readonly answer: z.ZodType<Answer>;
  readonly urgent?: boolean;
  readonly signal?: AbortSignal;
  /**
   * Runs in the same turn in which the request is signed and leaves; a throw keeps it from being signed.
   * @param timestamp the time it carries, by the exchange's clock as we know it, ms: its receive window begins there
   */
  readonly beforeSigning?: (timestamp: number) => void;
};

export type ExchangeRest = {
  request<Answer>(request: Request<Answer>): Promise<Answer>;
  /** The exchange's clock as we know it, epoch ms, never ahead of it. The wall's before the exchange has told its own. */
  time(): number;
  /** Asks for the exchange's time anew, three times; the quickest answer counts. Throws `unreachable`. */
  syncClock(): Promise<void>;
  /** The exchange's own clock, asked now, ms. Throws `unreachable`. */
  serverTime(): Promise<number>;
  readonly weightUsed: number;
  /** Weight that may be spent in a minute, as the exchange said last. */
  readonly weightLimit: number;
  /** Takes over what the exchange says may be spent in a minute. */
  allowWeight(perMinute: number): void;
  /** Resolves when a message of the WebSocket API may leave: its weight is counted with that of REST. */
  spendWeight(weight: number): Promise<void>;
  /** The WebSocket API turned a request away for a limit (429), or the whole address (418). */
  limited(status: number, forMs: number): void;
  /** What a refused handshake says, and when WebSockets may be opened. */
  readonly connections: Pick<RequestGate, 'connectionRefused' | 'connectionsFrom'>;
};

/** Messages of the WebSocket API, as the gate counts them. Accounts are listened to before histories are read. */
const SOCKET = { method: 'GET', path: '/ws-api/v3', urgent: true } as const;

/**
 * How old a signed request may be on arrival, ms: what stood still for longer on its way is refused by the exchange. Long
 * enough for a slow way, as what is stamped is already older than it seems by the way of the answer that told the time.
 */
export const RECV_WINDOW_MS = 5000;
const TIMEOUT_MS = 10_000;
/** Our time is outside of the window: turned away before anything else is looked at. */
export const WRONG_TIME = -1021;
/** Something went wrong inside the exchange: the request may have been executed all the same. */
const UNKNOWN_CODES: ReadonlySet<number> = new Set([-1000, -1001, -1006, -1007]);
/** What a request was signed by: its time, ms, and what the exchange had told last by then. */
type Stamped = { told: Told | undefined; timestamp: number };
const isLimit = (status: number): boolean => status === 429 || status === 418;

/**
 * The exchange over HTTP: signs, counts weight, keeps the clock, and sorts every failure into refused, limited,
 * unreachable or unknown. Never retries by itself, since whether a second try is safe is the caller's knowledge, but
 * for one case that is safe always: a question that came too late or with a wrong time. Then the time is asked for anew
 * and the question is signed once more. Whatever acts is not: it may have been frozen on its way for hours, and signed
 * with the time of now it would be executed late. Its caller is told, with the time already asked for anew.
 *
 * Where a host cannot be reached the next one gets the very same bytes, so the receive window still begins at the
 * decision: what acts only if no connection was made, a question also if its connection was lost. All hosts share one
 * weight: the exchange counts by address, and its documents name no other count for the market-data-only host.
 */
export function exchangeRest(options: {
  origin: string;
  /** Hosts that take its place where it cannot be reached, and the one for public market data. */
  others?: Pick<ExchangeOrigins, 'restOthers' | 'dataRest'>;
  now: () => number;
  timers: Pick<Timers, 'deadline' | 'running' | 'wait'>;
  /** Weight of everything but `/sapi`, which is counted apart. */
  budget: WeightBudget;
  fetch?: typeof globalThis.fetch;
  /** Where accounts on paper are, if not here. */
  paper?: () => Pick<ExchangeRest, 'request'>;
  /** Asked in the turn of signing whatever changes something at the exchange: false keeps it back. */
  maySign?: () => boolean;
  /** Our clock and the exchange's have moved against each other: one was set, or this machine stood still. Before anything is signed by it. */
  onClockJump?: () => void;
  /** Rows of lists that could not be read and are missing in the answer. */
  onUnread?: (rows: readonly UnreadRow[]) => void;
  /** `RECV_WINDOW_MS` but in the test which shows what a longer one lets happen. */
  recvWindowMs?: number;
}): ExchangeRest {
  const send = options.fetch ?? globalThis.fetch;
  const { timers } = options;
  const hosts = restHosts({ rest: options.origin, ...options.others }, () => timers.running());
  const gate = requestGate({ budget: options.budget, timers, now: options.now });
  const clock = exchangeClock({
    ask: serverTime,
    now: options.now,
    timers,
    ...(options.onClockJump ? { onJump: options.onClockJump } : {}),
  });
  const time = (): number => clock.stamp() ?? options.now();

  async function request<Answer>(call: Request<Answer>): Promise<Answer> {
    if (call.signer?.isPaper && options.paper) return options.paper().request(call);
    const stamped: Stamped = { told: undefined, timestamp: 0 };
    try {
      return await attempt(call, stamped);
    } catch (error) {
      if (!(error instanceof ExchangeError) || error.code !== WRONG_TIME) throw error;
      // Requests that were turned away together ask together; who comes late finds it done.
      if (clock.told === stamped.told) await clock.sync().catch(() => undefined);
      // As it was: our time is not what is wrong, or it cannot be asked for.
      if (call.method !== 'GET' || time() === stamped.timestamp) throw error;
      return attempt(call, stamped);
    }
  }

  async function attempt<Answer>(call: Request<Answer>, stamped: Stamped): Promise<Answer> {
    await gate.enter(call);
    // Nothing is signed by a clock that can be set.
    if (call.signer && !clock.told) await clock.sync();
    // From here to the sending there is no wait: a process that stands still in between sends a time that is too old.
    const timestamp = time();
    Object.assign(stamped, { told: clock.told, timestamp } satisfies Stamped);
    requireMaySign(call);
    call.beforeSigning?.(timestamp);
    const query = call.signer
      ? signedQuery(call.signer, { ...call.parameters, recvWindow: options.recvWindowMs ?? RECV_WINDOW_MS, timestamp })
      : encodeParameters(call.parameters ?? {});
    const { response, text } = await sendToHosts(call, query);
    gate.answered(call, response.headers);
    const parsed = call.answer.safeParse(bodyOf(call, response, text));
    if (!parsed.success) {
      throw new ExchangeError(
        call.method === 'GET' ? 'unreachable' : 'unknown',
        `The exchange's answer to ${call.path} has another shape than documented.`,
        { status: response.status },
      );
    }
    for (const rows of listsIn(parsed.data)) options.onUnread?.(unreadOf(rows));
    return parsed.data;
  }

  function requireMaySign({ signer, method }: Pick<Request<unknown>, 'signer' | 'method'>): void {
    if (signer && method !== 'GET' && options.maySign?.() === false) throw new KeptBackError();
  }

  async function sendToHosts(
    call: Omit<Request<unknown>, 'answer' | 'weight'>,
    query: string,
  ): Promise<{ response: Response; text: string }> {
    const { method, path, signer } = call;
    const candidates = hosts.of(method, path, signer !== undefined);
    for (const [index, host] of candidates.entries()) {
      // Waiting for a host that is away takes time, in which another server may have taken over.
      if (index > 0) requireMaySign(call);
      const timeout = timers.deadline(TIMEOUT_MS);
      const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
      try {
        const response = await send(`${host}${path}${query === '' ? '' : `?${query}`}`, {
          method,
          headers: signer ? { 'X-MBX-APIKEY': signer.apiKey } : {},
          redirect: 'error',
          signal,
        });
        const text = await textWithin(response, signal);
        hosts.answered(host);
        return { response, text };
      } catch (cause) {
        const isGivenUp = call.signal?.aborted === true;
        if (!isGivenUp) hosts.lost(host);
        const wasSent = !wasNeverConnected(cause);
        const isSafe = !wasSent || (method === 'GET' && !timeout.aborted);
        if (isSafe && !isGivenUp && index < candidates.length - 1) continue;
        // The cause may quote the URL, which carries the signature: it is not passed on.
        throw new ExchangeError(wasSent && method !== 'GET' ? 'unknown' : 'unreachable', 'The exchange did not answer.');
      }
    }
    throw new Error('sendToHosts(): no host');
  }

  /** What the exchange answered. @throws ExchangeError where it did not do what was asked, or nobody can tell */
  function bodyOf(call: Counted, response: Response, text: string): unknown {
    let body: unknown;
    try {
      body = parseExchangeJson(text);
    } catch {
      // A gateway's own page: its status still says whether the request was turned away.
      if (isLimit(response.status)) throw failure(call, response, undefined);
      // Turned away before the exchange saw it: an order was not placed, and the next one may be.
      if (response.status === 403)
        throw new ExchangeError('limited', 'A firewall of the exchange turned the request away.', {
          status: 403,
          retryAfterMs: retryAfterMs(403, response.headers.get('retry-after')),
        });
      throw new ExchangeError(
        response.status >= 500 || response.ok ? 'unknown' : 'refused',
        'The exchange answered something that is not JSON.',
        { status: response.status },
      );
    }
    if (!response.ok) throw failure(call, response, body);
    return body;
  }

  function failure(call: Counted, response: Response, body: unknown): ExchangeError {
    const { code, msg } = (typeof body === 'object' && body !== null ? body : {}) as { code?: number; msg?: string };
    const message = typeof msg === 'string' ? msg : `status ${response.status}`;
    const more = { code: typeof code === 'number' ? code : undefined, status: response.status };
    if (isLimit(response.status)) {
      const forMs = retryAfterMs(response.status, response.headers.get('retry-after'));
      gate.limited(call, response.status, code, forMs);
      return new ExchangeError('limited', message, { ...more, retryAfterMs: forMs });
    }
    if (response.status >= 500 || UNKNOWN_CODES.has(code ?? 0))
      return new ExchangeError(call.method === 'GET' ? 'unreachable' : 'unknown', message, more);
    return new ExchangeError('refused', message, more);
  }

  async function serverTime(): Promise<number> {
    // It counts like any other request: asked for during a ban, it would prolong that.
    const call = { method: 'GET', path: '/api/v3/time', weight: 1, urgent: true } as const;
    await gate.enter(call);
    const { response, text } = await sendToHosts(call, '');
    gate.answered(call, response.headers);
    const body = bodyOf(call, response, text);
    const time = typeof body === 'object' && body !== null && 'serverTime' in body ? body.serverTime : undefined;
    if (typeof time !== 'number') throw new ExchangeError('unreachable', 'The exchange did not tell its time.');
    return time;
  }

  return {
    request,
    time,
    syncClock: clock.sync,
    serverTime,
    get weightUsed() {
      return options.budget.used;
    },
    get weightLimit() {
      return options.budget.limit;
    },
    allowWeight: (perMinute) => options.budget.allow(perMinute),
    spendWeight: (weight) => gate.enter({ ...SOCKET, weight }),
    connections: gate,
    limited: (status, forMs) => gate.limited({ ...SOCKET, weight: 0 }, status, undefined, forMs),
  };
}

type Failure = { readonly code?: string; readonly syscall?: string };
const NEVER_CONNECTED: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/**
 * True where no connection was made, so that nothing can have been processed. ETIMEDOUT, EHOSTUNREACH and their like also end
 * connections that carried a request: they count only where the system names the call that failed.
 */
function wasNeverConnected(error: unknown): boolean {
  const { cause } = error as { cause?: Failure & { errors?: readonly Failure[] } };
  if (cause === undefined) return false;
  // A host with several addresses fails with one error for each of them.
  const each = cause.errors && cause.errors.length > 0 ? cause.errors : [cause];
  return each.every(({ code, syscall }) => NEVER_CONNECTED.has(code) || syscall === 'connect');
}
