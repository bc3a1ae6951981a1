import type { Chart } from './chart.ts';

/**
 * The life of one position of a bot. `open` and `protected` are the two ways of holding: without and with a drawn
 * protected cost. Every order in flight has a state of its own, so a second one cannot be placed.
 */
export const positionChart = {
  id: 'autoTradePosition',
  initial: 'watching',
  states: {
    watching: {
      on: {
        'entry.triggered': [{ target: 'trailingEntry', actions: 'entryTriggered' }],
        'entry.decided': [{ target: 'entryPending', actions: 'entryDecided' }],
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
        'order.accepted': [{ actions: 'orderAccepted' }],
        'order.filled': [{ actions: 'orderFilled' }],
        'order.timedOut': [{ actions: 'orderTimedOut' }],
        'entry.withdrawn': [{ actions: 'entryWithdrawn' }],
        'order.lost': [{ target: 'needsAttention', actions: 'orderLost' }],
        'order.ended': [
          { guard: 'entryRepeats', actions: 'entryRepeated' },
          { guard: 'boughtNothing', target: 'closed', actions: 'entryAbandoned' },
          { guard: 'restIsUnsellable', target: 'closed', actions: 'closedAsDust' },
          { target: 'open', actions: 'opened' },
        ],
      },
    },
    open: {
      on: {
        'line.armed': [{ target: 'protected', actions: 'lineArmed' }],
        'takeProfit.decided': [
          { guard: 'sliceIsLast', target: 'exitPending', actions: 'lastSliceDecided' },
          { target: 'reducing', actions: 'sliceDecided' },
        ],
        'exit.decided': [{ target: 'exitPending', actions: 'exitDecided' }],
        'position.detached': [{ target: 'detached', actions: 'detached' }],
      },
    },
    protected: {
      on: {
        'line.raised': [{ actions: 'lineRaised' }],
        'line.expired': [
          { guard: 'expirySells', target: 'exitPending', actions: 'lineSold' },
          { target: 'open', actions: 'lineExpired' },
        ],
        'takeProfit.decided': [
          { guard: 'sliceIsLast', target: 'exitPending', actions: 'lastSliceDecided' },
          { target: 'reducing', actions: 'sliceDecided' },
        ],
        'exit.decided': [{ target: 'exitPending', actions: 'exitDecided' }],
        'position.detached': [{ target: 'detached', actions: 'detached' }],
      },
    },
    reducing: {
      on: {
        'order.accepted': [{ actions: 'orderAccepted' }],
        'order.filled': [{ actions: 'orderFilled' }],
        'order.timedOut': [{ actions: 'orderTimedOut' }],
        'exit.decided': [{ target: 'exitPending', actions: 'exitQueued' }],
        'order.lost': [{ target: 'needsAttention', actions: 'orderLost' }],
        'order.ended': [
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
        'order.accepted': [{ actions: 'orderAccepted' }],
        'order.filled': [{ actions: 'orderFilled' }],
        'order.timedOut': [{ actions: 'orderTimedOut' }],
        'exit.decided': [{ guard: 'exitIsUrgent', actions: 'exitQueued' }],
        'order.lost': [{ target: 'needsAttention', actions: 'orderLost' }],
        'order.ended': [
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
        'order.accepted': [{ actions: 'orderAccepted' }],
        'order.filled': [{ actions: 'orderFilled' }],
        'order.ended': [{ actions: 'endedInAttention' }],
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
