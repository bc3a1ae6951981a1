import {
  closedAsDust,
  dustReleased,
  entryAbandoned,
  entryDecided,
  entryLapsed,
  entryRepeated,
  entryTriggered,
  entryWithdrawn,
  opened,
  trailWithdrawn,
} from './position-entry.ts';
import {
  closed,
  closedByResident,
  detached,
  endedInAttention,
  exitDecided,
  exitQueued,
  exitRepeated,
  heldAgain,
  lastSliceDecided,
  lastSlicePlaced,
  lineArmed,
  lineExpired,
  lineRaised,
  lineSaleQueued,
  lineSold,
  queuedExitPlaced,
  refused,
  sliceDecided,
  slicePlaced,
  sliceQueued,
  sliceRepeated,
  targetSet,
} from './position-exit.ts';
import { feeValued, orderAccepted, orderFilled, orderLost, orderTimedOut } from './position-fills.ts';
import { buyEnded, rebuyDecided, rebuyLapsed, rebuyWithdrawn } from './position-rebuy.ts';
import { guardFollowed, residentEnded } from './position-resident.ts';
import { settingsChanged } from './position-settings.ts';
import type { PositionContext, PositionEvent } from './position-state.ts';

const reducers = {
  closedAsDust,
  dustReleased,
  entryAbandoned,
  entryDecided,
  entryLapsed,
  entryRepeated,
  entryTriggered,
  entryWithdrawn,
  opened,
  trailWithdrawn,
  closed,
  closedByResident,
  detached,
  endedInAttention,
  exitDecided,
  exitQueued,
  exitRepeated,
  heldAgain,
  lastSliceDecided,
  lastSlicePlaced,
  lineArmed,
  lineExpired,
  lineRaised,
  lineSaleQueued,
  lineSold,
  queuedExitPlaced,
  refused,
  sliceDecided,
  slicePlaced,
  sliceQueued,
  sliceRepeated,
  targetSet,
  feeValued,
  orderAccepted,
  orderFilled,
  orderLost,
  orderTimedOut,
  buyEnded,
  rebuyDecided,
  rebuyLapsed,
  rebuyWithdrawn,
  guardFollowed,
  residentEnded,
  settingsChanged,
  rebuyRepeated: entryRepeated,
};

export type PositionActionName = keyof typeof reducers;

/**
 * Every action of the position chart, by name: pure, (context, event) → context with the effects of this step. The
 * chart names each only beside the event it is written for, which the test of its transitions walks through.
 */
export const positionReducers = reducers as unknown as Readonly<
  Record<PositionActionName, (context: PositionContext, event: PositionEvent) => PositionContext>
>;
