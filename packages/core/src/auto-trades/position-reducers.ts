import {
  closedAsDust,
  entryAbandoned,
  entryDecided,
  entryLapsed,
  entryRepeated,
  entryTriggered,
  entryWithdrawn,
  opened,
  orderAccepted,
  orderFilled,
  orderLost,
  orderTimedOut,
  trailWithdrawn,
} from './position-entry.ts';
import {
  closed,
  detached,
  endedInAttention,
  exitDecided,
  exitQueued,
  exitRepeated,
  heldAgain,
  lastSliceDecided,
  lineArmed,
  lineExpired,
  lineRaised,
  lineSold,
  refused,
  sliceDecided,
  sliceRepeated,
} from './position-exit.ts';
import type { PositionContext, PositionEvent } from './position-state.ts';

const reducers = {
  entryTriggered,
  entryLapsed,
  trailWithdrawn,
  entryDecided,
  orderAccepted,
  orderFilled,
  orderTimedOut,
  entryWithdrawn,
  orderLost,
  entryRepeated,
  entryAbandoned,
  closedAsDust,
  opened,
  lineArmed,
  lineRaised,
  lineExpired,
  lineSold,
  exitDecided,
  lastSliceDecided,
  sliceDecided,
  exitQueued,
  closed,
  refused,
  exitRepeated,
  sliceRepeated,
  heldAgain,
  endedInAttention,
  detached,
};

export type PositionActionName = keyof typeof reducers;

/**
 * Every action of the position chart, by name: pure, (context, event) → context with the effects of this step. The
 * chart names each only beside the event it is written for, which the test of its transitions walks through.
 */
export const positionReducers = reducers as unknown as Readonly<
  Record<PositionActionName, (context: PositionContext, event: PositionEvent) => PositionContext>
>;
