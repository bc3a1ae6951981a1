import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Timers } from '@pilotfish/core/time/timers';
import type { OrderWay } from '../accounts/order-way.ts';
import type { Exchange } from '../app/exchange.ts';
import { type FaultBoard, suffer } from '../faults/fault-board.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { ACCOUNT_ENDPOINTS } from './account-endpoints.ts';
import { AMENDMENT_ENDPOINTS } from './amendment-endpoints.ts';
import { ApiError } from './api-error.ts';
import { ARCHIVE, archiveFile } from './archive-endpoint.ts';
import { checkPermission, checkSignature, checkTiming, findKey, isPercentEncoded, restPayload } from './authentication.ts';
import { type Endpoint, isFree } from './endpoint.ts';
import { MARKET_ENDPOINTS } from './market-endpoints.ts';
import { ORDER_LIST_ENDPOINTS } from './order-list-endpoints.ts';
import { poolOf, type RateLimits } from './rate-limits.ts';
import { RequestParameters } from './request-parameters.ts';
import { inMicroseconds } from './time-unit.ts';
import { TRADE_ENDPOINTS } from './trade-endpoints.ts';

export const ENDPOINTS: readonly Endpoint[] = [
  ...MARKET_ENDPOINTS,
  ...TRADE_ENDPOINTS,
  ...ORDER_LIST_ENDPOINTS,
  ...AMENDMENT_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
];

const BY_ROUTE = new Map(ENDPOINTS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]));
const PATHS = new Set(ENDPOINTS.map((endpoint) => endpoint.path));
const LARGEST_BODY = 64 * 1024;
export type HttpDependencies = {
  exchange: Exchange;
  limits: RateLimits;
  faults: FaultBoard;
  timers: Pick<Timers, 'wait' | 'running'>;
  /** How long orders are on their way here. */
  way: Pick<OrderWay, 'arrive'>;
  /** Brings the market to this moment before a request is answered. */
  catchUp: () => void;
  /** Where the market is another exchange's. */
  mirror?: Pick<Mirror, 'forward' | 'prepare' | 'requireBegun'> | undefined;
  /** Answers paths outside of the exchange's API (`/sim/…`); undefined when the path is unknown. */
  other: (method: string, path: string, body: string) => Promise<unknown> | undefined;
  /** What callers of `/sim/…` must show, where not everybody who reaches the port may turn the market. */
  controlKey?: string | undefined;
  log: (line: string) => void;
};

/** The REST doors of the exchange on a plain node server (not yet listening). */
export function createHttpServer(dependencies: HttpDependencies): Server {
  const server = createServer((request, response) => {
    handle(dependencies, request, response).catch((error: unknown) => {
      dependencies.log(`request failed: ${error instanceof Error ? error.stack : String(error)}`);
      if (!response.headersSent) send(response, 500, { code: -1000, msg: 'An unknown error occurred while processing the request.' }, {});
    });
  });
  server.keepAliveTimeout = 65_000;
  return server;
}

async function handle(dependencies: HttpDependencies, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { exchange, limits, timers } = dependencies;
  const sentAt = timers.running();
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  const method = request.method ?? 'GET';
  const pool = poolOf(request.socket.remoteAddress ?? '-', path);
  const headers: Record<string, string> = { 'x-mbx-uuid': randomUUID() };
  try {
    const body = await readBody(request);
    if (path.startsWith('/sim/')) {
      checkControl(request, dependencies.controlKey);
      if (method !== 'GET') await dependencies.mirror?.requireBegun();
      const answer = dependencies.other(method, path, body);
      if (answer) return send(response, 200, await answer, headers);
    }
    if (method === 'GET' && path.startsWith(ARCHIVE)) return await sendArchive(dependencies, response, decodeURIComponent(path));
    const endpoint = BY_ROUTE.get(`${method} ${path}`);
    if (!endpoint) {
      if (PATHS.has(path)) throw new ApiError(-1000, `Request method '${method}' not supported`, { status: 405 });
      throw new ApiError(-1000, `Path ${path} is not served`, { status: 404 });
    }
    const given = merge(query, method === 'GET' ? '' : body);
    const header = request.headers['x-mbx-apikey'];
    const apiKey = Array.isArray(header) ? header[0] : header;
    await dependencies.way.arrive(endpoint, apiKey, sentAt);
    const fault = dependencies.faults.take(method, path, given.get('symbol'));
    await suffer(fault, 'before', timers);
    dependencies.catchUp();
    const parameters = new RequestParameters(given);
    const weight = typeof endpoint.weight === 'number' ? endpoint.weight : endpoint.weight(parameters);
    try {
      limits.charge(pool, weight);
    } finally {
      weigh(headers, limits.used(pool), path);
    }
    if (dependencies.mirror && isPassedOn(endpoint)) {
      const answer = await dependencies.mirror.forward(path, query, weight);
      if (answer.retryAfter !== undefined) headers['retry-after'] = String(answer.retryAfter);
      return sendText(response, answer.status, answer.text, headers);
    }
    if (endpoint.security !== 'none') await dependencies.mirror?.requireBegun();
    const symbol = given.get('symbol');
    if (endpoint.security === 'trade' && symbol !== undefined) await dependencies.mirror?.prepare(symbol);
    const key = endpoint.security === 'none' ? undefined : findKey(exchange.accounts.keys, apiKey);
    if (key && endpoint.security !== 'key') {
      const payload = restPayload(query, method === 'GET' ? '' : body);
      const signature = parameters.required('signature');
      checkTiming(parameters, exchange.wallNow());
      if (!isPercentEncoded(payload)) throw new ApiError(-1022, 'Signature for this request is not valid.');
      checkSignature(key, payload, signature);
      checkPermission(key, endpoint.security);
    }
    const answer = endpoint.run({ exchange, limits, parameters, key });
    parameters.finish();
    if (isFree(endpoint, answer)) {
      limits.refund(pool, weight);
      weigh(headers, limits.used(pool), path);
    }
    if (endpoint.countsOrders && key) {
      const counts = limits.orderCounts(key.accountId);
      headers['x-mbx-order-count-10s'] = String(counts.ten);
      headers['x-mbx-order-count-1d'] = String(counts.day);
    }
    // Nobody is told of a change that is not on disk.
    await exchange.settle();
    if (fault?.loseAnswer) {
      request.socket.destroy();
      return;
    }
    await suffer(fault, 'after', timers);
    const micro = request.headers['x-mbx-time-unit'] === 'MICROSECOND';
    send(response, 200, micro ? inMicroseconds(answer) : answer, headers);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await exchange.settle();
    if (error.retryAfter !== undefined) headers['retry-after'] = String(error.retryAfter);
    send(
      response,
      error.status,
      { code: error.code, msg: error.message, ...(error.data === undefined ? {} : { data: error.data }) },
      headers,
    );
  }
}

/** What is public is the mirrored exchange's to answer, but for the clock by which requests are signed here. */
export const isPassedOn = ({ security, path }: Endpoint): boolean =>
  security === 'none' && path !== '/api/v3/time' && path !== '/api/v3/ping';

/** Header that carries the key of the control calls. */
export const CONTROL_KEY_HEADER = 'x-sim-key';

/** Accounts, keys, clock and faults are not for pages of other sites, which reach every port of their reader's machine. */
function checkControl({ headers }: IncomingMessage, controlKey: string | undefined): void {
  const { origin, host } = headers;
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host))
    throw new ApiError(-1002, 'Pages of another origin may not call this.', { status: 403 });
  if (controlKey === undefined) return;
  const given = headers[CONTROL_KEY_HEADER];
  const hash = (text: string) => createHash('sha256').update(text).digest();
  if (typeof given !== 'string' || !timingSafeEqual(hash(given), hash(controlKey)))
    throw new ApiError(-1002, `This needs the key of the process in ${CONTROL_KEY_HEADER}.`, { status: 401 });
}

function weigh(headers: Record<string, string>, used: number, path: string): void {
  if (path.startsWith('/sapi/')) headers['x-sapi-used-ip-weight-1m'] = String(used);
  else {
    headers['x-mbx-used-weight'] = String(used);
    headers['x-mbx-used-weight-1m'] = String(used);
  }
}

/** Parameters of query and body together; the query wins. */
function merge(query: string, body: string): Map<string, string> {
  return new Map([...new URLSearchParams(body), ...new URLSearchParams(query)]);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new ApiError(-1000, 'Request body is too large.', { status: 413 });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A fault that has a `msg` and no status puts that in place of the file: a checksum of another one, or a cut file. */
async function sendArchive({ exchange, faults, timers, catchUp }: HttpDependencies, response: ServerResponse, path: string): Promise<void> {
  const fault = faults.take('GET', path, undefined);
  await suffer(fault, 'before', timers);
  catchUp();
  const file = fault?.msg === undefined ? archiveFile(exchange, path) : Buffer.from(fault.msg);
  response.writeHead(file ? 200 : 404, { 'content-type': 'application/octet-stream', 'content-length': file?.length ?? 0 });
  response.end(file);
}

const send = (response: ServerResponse, status: number, answer: unknown, headers: Record<string, string>): void =>
  sendText(response, status, JSON.stringify(answer), headers);

function sendText(response: ServerResponse, status: number, body: string, headers: Record<string, string>): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8', 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}
