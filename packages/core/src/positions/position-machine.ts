import { assign, type SnapshotFrom, setup, transition } from 'xstate';
import type { PositionClosing } from './asset-fold.ts';
import type { FoldedPosition } from './folded-position.ts';
import { type PositionAction, positionAction } from './positions-contract.ts';

/** What a person has said of a position: kept beside the entries, and each part of it can be taken back. */
export type PositionWord = {
  /** Quote units. */
  readonly targetPrice: string | null;
  readonly closing: Omit<PositionClosing, 'position'> | null;
  /** Sales up to this moment, epoch ms, do not end the position: it was opened again after the last of them. */
  readonly reopenedUntil: number | null;
  readonly excluded: boolean;
  /** Why it is broken in the person's words; empty for no words, null when nobody says so. */
  readonly brokenText: string | null;
};
export const NOTHING_SAID: PositionWord = { targetPrice: null, closing: null, reopenedUntil: null, excluded: false, brokenText: null };

/** What the entries say of it, and whether it is being calculated. */
export type PositionFacts = Pick<FoldedPosition, 'closedAt' | 'closedBy'> & {
  readonly holds: boolean;
  /** A later position of the pair is open, or was closed by hand: that one comes first. */
  readonly laterOpen: boolean;
  /** Reasons other than the person's own why its figures cannot be trusted. */
  readonly reasons: readonly string[];
  readonly calculating: boolean;
};
export type PositionContext = PositionFacts & { readonly word: PositionWord };

export type PositionEvent =
  /** What the entries say: everything was sold or went, something came again. */
  | { readonly type: 'position.soldOut'; readonly at: number }
  | { readonly type: 'position.bought' }
  | { readonly type: 'target.set'; readonly price: string }
  | { readonly type: 'target.cleared' }
  | { readonly type: 'position.closed'; readonly closing: NonNullable<PositionWord['closing']> }
  | { readonly type: 'position.reopened' }
  /** What was bought after a reopening is a position of its own again. */
  | { readonly type: 'reopening.undone' }
  | { readonly type: 'position.marked'; readonly text: string }
  /** It is marked already, in other words. */
  | { readonly type: 'mark.reworded'; readonly text: string }
  | { readonly type: 'position.mended' }
  | { readonly type: 'position.excluded' }
  | { readonly type: 'position.included' }
  | { readonly type: 'calculation.started' }
  | { readonly type: 'calculation.ended' };

const reopenable = { guard: 'nothingLater', target: 'open' } as const;

/**
 * A position of its owner: whether it is open, whether its figures are to be trusted, whether it counts in totals,
 * whether it has a target, and whether it is being calculated. The server advances it and stores the word it leaves
 * behind; what a screen offers is asked of it. What the entries themselves change comes with the next restored state.
 */
export const positionMachine = setup({
  types: { context: {} as PositionContext, events: {} as PositionEvent, input: {} as PositionContext },
  guards: {
    isOpen: ({ context }) => context.closedAt === null,
    nothingLater: ({ context }) => !context.laterOpen,
    isReopened: ({ context }) => context.word.reopenedUntil !== null,
    /** One that was opened again and holds nothing yet has nothing to close: its reopening is taken back. */
    isWorthClosing: ({ context }) => context.holds || context.word.reopenedUntil === null,
    isUnmarked: ({ context }) => context.word.brokenText === null,
    isMarkedAlone: ({ context }) => context.word.brokenText !== null && context.reasons.length === 0,
    isMarked: ({ context }) => context.word.brokenText !== null,
  },
  actions: {
    say: assign(({ context, event }) => ({ ...happened(event, context), word: { ...context.word, ...said(event, context) } })),
  },
}).createMachine({
  id: 'position',
  type: 'parallel',
  context: ({ input }) => input,
  states: {
    life: {
      initial: 'open',
      states: {
        open: {
          on: {
            'position.soldOut': { target: 'closedBySale', actions: 'say' },
            'position.bought': { actions: 'say' },
            'position.closed': { guard: 'isWorthClosing', target: 'closedByHand', actions: 'say' },
            'reopening.undone': { guard: 'isReopened', target: 'closedBySale', actions: 'say' },
          },
        },
        closedBySale: { on: { 'position.reopened': { ...reopenable, actions: 'say' } } },
        closedByHand: { on: { 'position.reopened': { ...reopenable, actions: 'say' } } },
      },
    },
    figures: {
      initial: 'trusted',
      states: {
        trusted: { on: { 'position.marked': { target: 'broken', actions: 'say' } } },
        broken: {
          on: {
            'position.marked': { guard: 'isUnmarked', actions: 'say' },
            'mark.reworded': { guard: 'isMarked', actions: 'say' },
            'position.mended': [
              { guard: 'isMarkedAlone', target: 'trusted', actions: 'say' },
              { guard: 'isMarked', actions: 'say' },
            ],
          },
        },
      },
    },
    totals: {
      initial: 'counted',
      states: {
        counted: { on: { 'position.excluded': { target: 'excluded', actions: 'say' } } },
        excluded: { on: { 'position.included': { target: 'counted', actions: 'say' } } },
      },
    },
    target: {
      initial: 'none',
      states: {
        none: { on: { 'target.set': { guard: 'isOpen', target: 'set', actions: 'say' } } },
        set: {
          on: {
            'target.set': { guard: 'isOpen', actions: 'say' },
            'target.cleared': { guard: 'isOpen', target: 'none', actions: 'say' },
          },
        },
      },
    },
    calculation: {
      initial: 'idle',
      states: {
        idle: { on: { 'calculation.started': 'calculating' } },
        calculating: { on: { 'calculation.ended': 'idle' } },
      },
    },
  },
});
export type PositionSnapshot = SnapshotFrom<typeof positionMachine>;

/** What an event makes of the entries' own facts, as far as it is known before they are read again. */
function happened(event: PositionEvent, { word }: PositionContext): Partial<PositionFacts> {
  switch (event.type) {
    case 'position.soldOut':
      return { closedAt: event.at, closedBy: 'sell', holds: false };
    case 'position.bought':
      return { holds: true };
    case 'position.closed':
      return { closedAt: event.closing.at, closedBy: 'hand', holds: false };
    case 'position.reopened':
      return { closedAt: null, closedBy: null };
    case 'reopening.undone':
      return { closedAt: word.reopenedUntil, closedBy: 'sell', holds: false };
    default:
      return {};
  }
}

function said(event: PositionEvent, { closedAt, closedBy }: PositionContext): Partial<PositionWord> {
  switch (event.type) {
    case 'target.set':
      return { targetPrice: event.price };
    case 'target.cleared':
      return { targetPrice: null };
    case 'position.closed':
      return { closing: event.closing };
    case 'position.reopened':
      return closedBy === 'hand' ? { closing: null } : { reopenedUntil: closedAt };
    case 'reopening.undone':
      return { reopenedUntil: null };
    case 'position.marked':
    case 'mark.reworded':
      return { brokenText: event.text };
    case 'position.mended':
      return { brokenText: null };
    case 'position.excluded':
      return { excluded: true };
    case 'position.included':
      return { excluded: false };
    default:
      return {};
  }
}

/** The machine where the entries and its owner have brought it. */
export function restoredPosition(context: PositionContext): PositionSnapshot {
  const { closedAt, closedBy, word, reasons, calculating } = context;
  return positionMachine.resolveState({
    value: {
      life: closedAt === null ? 'open' : closedBy === 'hand' ? 'closedByHand' : 'closedBySale',
      figures: reasons.length > 0 || word.brokenText !== null ? 'broken' : 'trusted',
      totals: word.excluded ? 'excluded' : 'counted',
      target: word.targetPrice === null ? 'none' : 'set',
      calculation: calculating ? 'calculating' : 'idle',
    },
    context,
  });
}

/** What its owner has said after an event; undefined when the machine does not take it. */
export const wordAfter = (position: PositionSnapshot, event: PositionEvent): PositionWord | undefined =>
  position.can(event) ? transition(positionMachine, position, event)[0].context.word : undefined;

const EVENTS: Record<PositionAction, PositionEvent> = {
  calculate: { type: 'calculation.started' },
  target: { type: 'target.set', price: '1' },
  close: { type: 'position.closed', closing: { at: 0, remainder: 'at-cost', price: '0' } },
  reopen: { type: 'position.reopened' },
  split: { type: 'reopening.undone' },
  break: { type: 'position.marked', text: '' },
  mend: { type: 'position.mended' },
  exclude: { type: 'position.excluded' },
  include: { type: 'position.included' },
};

/** What may be asked of a position now, as its machine answers. */
export const allowedPositionActions = (position: PositionSnapshot): PositionAction[] =>
  positionAction.options.filter((action) => position.can(EVENTS[action]));
