import type { Timers } from '@pilotfish/core/time/timers';
import type { WebSocket } from 'ws';
import type { ApiKey } from '../accounts/api-key.ts';
import type { OrderWay } from '../accounts/order-way.ts';
import type { Exchange, UserEvent } from '../app/exchange.ts';
import { type FaultBoard, suffer } from '../faults/fault-board.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { UpstreamAnswer } from '../mirror/upstream.ts';
import { parseJson } from '../mirror/upstream-rows.ts';
import { ApiError, invalidKey } from '../rest/api-error.ts';
import { checkPermission, checkSignature, checkTiming, findKey, webSocketPayload } from '../rest/authentication.ts';
import { type Endpoint, isFree } from '../rest/endpoint.ts';
import { ENDPOINTS, isPassedOn } from '../rest/http-server.ts';
import type { RateLimits } from '../rest/rate-limits.ts';
import { RequestParameters } from '../rest/request-parameters.ts';
import { inMicroseconds } from '../rest/time-unit.ts';
import { messageText } from './message-text.ts';

const BY_NAME = new Map(ENDPOINTS.flatMap((endpoint) => (endpoint.socket ? [[endpoint.socket, endpoint] as const] : [])));
/** Subscriptions of one connection at a time, and over its life. */
const MOST_SUBSCRIPTIONS = 1000;
const MOST_SUBSCRIPTIONS_EVER = 65_535;

export type ApiDependencies = {
  exchange: Exchange;
  limits: RateLimits;
  faults: () => Pick<FaultBoard, 'take'>;
  /** Where the market is another exchange's. */
  mirror?: Mirror | undefined;
  /** How long orders are on their way here. */
  way: Pick<OrderWay, 'arrive'>;
  catchUp: () => void;
  timers: Timers;
  /** Market ms per wall ms. */
  speed: () => number | 'max';
  log: (line: string) => void;
};

type Request = { id: unknown; method: string; symbol: string | undefined; parameters: RequestParameters; returnRateLimits: boolean };
type Logon = { key: ApiKey; since: number };

/** One connection of the WebSocket API: requests, its session, and its user data subscriptions. */
export class ApiConnection {
  private readonly socket: WebSocket;
  private readonly dependencies: ApiDependencies;
  private readonly ip: string;
  private readonly micro: boolean;
  private readonly connectedSince: number;
  private readonly returnRateLimits: boolean;
  private readonly subscriptions = new Map<number, { key: ApiKey; bySession: boolean }>();
  private logon: Logon | undefined;
  private nextSubscription = 0;
  private queue: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, dependencies: ApiDependencies, options: { ip: string; micro: boolean; returnRateLimits: boolean }) {
    this.socket = socket;
    this.dependencies = dependencies;
    this.ip = options.ip;
    this.micro = options.micro;
    this.returnRateLimits = options.returnRateLimits;
    this.connectedSince = dependencies.exchange.wallNow();
    socket.on('message', (data) => {
      const text = messageText(data);
      // Each begins its way now: orders that were sent together arrive together, however many wait before them.
      const sentAt = dependencies.timers.running();
      this.queue = this.queue.then(() => this.onMessage(text, sentAt));
    });
  }

  private readonly timed = (value: unknown): unknown => (this.micro ? inMicroseconds(value) : value);

  get userStreams(): number {
    return this.subscriptions.size;
  }

  /** Sends a user's event to those of its subscriptions that are for this account. */
  deliver({ accountId, event }: UserEvent): void {
    for (const [subscriptionId, subscription] of this.subscriptions) {
      if (subscription.key.accountId === accountId) this.socket.send(JSON.stringify({ subscriptionId, event: this.timed(event) }));
    }
  }

  /** Ends subscriptions with a word; the connection stays. */
  terminate(which: (key: ApiKey) => boolean = () => true): void {
    for (const [subscriptionId, { key }] of this.subscriptions) if (which(key)) this.end(subscriptionId)();
  }

  /** Ends a subscription; what is answered says so, to those who listen on it. */
  private end(subscriptionId: number): () => void {
    this.subscriptions.delete(subscriptionId);
    const event = { e: 'eventStreamTerminated', E: this.dependencies.exchange.wallNow() };
    return () => this.socket.send(JSON.stringify({ subscriptionId, event: this.timed(event) }));
  }

  /** The key was taken back: its subscriptions and its session end. */
  forget(apiKey: string): void {
    this.terminate((key) => key.apiKey === apiKey);
    if (this.logon?.key.apiKey !== apiKey) return;
    this.logon = undefined;
    this.socket.send(JSON.stringify({ id: null, status: 401, error: this.describe(invalidKey()) }));
  }

  /** Tells the client something that belongs to no subscription. */
  announce(event: Record<string, unknown>): void {
    this.socket.send(JSON.stringify({ event }));
  }

  private async onMessage(text: string, sentAt: number): Promise<void> {
    let id: unknown = null;
    let request: Request | undefined;
    try {
      const message = parse(text);
      id = message.id ?? null;
      request = readRequest(message, id, this.returnRateLimits);
      const endpoint = BY_NAME.get(request.method);
      if (endpoint) await this.dependencies.way.arrive(endpoint, request.parameters.text('apiKey') ?? this.logon?.key.apiKey, sentAt);
      const fault = endpoint && this.dependencies.faults().take(endpoint.method, endpoint.path, request.symbol);
      await suffer(fault, 'before', this.dependencies.timers);
      this.dependencies.catchUp();
      const { result, key } = await this.run(request, endpoint);
      await this.dependencies.exchange.settle();
      if (fault?.loseAnswer) {
        this.socket.terminate();
        return;
      }
      await suffer(fault, 'after', this.dependencies.timers);
      this.answer(request, { id, status: 200, result: this.timed(result) }, key);
      this.afterAnswer?.();
      this.afterAnswer = undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) this.dependencies.log(`request failed: ${error instanceof Error ? error.stack : String(error)}`);
      await this.dependencies.exchange.settle();
      const refusal =
        error instanceof ApiError ? error : new ApiError(-1000, 'An unknown error occurred while processing the request.', { status: 500 });
      this.answer(request, { id, status: refusal.status, error: this.describe(refusal) }, undefined);
    }
  }

  /** Set by methods that must act only after their answer is on its way (a subscription's first event follows it). */
  private afterAnswer: (() => void) | undefined;

  private describe(error: ApiError): Record<string, unknown> {
    const now = this.dependencies.exchange.wallNow();
    const data =
      error.data ?? (error.retryAfter === undefined ? undefined : { serverTime: now, retryAfter: now + error.retryAfter * 1000 });
    return { code: error.code, msg: error.message, ...(data === undefined ? {} : { data }) };
  }

  private answer(request: Request | undefined, body: Record<string, unknown>, key: ApiKey | undefined): void {
    const { limits } = this.dependencies;
    const wanted = request?.returnRateLimits ?? this.returnRateLimits;
    const rateLimits = wanted ? { rateLimits: limits.describe({ weight: limits.used(this.ip), accountId: key?.accountId }) } : {};
    this.socket.send(JSON.stringify({ ...body, ...rateLimits }));
  }

  private async run(request: Request, endpoint: Endpoint | undefined): Promise<{ result: unknown; key: ApiKey | undefined }> {
    const { limits, exchange, mirror } = this.dependencies;
    const { parameters } = request;
    if (!endpoint || !isPassedOn(endpoint)) await mirror?.requireBegun();
    if (!endpoint) {
      limits.charge(this.ip, 2);
      return { result: this.runSession(request), key: undefined };
    }
    const weight = typeof endpoint.weight === 'number' ? endpoint.weight : endpoint.weight(parameters);
    limits.charge(this.ip, weight);
    if (mirror && isPassedOn(endpoint)) {
      const query = new URLSearchParams([...parameters.entries()]).toString();
      return { result: passedOn(await mirror.forward(endpoint.path, query, weight)), key: undefined };
    }
    if (endpoint.security === 'trade' && request.symbol !== undefined) await mirror?.prepare(request.symbol);
    const key = endpoint.security === 'none' ? undefined : this.authenticate(endpoint, parameters);
    const result = endpoint.run({ exchange, limits, parameters, key });
    parameters.finish();
    if (isFree(endpoint, result)) limits.refund(this.ip, weight);
    return { result, key: endpoint.countsOrders ? key : undefined };
  }

  private authenticate(endpoint: Endpoint, parameters: RequestParameters): ApiKey {
    const { exchange } = this.dependencies;
    if (!parameters.has('apiKey') && !parameters.has('signature') && this.logon) {
      const key = exchange.accounts.keys.get(this.logon.key.apiKey);
      if (!key) throw invalidKey();
      checkTiming(parameters, exchange.wallNow());
      checkPermission(key, endpoint.security);
      return key;
    }
    return this.signedKey(parameters, endpoint);
  }

  private signedKey(parameters: RequestParameters, endpoint?: Endpoint): ApiKey {
    const { exchange } = this.dependencies;
    const key = findKey(exchange.accounts.keys, parameters.required('apiKey'));
    const signature = parameters.required('signature');
    checkTiming(parameters, exchange.wallNow());
    checkSignature(key, webSocketPayload(parameters.entries()), signature);
    checkPermission(key, endpoint?.security ?? 'read');
    return key;
  }

  private runSession({ method, parameters }: Request): unknown {
    switch (method) {
      case 'session.logon': {
        const key = this.signedKey(parameters);
        if (key.type !== 'ed25519') throw new ApiError(-4056, 'HMAC_SHA256 API key is not supported.');
        this.logon = { key, since: this.dependencies.exchange.wallNow() };
        return this.session();
      }
      case 'session.status':
        return this.session();
      case 'session.logout':
        this.logon = undefined;
        this.endAsked([...this.subscriptions].flatMap(([id, { bySession }]) => (bySession ? [id] : [])));
        return this.session();
      case 'session.subscriptions':
        return [...this.subscriptions.keys()].map((subscriptionId) => ({ subscriptionId }));
      case 'userDataStream.subscribe':
        if (!this.logon) throw new ApiError(-2015, 'Invalid API-key, IP, or permissions for action.', { status: 401 });
        return this.subscribe(this.logon.key, true);
      case 'userDataStream.subscribe.signature':
        return this.subscribe(this.signedKey(parameters), false);
      case 'userDataStream.unsubscribe':
        return this.unsubscribe(parameters.integer('subscriptionId'));
      default:
        throw new ApiError(-1000, `Unknown method '${method}'.`, { status: 404 });
    }
  }

  private session(): Record<string, unknown> {
    return {
      apiKey: this.logon?.key.apiKey ?? null,
      authorizedSince: this.logon?.since ?? null,
      connectedSince: this.connectedSince,
      returnRateLimits: this.returnRateLimits,
      serverTime: this.dependencies.exchange.wallNow(),
      userDataStream: this.subscriptions.size > 0,
    };
  }

  private subscribe(key: ApiKey, bySession: boolean): { subscriptionId: number } {
    if ([...this.subscriptions.values()].some((one) => one.key.accountId === key.accountId))
      throw new ApiError(-2035, 'User Data Stream subscription already active.');
    if (this.subscriptions.size >= MOST_SUBSCRIPTIONS || this.nextSubscription >= MOST_SUBSCRIPTIONS_EVER)
      throw new ApiError(-1034, 'Too many subscriptions.');
    const subscriptionId = this.nextSubscription;
    this.nextSubscription += 1;
    this.afterAnswer = () => this.subscriptions.set(subscriptionId, { key, bySession });
    return { subscriptionId };
  }

  private unsubscribe(subscriptionId: number | undefined): Record<string, never> {
    if (subscriptionId !== undefined && !this.subscriptions.has(subscriptionId))
      throw new ApiError(-2036, 'User Data Stream subscription not active.');
    this.endAsked(subscriptionId === undefined ? [...this.subscriptions.keys()] : [subscriptionId]);
    return {};
  }

  /** Ends subscriptions at their client's word: they say so after the answer to it. */
  private endAsked(subscriptionIds: readonly number[]): void {
    const tell = subscriptionIds.map((subscriptionId) => this.end(subscriptionId));
    this.afterAnswer = () => {
      for (const each of tell) each();
    };
  }
}

/** The result in an answer of the mirrored exchange. @throws ApiError with its refusal */
function passedOn({ status, text, retryAfter }: UpstreamAnswer): unknown {
  const body = parseJson(text);
  if (status === 200) return body;
  const { code, msg } = (body ?? {}) as { code?: unknown; msg?: unknown };
  throw new ApiError(typeof code === 'number' ? code : -1000, typeof msg === 'string' ? msg : `status ${status}`, {
    status,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

function parse(text: string): Record<string, unknown> {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message as Record<string, unknown>;
  } catch {
    // Falls through to the refusal below.
  }
  throw new ApiError(-1135, 'Invalid JSON Request');
}

function readRequest(message: Record<string, unknown>, id: unknown, standard: boolean): Request {
  const { method, params } = message;
  if (typeof method !== 'string') throw new ApiError(-1102, "Mandatory parameter 'method' was not sent, was empty/null, or malformed.");
  const values = new Map<string, string>();
  let returnRateLimits = standard;
  for (const [name, value] of Object.entries((params as Record<string, unknown> | null | undefined) ?? {})) {
    if (name === 'returnRateLimits') returnRateLimits = value !== false && value !== 'false';
    if (value !== undefined && value !== null) values.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const parameters = new RequestParameters(values);
  return { id, method: method.replace(/^v3\//, ''), symbol: values.get('symbol'), parameters, returnRateLimits };
}
