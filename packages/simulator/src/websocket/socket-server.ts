import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { UserEvent } from '../app/exchange.ts';
import type { Pair, Tick } from '../market/market-contract.ts';
import { ApiError } from '../rest/api-error.ts';
import { ApiConnection, type ApiDependencies } from './api-connection.ts';
import { StreamConnection } from './stream-connection.ts';
import { StreamHub } from './stream-hub.ts';

const PING_EVERY = 20_000;
const PONG_WITHIN = 60_000;
const LONGEST_LIFE = 24 * 3_600_000;
const LARGEST_MESSAGE = 1024 * 1024;

/** The WebSocket doors: market streams and the WebSocket API, told apart by path. */
export class SocketServer {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE });
  private readonly hub: StreamHub;
  private readonly apis = new Set<ApiConnection>();
  private readonly streams = new Set<StreamConnection>();
  private readonly dependencies: ApiDependencies;

  constructor(dependencies: ApiDependencies) {
    this.dependencies = dependencies;
    this.hub = new StreamHub(dependencies.exchange.view);
  }

  followed(): Iterable<Pair> {
    return this.hub.followed();
  }

  onTick(tick: Tick): void {
    this.hub.onTick(tick);
  }

  onStep(now: number, barClosed: boolean): void {
    this.hub.onStep(now, barClosed);
  }

  get userStreams(): number {
    let open = 0;
    for (const api of this.apis) open += api.userStreams;
    return open;
  }

  deliver(event: UserEvent): void {
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
      this.dependencies.limits.charge(ip, 2);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      socket.end(
        `HTTP/1.1 ${error.status} Too Many Requests\r\nRetry-After: ${error.retryAfter ?? 60}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      return;
    }
    this.server.handleUpgrade(request, socket, head, (client) => {
      this.keepAlive(client);
      if (api) {
        const connection = new ApiConnection(client, this.dependencies, {
          ip,
          returnRateLimits: url.searchParams.get('returnRateLimits') !== 'false',
        });
        this.apis.add(connection);
        client.on('close', () => this.apis.delete(connection));
        return;
      }
      const connection = new StreamConnection(client, this.hub, {
        combined,
        streams,
        messagesPerSecond: this.dependencies.limits.limits.streamMessagesPerSecond,
        wallNow: this.dependencies.exchange.wallNow,
      });
      this.streams.add(connection);
      client.on('close', () => this.streams.delete(connection));
    });
  }

  /** Cuts every connection; with `announce` after a `serverShutdown` event. */
  drop(announce: boolean): void {
    const event = { e: 'serverShutdown', E: this.dependencies.exchange.wallNow() };
    if (announce) for (const api of this.apis) api.announce(event);
    if (announce) for (const stream of this.streams) stream.announce(event);
    for (const client of this.server.clients) {
      if (announce) client.close(1001, 'serverShutdown');
      else client.terminate();
    }
  }

  close(): void {
    for (const client of this.server.clients) client.terminate();
    this.server.close();
  }

  private keepAlive(client: WebSocket): void {
    let silent = 0;
    client.on('error', () => client.terminate());
    client.on('pong', () => {
      silent = 0;
    });
    const pings = setInterval(() => {
      silent += PING_EVERY;
      if (silent > PONG_WITHIN) client.terminate();
      else client.ping(String(this.dependencies.exchange.wallNow()));
    }, PING_EVERY);
    const life = setTimeout(() => client.close(1000, '24 hours are over'), LONGEST_LIFE);
    pings.unref();
    life.unref();
    client.on('close', () => {
      clearInterval(pings);
      clearTimeout(life);
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
