import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';

// The built-in fetch takes about 35 ms to load, as long as all the rest of a command that prints JSON. Calls that
// send and receive text need none of it; streams, files and redirects are left to the built-in one.

/** As much of `Headers` as the client uses: names in lower case, one value each. */
export class ShortHeaders {
  readonly #values = new Map<string, string>();
  constructor(given?: Iterable<readonly [string, string]> | Readonly<Record<string, string>>) {
    if (!given) return;
    for (const [name, value] of Symbol.iterator in given ? given : Object.entries(given)) this.set(name, value);
  }
  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }
  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value);
  }
  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#values[Symbol.iterator]();
  }
}

const agents = new Map<string, PlainAgent>();

async function connection(protocol: string) {
  const secure = protocol === 'https:' ? await import('node:https') : undefined;
  const agent = agents.get(protocol) ?? (secure ? new secure.Agent({ keepAlive: true }) : new PlainAgent({ keepAlive: true }));
  agents.set(protocol, agent);
  return { send: secure?.request ?? plainRequest, agent };
}

type Init = { method?: string; headers?: Iterable<[string, string]>; body?: unknown; signal?: AbortSignal | null };

/** One HTTP call over `node:http`, in the shape of fetch. */
export const shortFetch = (async (input: string, init: Init = {}): Promise<Response> => {
  const { method = 'GET', headers = [], body, signal } = init;
  const full = () => globalThis.fetch(input, init as RequestInit);
  if (body !== undefined && body !== null && typeof body !== 'string') return full();
  const url = new URL(input);
  const { send, agent } = await connection(url.protocol);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = send(url, { method, agent, headers: Object.fromEntries(headers), ...(signal ? { signal } : {}) }, resolve);
    call.on('error', reject);
    call.end(body ?? undefined);
  });
  const status = answer.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    answer.resume();
    return full();
  }
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const received = new ShortHeaders(Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const));
  return { ok: status >= 200 && status < 300, status, headers: received, body: text, text: async () => text } as unknown as Response;
}) as unknown as typeof globalThis.fetch;
