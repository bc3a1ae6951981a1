import WebSocket from 'ws';

export type SocketState = 'connecting' | 'open' | 'waiting' | 'closed';

export type LiveSocket = {
  readonly send: (message: unknown) => void;
  close(): Promise<void>;
  readonly state: SocketState;
  /** Wall-clock time of the last message or ping; 0 before the first. */
  readonly heardAt: number;
};

/** Connections live at most 24 h at the exchange; ours are renewed before that. */
const RENEW_AFTER_MS = 23 * 3600_000;
/** The exchange pings every 20 s: a minute of silence is a dead connection. */
const SILENCE_MS = 60_000;
const BACKOFF_MS = { first: 500, most: 30_000 };

/**
 * One WebSocket that is kept alive: reconnects with growing, jittered waits, renews itself before the exchange cuts
 * it, notices silence, and says when there was a gap so that the owner can fill it.
 */
export function liveSocket(options: {
  url: () => string;
  now: () => number;
  /** 0…1, for the jitter of waits. */
  random: () => number;
  /** Called at every (re)connection; `gapMs` is how long nothing was heard, 0 at first. Subscribe here. */
  onOpen: (send: (message: unknown) => void, gapMs: number) => void;
  onMessage: (message: unknown) => void;
  onDown?: (reason: string) => void;
}): LiveSocket {
  let socket: WebSocket | undefined;
  let state: SocketState = 'connecting';
  let attempts = 0;
  let heardAt = 0;
  let openedAt = 0;
  let closing = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const send = (message: unknown) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  function connect(): void {
    if (closing) return;
    state = 'connecting';
    const lastHeard = heardAt;
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
      attempts = 0;
      heardAt = options.now();
      openedAt = heardAt;
      options.onOpen(send, lastHeard === 0 ? 0 : heardAt - lastHeard);
    });
    current.on('message', (data, binary) => {
      heardAt = options.now();
      if (binary) return;
      let message: unknown;
      try {
        message = JSON.parse(
          Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]).toString('utf8'),
        );
      } catch {
        return;
      }
      options.onMessage(message);
      const event = (message as { e?: string; event?: { e?: string } }).e ?? (message as { event?: { e?: string } }).event?.e;
      if (event === 'serverShutdown') current.close();
    });
    current.on('ping', () => {
      heardAt = options.now();
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
    clearTimeout(retry);
    retry = setTimeout(connect, wait);
  }

  const watch = setInterval(() => {
    if (state !== 'open') return;
    const now = options.now();
    if (now - heardAt > SILENCE_MS || now - openedAt > RENEW_AFTER_MS) socket?.terminate();
  }, 5000);
  watch.unref();
  connect();

  return {
    send,
    close: async () => {
      closing = true;
      state = 'closed';
      clearInterval(watch);
      clearTimeout(retry);
      const current = socket;
      if (!current || current.readyState === WebSocket.CLOSED) return;
      await new Promise<void>((done) => {
        current.once('close', () => done());
        current.close();
        setTimeout(() => current.terminate(), 500).unref();
      });
    },
    get state() {
      return state;
    },
    get heardAt() {
      return heardAt;
    },
  };
}
