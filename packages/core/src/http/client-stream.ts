import { BACKEND_PREFIX, STREAM_POSITION_HEADER } from './endpoint-path.ts';
import { AppError, codeOf, isConnectivity } from './problem.ts';
import {
  PUBLIC_TOPICS,
  STREAM_HEARTBEAT_MS,
  STREAM_PATH,
  type StreamPayload,
  type StreamTopic,
  streamPayloads,
} from './stream-contract.ts';

/** One server-sent event. `data` is the text of its data lines. */
export type StreamMessage = { id: string | undefined; event: string; data: string };

/** Splits the text of an event stream into events as it arrives; comments (heartbeats) give none. */
export function createEventParser(): (chunk: string) => StreamMessage[] {
  let rest = '';
  let [event, data, id]: [string, string[], string | undefined] = ['message', [], undefined];
  return (chunk) => {
    const messages: StreamMessage[] = [];
    rest += chunk;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end).replace(/\r$/, '');
      rest = rest.slice(end + 1);
      if (line === '') {
        if (data.length > 0) messages.push({ id, event, data: data.join('\n') });
        event = 'message';
        data = [];
        continue;
      }
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') event = value;
      else if (field === 'data') data.push(value);
      else if (field === 'id') id = value;
    }
    return messages;
  };
}

/** `live` while something arrived lately, `offline` while there is no connection. */
export type StreamStatus = 'connecting' | 'live' | 'offline';

export type StreamOptions = {
  baseUrl: string;
  topics: readonly StreamTopic[];
  fetch: typeof globalThis.fetch;
  /** The bearer; without one the public topics are followed. */
  accessToken: () => string | undefined;
  /** Called once when the server refuses the token; resolves when there is a newer one. */
  refresh: (spent: string | undefined) => Promise<unknown>;
  onMessage: <Topic extends StreamTopic>(topic: Topic, payload: StreamPayload<Topic>) => void;
  /** What was missed cannot be told: every list must be loaded again. */
  onReset: () => void;
  onStatus: (status: StreamStatus) => void;
  /** The event to go on after; without it the stream begins with what comes. */
  since?: string | undefined;
  /** How far it has been heard: where it began, when nobody said since when, and each event after. */
  onPosition?: ((position: string, isBeginning: boolean) => void) | undefined;
  /** Waits, or rejects when the signal aborts. */
  sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
};

/** It stands; where the server's events were at that moment. */
type Opened = { position: string | undefined };

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/**
 * Follows the live stream until the signal aborts: reconnects with growing pauses, resumes after the last event it
 * saw, and gives a silent connection up after two and a half heartbeats.
 */
export async function followStream(options: StreamOptions): Promise<void> {
  let failures = 0;
  let lastEventId = options.since;
  let mayRefresh = true;
  const { signal, onStatus } = options;
  const heard = (position: string | undefined, isBeginning: boolean) => {
    if (position === undefined || position === lastEventId) return;
    lastEventId = position;
    options.onPosition?.(position, isBeginning);
  };
  while (!signal.aborted) {
    const token = options.accessToken();
    try {
      onStatus('connecting');
      for await (const message of openStream(options, token, lastEventId)) {
        if ('position' in message) {
          if (lastEventId === undefined) heard(message.position, true);
          onStatus('live');
          failures = 0;
          mayRefresh = true;
        } else {
          heard(message.id, false);
          deliver(message, options);
        }
      }
      failures += 1;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      if (codeOf(error) === 'unauthenticated' && mayRefresh && token !== undefined) {
        mayRefresh = false;
        try {
          await options.refresh(token);
          continue;
        } catch (refused) {
          if (!isConnectivity(refused)) {
            onStatus('offline');
            return;
          }
        }
      }
    }
    if (signal.aborted) return;
    onStatus('offline');
    try {
      await options.sleep(Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)), signal);
    } catch {
      return;
    }
  }
}

function deliver({ event, data }: StreamMessage, { onMessage, onReset }: StreamOptions): void {
  if (event === 'reset') {
    onReset();
    return;
  }
  if (!Object.hasOwn(streamPayloads, event)) return;
  const topic = event as StreamTopic;
  let payload: unknown;
  try {
    payload = JSON.parse(data);
  } catch {
    return;
  }
  // Tickers come several times a second by the thousand: the server made them from this same schema.
  const parsed = topic === 'tickers' ? { success: true as const, data: payload } : streamPayloads[topic].safeParse(payload);
  if (parsed.success) onMessage(topic, parsed.data as StreamPayload<typeof topic>);
}

async function* openStream(
  { baseUrl, topics, fetch, sleep, signal }: StreamOptions,
  token: string | undefined,
  lastEventId: string | undefined,
): AsyncGenerator<Opened | StreamMessage> {
  const path = token === undefined ? STREAM_PATH.public : STREAM_PATH.user;
  const wanted = token === undefined ? topics.filter((topic) => PUBLIC_TOPICS.includes(topic)) : topics;
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  const response = await fetch(`${baseUrl}${BACKEND_PREFIX.bff}${path}?topics=${wanted.join(',')}`, {
    signal: either,
    headers: {
      accept: 'text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  if (!response.ok || !response.body) throw new AppError(response.status === 401 ? 'unauthenticated' : 'offline');
  const parse = createEventParser();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  // Node's fetch may have forgotten its signal (see body-within.ts): a read that waits is ended here.
  either.onabort = () => void reader.cancel().catch(() => undefined);
  yield { position: response.headers.get(STREAM_POSITION_HEADER) ?? undefined };
  try {
    for (;;) {
      const patience = new AbortController();
      const watch = sleep(STREAM_HEARTBEAT_MS * 2.5, AbortSignal.any([either, patience.signal])).then(
        () => silence.abort(new AppError('timeout')),
        () => undefined,
      );
      const { done, value } = await reader.read();
      patience.abort();
      await watch;
      if (done) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    silence.abort();
  }
}
