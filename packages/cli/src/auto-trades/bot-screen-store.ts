import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';

export type StreamStatus = 'connecting' | 'live' | 'offline';

/** What the screen of a bot draws. Replaced as a whole at every change, so that React can compare it. */
export type BotScreen = {
  readonly detail: AutoTradeDetail;
  /** Oldest first. */
  readonly traces: readonly StoredTrace[];
  readonly prices: ReadonlyMap<string, string>;
  readonly status: StreamStatus;
};

export type BotScreenStore = {
  get: () => BotScreen;
  change(part: Partial<BotScreen>): void;
  addTraces(traces: readonly StoredTrace[]): void;
  subscribe: (listener: () => void) => () => void;
};

const KEPT = 200;

/**
 * Holds the newest state and tells the screen at most once per `beatMs`, however many changes arrive: the first at
 * once, the others together when the beat is over.
 */
export function botScreenStore(
  first: BotScreen,
  beatMs: number,
  timers: { set: (run: () => void, ms: number) => unknown },
): BotScreenStore {
  let current = first;
  let told = first;
  let resting = false;
  const listeners = new Set<() => void>();
  const tell = () => {
    if (resting || told === current) return;
    resting = true;
    told = current;
    for (const listener of listeners) listener();
    timers.set(() => {
      resting = false;
      tell();
    }, beatMs);
  };
  return {
    get: () => told,
    change: (part) => {
      current = { ...current, ...part };
      tell();
    },
    addTraces: (traces) => {
      const bySeq = new Map([...current.traces, ...traces].map((trace) => [trace.seq, trace]));
      current = { ...current, traces: [...bySeq.values()].sort((a, b) => a.seq - b.seq).slice(-KEPT) };
      tell();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
