import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Cancel } from '@pilotfish/core/time/timers';
import { type WebSocket, WebSocketServer } from 'ws';
import type { UserEvent } from '../app/exchange.ts';
import type { Pair, Tick } from '../market/market-contract.ts';
import { MirrorHub } from '../mirror/mirror-hub.ts';
import { ApiError } from '../rest/api-error.ts';
import { ApiConnection, type ApiDependencies } from './api-connection.ts';
import { StreamConnection } from './stream-connection.ts';
import { StreamHub } from './stream-hub.ts';

/** How connections are kept alive, wall ms. */
export type SocketTimes = { pingEveryMs: number; pongWithinMs: number; lifeMs: number };
export const STANDARD_TIMES: SocketTimes = { pingEveryMs: 20_000, pongWithinMs: 60_000, lifeMs: 24 * 3_600_000 };

const LARGEST_MESSAGE = 1024 * 1024;
type Door = 'market' | 'user';

/** The WebSocket doors: market streams and the WebSocket API, told apart by path. */
export class SocketServer {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE });
  private readonly hub: StreamHub | MirrorHub;
  private readonly apis = new Set<ApiConnection>();
  private readonly streams = new Set<StreamConnection>();
  private readonly clients = new Map<WebSocket, Door>();
  private readonly silentUntil: Record<Door, number> = { market: 0, user: 0 };
  private readonly dependencies: ApiDependencies;
  private readonly times: SocketTimes;
  private readonly shutdowns: Cancel[] = [];

  constructor(dependencies: ApiDependencies, times: SocketTimes = STANDARD_TIMES) {
    this.dependencies = dependencies;
    this.times = times;
    this.hub = dependencies.mirror
      ? new MirrorHub(dependencies.mirror.upstream, () => this.isSilent('market'))
      : new StreamHub(dependencies.exchange.view, dependencies.speed);
  }

  followed(): Iterable<Pair> {
    return this.hub instanceof StreamHub ? this.hub.followed() : [];
  }

  onTick(tick: Tick): void {
    if (this.hub instanceof StreamHub && !this.isSilent('market')) this.hub.onTick(tick);
  }

  onStep(now: number, barClosed: boolean): void {
    if (this.hub instanceof StreamHub && !this.isSilent('market')) this.hub.onStep(now, barClosed);
  }

  get userStreams(): number {
    let open = 0;
    for (const api of this.apis) open += api.userStreams;
    return open;
  }

  deliver(event: UserEvent): void {
    if (this.isSilent('user')) return;
    for (const api of this.apis) api.deliver(event);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = readUrl(request.url ?? '/');
    const streams = url && readStreams(url);
    if (!streams) {
      socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    const path = url.pathname.replace(/\/+$/, '');
    const api = path === '/ws-api/v3';
    const raw = /^\/ws(\/.*)?$/.exec(path) ?? /^\/\d+$/.exec(path);
    const combined = path === '/stream';
    // Some libraries append their own index or "/ws" to the base.
    const known = api || raw || combined || /^\/stream\/(ws|\d+)(\/\d+)?$/.test(path);
    if (!known) {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    const ip = request.socket.remoteAddress ?? '-';
    try {
      this.dependencies.limits.countConnection(ip);
      this.dependencies.limits.charge(ip, 2);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      socket.end(
        `HTTP/1.1 ${error.status} Too Many Requests\r\nRetry-After: ${error.retryAfter ?? 60}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      return;
    }
    const micro = url.searchParams.get('timeUnit')?.toUpperCase() === 'MICROSECOND';
    this.server.handleUpgrade(request, socket, head, (client) => {
      this.keepAlive(client, api ? 'user' : 'market');
      if (api) {
        const connection = new ApiConnection(client, this.dependencies, {
          ip,
          micro,
          returnRateLimits: url.searchParams.get('returnRateLimits') !== 'false',
        });
        this.apis.add(connection);
        client.on('close', () => this.apis.delete(connection));
        return;
      }
      const connection = new StreamConnection(client, this.hub, {
        combined,
        micro,
        streams,
        messagesPerSecond: () => this.dependencies.limits.limits.streamMessagesPerSecond,
        wallNow: this.dependencies.exchange.wallNow,
      });
      this.streams.add(connection);
      client.on('close', () => this.streams.delete(connection));
    });
  }

  /** Cuts connections; with `announce` after a `serverShutdown` event, `graceMs` of the wall clock later. Those opened meanwhile stay. */
  drop(announce: boolean, of: Door | 'all' = 'all', graceMs = 0): void {
    const event = { e: 'serverShutdown', E: this.dependencies.exchange.wallNow() };
    if (announce && of !== 'market') for (const api of this.apis) api.announce(event);
    if (announce && of !== 'user') for (const stream of this.streams) stream.announce(event);
    const leaving = [...this.clients].filter(([, door]) => of === 'all' || of === door);
    const leave = (): void => {
      for (const [client] of leaving) {
        if (announce) client.close(1001, 'serverShutdown');
        else client.terminate();
      }
    };
    if (graceMs === 0) leave();
    else this.shutdowns.push(this.dependencies.timers.after(graceMs, leave));
  }

  /** Changes of best prices a second beside those of trades; a mirrored market has its exchange's. */
  setBookRate(rateOf: (pair: Pair) => number): void {
    if (this.hub instanceof StreamHub) this.hub.bookRate = rateOf;
  }

  /** Ends what a shutdown still has under way. */
  keep(): void {
    for (const cancel of this.shutdowns.splice(0)) cancel();
  }

  /** Open connections tell nothing of the market or of accounts for a while; requests are answered as ever. */
  silence(of: Door | 'all', forMs: number | undefined): void {
    const until = forMs === undefined ? Number.POSITIVE_INFINITY : this.dependencies.exchange.wallNow() + forMs;
    for (const door of ['market', 'user'] as const) if (of === 'all' || of === door) this.silentUntil[door] = until;
  }

  /** Ends every silence. */
  speak(): void {
    this.silentUntil.market = 0;
    this.silentUntil.user = 0;
  }

  /** Ends all subscriptions to accounts' events. */
  terminate(): void {
    for (const api of this.apis) api.terminate();
  }

  /** A key was taken back: who used it hears so. */
  forget(apiKey: string): void {
    for (const api of this.apis) api.forget(apiKey);
  }

  close(): void {
    this.keep();
    for (const client of this.server.clients) client.terminate();
    this.server.close();
  }

  private isSilent(door: Door): boolean {
    return this.silentUntil[door] > this.dependencies.exchange.wallNow();
  }

  private keepAlive(client: WebSocket, door: Door): void {
    const { pingEveryMs, pongWithinMs, lifeMs } = this.times;
    this.clients.set(client, door);
    let silent = 0;
    client.on('error', () => client.terminate());
    client.on('pong', () => {
      silent = 0;
    });
    const { timers } = this.dependencies;
    const endPings = timers.every(pingEveryMs, () => {
      silent += pingEveryMs;
      if (silent > pongWithinMs) client.terminate();
      else client.ping(String(this.dependencies.exchange.wallNow()));
    });
    const endLife = timers.after(lifeMs, () => client.close(1000, '24 hours are over'));
    client.on('close', () => {
      this.clients.delete(client);
      endPings();
      endLife();
    });
  }
}

/** Names in the path (`/ws/a/b`) or in `?streams=a/b`; undefined when the encoding is broken. */
function readStreams(url: URL): string[] | undefined {
  try {
    const path = url.pathname.replace(/\/+$/, '');
    const names =
      path === '/stream' ? (url.searchParams.get('streams') ?? '') : path.startsWith('/ws/') ? decodeURIComponent(path.slice(4)) : '';
    return names.split('/').filter((name) => name !== '' && !/^\d+$/.test(name));
  } catch {
    return undefined;
  }
}

function readUrl(target: string): URL | undefined {
  try {
    return new URL(target, 'ws://localhost');
  } catch {
    return undefined;
  }
}
