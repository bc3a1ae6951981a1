import { createHmac, sign as signWith } from 'node:crypto';
import { WebSocket } from 'ws';
import { messageText } from '../src/websocket/message-text.ts';

export type Answer = { status: number; headers: Headers; body: unknown };
type Row = Record<string, unknown>;

/** `body` as an object, for assertions. */
export const row = (answer: Answer): Row => answer.body as Row;
export const rows = (answer: Answer): Row[] => answer.body as Row[];

export async function call(url: string, options: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, options);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export type Keys = { apiKey: string; apiSecret: string };

/** Signs text as the exchange's documentation says: HMAC in hex, Ed25519 and RSA (PEM secrets) in base64. */
export function signText(secret: string, text: string): string {
  if (!secret.includes('PRIVATE KEY')) return createHmac('sha256', secret).update(text).digest('hex');
  const algorithm = secret.length > 200 ? 'sha256' : null;
  return signWith(algorithm, Buffer.from(text), secret).toString('base64');
}

/** A signed REST request with everything in the query. */
export function signed(
  origin: string,
  keys: Keys,
  method: string,
  path: string,
  parameters: Record<string, string | number> = {},
): Promise<Answer> {
  const query = new URLSearchParams({ ...parameters, timestamp: String(parameters.timestamp ?? Date.now()) } as Record<
    string,
    string
  >).toString();
  const signature = encodeURIComponent(signText(keys.apiSecret, query));
  return call(`${origin}${path}?${query}&signature=${signature}`, { method, headers: { 'X-MBX-APIKEY': keys.apiKey } });
}

/** A WebSocket whose messages can be awaited one after another. */
export class Listener {
  readonly socket: WebSocket;
  readonly seen: Row[] = [];
  private readonly waiting: { match: (message: Row) => boolean; resolve: (message: Row) => void }[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      const message = JSON.parse(messageText(data)) as Row;
      this.seen.push(message);
      for (const waiter of this.waiting.filter((one) => one.match(message))) {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        waiter.resolve(message);
      }
    });
  }

  static open(url: string): Promise<Listener> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url);
      const listener = new Listener(socket);
      socket.once('open', () => resolve(listener));
      socket.once('error', reject);
    });
  }

  /** The first message, seen or to come, that matches. */
  find(match: (message: Row) => boolean): Promise<Row> {
    const known = this.seen.find(match);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => {
      this.waiting.push({ match, resolve });
    });
  }

  async request(id: number | string, method: string, params?: unknown): Promise<Row> {
    this.socket.send(JSON.stringify({ id, method, ...(params === undefined ? {} : { params }) }));
    return this.find((message) => message.id === id);
  }

  /** A signed WebSocket API request. */
  async signedRequest(id: number | string, method: string, keys: Keys, params: Row = {}): Promise<Row> {
    const all: Row = { ...params, apiKey: keys.apiKey, timestamp: params.timestamp ?? Date.now() };
    const text = Object.keys(all)
      .sort()
      .map((name) => `${name}=${String(all[name])}`)
      .join('&');
    return this.request(id, method, { ...all, signature: signText(keys.apiSecret, text) });
  }

  close(): void {
    this.socket.close();
  }
}
