import type { Chart } from './chart.ts';

const order = {
  accepted: [{ actions: 'orderAccepted' }],
  filled: [{ actions: 'orderFilled' }],
  timedOut: [{ actions: 'orderTimedOut' }],
  lost: [{ target: 'needsAttention', actions: 'orderLost' }],
} as const;
/** An order that is not in flight (any more) ends nothing. */
const stranger = [{ guard: 'isOfStranger' }] as const;
/** What may happen to a position whatever it is doing. */
const always = {
  'target.set': [{ actions: 'targetSet' }],
  'fee.valued': [{ actions: 'feeValued' }],
} as const;
/** The stop that rests at the exchange, while nothing else is sold. */
const resident = {
  'order.accepted': order.accepted,
  'order.filled': [{ guard: 'isOfResident', target: 'exitPending', actions: 'orderFilled' }],
  'order.lost': [{ guard: 'isOfResident', target: 'needsAttention', actions: 'orderLost' }],
  'order.ended': [{ guard: 'isOfResident', actions: 'residentEnded' }],
  'guard.due': [{ actions: 'guardFollowed' }],
} as const;
const holding = {
  ...always,
  ...resident,
  'takeProfit.decided': [
    { guard: 'residentStands', target: 'reducing', actions: 'sliceQueued' },
    { guard: 'sliceIsLast', target: 'exitPending', actions: 'lastSliceDecided' },
    { target: 'reducing', actions: 'sliceDecided' },
  ],
  'exit.decided': [
    { guard: 'residentStands', target: 'exitPending', actions: 'exitQueued' },
    { target: 'exitPending', actions: 'exitDecided' },
  ],
  'rebuy.decided': [{ target: 'adding', actions: 'rebuyDecided' }],
  'rebuy.lapsed': [{ actions: 'rebuyLapsed' }],
  'position.detached': [{ target: 'detached', actions: 'detached' }],
} as const;

/**
 * The life of one position of a bot. `open` and `protected` are the two ways of holding: without and with a drawn
 * protected cost. Every order that is being worked on has a state of its own, so a second one cannot be placed; a
 * resident stop rests beside them and makes way before anything else is sold.
 */
export const positionChart = {
  id: 'autoTradePosition',
  initial: 'watching',
  states: {
    watching: {
      on: {
        'entry.triggered': [{ target: 'trailingEntry', actions: 'entryTriggered' }],
        'entry.decided': [{ target: 'entryPending', actions: 'entryDecided' }],
        'dust.released': [{ actions: 'dustReleased' }],
      },
    },
    trailingEntry: {
      on: {
        'entry.lapsed': [{ target: 'watching', actions: 'entryLapsed' }],
        'entry.decided': [{ target: 'entryPending', actions: 'entryDecided' }],
        'entry.withdrawn': [{ target: 'watching', actions: 'trailWithdrawn' }],
      },
    },
    entryPending: {
      on: {
        ...always,
        'order.accepted': order.accepted,
        'order.filled': order.filled,
        'order.timedOut': order.timedOut,
        'order.lost': order.lost,
        'entry.withdrawn': [{ actions: 'entryWithdrawn' }],
        'exit.decided': [{ guard: 'somethingIsHeld', actions: 'exitQueued' }],
        'settings.changed': [{ actions: 'settingsChanged' }],
        'order.ended': [
          ...stranger,
          { guard: 'entryRepeats', actions: 'entryRepeated' },
          { guard: 'boughtNothing', target: 'closed', actions: 'entryAbandoned' },
          { guard: 'restIsUnsellable', target: 'closed', actions: 'closedAsDust' },
          { guard: 'exitWaits', target: 'exitPending', actions: 'queuedExitPlaced' },
          { target: 'open', actions: 'opened' },
        ],
      },
    },
    open: {
      on: {
        ...holding,
        'line.armed': [{ target: 'protected', actions: 'lineArmed' }],
        'settings.changed': [{ actions: 'settingsChanged' }],
      },
    },
    protected: {
      on: {
        ...holding,
        'line.raised': [{ actions: 'lineRaised' }],
        'line.expired': [
          { guard: 'expirySellsBehindResident', target: 'exitPending', actions: 'lineSaleQueued' },
          { guard: 'expirySells', target: 'exitPending', actions: 'lineSold' },
          { target: 'open', actions: 'lineExpired' },
        ],
        'settings.changed': [{ guard: 'changeEndsLine', target: 'open', actions: 'settingsChanged' }, { actions: 'settingsChanged' }],
      },
    },
    adding: {
      on: {
        ...always,
        'order.accepted': order.accepted,
        'order.filled': order.filled,
        'order.timedOut': order.timedOut,
        'order.lost': order.lost,
        'rebuy.withdrawn': [{ actions: 'rebuyWithdrawn' }],
        'exit.decided': [{ guard: 'noExitWaits', actions: 'exitQueued' }],
        'line.expired': [{ guard: 'lineIsDrawn', actions: 'lineExpired' }],
        'settings.changed': [{ actions: 'settingsChanged' }],
        'order.ended': [
          ...stranger,
          { guard: 'isOfResident', actions: 'residentEnded' },
          { guard: 'exitWaitsForResident', target: 'exitPending', actions: 'buyEnded' },
          { guard: 'exitWaitsForNothing', target: 'closed', actions: 'closed' },
          { guard: 'exitWaits', target: 'exitPending', actions: 'queuedExitPlaced' },
          { guard: 'rebuyRepeats', actions: 'rebuyRepeated' },
          { guard: 'lineIsDrawn', target: 'protected', actions: 'buyEnded' },
          { target: 'open', actions: 'buyEnded' },
        ],
      },
    },
    reducing: {
      on: {
        ...always,
        'order.accepted': order.accepted,
        'order.filled': [{ guard: 'isOfResident', target: 'exitPending', actions: 'orderFilled' }, ...order.filled],
        'order.timedOut': order.timedOut,
        'order.lost': order.lost,
        'exit.decided': [{ target: 'exitPending', actions: 'exitQueued' }],
        'line.expired': [{ guard: 'lineIsDrawn', actions: 'lineExpired' }],
        'settings.changed': [{ actions: 'settingsChanged' }],
        'order.ended': [
          ...stranger,
          { guard: 'residentLeftNoSliceButLine', target: 'protected', actions: 'residentEnded' },
          { guard: 'residentLeftNoSlice', target: 'open', actions: 'residentEnded' },
          { guard: 'residentLeftLastSlice', target: 'exitPending', actions: 'lastSlicePlaced' },
          { guard: 'isOfResident', actions: 'slicePlaced' },
          { guard: 'restIsDust', target: 'closed', actions: 'closed' },
          { guard: 'rejectedTwice', target: 'needsAttention', actions: 'refused' },
          { guard: 'sliceRepeats', actions: 'sliceRepeated' },
          { guard: 'lineIsDrawn', target: 'protected', actions: 'heldAgain' },
          { target: 'open', actions: 'heldAgain' },
        ],
      },
    },
    exitPending: {
      on: {
        ...always,
        'order.accepted': order.accepted,
        'order.filled': order.filled,
        'order.timedOut': order.timedOut,
        'order.lost': order.lost,
        'exit.decided': [{ guard: 'exitIsUrgent', actions: 'exitQueued' }],
        'line.expired': [{ guard: 'lineIsDrawn', actions: 'lineExpired' }],
        'settings.changed': [{ actions: 'settingsChanged' }],
        'order.ended': [
          ...stranger,
          { guard: 'residentSoldAll', target: 'closed', actions: 'closedByResident' },
          { guard: 'isOfResident', actions: 'queuedExitPlaced' },
          { guard: 'restIsDust', target: 'closed', actions: 'closed' },
          { guard: 'rejectedTwice', target: 'needsAttention', actions: 'refused' },
          { guard: 'exitRepeats', actions: 'exitRepeated' },
          { guard: 'lineIsDrawn', target: 'protected', actions: 'heldAgain' },
          { target: 'open', actions: 'heldAgain' },
        ],
      },
    },
    needsAttention: {
      on: {
        ...always,
        'order.accepted': order.accepted,
        'order.filled': order.filled,
        'order.ended': [{ actions: 'endedInAttention' }],
        'order.lost': [{ guard: 'pairHasLeft', actions: 'orderLost' }],
        // By hand or by a kill switch: what may still be in flight is not sold a second time.
        'exit.decided': [
          { guard: 'orderIsInFlight' },
          { guard: 'residentStands', target: 'exitPending', actions: 'exitQueued' },
          { guard: 'somethingIsLeft', target: 'exitPending', actions: 'exitDecided' },
        ],
        'settings.changed': [{ actions: 'settingsChanged' }],
        'position.resumed': [
          { guard: 'orderIsInFlight' },
          { guard: 'boughtNothing', target: 'closed', actions: 'entryAbandoned' },
          { guard: 'restIsDust', target: 'closed', actions: 'closed' },
          { guard: 'lineIsDrawn', target: 'protected', actions: 'heldAgain' },
          { target: 'open', actions: 'opened' },
        ],
        'position.detached': [{ target: 'detached', actions: 'detached' }],
      },
    },
    closed: { type: 'final' },
    detached: { type: 'final' },
  },
} as const satisfies Chart;

export type PositionState = keyof typeof positionChart.states;
