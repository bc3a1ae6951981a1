import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import WebSocket from 'ws';
import { parseExchangeJson } from './exchange-json.ts';

export type SocketState = 'connecting' | 'open' | 'waiting' | 'closed';

export type LiveSocket = {
  readonly send: (message: unknown) => void;
  close(): Promise<void>;
  readonly state: SocketState;
  /** Ends this connection for a new one: what comes by it cannot be believed to be all. */
  renew(): void;
  /** Wall-clock time of the last data, or of the connection where none came since; 0 before the first. */
  readonly heardAt: number;
  /** Wall-clock time of the last data; 0 before the first. A connection that opens and says nothing does not count. */
  readonly dataAt: number;
};

/** Connections live at most 24 h at the exchange; ours are renewed before that. */
const RENEW_AFTER_MS = 23 * 3600_000;
/** The exchange pings every 20 s: a minute of silence is a dead connection. */
const SILENCE_MS = 60_000;
/** How often silence is looked for. */
const LOOK_MS = 5000;
const BACKOFF_MS = { first: 500, most: 30_000 };
/** A new connection that brings no data either is given longer each time, up to this. */
const MOST_QUIET_MS = 5 * 60_000;

/**
 * One WebSocket that is kept alive: reconnects with growing, jittered waits, renews itself before the exchange cuts
 * it, notices silence, and says when there was a gap so that the owner can fill it.
 */
export function liveSocket(options: {
  url: () => string;
  now: () => number;
  timers: Timers;
  /** 0…1, for the jitter of waits. */
  random: () => number;
  /** Called at every (re)connection; `gapMs` is how long no data came, 0 at first. Subscribe here. */
  onOpen: (send: (message: unknown) => void, gapMs: number) => void;
  /** Answers whether it was data; answers to our own requests are none. */
  onMessage: (message: unknown) => boolean;
  /** How long an open connection may answer pings and bring no data; undefined while that is normal. */
  quietMs?: () => number | undefined;
  onDown?: (reason: string) => void;
}): LiveSocket {
  const { timers } = options;
  let socket: WebSocket | undefined;
  let state: SocketState = 'connecting';
  let attempts = 0;
  /** Anything at all, pings too. */
  let aliveAt = 0;
  let heardAt = 0;
  let dataAt = 0;
  /** Connections in a row that were ended for want of data. */
  let quietOnes = 0;
  let openedAt = 0;
  let closing = false;
  let retry: Cancel | undefined;

  const send = (message: unknown) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  function connect(): void {
    if (closing) return;
    state = 'connecting';
    let current: WebSocket;
    try {
      current = new WebSocket(options.url(), { handshakeTimeout: 10_000, perMessageDeflate: false });
    } catch {
      down('bad address');
      return;
    }
    socket = current;
    current.on('open', () => {
      state = 'open';
      openedAt = options.now();
      aliveAt = openedAt;
      const lastHeard = dataAt === 0 ? heardAt : dataAt;
      heardAt = openedAt;
      options.onOpen(send, lastHeard === 0 ? 0 : openedAt - lastHeard);
    });
    current.on('message', (data, binary) => {
      aliveAt = options.now();
      // Not at its opening: who is let in and thrown out at once must not come back as if nothing had been.
      attempts = 0;
      if (binary) return;
      let message: unknown;
      try {
        message = parseExchangeJson(
          Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]).toString('utf8'),
        );
      } catch {
        return;
      }
      if (options.onMessage(message)) {
        heardAt = aliveAt;
        dataAt = aliveAt;
        quietOnes = 0;
      }
      const event = (message as { e?: string; event?: { e?: string } }).e ?? (message as { event?: { e?: string } }).event?.e;
      if (event === 'serverShutdown') current.close();
    });
    current.on('ping', () => {
      aliveAt = options.now();
      attempts = 0;
    });
    current.on('error', () => undefined);
    current.on('close', (code) => {
      if (socket === current) down(`closed (${code})`);
    });
  }

  function down(reason: string): void {
    if (closing) return;
    state = 'waiting';
    options.onDown?.(reason);
    const wait = Math.min(BACKOFF_MS.most, BACKOFF_MS.first * 2 ** attempts) * (0.5 + options.random() / 2);
    attempts += 1;
    retry?.();
    retry = timers.after(wait, connect, { ref: true });
  }

  const watch = timers.every(LOOK_MS, () => {
    if (state !== 'open') return;
    const now = options.now();
    const quietMs = options.quietMs?.();
    const isQuiet = quietMs !== undefined && now - heardAt > Math.max(quietMs, Math.min(quietMs * 2 ** quietOnes, MOST_QUIET_MS));
    if (isQuiet) quietOnes += 1;
    if (isQuiet || now - aliveAt > SILENCE_MS || now - openedAt > RENEW_AFTER_MS) socket?.terminate();
  });
  connect();

  return {
    send,
    close: async () => {
      closing = true;
      state = 'closed';
      watch();
      retry?.();
      const current = socket;
      if (!current || current.readyState === WebSocket.CLOSED) return;
      await new Promise<void>((done) => {
        current.once('close', () => done());
        current.close();
        timers.after(500, () => current.terminate());
      });
    },
    get state() {
      return state;
    },
    renew: () => {
      if (state === 'open') socket?.terminate();
    },
    get heardAt() {
      return heardAt;
    },
    get dataAt() {
      return dataAt;
    },
  };
}
