import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeStateName } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';

/** States of a bot that is not at work unless it holds something. */
export const IDLE: ReadonlySet<string> = new Set(['draft', 'disabled', 'halted']);

const NAMES: Readonly<Record<AutoTradeStateName, AutoTrade['state']>> = {
  draft: 'Draft',
  disabled: 'Disabled',
  running: 'Running',
  paused: 'Paused',
  blocked: 'Blocked',
  halted: 'Halted',
  deleted: 'Deleted',
};
export const stateName = (state: AutoTradeStateName) => NAMES[state];
