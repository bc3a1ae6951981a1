import type { Timers } from '@pilotfish/core/time/timers';
import type { ConnectionBudget } from './connection-budget.ts';
import { MOST_STREAMS, type StreamLane, streamLane } from './stream-lane.ts';

/** A market event with its stream, e.g. `btcusdt@trade`. */
export type StreamListener = (data: unknown) => void;

export type MarketStream = {
  /** Listens to a stream; several listeners share one subscription. Answers how to stop. */
  subscribe(stream: string, listener: StreamListener): () => void;
  close(): Promise<void>;
  readonly connected: boolean;
  /** Open, and without data for longer than what is subscribed can explain. */
  readonly isQuiet: boolean;
  /** Ends connections for new ones, with a gap to be filled: that of a stream, or all. */
  renew(stream?: string): void;
  /** Wall-clock ms of the last data about the whole market, or of its connection where none came since. */
  readonly lastEventAt: number;
  /** Wall-clock ms of the last data about the whole market; 0 before the first. */
  readonly dataAt: number;
};

/**
 * Combined market streams. One connection carries a thousand of them, some three hundred pairs that bots and alerts
 * look at; more are spread over further connections. Those of the whole market are always on the first.
 */
export function marketStream(options: {
  origin: string;
  /** Hosts that serve the same streams, for when `origin` cannot be reached. */
  others?: readonly string[];
  now: () => number;
  timers: Timers;
  random: () => number;
  budget: ConnectionBudget;
  onGap?: (gapMs: number) => void;
  onDown?: (reason: string) => void;
  /** The exchange would not have a subscription. */
  onRefused?: (reason: string) => void;
}): MarketStream {
  const listeners = new Map<string, { readonly lane: StreamLane; readonly set: Set<StreamListener> }>();
  const open = (isUrgent: boolean): StreamLane =>
    streamLane({
      origin: options.origin,
      others: options.others ?? [],
      now: options.now,
      timers: options.timers,
      random: options.random,
      budget: options.budget,
      isUrgent,
      onData: (stream, data) => {
        const found = listeners.get(stream);
        if (found) for (const listener of found.set) listener(data);
      },
      onGap: (gapMs) => options.onGap?.(gapMs),
      onDown: (reason) => options.onDown?.(reason),
      onRefused: (reason) => options.onRefused?.(reason),
    });
  const first = open(true);
  const lanes = [first];

  function laneFor(stream: string): StreamLane {
    if (stream.startsWith('!')) return first;
    const roomy = lanes.find(({ size }) => size < MOST_STREAMS);
    if (roomy) return roomy;
    const lane = open(false);
    lanes.push(lane);
    return lane;
  }
  function give(stream: string, lane: StreamLane): void {
    listeners.delete(stream);
    lane.remove(stream);
    if (lane.size > 0 || lane === first) return;
    lanes.splice(lanes.indexOf(lane), 1);
    void lane.close();
  }

  return {
    subscribe: (stream, listener) => {
      let found = listeners.get(stream);
      if (!found) {
        found = { lane: laneFor(stream), set: new Set() };
        listeners.set(stream, found);
        found.lane.add(stream);
      }
      const { lane, set } = found;
      set.add(listener);
      return () => {
        if (set.delete(listener) && set.size === 0 && listeners.get(stream)?.set === set) give(stream, lane);
      };
    },
    close: async () => {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
    get connected() {
      return first.isOpen && !lanes.some(({ isDown }) => isDown);
    },
    get isQuiet() {
      return lanes.some(({ isQuiet }) => isQuiet);
    },
    renew: (stream) => {
      if (stream === undefined) for (const lane of lanes) lane.renew();
      else listeners.get(stream)?.lane.renew();
    },
    get lastEventAt() {
      return first.lastEventAt;
    },
    get dataAt() {
      return first.dataAt;
    },
  };
}
