import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import WebSocket from 'ws';
import { parseExchangeJson } from './exchange-json.ts';
import { retryAfterMs } from './request-gate.ts';

export type SocketState = 'connecting' | 'open' | 'waiting' | 'closed';

export type LiveSocket = {
  readonly send: (message: unknown) => void;
  close(): Promise<void>;
  readonly state: SocketState;
  /** Ends this connection for a new one: what comes by it cannot be believed to be all. */
  renew(): void;
  /** Sends a ping; its answer counts as a frame. */
  ping(): void;
  /** Wall-clock time of the last data, or of the connection where none came since; 0 before the first. */
  readonly lastEventAt: number;
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
  /** Called at every (re)connection, and where the old one is kept after all. Subscribe here. */
  onOpen: (send: (message: unknown) => void) => void;
  /** Data of the last `gapMs` may be missing. */
  onGap?: (gapMs: number) => void;
  /** Answers whether it was data; answers to our own requests are none. */
  onMessage: (message: unknown) => boolean;
  /** How long an open connection may answer pings and bring no data; undefined while that is normal. */
  quietMs?: () => number | undefined;
  onDown?: (reason: string) => void;
  /**
   * The exchange answered the handshake with this status instead of a connection. Further attempts prolong a ban, so this
   * socket makes none for `forMs`.
   */
  onRefused?: (status: number, forMs: number) => void;
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
  /** Those that brought a frame of any kind. */
  const alive = new WeakSet<WebSocket>();
  let state: SocketState = 'connecting';
  let attempts = 0;
  /** Anything at all, pings too. */
  let aliveAt = 0;
  let lastEventAt = 0;
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
    let waitMs = 0;
    const onFrame = (): void => {
      aliveAt = options.now();
      alive.add(current);
      // Not at its opening: a connection that the exchange opens and ends at once must not reset the back-off.
      attempts = 0;
    };
    current.on('open', () => onOpen(current));
    current.on('unexpected-response', (_request, { statusCode = 0, headers }) => {
      waitMs = retryAfterMs(statusCode, headers['retry-after']);
      options.onRefused?.(statusCode, waitMs);
      current.terminate();
    });
    current.on('message', (data, binary) => {
      onFrame();
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
        lastEventAt = aliveAt;
        dataAt = aliveAt;
        quietOnes = 0;
        speaking.add(current);
      }
    });
    current.on('ping', onFrame);
    current.on('pong', onFrame);
    current.on('error', () => undefined);
    current.on('close', (code) => onClose(current, `closed (${code})`, waitMs));
    return current;
  }

  function onOpen(current: WebSocket): void {
    const before = current === next ? socket : undefined;
    const isSeamless = before?.readyState === WebSocket.OPEN;
    next = undefined;
    socket = current;
    state = 'open';
    const lastFrameAt = aliveAt;
    const gapFrom = dataAt === 0 ? lastEventAt : dataAt;
    aliveAt = options.now();
    renewAt = aliveAt + RENEW_AFTER_MS;
    lastEventAt = aliveAt;
    options.onOpen(send);
    if (before && isSeamless) {
      leaving.add(before);
      speaking.delete(before);
      alive.delete(before);
      before.ping();
      takeOver(before, current, aliveAt, lastFrameAt);
    } else if (gapFrom > 0) options.onGap?.(aliveAt - gapFrom);
  }

  /** Lets the old connection go once the new one brings data, or where neither does. */
  function takeOver(before: WebSocket, current: WebSocket, since: number, lastFrameAt: number): void {
    timers.after(OVERLAP_MS, () => {
      if (closing) return before.close();
      // It was dead before the new one opened, and no silence was long enough to show it: what it should have brought is missing.
      // Also where the new one has fallen: the gap that its fall leaves begins with its own data.
      if (!alive.has(before)) options.onGap?.(options.now() - lastFrameAt);
      if (socket !== current) return before.close();
      if (before.readyState !== WebSocket.OPEN || !alive.has(before)) return before.terminate();
      const isDeaf = speaking.has(before) && !speaking.has(current);
      if (isDeaf && options.now() - since < MOST_OVERLAP_MS) return takeOver(before, current, since, lastFrameAt);
      if (!isDeaf) return before.close();
      leaving.delete(before);
      socket = before;
      renewAt = options.now() + RENEW_AGAIN_MS;
      current.terminate();
      // What was subscribed meanwhile is known to the other one alone.
      options.onOpen(send);
    });
  }

  function onClose(current: WebSocket, reason: string, waitMs: number): void {
    leaving.delete(current);
    if (current === next) {
      next = undefined;
      if (socket?.readyState === WebSocket.CLOSED) down(reason, waitMs);
    } else if (current === socket) {
      if (!next) down(reason, waitMs);
      // Another is on its way, sooner than one that would be waited for.
      else if (!closing) {
        state = 'connecting';
        options.onDown?.(reason);
      }
    }
  }

  /** Connects again after the back-off, and not within `waitMs`. */
  function down(reason: string, waitMs = 0): void {
    if (closing) return;
    state = 'waiting';
    const wait = Math.min(BACKOFF_MS.most, BACKOFF_MS.first * 2 ** attempts) * (0.5 + options.random() / 2);
    attempts += 1;
    retry?.();
    retry = timers.after(Math.max(wait, waitMs), connect, { ref: true });
    // Last: a listener may close this socket, and a timer that was set after that would open it again.
    options.onDown?.(reason);
  }

  const watch = timers.every(LOOK_MS, () => {
    if (state !== 'open') return;
    const now = options.now();
    const quietMs = options.quietMs?.();
    const isQuiet = quietMs !== undefined && now - lastEventAt > Math.max(quietMs, Math.min(quietMs * 2 ** quietOnes, MOST_QUIET_MS));
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
    ping: () => {
      if (socket?.readyState === WebSocket.OPEN) socket.ping();
    },
    get lastEventAt() {
      return lastEventAt;
    },
    get dataAt() {
      return dataAt;
    },
    get aliveAt() {
      return aliveAt;
    },
  };
}
