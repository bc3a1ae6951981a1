import type { StreamPayload, StreamTopic } from '@pilotfish/core/http/stream-contract';

/** One open connection as the hub sees it. */
export type StreamClient = {
  readonly topics: ReadonlySet<StreamTopic>;
  /** Undefined for guests, who see only what is published to everybody. */
  readonly accountId: string | undefined;
  readonly sessionId: string | undefined;
  /** Writes bytes; false when the peer is too slow and must be dropped. */
  write(bytes: Buffer): boolean;
  end(reason: 'slow' | 'session' | 'closing'): void;
};

export type StreamHub = {
  /** Sends to every listener of the topic, or only to one account's. Serialised once, however many listen. */
  publish<Topic extends StreamTopic>(topic: Topic, payload: StreamPayload<Topic>, accountId?: string): void;
  /** True when publishing to the topic would reach anybody: lets a producer skip building a payload. */
  hasListeners(topic: StreamTopic): boolean;
  /** Adds a client and sends what it missed since `lastEventId`. Answers how to remove it. */
  attach(client: StreamClient, lastEventId: string | undefined): () => void;
  /** Ends the streams of a session that was revoked. */
  endSession(sessionId: string): void;
  /** Ends the streams of every session of an account. */
  endAccount(accountId: string): void;
  /** Sessions that hold a stream open. */
  sessionIds(): string[];
  heartbeat(): void;
  clientCount(): number;
  close(): void;
};

type StoredEvent = { id: number; accountId: string | undefined; bytes: Buffer };

/** Past events kept for resuming. Tickers are state, not history: the newest one is enough. */
const RING: Record<StreamTopic, number> = {
  tickers: 1,
  'auto-trades': 2000,
  account: 500,
  positions: 1000,
  'trade-import': 200,
  'price-alerts': 1000,
  notifications: 1000,
};

const HEARTBEAT = Buffer.from(':\n\n');

/**
 * Fan-out of server-sent events. Ids are `<epoch>-<n>`: the epoch names this run of the process, so an id of an
 * earlier run, or one that fell out of the ring, is answered by a `reset` event: the client then reloads its lists.
 */
export function streamHub(options: { epoch: string; onCount?: (count: number) => void; onDrop?: (reason: string) => void }): StreamHub {
  const clients = new Set<StreamClient>();
  const rings = new Map<StreamTopic, StoredEvent[]>();
  /** Newest id that each ring has already forgotten. */
  const forgotten = new Map<StreamTopic, number>();
  let lastId = 0;
  let closed = false;

  const mayHear = (client: StreamClient, topic: StreamTopic, accountId: string | undefined) =>
    client.topics.has(topic) && (accountId === undefined || accountId === client.accountId);

  const drop = (client: StreamClient, reason: 'slow' | 'session' | 'closing') => {
    if (!clients.delete(client)) return;
    client.end(reason);
    options.onDrop?.(reason);
    options.onCount?.(clients.size);
  };

  const remember = (topic: StreamTopic, event: StoredEvent) => {
    const ring = rings.get(topic) ?? [];
    ring.push(event);
    if (ring.length > RING[topic]) forgotten.set(topic, ring.shift()?.id ?? 0);
    rings.set(topic, ring);
  };

  const catchUp = (client: StreamClient, lastEventId: string) => {
    const [epoch, number] = lastEventId.split(/-(?=\d+$)/);
    const since = Number(number);
    // State topics are always answered from the ring; only lost history needs a reset.
    const lost =
      epoch !== options.epoch ||
      !Number.isSafeInteger(since) ||
      [...client.topics].some((topic) => RING[topic] > 1 && (forgotten.get(topic) ?? 0) > since);
    if (lost) return client.write(frame('reset', '{}', `${options.epoch}-${lastId}`));
    const missed = [...client.topics]
      .flatMap((topic) => (rings.get(topic) ?? []).filter((event) => event.id > since && mayHear(client, topic, event.accountId)))
      .sort((a, b) => a.id - b.id);
    return missed.every((event) => client.write(event.bytes));
  };

  return {
    publish: (topic, payload, accountId) => {
      if (closed) return;
      lastId += 1;
      const bytes = frame(topic, JSON.stringify(payload), `${options.epoch}-${lastId}`);
      remember(topic, { id: lastId, accountId, bytes });
      for (const client of clients) if (mayHear(client, topic, accountId) && !client.write(bytes)) drop(client, 'slow');
    },
    hasListeners: (topic) => [...clients].some((client) => client.topics.has(topic)),
    attach: (client, lastEventId) => {
      if (closed) {
        client.end('closing');
        return () => undefined;
      }
      clients.add(client);
      options.onCount?.(clients.size);
      let kept = true;
      if (lastEventId !== undefined) kept = catchUp(client, lastEventId);
      else if (client.topics.has('tickers')) kept = (rings.get('tickers') ?? []).every((event) => client.write(event.bytes));
      if (!kept) drop(client, 'slow');
      return () => {
        if (clients.delete(client)) options.onCount?.(clients.size);
      };
    },
    endSession: (sessionId) => {
      for (const client of clients) if (client.sessionId === sessionId) drop(client, 'session');
    },
    endAccount: (accountId) => {
      for (const client of clients) if (client.accountId === accountId) drop(client, 'session');
    },
    sessionIds: () => [...new Set([...clients].flatMap((client) => client.sessionId ?? []))],
    heartbeat: () => {
      for (const client of clients) if (!client.write(HEARTBEAT)) drop(client, 'slow');
    },
    clientCount: () => clients.size,
    close: () => {
      closed = true;
      for (const client of clients) drop(client, 'closing');
    },
  };
}

/** One event on the wire. JSON never holds a raw line break, so one data line is enough. */
export const frame = (event: string, data: string, id: string): Buffer => Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`);
