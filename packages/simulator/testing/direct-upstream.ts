import { WebSocket } from 'ws';
import type { Upstream } from '../src/mirror/upstream.ts';
import { messageText } from '../src/websocket/message-text.ts';

/** A simulator's doors as a mirror needs them: one connection, opened again as soon as it is cut. */
export function directUpstream({ origin, wsOrigin }: { origin: string; wsOrigin: string }): Upstream & {
  close(): void;
  /** Resolves when the connection is open and everything asked for is subscribed. */
  ready(): Promise<void>;
} {
  const listeners = new Map<string, Set<(data: unknown) => void>>();
  const gaps: (() => void)[] = [];
  const answers = new Map<number, () => void>();
  let requests = 0;
  let socket: WebSocket;
  let connected = false;
  let closed = false;
  let opened: Promise<void>;
  const send = (method: string, params: readonly string[]): Promise<void> => {
    requests += 1;
    const id = requests;
    socket.send(JSON.stringify({ method, params, id }));
    return new Promise((resolve) => answers.set(id, resolve));
  };
  let settled: Promise<unknown> = Promise.resolve();
  const open = (): void => {
    socket = new WebSocket(`${wsOrigin}/stream`);
    socket.on('error', () => undefined);
    socket.on('message', (text) => {
      const { id, stream, data } = JSON.parse(messageText(text)) as { id?: number; stream?: string; data?: unknown };
      if (id !== undefined) answers.get(id)?.();
      for (const listener of listeners.get(stream ?? '') ?? []) listener(data);
    });
    socket.on('close', () => {
      connected = false;
      if (!closed) open();
    });
    opened = new Promise((resolve) => {
      socket.once('open', () => {
        connected = true;
        if (listeners.size > 0) settled = send('SUBSCRIBE', [...listeners.keys()]);
        for (const gap of requests > 1 ? gaps : []) gap();
        resolve();
      });
    });
  };
  open();
  return {
    get: async (path, query) => {
      const response = await fetch(`${origin}${path}${query === '' ? '' : `?${query}`}`);
      const retryAfter = response.headers.get('retry-after');
      return { status: response.status, text: await response.text(), ...(retryAfter === null ? {} : { retryAfter: Number(retryAfter) }) };
    },
    subscribe: (stream, listener) => {
      const found = listeners.get(stream) ?? new Set();
      if (found.size === 0 && connected) settled = Promise.all([settled, send('SUBSCRIBE', [stream])]);
      listeners.set(stream, found.add(listener));
      return () => void found.delete(listener);
    },
    onGap: (listener) => void gaps.push(listener),
    get connected() {
      return connected;
    },
    ready: async () => {
      await opened;
      await settled;
    },
    close: () => {
      closed = true;
      socket.terminate();
    },
  };
}
