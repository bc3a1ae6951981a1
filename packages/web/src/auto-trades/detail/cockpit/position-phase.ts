import type { AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';

/** What a position goes through, in its order; the states of its machine in five words. */
export const PHASES = ['watch', 'buy', 'hold', 'protect', 'sell'] as const;
export type Phase = (typeof PHASES)[number];

const OF_STATE: Readonly<Record<AutoTradePosition['state'], Phase | 'over'>> = {
  Watching: 'watch',
  TrailingEntry: 'watch',
  EntryPending: 'buy',
  Adding: 'buy',
  Open: 'hold',
  NeedsAttention: 'hold',
  Protected: 'protect',
  Reducing: 'sell',
  ExitPending: 'sell',
  Closed: 'over',
  Detached: 'over',
};

/** The phase of a position; `over` once it is closed or its owner's. A coin without a position is watched. */
export const phaseOf = (position: Pick<AutoTradePosition, 'state'> | undefined): Phase | 'over' =>
  position ? OF_STATE[position.state] : 'watch';

/** Whether a phase is past, present or to come. */
export const placeOf = (phase: Phase, present: Phase | 'over'): 'past' | 'present' | 'ahead' => {
  if (present === 'over') return 'past';
  const [at, now] = [PHASES.indexOf(phase), PHASES.indexOf(present)];
  return at === now ? 'present' : at < now ? 'past' : 'ahead';
};
