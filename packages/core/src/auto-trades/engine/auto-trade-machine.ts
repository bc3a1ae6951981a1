import { type StateValueFrom, setup } from 'xstate';
import { interpreterOf } from '../../statechart/interpreter.ts';
import { type Boxed, pureActions } from '../../statechart/pure-actions.ts';

/** What a bot remembers of its own state. Times in epoch ms. */
export type AutoTradeContext = {
  readonly runNo: number;
  /** Stable code: why it is paused, blocked or halted. */
  readonly reason: string | null;
  readonly pausedUntil: number | null;
  /** What happens to open positions while disabled. */
  readonly exits: 'continue' | 'freeze';
  /** A run that ended halted must be acknowledged before the next. */
  readonly mustAcknowledge: boolean;
  /** Pauses that came before this venue time were lifted by the owner; null: none was. */
  readonly liftedAt: number | null;
};

export type AutoTradeEvent =
  | { readonly type: 'bot.saved' }
  | { readonly type: 'bot.enabled'; readonly acknowledge: boolean }
  | { readonly type: 'bot.disabled'; readonly exits: 'continue' | 'freeze' }
  | { readonly type: 'bot.paused'; readonly reason: string; readonly until: number }
  | { readonly type: 'pause.ended'; readonly liftedAt?: number }
  | { readonly type: 'bot.blocked'; readonly reason: string }
  | { readonly type: 'block.cleared' }
  | { readonly type: 'bot.halted'; readonly reason: string }
  | { readonly type: 'bot.reset' }
  | { readonly type: 'bot.deleted' };

type Of<Type extends AutoTradeEvent['type']> = Extract<AutoTradeEvent, { type: Type }>;

/** The reason of a state and the end of a pause, in place of those of the state before. */
const because = (context: AutoTradeContext, reason: string | null, pausedUntil: number | null = null): AutoTradeContext => ({
  ...context,
  reason,
  pausedUntil,
});
const enabled = (context: AutoTradeContext, event: AutoTradeEvent): AutoTradeContext => ({
  ...because(context, null),
  liftedAt: (event.type === 'pause.ended' ? event.liftedAt : undefined) ?? context.liftedAt ?? null,
  exits: 'continue',
  mustAcknowledge: false,
});
const disabled = (context: AutoTradeContext, { exits }: Of<'bot.disabled'>): AutoTradeContext => ({ ...because(context, null), exits });
const paused = (context: AutoTradeContext, { reason, until }: Of<'bot.paused'>): AutoTradeContext => because(context, reason, until);
const blocked = (context: AutoTradeContext, { reason }: Of<'bot.blocked'>): AutoTradeContext => because(context, reason);
const halted = (context: AutoTradeContext, { reason }: Of<'bot.halted'>): AutoTradeContext => ({
  ...because(context, reason),
  mustAcknowledge: true,
});
const reset = (context: AutoTradeContext): AutoTradeContext => ({ ...because(context, null), runNo: context.runNo + 1, liftedAt: null });

const isAcknowledged = (context: AutoTradeContext, event: AutoTradeEvent): boolean =>
  !context.mustAcknowledge || (event.type === 'bot.enabled' && event.acknowledge);

export const newAutoTradeContext: AutoTradeContext = {
  runNo: 1,
  reason: null,
  pausedUntil: null,
  exits: 'continue',
  mustAcknowledge: false,
  liftedAt: null,
};

const { does, when } = pureActions<AutoTradeContext, AutoTradeEvent>();
const on = {
  disabled: [{ target: 'disabled', actions: does(disabled) }],
  halted: [{ target: 'halted', actions: does(halted) }],
  blocked: [{ target: 'blocked', actions: does(blocked) }],
} as const;

/** The life of a bot. Only `running` opens positions; exits go on in every state but `halted` and a frozen `disabled`. The server
 * runs it, the screens draw it, the tests walk it. */
export const autoTradeMachine = setup({
  types: { context: {} as Boxed<AutoTradeContext>, events: {} as AutoTradeEvent, input: {} as AutoTradeContext },
}).createMachine({
  id: 'autoTrade',
  context: ({ input }) => ({ data: input }),
  initial: 'draft',
  states: {
    draft: { on: { 'bot.saved': [{ target: 'disabled' }], 'bot.deleted': [{ target: 'deleted' }] } },
    disabled: {
      on: {
        'bot.enabled': [{ guard: when(isAcknowledged), target: 'running', actions: does(enabled) }],
        'bot.disabled': [{ actions: does(disabled) }],
        'bot.reset': [{ actions: does(reset) }],
        'bot.halted': on.halted,
        'bot.deleted': [{ target: 'deleted' }],
      },
    },
    running: {
      on: {
        'bot.disabled': on.disabled,
        'bot.paused': [{ target: 'paused', actions: does(paused) }],
        'bot.blocked': on.blocked,
        'bot.halted': on.halted,
      },
    },
    paused: {
      on: {
        'pause.ended': [{ target: 'running', actions: does(enabled) }],
        'bot.paused': [{ actions: does(paused) }],
        'bot.disabled': on.disabled,
        'bot.blocked': on.blocked,
        'bot.halted': on.halted,
      },
    },
    blocked: {
      on: {
        'block.cleared': [{ target: 'running', actions: does(enabled) }],
        'bot.blocked': [{ actions: does(blocked) }],
        'bot.disabled': on.disabled,
        'bot.halted': on.halted,
      },
    },
    halted: {
      on: {
        'bot.disabled': on.disabled,
        'bot.enabled': [{ guard: when(isAcknowledged), target: 'running', actions: does(enabled) }],
      },
    },
    deleted: { type: 'final' },
  },
});

export type AutoTradeStateName = StateValueFrom<typeof autoTradeMachine>;

/** Advances a bot by XState itself. */
export const advanceAutoTrade = interpreterOf(autoTradeMachine);

/** States in which its engine looks for entries: a pause is the engine's own, which ends it by the clock of the market. */
export const looksForEntries = (state: AutoTradeStateName): boolean => state === 'running' || state === 'paused';
/** Disabled, and what it holds is left alone: no exit is sent, no stop either. */
export const isFrozen = (state: AutoTradeStateName, context: Pick<AutoTradeContext, 'exits'>): boolean =>
  state === 'disabled' && context.exits === 'freeze';
/** Why no order of a bot is sent, exits included; null when they are. */
export const silenceOf = (state: AutoTradeStateName, context: AutoTradeContext): 'frozen' | 'halted' | null =>
  mayTrade(state, context) ? null : isFrozen(state, context) ? 'frozen' : 'halted';
/** False when nothing at all may be sent for this bot: a kill switch stays in force until it is acknowledged. */
export const mayTrade = (state: AutoTradeStateName, context: AutoTradeContext): boolean =>
  state !== 'halted' && state !== 'deleted' && !context.mustAcknowledge && !isFrozen(state, context);
