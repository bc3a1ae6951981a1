import { type AnyStateMachine, assign, setup } from 'xstate';
import type { Chart } from '../auto-trades/chart.ts';
import { compileChart } from '../auto-trades/chart.ts';
import { type AlertAction, alertAction, type PriceAlertState } from './price-alerts-contract.ts';

/** What an alert remembers of its own life. `firedAt` is market time, the others are the wall's; epoch ms. */
export type PriceAlertContext = {
  readonly repeat: 'once' | 'every' | 'untilAcknowledged';
  /** Waits for history before it can be judged. */
  readonly needsHistory: boolean;
  readonly snoozedUntil: number | null;
  /** Stable code: why it is disabled, failed or warming. */
  readonly reason: string | null;
  readonly firedCount: number;
  readonly firedAt: number | null;
  readonly acknowledgedAt: number | null;
  /** While cooling down: whether the price has left the level, and whether the time is over. Both are needed. */
  readonly hasLeft: boolean;
  readonly hasCooled: boolean;
};

export type PriceAlertEvent =
  /** `at` market time, `now` the wall's. */
  | { readonly type: 'alert.triggered'; readonly at: number; readonly now: number }
  | { readonly type: 'history.known' }
  | { readonly type: 'history.lost'; readonly reason: string }
  | { readonly type: 'price.left' }
  | { readonly type: 'cooldown.ended' }
  | { readonly type: 'alert.acknowledged'; readonly now: number }
  | { readonly type: 'alert.snoozed'; readonly until: number | null }
  | { readonly type: 'alert.expired' }
  | { readonly type: 'alert.failed'; readonly reason: string }
  | { readonly type: 'alert.disabled'; readonly reason: string | null }
  | { readonly type: 'alert.enabled' };

const ends = {
  'alert.snoozed': [{ actions: 'snoozed' }],
  'alert.failed': [{ target: 'failed', actions: 'failed' }],
  'alert.disabled': [{ target: 'disabled', actions: 'disabled' }],
} as const;
const again = {
  'alert.enabled': [
    { guard: 'needsHistory', target: 'warming', actions: 'warming' },
    { target: 'armed', actions: 'armed' },
  ],
} as const;

/** The life of an alert. Only `armed` fires, and not while it is snoozed. */
export const priceAlertChart = {
  id: 'priceAlert',
  initial: 'warming',
  states: {
    warming: {
      on: {
        ...ends,
        'history.known': [{ target: 'armed', actions: 'armed' }],
        'alert.expired': [{ target: 'expired', actions: 'expired' }],
      },
    },
    armed: {
      on: {
        ...ends,
        'history.lost': [{ target: 'warming', actions: 'warming' }],
        'alert.triggered': [
          { guard: 'isSnoozed' },
          { guard: 'coolsDown', target: 'cooldown', actions: 'fired' },
          { target: 'fired', actions: 'fired' },
        ],
        'alert.expired': [{ target: 'expired', actions: 'expired' }],
      },
    },
    cooldown: {
      on: {
        ...ends,
        'price.left': [{ guard: 'hasCooled', target: 'armed', actions: 'armed' }, { actions: 'left' }],
        'cooldown.ended': [{ guard: 'hasLeft', target: 'armed', actions: 'armed' }, { actions: 'cooled' }],
        'alert.expired': [{ target: 'expired', actions: 'expired' }],
        'alert.enabled': again['alert.enabled'],
      },
    },
    fired: { on: { ...ends, ...again, 'alert.acknowledged': [{ actions: 'acknowledged' }] } },
    expired: { on: { ...again, 'alert.disabled': ends['alert.disabled'] } },
    failed: { on: { ...again, 'alert.disabled': ends['alert.disabled'] } },
    disabled: { on: { ...again, 'alert.snoozed': ends['alert.snoozed'] } },
  },
} as const satisfies Chart;

export type PriceAlertStateName = keyof typeof priceAlertChart.states;
type Of<Type extends PriceAlertEvent['type']> = Extract<PriceAlertEvent, { type: Type }>;

const fresh = { reason: null, hasLeft: false, hasCooled: false } as const;
const reducers = {
  armed: (context: PriceAlertContext): PriceAlertContext => ({ ...context, ...fresh, acknowledgedAt: null }),
  warming: (context: PriceAlertContext, event: PriceAlertEvent): PriceAlertContext => ({
    ...context,
    ...fresh,
    acknowledgedAt: null,
    reason: event.type === 'history.lost' ? event.reason : 'history',
  }),
  fired: (context: PriceAlertContext, event: Of<'alert.triggered'>): PriceAlertContext => ({
    ...context,
    ...fresh,
    firedCount: context.firedCount + 1,
    firedAt: event.at,
    acknowledgedAt: null,
  }),
  left: (context: PriceAlertContext): PriceAlertContext => ({ ...context, hasLeft: true }),
  cooled: (context: PriceAlertContext): PriceAlertContext => ({ ...context, hasCooled: true }),
  acknowledged: (context: PriceAlertContext, event: Of<'alert.acknowledged'>): PriceAlertContext => ({
    ...context,
    acknowledgedAt: context.acknowledgedAt ?? event.now,
  }),
  snoozed: (context: PriceAlertContext, event: Of<'alert.snoozed'>): PriceAlertContext => ({ ...context, snoozedUntil: event.until }),
  // What is over rests no more: its owner can only arm it again.
  expired: (context: PriceAlertContext): PriceAlertContext => ({ ...context, ...fresh, snoozedUntil: null }),
  failed: (context: PriceAlertContext, event: Of<'alert.failed'>): PriceAlertContext => ({
    ...context,
    ...fresh,
    snoozedUntil: null,
    reason: event.reason,
  }),
  disabled: (context: PriceAlertContext, event: Of<'alert.disabled'>): PriceAlertContext => ({
    ...context,
    ...fresh,
    reason: event.reason,
  }),
};

const guards = {
  isSnoozed: (context: PriceAlertContext, event: PriceAlertEvent) =>
    event.type === 'alert.triggered' && context.snoozedUntil !== null && event.now < context.snoozedUntil,
  coolsDown: (context: PriceAlertContext) => context.repeat === 'every',
  needsHistory: (context: PriceAlertContext) => context.needsHistory,
  hasCooled: (context: PriceAlertContext) => context.hasCooled,
  hasLeft: (context: PriceAlertContext) => context.hasLeft,
};

type AnyReducer = (context: PriceAlertContext, event: PriceAlertEvent) => PriceAlertContext;
const anyReducers = reducers as unknown as Readonly<Record<keyof typeof reducers, AnyReducer>>;

export const newPriceAlertContext = (
  given: Pick<PriceAlertContext, 'repeat' | 'needsHistory' | 'snoozedUntil'> & { readonly firedCount?: number },
): PriceAlertContext => ({
  firedCount: 0,
  ...given,
  reason: given.needsHistory ? 'history' : null,
  firedAt: null,
  acknowledgedAt: null,
  hasLeft: false,
  hasCooled: false,
});

/** The alert's machine: the screens draw it, the tests walk it, the server runs it as data. */
export const priceAlertMachine = setup({
  types: { context: {} as PriceAlertContext, events: {} as PriceAlertEvent, input: {} as PriceAlertContext },
  actions: Object.fromEntries(
    Object.entries(anyReducers).map(([name, reduce]) => [
      name,
      assign(({ context, event }) => reduce(context as PriceAlertContext, event as PriceAlertEvent)),
    ]),
  ) as never,
  guards: Object.fromEntries(
    Object.entries(guards).map(([name, holds]) => [
      name,
      ({ context, event }: { context: PriceAlertContext; event: PriceAlertEvent }) => holds(context, event),
    ]),
  ) as never,
}).createMachine({
  ...priceAlertChart,
  context: ({ input }: { input: PriceAlertContext }) => input,
} as never) as unknown as AnyStateMachine;

/** The same chart as a table: the next state and context, or undefined where the event changes nothing. */
export const advancePriceAlert = compileChart<PriceAlertStateName, PriceAlertContext, PriceAlertEvent>(
  priceAlertChart,
  anyReducers,
  guards,
);

const ALERT_EVENTS = {
  acknowledge: { type: 'alert.acknowledged', now: 0 },
  wake: { type: 'alert.snoozed', until: null },
  snooze: { type: 'alert.snoozed', until: 0 },
  enable: { type: 'alert.enabled' },
  disable: { type: 'alert.disabled', reason: null },
} as const satisfies Record<AlertAction, PriceAlertEvent>;

/**
 * What may be asked of an alert now, as its machine answers. What the machine takes and would change nothing is left out:
 * only what rests is woken, and only reminders that still come are ended.
 */
export function allowedAlertActions(state: PriceAlertStateName, context: PriceAlertContext): AlertAction[] {
  const means: Partial<Record<AlertAction, boolean>> = {
    acknowledge: context.repeat === 'untilAcknowledged' && context.acknowledgedAt === null,
    wake: context.snoozedUntil !== null,
  };
  return alertAction.options.filter(
    (action) => (means[action] ?? true) && advancePriceAlert(state, context, ALERT_EVENTS[action]) !== undefined,
  );
}

/** The state as the contract writes it. */
export const wireState = (state: PriceAlertStateName): PriceAlertState => `${state[0]!.toUpperCase()}${state.slice(1)}` as PriceAlertState;
