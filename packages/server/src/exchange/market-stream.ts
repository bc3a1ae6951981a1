import { type LiveSocket, liveSocket } from './live-socket.ts';

/** A market event with its stream, e.g. `btcusdt@trade`. */
export type StreamListener = (data: unknown) => void;

export type MarketStream = {
  /** Listens to a stream; several listeners share one subscription. Answers how to stop. */
  subscribe(stream: string, listener: StreamListener): () => void;
  close(): Promise<void>;
  readonly connected: boolean;
  /** Wall-clock ms of the last message. */
  readonly heardAt: number;
};

/** The exchange takes five messages a second per connection; subscriptions are gathered for this long. */
const GATHER_MS = 250;
const STREAMS_PER_MESSAGE = 200;

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
  const socket: LiveSocket = liveSocket({
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
      if (stream === undefined) return;
      const set = listeners.get(stream);
      if (set) for (const listener of set) listener(data);
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
    get heardAt() {
      return socket.heardAt;
    },
  };
}
