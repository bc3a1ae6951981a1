import { type StateValueFrom, setup } from 'xstate';
import { interpreterOf } from '../statechart/interpreter.ts';
import { type Boxed, pureActions } from '../statechart/pure-actions.ts';
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

type Of<Type extends PriceAlertEvent['type']> = Extract<PriceAlertEvent, { type: Type }>;

const fresh = { reason: null, hasLeft: false, hasCooled: false } as const;
const armed = (context: PriceAlertContext): PriceAlertContext => ({ ...context, ...fresh, acknowledgedAt: null });
const warming = (context: PriceAlertContext, event: PriceAlertEvent): PriceAlertContext => ({
  ...context,
  ...fresh,
  acknowledgedAt: null,
  reason: event.type === 'history.lost' ? event.reason : 'history',
});
const fired = (context: PriceAlertContext, event: Of<'alert.triggered'>): PriceAlertContext => ({
  ...context,
  ...fresh,
  firedCount: context.firedCount + 1,
  firedAt: event.at,
  acknowledgedAt: null,
});
const left = (context: PriceAlertContext): PriceAlertContext => ({ ...context, hasLeft: true });
const cooled = (context: PriceAlertContext): PriceAlertContext => ({ ...context, hasCooled: true });
const acknowledged = (context: PriceAlertContext, event: Of<'alert.acknowledged'>): PriceAlertContext => ({
  ...context,
  acknowledgedAt: context.acknowledgedAt ?? event.now,
});
const snoozed = (context: PriceAlertContext, event: Of<'alert.snoozed'>): PriceAlertContext => ({ ...context, snoozedUntil: event.until });
// What is over rests no more: its owner can only arm it again.
const expired = (context: PriceAlertContext): PriceAlertContext => ({ ...context, ...fresh, snoozedUntil: null });
const failed = (context: PriceAlertContext, event: Of<'alert.failed'>): PriceAlertContext => ({
  ...context,
  ...fresh,
  snoozedUntil: null,
  reason: event.reason,
});
const disabled = (context: PriceAlertContext, event: Of<'alert.disabled'>): PriceAlertContext => ({
  ...context,
  ...fresh,
  reason: event.reason,
});

const isSnoozed = (context: PriceAlertContext, event: PriceAlertEvent): boolean =>
  event.type === 'alert.triggered' && context.snoozedUntil !== null && event.now < context.snoozedUntil;
const coolsDown = (context: PriceAlertContext): boolean => context.repeat === 'every';
const needsHistory = (context: PriceAlertContext): boolean => context.needsHistory;
const hasCooled = (context: PriceAlertContext): boolean => context.hasCooled;
const hasLeft = (context: PriceAlertContext): boolean => context.hasLeft;

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

const { does, when } = pureActions<PriceAlertContext, PriceAlertEvent>();
const ends = {
  'alert.snoozed': [{ actions: does(snoozed) }],
  'alert.failed': [{ target: 'failed', actions: does(failed) }],
  'alert.disabled': [{ target: 'disabled', actions: does(disabled) }],
} as const;
const again = {
  'alert.enabled': [
    { guard: when(needsHistory), target: 'warming', actions: does(warming) },
    { target: 'armed', actions: does(armed) },
  ],
} as const;

/** The life of an alert. Only `armed` fires, and not while it is snoozed. The server runs it, the tests walk it. */
export const priceAlertMachine = setup({
  types: { context: {} as Boxed<PriceAlertContext>, events: {} as PriceAlertEvent, input: {} as PriceAlertContext },
}).createMachine({
  id: 'priceAlert',
  context: ({ input }) => ({ data: input }),
  initial: 'warming',
  states: {
    warming: {
      on: {
        ...ends,
        'history.known': [{ target: 'armed', actions: does(armed) }],
        'alert.expired': [{ target: 'expired', actions: does(expired) }],
      },
    },
    armed: {
      on: {
        ...ends,
        'history.lost': [{ target: 'warming', actions: does(warming) }],
        'alert.triggered': [
          { guard: when(isSnoozed) },
          { guard: when(coolsDown), target: 'cooldown', actions: does(fired) },
          { target: 'fired', actions: does(fired) },
        ],
        'alert.expired': [{ target: 'expired', actions: does(expired) }],
      },
    },
    cooldown: {
      on: {
        ...ends,
        'price.left': [{ guard: when(hasCooled), target: 'armed', actions: does(armed) }, { actions: does(left) }],
        'cooldown.ended': [{ guard: when(hasLeft), target: 'armed', actions: does(armed) }, { actions: does(cooled) }],
        'alert.expired': [{ target: 'expired', actions: does(expired) }],
        'alert.enabled': again['alert.enabled'],
      },
    },
    fired: { on: { ...ends, ...again, 'alert.acknowledged': [{ actions: does(acknowledged) }] } },
    expired: { on: { ...again, 'alert.disabled': ends['alert.disabled'] } },
    failed: { on: { ...again, 'alert.disabled': ends['alert.disabled'] } },
    disabled: { on: { ...again, 'alert.snoozed': ends['alert.snoozed'] } },
  },
});

export type PriceAlertStateName = StateValueFrom<typeof priceAlertMachine>;

/** Advances an alert by XState itself. */
export const advancePriceAlert = interpreterOf(priceAlertMachine);

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
