import { type StateValueFrom, setup } from 'xstate';
import { interpreterOf } from '../../statechart/interpreter.ts';
import { type Boxed, pureActions } from '../../statechart/pure-actions.ts';
import {
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
  closedAsDust,
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
import {
  boughtNothing,
  buyRepeats,
  exitIsUrgent,
  exitRepeats,
  exitWaits,
  expirySells,
  isOfStranger,
  lineIsDrawn,
  noExitWaits,
  noSliceIsLeft,
  nothingIsHeld,
  orderIsInFlight,
  pairHasLeft,
  rejectedTwice,
  residentStands,
  restIsDust,
  restIsUnsellable,
  sliceRepeats,
  somethingIsLeft,
} from './position-guards.ts';
import {
  balanceJumped,
  balanceNoted,
  buyJumped,
  carriedOver,
  endedAtCost,
  filledOverJump,
  jumpIsAsked,
  jumpIsNone,
  jumpMetBuy,
  noJumpMetBuy,
  priceJumped,
} from './position-jump.ts';
import { levelsMoved } from './position-levels.ts';
import { isOfResident } from './position-orders.ts';
import { buyEnded, rebuyDecided, rebuyLapsed, rebuyWithdrawn } from './position-rebuy.ts';
import { guardFollowed, residentEnded } from './position-resident.ts';
import { overtakesPause, pausesAreOver, saleIsPaused, salePaused, saleRetried, soldNothing } from './position-retry.ts';
import { changeEndsLine, settingsChanged } from './position-settings.ts';
import { closedWithoutCoins, exitOfWhatIsThere, heldAsIs, lacksAll, lacksCoins, residentLacked } from './position-shortage.ts';
import { sliceIsLast } from './position-slices.ts';
import type { PositionContext, PositionEvent } from './position-state.ts';

const { does, when } = pureActions<PositionContext, PositionEvent>();

/** Everything that is held waits for its owner, whatever it was doing. */
const jumped = {
  'price.jumped': [{ target: 'needsAttention', actions: does(priceJumped) }],
  'balance.jumped': [{ target: 'needsAttention', actions: does(balanceJumped) }],
} as const;
const order = {
  accepted: [{ actions: does(orderAccepted) }],
  filled: [{ actions: does(orderFilled) }],
} as const;
/** An order that is not in flight (any more) ends nothing. */
const stranger = [{ guard: when(isOfStranger) }] as const;
/** What may happen to a position whatever it is doing. */
const always = {
  'target.set': [{ actions: does(targetSet) }],
  'levels.moved': [{ actions: does(levelsMoved) }],
  'fee.valued': [{ actions: does(feeValued) }],
} as const;
/** While an order is worked on. */
const working = {
  ...always,
  ...jumped,
  'order.accepted': order.accepted,
  'order.filled': order.filled,
  'order.timedOut': [{ actions: does(orderTimedOut) }],
  'order.lost': [{ target: 'needsAttention', actions: does(orderLost) }],
} as const;
/** While a sale that sold nothing waits for its next try. */
const pausing = {
  'sale.retried': [{ guard: when(saleIsPaused), actions: does(saleRetried) }],
  'position.detached': [{ guard: when(saleIsPaused), target: 'detached', actions: does(detached) }],
} as const;
/** The end of a market sale without a fill. */
const unfilled = [
  { guard: when(soldNothing, pausesAreOver), target: 'needsAttention', actions: does(refused) },
  { guard: when(soldNothing), actions: does(salePaused) },
] as const;
/** The stop that rests at the exchange, while nothing else is sold. */
const resident = {
  'order.accepted': order.accepted,
  'order.filled': [{ guard: when(isOfResident), target: 'exitPending', actions: does(orderFilled) }],
  'order.lost': [{ guard: when(isOfResident), target: 'needsAttention', actions: does(orderLost) }],
  'order.ended': [
    { guard: when(isOfResident, lacksAll), target: 'closed', actions: does(closedWithoutCoins) },
    { guard: when(isOfResident, lacksCoins), actions: does(residentLacked) },
    { guard: when(isOfResident), actions: does(residentEnded) },
  ],
  'guard.due': [{ actions: does(guardFollowed) }],
} as const;
const holding = {
  ...always,
  ...resident,
  ...jumped,
  'takeProfit.decided': [
    { guard: when(residentStands), target: 'reducing', actions: does(sliceQueued) },
    { guard: when(sliceIsLast), target: 'exitPending', actions: does(lastSliceDecided) },
    { target: 'reducing', actions: does(sliceDecided) },
  ],
  'exit.decided': [
    { guard: when(residentStands), target: 'exitPending', actions: does(exitQueued) },
    { target: 'exitPending', actions: does(exitDecided) },
  ],
  'rebuy.decided': [{ target: 'adding', actions: does(rebuyDecided) }],
  'rebuy.lapsed': [{ actions: does(rebuyLapsed) }],
  'position.detached': [{ target: 'detached', actions: does(detached) }],
} as const;

/**
 * The life of one position of a bot. `open` and `protected` are the two ways of holding: without and with a drawn
 * protected cost. Every order that is being worked on has a state of its own, so a second one cannot be placed; a
 * resident stop rests beside them and makes way before anything else is sold. The server runs it, the screens draw it, the
 * tests walk it. What a step asks of the world is in `effects` of its data, which every action replaces.
 */
export const autoTradePositionMachine = setup({
  types: { context: {} as Boxed<PositionContext>, events: {} as PositionEvent, input: {} as PositionContext },
}).createMachine({
  id: 'autoTradePosition',
  context: ({ input }) => ({ data: input }),
  initial: 'watching',
  states: {
    watching: {
      on: {
        'entry.triggered': [{ target: 'trailingEntry', actions: does(entryTriggered) }],
        'entry.decided': [{ target: 'entryPending', actions: does(entryDecided) }],
        'dust.released': [{ actions: does(dustReleased) }],
      },
    },
    trailingEntry: {
      on: {
        'entry.lapsed': [{ target: 'watching', actions: does(entryLapsed) }],
        'entry.decided': [{ target: 'entryPending', actions: does(entryDecided) }],
        'entry.withdrawn': [{ target: 'watching', actions: does(trailWithdrawn) }],
      },
    },
    entryPending: {
      on: {
        ...working,
        // What it bought before the jump may be told yet, and is carried over with every price that was set.
        'target.set': [{ guard: when(noJumpMetBuy), actions: does(targetSet) }],
        'levels.moved': [{ guard: when(noJumpMetBuy), actions: does(levelsMoved) }],
        'price.jumped': [{ guard: when(nothingIsHeld), actions: does(buyJumped) }, ...jumped['price.jumped']],
        'balance.jumped': [{ guard: when(nothingIsHeld) }, ...jumped['balance.jumped']],
        'order.filled': [{ guard: when(jumpMetBuy), target: 'needsAttention', actions: does(filledOverJump) }, ...order.filled],
        'entry.withdrawn': [{ actions: does(entryWithdrawn) }],
        'exit.decided': [{ guard: when(somethingIsLeft, noExitWaits), actions: does(exitQueued) }],
        'settings.changed': [{ actions: does(settingsChanged) }],
        'order.ended': [
          ...stranger,
          { guard: when(boughtNothing, buyRepeats), actions: does(entryRepeated) },
          { guard: when(boughtNothing), target: 'closed', actions: does(entryAbandoned) },
          { guard: when(restIsUnsellable), target: 'closed', actions: does(closedAsDust) },
          { guard: when(exitWaits), target: 'exitPending', actions: does(queuedExitPlaced) },
          { target: 'open', actions: does(opened) },
        ],
      },
    },
    open: {
      on: {
        ...holding,
        'line.armed': [{ target: 'protected', actions: does(lineArmed) }],
        'settings.changed': [{ actions: does(settingsChanged) }],
      },
    },
    protected: {
      on: {
        ...holding,
        'line.raised': [{ actions: does(lineRaised) }],
        'line.expired': [
          { guard: when(residentStands, expirySells), target: 'exitPending', actions: does(lineSaleQueued) },
          { guard: when(expirySells), target: 'exitPending', actions: does(lineSold) },
          { target: 'open', actions: does(lineExpired) },
        ],
        'settings.changed': [
          { guard: when(changeEndsLine), target: 'open', actions: does(settingsChanged) },
          { actions: does(settingsChanged) },
        ],
      },
    },
    adding: {
      on: {
        ...working,
        'rebuy.withdrawn': [{ actions: does(rebuyWithdrawn) }],
        'exit.decided': [{ guard: when(noExitWaits), actions: does(exitQueued) }],
        'line.expired': [{ guard: when(lineIsDrawn), actions: does(lineExpired) }],
        'settings.changed': [{ actions: does(settingsChanged) }],
        'order.ended': [
          ...stranger,
          { guard: when(isOfResident), actions: does(residentEnded) },
          { guard: when(exitWaits, residentStands), target: 'exitPending', actions: does(buyEnded) },
          { guard: when(exitWaits, restIsDust), target: 'closed', actions: does(closed) },
          { guard: when(exitWaits), target: 'exitPending', actions: does(queuedExitPlaced) },
          { guard: when(buyRepeats), actions: does(entryRepeated) },
          { guard: when(lineIsDrawn), target: 'protected', actions: does(buyEnded) },
          { target: 'open', actions: does(buyEnded) },
        ],
      },
    },
    reducing: {
      on: {
        ...working,
        ...pausing,
        'order.filled': [{ guard: when(isOfResident), target: 'exitPending', actions: does(orderFilled) }, ...order.filled],
        'exit.decided': [
          { guard: when(saleIsPaused), target: 'exitPending', actions: does(exitDecided) },
          { target: 'exitPending', actions: does(exitQueued) },
        ],
        'line.expired': [{ guard: when(lineIsDrawn), actions: does(lineExpired) }],
        'settings.changed': [{ actions: does(settingsChanged) }],
        'order.ended': [
          ...stranger,
          { guard: when(isOfResident, noSliceIsLeft, lineIsDrawn), target: 'protected', actions: does(residentEnded) },
          { guard: when(isOfResident, noSliceIsLeft), target: 'open', actions: does(residentEnded) },
          { guard: when(isOfResident, sliceIsLast), target: 'exitPending', actions: does(lastSlicePlaced) },
          { guard: when(isOfResident), actions: does(slicePlaced) },
          { guard: when(lacksAll), target: 'closed', actions: does(closedWithoutCoins) },
          { guard: when(exitWaits, lacksCoins), actions: does(exitOfWhatIsThere) },
          { guard: when(lineIsDrawn, lacksCoins), target: 'protected', actions: does(heldAsIs) },
          { guard: when(lacksCoins), target: 'open', actions: does(heldAsIs) },
          { guard: when(restIsDust), target: 'closed', actions: does(closed) },
          ...unfilled,
          { guard: when(rejectedTwice), target: 'needsAttention', actions: does(refused) },
          { guard: when(sliceRepeats), actions: does(sliceRepeated) },
          { guard: when(lineIsDrawn), target: 'protected', actions: does(heldAgain) },
          { target: 'open', actions: does(heldAgain) },
        ],
      },
    },
    exitPending: {
      on: {
        ...working,
        ...pausing,
        'exit.decided': [
          { guard: when(saleIsPaused, overtakesPause), actions: does(exitDecided) },
          { guard: when(exitIsUrgent), actions: does(exitQueued) },
        ],
        'line.expired': [{ guard: when(lineIsDrawn), actions: does(lineExpired) }],
        'settings.changed': [{ actions: does(settingsChanged) }],
        'order.ended': [
          ...stranger,
          { guard: when(isOfResident, restIsDust), target: 'closed', actions: does(closedByResident) },
          { guard: when(isOfResident), actions: does(queuedExitPlaced) },
          { guard: when(lacksAll), target: 'closed', actions: does(closedWithoutCoins) },
          { guard: when(lacksCoins), actions: does(exitOfWhatIsThere) },
          { guard: when(restIsDust), target: 'closed', actions: does(closed) },
          ...unfilled,
          { guard: when(rejectedTwice), target: 'needsAttention', actions: does(refused) },
          { guard: when(exitRepeats), actions: does(exitRepeated) },
          { guard: when(lineIsDrawn), target: 'protected', actions: does(heldAgain) },
          { target: 'open', actions: does(heldAgain) },
        ],
      },
    },
    needsAttention: {
      on: {
        ...always,
        // While its unit is in doubt a price of the new one would be divided by what it is carried over by.
        'target.set': [{ guard: when(jumpIsNone), actions: does(targetSet) }],
        'levels.moved': [{ guard: when(jumpIsNone), actions: does(levelsMoved) }],
        'order.accepted': order.accepted,
        'order.filled': order.filled,
        'order.ended': [{ actions: does(endedInAttention) }],
        'order.lost': [{ guard: when(pairHasLeft), actions: does(orderLost) }],
        // What was asked once is asked until its owner answers.
        'price.jumped': [{ guard: when(jumpIsAsked) }, { actions: does(priceJumped) }],
        'balance.jumped': [
          { guard: when(nothingIsHeld) },
          { guard: when(jumpIsAsked), actions: does(balanceNoted) },
          { actions: does(balanceJumped) },
        ],
        'jump.settled': [{ guard: when(orderIsInFlight) }, { guard: when(jumpIsAsked), target: 'closed', actions: does(endedAtCost) }],
        // By hand or by a kill switch: what may still be in flight is not sold a second time.
        'exit.decided': [
          { guard: when(orderIsInFlight) },
          { guard: when(residentStands), target: 'exitPending', actions: does(exitQueued) },
          { guard: when(somethingIsLeft), target: 'exitPending', actions: does(exitDecided) },
        ],
        'settings.changed': [{ actions: does(settingsChanged) }],
        'position.resumed': [
          { guard: when(orderIsInFlight) },
          { guard: when(boughtNothing), target: 'closed', actions: does(entryAbandoned) },
          { guard: when(restIsDust), target: 'closed', actions: does(closed) },
          { guard: when(lineIsDrawn), target: 'protected', actions: does(heldAgain) },
          { target: 'open', actions: does(opened) },
        ],
        'position.carriedOver': [
          { guard: when(orderIsInFlight) },
          { guard: when(nothingIsHeld) },
          { guard: when(jumpIsNone) },
          { guard: when(lineIsDrawn), target: 'protected', actions: does(carriedOver) },
          { target: 'open', actions: does(carriedOver) },
        ],
        'position.detached': [{ target: 'detached', actions: does(detached) }],
      },
    },
    closed: { type: 'final' },
    detached: { type: 'final' },
  },
});

export type PositionState = StateValueFrom<typeof autoTradePositionMachine>;

/** Advances a position by XState itself: what runs live, on paper, in previews and in replays. */
export const advancePosition = interpreterOf(autoTradePositionMachine);
