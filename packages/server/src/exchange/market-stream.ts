import { type LiveSocket, liveSocket } from './live-socket.ts';

/** A market event with its stream, e.g. `btcusdt@trade`. */
export type StreamListener = (data: unknown) => void;

export type MarketStream = {
  /** Listens to a stream; several listeners share one subscription. Answers how to stop. */
  subscribe(stream: string, listener: StreamListener): () => void;
  close(): Promise<void>;
  readonly connected: boolean;
  /** Open, and without data for longer than what is subscribed can explain. */
  readonly isQuiet: boolean;
  /** Ends the connection for a new one, with a gap to be filled. */
  renew(): void;
  /** Wall-clock ms of the last data, or of the connection where none came since. */
  readonly heardAt: number;
  /** Wall-clock ms of the last data; 0 before the first. */
  readonly dataAt: number;
};

/** The exchange takes five messages a second per connection; subscriptions are gathered for this long. */
const GATHER_MS = 250;
const STREAMS_PER_MESSAGE = 200;
/** A stream of all markets speaks every second; a single pair may really be quiet. */
const QUIET_MS = { all: 15_000, single: 5 * 60_000 };

/** Combined market streams over one connection: subscribes again after every reconnect and reports the gap. */
export function marketStream(options: {
  origin: string;
  now: () => number;
  random: () => number;
  onGap?: (gapMs: number) => void;
  onDown?: (reason: string) => void;
}): MarketStream {
  const listeners = new Map<string, Set<StreamListener>>();
  const wanted = { add: new Set<string>(), remove: new Set<string>() };
  let gather: ReturnType<typeof setTimeout> | undefined;
  let requests = 1;

  const flush = (send: (message: unknown) => void) => {
    for (const [method, streams] of [
      ['UNSUBSCRIBE', wanted.remove],
      ['SUBSCRIBE', wanted.add],
    ] as const) {
      const all = [...streams];
      streams.clear();
      for (let from = 0; from < all.length; from += STREAMS_PER_MESSAGE) {
        send({ method, params: all.slice(from, from + STREAMS_PER_MESSAGE), id: requests++ });
      }
    }
  };
  const quietMs = (): number | undefined => {
    if (listeners.size === 0) return undefined;
    for (const stream of listeners.keys()) if (stream.startsWith('!')) return QUIET_MS.all;
    return QUIET_MS.single;
  };
  const socket: LiveSocket = liveSocket({
    quietMs,
    url: () => `${options.origin}/stream`,
    now: options.now,
    random: options.random,
    onOpen: (send, gapMs) => {
      wanted.remove.clear();
      for (const stream of listeners.keys()) wanted.add.add(stream);
      flush(send);
      if (gapMs > 0) options.onGap?.(gapMs);
    },
    onMessage: (message) => {
      const { stream, data } = message as { stream?: string; data?: unknown };
      if (stream === undefined) return false;
      const set = listeners.get(stream);
      if (set) for (const listener of set) listener(data);
      return true;
    },
    ...(options.onDown ? { onDown: options.onDown } : {}),
  });
  const later = () => {
    gather ??= setTimeout(() => {
      gather = undefined;
      if (socket.state === 'open') flush(socket.send);
    }, GATHER_MS);
  };

  return {
    subscribe: (stream, listener) => {
      const set = listeners.get(stream) ?? new Set();
      set.add(listener);
      if (set.size === 1) {
        listeners.set(stream, set);
        wanted.remove.delete(stream);
        wanted.add.add(stream);
        later();
      }
      return () => {
        if (!set.delete(listener) || set.size > 0 || listeners.get(stream) !== set) return;
        listeners.delete(stream);
        wanted.add.delete(stream);
        wanted.remove.add(stream);
        later();
      };
    },
    close: async () => {
      clearTimeout(gather);
      await socket.close();
    },
    get connected() {
      return socket.state === 'open';
    },
    get isQuiet() {
      const most = quietMs();
      return socket.state === 'open' && most !== undefined && options.now() - socket.heardAt > most;
    },
    renew: () => socket.renew(),
    get heardAt() {
      return socket.heardAt;
    },
    get dataAt() {
      return socket.dataAt;
    },
  };
}
