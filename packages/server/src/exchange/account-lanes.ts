import type { Timers } from '@pilotfish/core/time/timers';
import { type AccountLane, accountLane, MOST_ACCOUNTS } from './account-lane.ts';
import type { ConnectionBudget } from './connection-budget.ts';

/** The connections that carry the events of all accounts at one exchange. */
export type AccountLanes = {
  /** A connection with room for one more account, other than those named; a new one where there is none. */
  pick(not?: readonly (AccountLane | undefined)[]): AccountLane;
  /** Of each open connection, how many accounts it carries. */
  readonly sizes: readonly number[];
  close(): Promise<void>;
};

/**
 * A few connections that carry many accounts: up to `MOST_ACCOUNTS` each. At an exchange without
 * subscription ids each account has its own connection, because shared events could not be assigned.
 */
export function accountLanes(options: {
  origin: string;
  budget: ConnectionBudget;
  spend: (weight: number) => Promise<void>;
  limited: (status: number, forMs: number) => void;
  time: () => number;
  now: () => number;
  timers: Timers;
  random: () => number;
}): AccountLanes {
  const lanes: AccountLane[] = [];
  const closing = new Set<Promise<void>>();
  let isShared = true;

  function open(): AccountLane {
    const lane = accountLane({ ...options, onEmpty: close, onNameless: separate });
    lanes.push(lane);
    return lane;
  }
  function close(lane: AccountLane): void {
    const index = lanes.indexOf(lane);
    if (index < 0) return;
    lanes.splice(index, 1);
    const closed = lane.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }
  function separate(lane: AccountLane): void {
    isShared = false;
    lane.isLeaving = true;
    for (const client of lane.clients()) client.mustLeave(lane, false);
  }

  return {
    pick: (not = []) => {
      const roomy = isShared
        ? lanes.filter((lane) => !not.includes(lane) && !lane.isLeaving && !lane.isAlone && !lane.isSilent && lane.size < MOST_ACCOUNTS)
        : [];
      // A connection that is down may stay down for long.
      return roomy.find(({ isOpen }) => isOpen) ?? roomy[0] ?? open();
    },
    get sizes() {
      return lanes.map(({ size }) => size);
    },
    close: async () => {
      for (let lane = lanes[0]; lane; lane = lanes[0]) close(lane);
      await Promise.all(closing);
    },
  };
}
