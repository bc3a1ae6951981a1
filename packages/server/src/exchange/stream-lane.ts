import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { ConnectionBudget } from './connection-budget.ts';
import { liveSocket } from './live-socket.ts';

/** Streams of one connection; the exchange takes 1,024. What is being given back may still count there. */
export const MOST_STREAMS = 1000;
/** The exchange ends a connection that sends more than five messages a second, pongs among them. */
const MESSAGE_EVERY_MS = 250;
const STREAMS_PER_MESSAGE = 200;
/** A stream of all markets speaks every second; a single pair may really be quiet. */
const QUIET_MS = { all: 15_000, single: 5 * 60_000 };

export type StreamLane = {
  add(stream: string): void;
  remove(stream: string): void;
  readonly size: number;
  readonly isOpen: boolean;
  /** It was open, or could not be opened, and is not now. */
  readonly isDown: boolean;
  /** Open, and without data for longer than what is subscribed can explain. */
  readonly isQuiet: boolean;
  renew(): void;
  readonly lastEventAt: number;
  readonly dataAt: number;
  close(): Promise<void>;
};

/** One connection of combined market streams: subscribes again after every reconnect and reports the gap. */
export function streamLane(options: {
  origin: string;
  /** Hosts that serve the same, tried in turn while no data comes. */
  others?: readonly string[];
  now: () => number;
  timers: Timers;
  random: () => number;
  budget: ConnectionBudget;
  /** Its connection is opened before those of others. */
  isUrgent: boolean;
  onData: (stream: string, data: unknown) => void;
  onGap: (gapMs: number) => void;
  onDown: (reason: string) => void;
  /** The exchange would not have a subscription. */
  onRefused: (reason: string) => void;
}): StreamLane {
  const { timers } = options;
  const streams = new Set<string>();
  const wanted = { add: new Set<string>(), remove: new Set<string>() };
  let next: Cancel | undefined;
  let requests = 1;
  let wasOpen = false;
  const origins = [options.origin, ...(options.others ?? [])];
  /** Connections since data came last: the next one after data goes to the first host again. */
  let tries = 0;

  /** Sends one message, and the others after it in good time. */
  function sendNext(): void {
    next?.();
    next = undefined;
    if (socket.state !== 'open') return;
    // What is given back makes room for what is taken.
    const [method, all] = wanted.remove.size > 0 ? (['UNSUBSCRIBE', wanted.remove] as const) : (['SUBSCRIBE', wanted.add] as const);
    const params = [...all].slice(0, STREAMS_PER_MESSAGE);
    if (params.length === 0) return;
    for (const stream of params) all.delete(stream);
    socket.send({ method, params, id: requests++ });
    if (wanted.add.size + wanted.remove.size > 0) later();
  }
  const later = () => {
    next ??= timers.after(MESSAGE_EVERY_MS, sendNext, { ref: true });
  };
  const quietMs = (): number | undefined => {
    if (streams.size === 0) return undefined;
    for (const stream of streams) if (stream.startsWith('!')) return QUIET_MS.all;
    return QUIET_MS.single;
  };

  const socket = liveSocket({
    quietMs,
    url: () => `${origins[tries++ % origins.length]}/stream`,
    now: options.now,
    timers,
    random: options.random,
    permit: (open) => options.budget.enter(open, options.isUrgent),
    onRefused: (status, forMs) => options.budget.refused(status, forMs),
    onGap: options.onGap,
    onOpen: () => {
      wasOpen = true;
      wanted.remove.clear();
      for (const stream of streams) wanted.add.add(stream);
      sendNext();
    },
    onMessage: (message) => {
      const { stream, data, error } = message as { stream?: string; data?: unknown; error?: { msg?: string } };
      if (error !== undefined) options.onRefused(String(error.msg));
      if (stream === undefined) return false;
      tries = 0;
      options.onData(stream, data);
      return true;
    },
    onDown: options.onDown,
  });

  return {
    add: (stream) => {
      streams.add(stream);
      wanted.remove.delete(stream);
      wanted.add.add(stream);
      later();
    },
    remove: (stream) => {
      streams.delete(stream);
      wanted.add.delete(stream);
      wanted.remove.add(stream);
      later();
    },
    get size() {
      return streams.size;
    },
    get isOpen() {
      return socket.state === 'open';
    },
    get isDown() {
      return socket.state === 'waiting' || (wasOpen && socket.state !== 'open');
    },
    get isQuiet() {
      const most = quietMs();
      return socket.state === 'open' && most !== undefined && options.now() - socket.lastEventAt > most;
    },
    renew: () => socket.renew(),
    get lastEventAt() {
      return socket.lastEventAt;
    },
    get dataAt() {
      return socket.dataAt;
    },
    close: async () => {
      next?.();
      await socket.close();
    },
  };
}
