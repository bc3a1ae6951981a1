import type { StreamOptions, StreamStatus } from '@pilotfish/core/http/client-stream';
import type { StreamPayload, StreamTopic } from '@pilotfish/core/http/stream-contract';
import { BASE } from './base-path.ts';
import { createStore } from './store.ts';

export type LiveStatus = StreamStatus | 'idle' | 'delayed';
type Handler = (payload: never) => void;

export type LiveOptions = {
  follow: (options: StreamOptions) => Promise<void>;
  fetch: typeof globalThis.fetch;
  accessToken: () => string | undefined;
  refresh: (spent: string | undefined) => Promise<unknown>;
  setTimeout: (run: () => void, milliseconds: number) => unknown;
  clearTimeout: (handle: never) => void;
};

const partsOf = (position: string) => {
  const at = position.lastIndexOf('-');
  return { epoch: position.slice(0, at), number: Number(position.slice(at + 1)) };
};
/** Whether something may have happened between the two; between two runs of the server anything may. */
const isBefore = (position: string, other: string): boolean => {
  const [one, two] = [partsOf(position), partsOf(other)];
  return one.epoch !== two.epoch || one.number < two.number;
};

/**
 * One stream for the whole tab. Screens subscribe to topics; the connection follows the set of topics wanted and who
 * is signed in, and nothing is open while nobody listens.
 */
export function createLive(options: LiveOptions) {
  const status = createStore<LiveStatus>('idle');
  const handlers = new Map<StreamTopic, Set<Handler>>();
  const resets = new Set<() => void>();
  let following: { key: string; leave: AbortController } | undefined;
  let scheduled = false;
  /** From where on everything was heard, and until where: it goes on from there with other topics. */
  let begunAt: string | undefined;
  let heard: string | undefined;
  /** Before there was a stream: the earliest that an answer was asked for. */
  let asked: string | undefined;

  const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const timer = options.setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, milliseconds);
      const stop = () => {
        options.clearTimeout(timer as never);
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
    });

  function adjust(): void {
    scheduled = false;
    const token = options.accessToken();
    const wanted = [...handlers.keys()].filter(
      (topic) => (handlers.get(topic)?.size ?? 0) > 0 && (token !== undefined || topic === 'tickers' || topic === 'instance'),
    );
    // What the Admin changes costs nothing beside other topics, so it comes with them from the start.
    const topics = wanted.length === 0 ? [] : [...new Set<StreamTopic>([...wanted, 'instance'])].sort();
    const key = topics.length === 0 ? '' : `${token === undefined ? 'guest' : 'user'}:${topics.join(',')}`;
    if (key === (following?.key ?? '')) return;
    following?.leave.abort();
    following = undefined;
    if (topics.length === 0) {
      status.set('idle');
      return;
    }
    const leave = new AbortController();
    following = { key, leave };
    const followed = options.follow({
      baseUrl: BASE,
      topics,
      fetch: options.fetch,
      accessToken: options.accessToken,
      refresh: options.refresh,
      sleep,
      signal: leave.signal,
      since: heard,
      onPosition: (position, isBeginning) => {
        if (following?.leave !== leave) return;
        heard = position;
        // Of another run of the server everything is loaded again; from there on all is heard.
        if (begunAt !== undefined && partsOf(position).epoch !== partsOf(begunAt).epoch) begunAt = position;
        if (!isBeginning) return;
        begunAt = position;
        if (asked !== undefined) answered(asked);
      },
      onReset: () => {
        for (const reset of resets) reset();
      },
      onStatus: (next) => {
        if (following?.leave === leave) status.set(next);
      },
      onMessage: (topic, payload) => {
        if (topic === 'tickers' && following?.leave === leave) status.set((payload as StreamPayload<'tickers'>).stale ? 'delayed' : 'live');
        for (const handler of handlers.get(topic) ?? []) handler(payload as never);
      },
    });
    followed.catch(() => {
      if (following?.leave === leave) status.set('offline');
    });
  }
  /**
   * An answer was made of what was so at that position. Asked for before the stream began, it may lack what happened
   * between the two, which the stream tells when it goes on from there.
   */
  function answered(position: string): void {
    if (heard === undefined) {
      if (asked === undefined || isBefore(position, asked)) asked = position;
      return;
    }
    if (begunAt === undefined || !isBefore(position, begunAt)) return;
    begunAt = position;
    heard = position;
    following?.leave.abort();
    following = undefined;
    schedule();
  }
  /** Once per task, however many screens come and go in it. */
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(adjust);
  };

  return {
    status,
    on: <Topic extends StreamTopic>(topic: Topic, handler: (payload: StreamPayload<Topic>) => void) => {
      const set = handlers.get(topic) ?? new Set();
      handlers.set(topic, set.add(handler as Handler));
      schedule();
      return () => {
        set.delete(handler as Handler);
        schedule();
      };
    },
    /** What was missed cannot be told: load again. */
    onReset: (reset: () => void) => {
      resets.add(reset);
      return () => void resets.delete(reset);
    },
    /** Somebody signed in or out: what happened before is nobody's news. */
    sessionChanged: () => {
      begunAt = undefined;
      heard = undefined;
      asked = undefined;
      schedule();
    },
    answered,
  };
}
