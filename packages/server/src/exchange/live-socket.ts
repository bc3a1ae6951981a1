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
  /** Wall-clock time of the last frame of any kind, pings too; 0 before the first connection. */
  readonly aliveAt: number;
};

/** Connections live at most 24 h at the exchange; ours are renewed before that. */
const RENEW_AFTER_MS = 23 * 3600_000;
/** Between two tries to renew: connections are counted, and too many of them ban the address. */
const RENEW_AGAIN_MS = 5 * 60_000;
/** The exchange pings every 20 s: a minute of silence is a dead connection. */
const SILENCE_MS = 60_000;
/** How often silence is looked for. */
const LOOK_MS = 5000;
/** How long the old connection goes on once the new one is open: a thousand streams take five messages, 250 ms apart. */
const OVERLAP_MS = 3000;
/** Where the new one brings no data by then although the old one does, it is deaf, and the old one stays. */
const MOST_OVERLAP_MS = 15_000;
const BACKOFF_MS = { first: 500, most: 30_000 };
/** A new connection that brings no data either is given longer each time, up to this. */
const MOST_QUIET_MS = 5 * 60_000;

/** The exchange is about to end the connection: `serverShutdown` comes bare, in a frame of account events, or in a combined stream. */
function isShutdown(message: unknown): boolean {
  const { e, event, data } = message as { e?: unknown; event?: { e?: unknown }; data?: { e?: unknown } | null };
  return [e, event?.e, data?.e].includes('serverShutdown');
}

/**
 * One WebSocket that is kept alive: reconnects with growing, jittered waits, notices silence, and says when there was a
 * gap so that the owner can fill it. Before the exchange cuts it, after a day or with a word, it moves over to a new one
 * without a gap: for a moment both are read, and what comes twice is the owner's to know.
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
  /** Calls back once a connection may be opened: they are counted by the exchange. Answers how to want none any more. */
  permit?: (open: () => void) => Cancel;
  /** The connection will end soon, and its owner leaves it. Asked again while it stays; without this it moves over by itself. */
  onRetire?: () => void;
}): LiveSocket {
  const { timers } = options;
  let socket: WebSocket | undefined;
  /** Being opened to take the place of the one that is there. */
  let next: WebSocket | undefined;
  /** Those whose place is taken, read for a moment longer. */
  const leaving = new Set<WebSocket>();
  /** Those that brought data. */
  const speaking = new WeakSet<WebSocket>();
  let state: SocketState = 'connecting';
  let attempts = 0;
  /** Anything at all, pings too. */
  let aliveAt = 0;
  let heardAt = 0;
  let dataAt = 0;
  /** Connections in a row that were ended for want of data. */
  let quietOnes = 0;
  let renewAt = 0;
  let closing = false;
  let retry: Cancel | undefined;
  /** Waits to be opened. */
  let entering: Cancel | undefined;

  const send = (message: unknown) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  function connect(): void {
    if (closing) return;
    state = 'connecting';
    enter(() => {
      socket = opened();
      if (!socket) down('bad address');
    });
  }

  /** Opens a connection when that is allowed; one that was waited for before is not. */
  function enter(open: () => void): void {
    entering?.();
    entering = undefined;
    if (!options.permit) {
      open();
      return;
    }
    let isIn = false;
    const leave = options.permit(() => {
      isIn = true;
      entering = undefined;
      if (!closing) open();
    });
    if (!isIn) entering = leave;
  }

  /** Opens another connection while this one goes on. */
  function moveOver(): void {
    if (next || state !== 'open') return;
    renewAt = options.now() + RENEW_AGAIN_MS;
    if (options.onRetire) options.onRetire();
    else
      enter(() => {
        if (!next && state === 'open') next = opened();
      });
  }

  function opened(): WebSocket | undefined {
    let current: WebSocket;
    try {
      current = new WebSocket(options.url(), { handshakeTimeout: 10_000, perMessageDeflate: false });
    } catch {
      return undefined;
    }
    current.on('open', () => onOpen(current));
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
      if (isShutdown(message)) {
        if (socket === current) moveOver();
        return;
      }
      if (options.onMessage(message)) {
        heardAt = aliveAt;
        dataAt = aliveAt;
        quietOnes = 0;
        speaking.add(current);
      }
    });
    current.on('ping', () => {
      aliveAt = options.now();
      attempts = 0;
    });
    current.on('error', () => undefined);
    current.on('close', (code) => onClose(current, `closed (${code})`));
    return current;
  }

  function onOpen(current: WebSocket): void {
    const before = current === next ? socket : undefined;
    const isSeamless = before?.readyState === WebSocket.OPEN;
    next = undefined;
    socket = current;
    state = 'open';
    aliveAt = options.now();
    renewAt = aliveAt + RENEW_AFTER_MS;
    const lastHeard = dataAt === 0 ? heardAt : dataAt;
    heardAt = aliveAt;
    if (before && isSeamless) {
      leaving.add(before);
      speaking.delete(before);
      takeOver(before, current, renewAt - RENEW_AFTER_MS);
    }
    options.onOpen(send, lastHeard === 0 || isSeamless ? 0 : aliveAt - lastHeard);
  }

  /** Lets the old connection go once the new one brings data, or where neither does. */
  function takeOver(before: WebSocket, current: WebSocket, since: number): void {
    timers.after(OVERLAP_MS, () => {
      if (closing || socket !== current || before.readyState !== WebSocket.OPEN) return before.close();
      const isDeaf = speaking.has(before) && !speaking.has(current);
      if (isDeaf && options.now() - since < MOST_OVERLAP_MS) return takeOver(before, current, since);
      if (!isDeaf) return before.close();
      leaving.delete(before);
      socket = before;
      renewAt = options.now() + RENEW_AGAIN_MS;
      current.terminate();
    });
  }

  function onClose(current: WebSocket, reason: string): void {
    leaving.delete(current);
    if (current === next) {
      next = undefined;
      if (socket?.readyState === WebSocket.CLOSED) down(reason);
    } else if (current === socket) {
      if (!next) down(reason);
      // Another is on its way, sooner than one that would be waited for.
      else if (!closing) {
        state = 'connecting';
        options.onDown?.(reason);
      }
    }
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
    if (isQuiet || now - aliveAt > SILENCE_MS) socket?.terminate();
    else if (now > renewAt) moveOver();
  });
  connect();

  return {
    send,
    close: async () => {
      closing = true;
      state = 'closed';
      watch();
      retry?.();
      entering?.();
      for (const other of [next, ...leaving]) other?.terminate();
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
    get aliveAt() {
      return aliveAt;
    },
  };
}
