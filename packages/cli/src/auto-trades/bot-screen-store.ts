import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import type { Price } from '@pilotfish/core/money/figure';
import { type BeatStore, beatStore } from '../ui/beat-store.ts';

export type StreamStatus = 'connecting' | 'live' | 'offline';

/** What the screen of a bot draws. Replaced as a whole at every change, so that React can compare it. */
export type BotScreen = {
  readonly detail: AutoTradeDetail;
  /** Oldest first. */
  readonly traces: readonly StoredTrace[];
  readonly prices: ReadonlyMap<string, Price>;
  readonly status: StreamStatus;
};

export type BotScreenStore = Omit<BeatStore<BotScreen>, 'newest'> & {
  addTraces(traces: readonly StoredTrace[]): void;
};

const KEPT = 200;

/** Keeps the story in order and without doubles, however often a trace is told. */
export function botScreenStore(
  first: BotScreen,
  beatMs: number,
  timers: { set: (run: () => void, ms: number) => unknown },
): BotScreenStore {
  const store = beatStore(first, beatMs, timers);
  return {
    ...store,
    addTraces: (traces) => {
      const bySeq = new Map([...store.newest().traces, ...traces].map((trace) => [trace.seq, trace]));
      store.change({ traces: [...bySeq.values()].sort((a, b) => a.seq - b.seq).slice(-KEPT) });
    },
  };
}
