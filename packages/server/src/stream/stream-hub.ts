import { constants, deflateRawSync } from 'node:zlib';
import type { StreamPayload, StreamTopic } from '@pilotfish/core/http/stream-contract';

/** One open connection as the hub sees it. */
export type StreamClient = {
  readonly topics: ReadonlySet<StreamTopic>;
  /** Undefined for guests, who see only what is published to everybody. */
  readonly accountId: string | undefined;
  readonly sessionId: string | undefined;
  /** True for one whose connection began with the packed greeting: it is given packed events. */
  readonly packed?: boolean;
  /** Writes bytes; false when the peer is too slow and must be dropped. */
  write(bytes: Buffer): boolean;
  end(reason: 'slow' | 'session' | 'closing'): void;
};

export type StreamHub = {
  /** Sends to every listener of the topic, or only to one account's. Serialised once, however many listen. */
  publish<Topic extends StreamTopic>(topic: Topic, payload: StreamPayload<Topic>, accountId?: string): void;
  /** Who tells a newcomer how things stand: events of a topic that only says what changed begin with it. */
  provideState<Topic extends StreamTopic>(topic: Topic, state: () => StreamPayload<Topic> | undefined): void;
  /** True when publishing to the topic would reach anybody: lets a producer skip building a payload. */
  hasListeners(topic: StreamTopic): boolean;
  /**
   * Id of the newest event: what an answer is made of from now on holds all until then. Tickers do not count: whoever
   * comes is told all of them.
   */
  position(): string;
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

type StoredEvent = { id: number; accountId: string | undefined; bytes: Buffer; packed: Buffer | undefined };

/** Header of an endless gzip stream. */
const GZIP_START = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/**
 * An event as whole deflate blocks that look back at nothing before them, so that the same bytes go into every
 * listener's stream, whatever came before.
 */
const packedOf = (event: Pick<StoredEvent, 'bytes' | 'packed'>): Buffer => {
  event.packed ??= deflateRawSync(event.bytes, { level: 3, finishFlush: constants.Z_FULL_FLUSH });
  return event.packed;
};

/** Past events kept for resuming. Tickers are state, not history: the newest one is enough. */
const RING: Record<StreamTopic, number> = {
  tickers: 1,
  'auto-trades': 2000,
  account: 500,
  positions: 1000,
  instance: 1,
  'trade-import': 200,
  'price-alerts': 1000,
  notifications: 1000,
};

const HEARTBEAT: Pick<StoredEvent, 'bytes' | 'packed'> = { bytes: Buffer.from(':\n\n'), packed: undefined };
/** What every stream begins with, so that its reader knows it is open; packed events follow in any selection. */
export const GREETING = { plain: HEARTBEAT.bytes, packed: Buffer.concat([GZIP_START, packedOf(HEARTBEAT)]) };

/**
 * Fan-out of server-sent events. Ids are `<epoch>-<n>`: the epoch names this run of the process, so an id of an
 * earlier run, or one that fell out of the ring, is answered by a `reset` event: the client then reloads its lists.
 */
export function streamHub(options: { epoch: string; onCount?: (count: number) => void; onDrop?: (reason: string) => void }): StreamHub {
  const clients = new Set<StreamClient>();
  const rings = new Map<StreamTopic, StoredEvent[]>();
  /** Newest id that each ring has already forgotten. */
  const forgotten = new Map<StreamTopic, number>();
  const states = new Map<StreamTopic, () => unknown>();
  let tickerState: { at: number; event: Pick<StoredEvent, 'bytes' | 'packed'> | undefined } = { at: -1, event: undefined };
  let lastId = 0;
  let lastNews = 0;
  let closed = false;

  const mayHear = (client: StreamClient, topic: StreamTopic, accountId: string | undefined) =>
    client.topics.has(topic) && (accountId === undefined || accountId === client.accountId);

  const drop = (client: StreamClient, reason: 'slow' | 'session' | 'closing') => {
    if (!clients.delete(client)) return;
    client.end(reason);
    options.onDrop?.(reason);
    options.onCount?.(clients.size);
  };

  const send = (client: StreamClient, event: Pick<StoredEvent, 'bytes' | 'packed'>) =>
    client.write(client.packed === true ? packedOf(event) : event.bytes);

  /** How the tickers stand, made once for all who come between two beats; the newest event where nobody can tell. */
  const sendTickers = (client: StreamClient): boolean => {
    if (!client.topics.has('tickers')) return true;
    const provider = states.get('tickers');
    if (provider === undefined) return (rings.get('tickers') ?? []).every((event) => send(client, event));
    if (tickerState.at !== lastId) {
      const payload = provider();
      const bytes = payload === undefined ? undefined : frame('tickers', JSON.stringify(payload), `${options.epoch}-${lastId}`);
      tickerState = { at: lastId, event: bytes && { bytes, packed: undefined } };
    }
    return tickerState.event === undefined || send(client, tickerState.event);
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
    if (lost) return send(client, { bytes: frame('reset', '{}', `${options.epoch}-${lastId}`), packed: undefined });
    const missed = [...client.topics]
      .flatMap((topic) => (rings.get(topic) ?? []).filter((event) => event.id > since && mayHear(client, topic, event.accountId)))
      .sort((a, b) => a.id - b.id);
    return missed.every((event) => send(client, event));
  };

  return {
    publish: (topic, payload, accountId) => {
      if (closed) return;
      lastId += 1;
      if (topic !== 'tickers') lastNews = lastId;
      const bytes = frame(topic, JSON.stringify(payload), `${options.epoch}-${lastId}`);
      const event: StoredEvent = { id: lastId, accountId, bytes, packed: undefined };
      remember(topic, event);
      for (const client of clients) if (mayHear(client, topic, accountId) && !send(client, event)) drop(client, 'slow');
    },
    provideState: (topic, state) => {
      states.set(topic, state);
    },
    position: () => `${options.epoch}-${lastNews}`,
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
      // Ticker events tell only what changed: whoever was away needs all of it.
      if (kept && (lastEventId === undefined || states.has('tickers'))) kept = sendTickers(client);
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
      for (const client of clients) if (!send(client, HEARTBEAT)) drop(client, 'slow');
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
