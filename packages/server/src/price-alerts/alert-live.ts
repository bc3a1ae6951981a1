import type { LevelRule } from '@pilotfish/core/price-alerts/level-rule';
import { advancePriceAlert, type PriceAlertEvent } from '@pilotfish/core/price-alerts/price-alert-machine';
import { isWatchingState } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { AlertMemory } from './alert-judge.ts';
import type { StoredAlert } from './price-alerts-store.ts';

/** An alert as it runs. */
export type LiveAlert = {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: number;
  body: StoredAlert['body'];
  state: StoredAlert['state'];
  context: StoredAlert['context'];
  memory: AlertMemory;
  /** For levels and steps. */
  rule: LevelRule | undefined;
  /** Changed since it was written last. */
  isDirty: boolean;
  /** Removed or replaced: whatever still runs for it comes to nothing. */
  isGone: boolean;
};

export const liveOf = (stored: StoredAlert): LiveAlert => ({ ...stored, rule: undefined, isDirty: false, isGone: false });
export const isWatching = ({ state, isGone }: LiveAlert): boolean => !isGone && isWatchingState(state);

/** Whether its machine takes an event: what it does not take changes nothing, and is refused to whoever asks for it. */
export const takes = ({ state, context }: LiveAlert, event: PriceAlertEvent): boolean =>
  advancePriceAlert(state, context, event) !== undefined;

export const WOKEN = { type: 'alert.snoozed', until: null } as const satisfies PriceAlertEvent;

export const storedOf = (live: LiveAlert, since: number | undefined): StoredAlert => ({
  id: live.id,
  accountId: live.accountId,
  body: live.body,
  state: live.state,
  context: live.context,
  memory: { ...live.memory, ...(live.rule === undefined ? {} : { rule: live.rule.memory }), since: since ?? live.memory.since },
  createdAt: live.createdAt,
});
