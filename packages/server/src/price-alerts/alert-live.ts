import type { LevelRule } from '@pilotfish/core/price-alerts/level-rule';
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
/** Alerts that look at anything: the others only wait for their owner. */
export const isWatching = ({ state, isGone }: LiveAlert): boolean =>
  !isGone && (state === 'armed' || state === 'warming' || state === 'cooldown');

export const storedOf = (live: LiveAlert, since: number | undefined): StoredAlert => ({
  id: live.id,
  accountId: live.accountId,
  body: live.body,
  state: live.state,
  context: live.context,
  memory: { ...live.memory, ...(live.rule === undefined ? {} : { rule: live.rule.memory }), since: since ?? live.memory.since },
  createdAt: live.createdAt,
});
