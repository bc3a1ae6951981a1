import { assign, emit, fromPromise, setup } from 'xstate';
import type { Answer } from '../http/endpoint.ts';
import { codeOf, type ShownProblem, shownProblem } from '../http/problem.ts';
import { decimal, equals } from '../money/decimal.ts';
import { digits, type Price } from '../money/figure.ts';
import type { moveAutoTradePositionLevels } from './auto-trade-actions-contract.ts';
import { isAskablePrice, type LevelField, outlookPrice } from './levels-draft.ts';

/** The server is asked when nothing was moved or typed for so long. */
const PAUSE_MS = 300;
/** How long a moved level is awaited on the screen before its bar goes: without it the old price would flash up again. */
const SETTLE_MS = 3000;

/** A level of a position, and where it is as the draft begins. */
export type TakenLevel = { readonly positionId: string; readonly field: LevelField; readonly price: string };

export type LevelsDraftEvent =
  /** A hand or a key took hold of it. */
  | { type: 'level.taken'; level: TakenLevel }
  | { type: 'price.moved'; price: string }
  /** The hand let go, or Enter: what it would come to is asked at once. Never sends. */
  | { type: 'level.released' }
  | { type: 'price.typed'; price: string }
  | { type: 'putBack.asked'; level: TakenLevel }
  /** `isCurrent`: what is shown is not old. */
  | { type: 'confirm.asked'; isCurrent: boolean }
  | { type: 'sale.confirmed'; isCurrent: boolean }
  | { type: 'sale.declined' }
  | { type: 'draft.discarded' }
  /** It is somewhere else now: a rebuy or another screen moved it. */
  | { type: 'level.elsewhere'; price: string }
  /** More or less is held than before, as after a rebuy: what the level would come to is not what was said. */
  | { type: 'holding.changed' }
  /** The market has come to the level, where it is or where it would be, or has gone from it. */
  | { type: 'standing.changed'; isReached: boolean }
  | { type: 'level.gone'; why: LostBecause };
export type LostBecause = 'closed' | 'notAllowed';

export type LevelsAnswer = Answer<typeof moveAutoTradePositionLevels>;
export type LevelsDraftEmitted = { type: 'level.moved'; level: TakenLevel; price: Price | null };
export type LevelsCheckInput = { readonly level: TakenLevel; readonly price: string | null };
export type LevelsMoveInput = LevelsCheckInput & { readonly sellNow: boolean };

export type LevelsDraftContext = {
  readonly level: TakenLevel | undefined;
  /** Where it would go, as moved or typed; null back to where the settings have it. */
  readonly price: string | null;
  /** What the server says of it, and of which price it said so. */
  readonly verdict: (LevelsAnswer & { readonly of: string | null }) | undefined;
  readonly problem: ShownProblem | undefined;
  /** What a sale at once would be, in the words of the server. */
  readonly sale: string | undefined;
  readonly isReached: boolean;
  /** What happened while the draft was open, until it was seen. */
  readonly notice: 'reached' | 'elsewhere' | 'holding' | undefined;
  readonly lost: LostBecause | undefined;
};

const NOTHING: LevelsDraftContext = {
  level: undefined,
  price: null,
  verdict: undefined,
  problem: undefined,
  sale: undefined,
  isReached: false,
  notice: undefined,
  lost: undefined,
};
const notProvided = async (): Promise<never> => {
  throw new Error('provide() the calls of the levels draft');
};
const isSame = (one: string, other: string): boolean => one === other || equals(decimal(one), decimal(other));
const isAskable = ({ price }: LevelsDraftContext): boolean => price === null || isAskablePrice(price);

/** Whether the draft would change anything, by the server's word where it has one. */
export function changesLevel({ level, price, verdict }: LevelsDraftContext): boolean {
  if (!level) return false;
  if (verdict?.of !== price || verdict === undefined) return price === null || (isAskablePrice(price) && !isSame(price, level.price));
  return outlookPrice(verdict.before, level.field) !== outlookPrice(verdict.after, level.field) || price === null;
}

/** Where the level would be: as the server puts it on the tick, or as it was moved until then; null while that is not known. */
export function draftPrice({ level, price, verdict }: LevelsDraftContext): Price | null {
  if (level && verdict && verdict.of === price) return outlookPrice(verdict.after, level.field);
  return price !== null && isAskablePrice(price) ? price : null;
}

const checking = {
  id: 'check',
  src: 'check',
  input: ({ context }: { context: LevelsDraftContext }) => ({ level: context.level!, price: context.price }),
} as const;

/**
 * A level of a position that is being moved. What a hand or a key moves is a draft: letting go asks the server what it would
 * come to, and only a confirmation after that answer sends. What happens to the level meanwhile has to be seen before it can
 * be confirmed.
 */
export const levelsDraftMachine = setup({
  types: {
    tags: {} as 'busy',
    context: {} as LevelsDraftContext,
    events: {} as LevelsDraftEvent,
    emitted: {} as LevelsDraftEmitted,
  },
  actors: {
    check: fromPromise<LevelsAnswer, LevelsCheckInput>(notProvided),
    move: fromPromise<LevelsAnswer, LevelsMoveInput>(notProvided),
  },
  guards: {
    isAskable: ({ context }) => isAskable(context),
    isChanged: ({ context }) => changesLevel(context),
    mayConfirm: ({ context, event }) => event.type === 'confirm.asked' && event.isCurrent && changesLevel(context),
    isCurrentSale: ({ event }) => event.type === 'sale.confirmed' && event.isCurrent,
    hasNotice: ({ context }) => context.notice !== undefined,
    isNewlyReached: ({ context, event }) => event.type === 'standing.changed' && event.isReached && !context.isReached,
    isElsewhere: ({ context, event }) =>
      event.type === 'level.elsewhere' && context.level !== undefined && !isSame(event.price, context.level.price),
    wouldSell: ({ event }) => 'error' in event && codeOf(event.error) === 'would-sell-now',
  },
  actions: {
    /** The same level goes on from its draft; another one begins where it is. */
    takeLevel: assign(({ context, event }) => {
      if (event.type !== 'level.taken') return {};
      const goesOn = context.level?.field === event.level.field && context.level.positionId === event.level.positionId;
      const price = goesOn && context.lost === undefined ? (digitsOf(draftPrice(context)) ?? event.level.price) : event.level.price;
      return { ...NOTHING, level: event.level, price, isReached: goesOn && context.isReached };
    }),
    takeBack: assign(({ event }) => (event.type === 'putBack.asked' ? { ...NOTHING, level: event.level } : {})),
    takePrice: assign(({ event }) => ('price' in event ? { price: event.price, problem: undefined } : {})),
    takeVerdict: assign(({ context, event }) =>
      'output' in event ? { verdict: { ...(event.output as LevelsAnswer), of: context.price }, problem: undefined } : {},
    ),
    takeProblem: assign(({ event }) => ('error' in event ? { problem: shownProblem(event.error), verdict: undefined } : {})),
    takeSale: assign({ sale: ({ event }) => ('error' in event ? (shownProblem(event.error).detail ?? '') : undefined) }),
    forgetSale: assign({ sale: undefined }),
    takeStanding: assign({ isReached: ({ context, event }) => (event.type === 'standing.changed' ? event.isReached : context.isReached) }),
    noticeReached: assign({ notice: 'reached' as const }),
    noticeHolding: assign({ notice: 'holding' as const }),
    noticeElsewhere: assign(({ context, event }) =>
      event.type === 'level.elsewhere' && context.level
        ? { level: { ...context.level, price: event.price }, notice: 'elsewhere' as const }
        : {},
    ),
    followLevel: assign(({ context, event }) =>
      event.type === 'level.elsewhere' && context.level ? { level: { ...context.level, price: event.price } } : {},
    ),
    forgetNotice: assign({ notice: undefined }),
    takeLoss: assign({ lost: ({ event }) => (event.type === 'level.gone' ? event.why : undefined) }),
    forget: assign(NOTHING),
    announce: emit(({ context, event }) => ({
      type: 'level.moved' as const,
      level: context.level!,
      price: outlookPrice((event as unknown as { output: LevelsAnswer }).output.after, context.level!.field),
    })),
  },
  delays: { pause: PAUSE_MS, settle: SETTLE_MS },
}).createMachine({
  id: 'levelsDraft',
  initial: 'idle',
  context: NOTHING,
  states: {
    idle: {
      entry: 'forget',
      on: {
        'level.taken': { target: 'moving', actions: 'takeLevel' },
        'putBack.asked': { target: 'drafted.checking', actions: 'takeBack' },
      },
    },
    /** The hand, or the keys, hold it. What it would come to is asked when they rest, and nothing can be confirmed. */
    moving: {
      initial: 'pausing',
      on: {
        'level.taken': { target: '.pausing', actions: 'takeLevel' },
        'price.moved': { target: '.pausing', reenter: true, actions: 'takePrice' },
        'price.typed': { target: 'drafted.pausing', actions: 'takePrice' },
        'level.released': [{ guard: 'isChanged', target: 'drafted.checking' }, { target: 'idle' }],
        'putBack.asked': { target: 'drafted.checking', actions: 'takeBack' },
        'level.elsewhere': { actions: 'followLevel' },
        'holding.changed': { target: '.pausing', reenter: true },
        'standing.changed': { actions: 'takeStanding' },
        'level.gone': { target: 'lost', actions: 'takeLoss' },
        'draft.discarded': 'idle',
      },
      states: {
        pausing: { after: { pause: { guard: 'isChanged', target: 'checking' } } },
        checking: {
          invoke: {
            ...checking,
            onDone: { target: 'resting', actions: 'takeVerdict' },
            onError: { target: 'resting', actions: 'takeProblem' },
          },
        },
        resting: {},
      },
    },
    drafted: {
      initial: 'checking',
      on: {
        'level.taken': { target: 'moving', actions: 'takeLevel' },
        'price.moved': { target: 'moving', actions: 'takePrice' },
        'price.typed': { target: '.pausing', reenter: true, actions: 'takePrice' },
        'putBack.asked': { target: '.checking', reenter: true, actions: 'takeBack' },
        'level.elsewhere': { guard: 'isElsewhere', target: '.checking', reenter: true, actions: 'noticeElsewhere' },
        'holding.changed': [
          { guard: 'isAskable', target: '.checking', reenter: true, actions: 'noticeHolding' },
          { actions: 'noticeHolding' },
        ],
        'standing.changed': { actions: 'takeStanding' },
        'level.gone': { target: 'lost', actions: 'takeLoss' },
        'draft.discarded': 'idle',
      },
      states: {
        pausing: {
          after: { pause: { guard: 'isAskable', target: 'checking' } },
          on: { 'confirm.asked': { guard: 'isAskable', target: 'checking' } },
        },
        checking: {
          invoke: {
            ...checking,
            onDone: [
              { guard: 'hasNotice', target: 'noticed', actions: 'takeVerdict' },
              { target: 'checked', actions: 'takeVerdict' },
            ],
            onError: { target: 'refused', actions: 'takeProblem' },
          },
        },
        checked: {
          on: {
            'confirm.asked': { guard: 'mayConfirm', target: '#levelsDraft.confirming' },
            'standing.changed': [
              { guard: 'isNewlyReached', target: 'checking', actions: ['takeStanding', 'noticeReached'] },
              { actions: 'takeStanding' },
            ],
          },
        },
        /** What happened meanwhile has to be seen first: a finger that was on its way confirms nothing. */
        noticed: { on: { 'confirm.asked': { target: 'checked', actions: 'forgetNotice' } } },
        refused: { on: { 'confirm.asked': { guard: 'isAskable', target: 'checking' } } },
      },
    },
    confirming: {
      tags: 'busy',
      invoke: {
        id: 'move',
        src: 'move',
        input: ({ context }) => ({ level: context.level!, price: context.price, sellNow: context.sale !== undefined }),
        onDone: { target: 'settling', actions: 'announce' },
        onError: [
          { guard: 'wouldSell', target: 'selling', actions: 'takeSale' },
          { target: 'drafted.refused', actions: ['takeProblem', 'forgetSale'] },
        ],
      },
    },
    /** It would sell at once, which is asked for as the sale it is. */
    selling: {
      on: {
        // Of old data the words may be old, too: the draft says so.
        'sale.confirmed': [
          { guard: 'isCurrentSale', target: 'confirming' },
          { target: 'drafted.checked', actions: 'forgetSale' },
        ],
        'level.elsewhere': { guard: 'isElsewhere', target: 'drafted.checking', actions: ['noticeElsewhere', 'forgetSale'] },
        'holding.changed': { target: 'drafted.checking', actions: ['noticeHolding', 'forgetSale'] },
        'standing.changed': { actions: 'takeStanding' },
        'sale.declined': { target: 'drafted.checked', actions: 'forgetSale' },
        'level.gone': { target: 'lost', actions: 'takeLoss' },
        'draft.discarded': 'idle',
      },
    },
    /** Moved: the screen waits until it shows so. */
    settling: {
      after: { settle: 'idle' },
      on: {
        'level.elsewhere': { guard: 'isElsewhere', target: 'idle' },
        'level.gone': 'idle',
        'level.taken': { target: 'moving', actions: ['forget', 'takeLevel'] },
        'draft.discarded': 'idle',
      },
    },
    lost: {
      on: {
        'level.taken': { target: 'moving', actions: 'takeLevel' },
        'draft.discarded': 'idle',
      },
    },
  },
});

function digitsOf(price: Price | null): string | undefined {
  return price === null ? undefined : digits(price);
}
