import { type AnyStateMachine, assign, setup } from 'xstate';
import type { Chart } from './chart.ts';
import { compileChart } from './chart.ts';

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

const on = {
  disabled: [{ target: 'disabled', actions: 'disabled' }],
  halted: [{ target: 'halted', actions: 'halted' }],
  blocked: [{ target: 'blocked', actions: 'blocked' }],
};

/** The life of a bot. Only `running` opens positions; exits go on in every state but `halted` and a frozen `disabled`. */
export const autoTradeChart = {
  id: 'autoTrade',
  initial: 'draft',
  states: {
    draft: { on: { 'bot.saved': [{ target: 'disabled' }], 'bot.deleted': [{ target: 'deleted' }] } },
    disabled: {
      on: {
        'bot.enabled': [{ guard: 'isAcknowledged', target: 'running', actions: 'enabled' }],
        'bot.disabled': [{ actions: 'disabled' }],
        'bot.reset': [{ actions: 'reset' }],
        'bot.halted': on.halted,
        'bot.deleted': [{ target: 'deleted' }],
      },
    },
    running: {
      on: {
        'bot.disabled': on.disabled,
        'bot.paused': [{ target: 'paused', actions: 'paused' }],
        'bot.blocked': on.blocked,
        'bot.halted': on.halted,
      },
    },
    paused: {
      on: {
        'pause.ended': [{ target: 'running', actions: 'enabled' }],
        'bot.paused': [{ actions: 'paused' }],
        'bot.disabled': on.disabled,
        'bot.blocked': on.blocked,
        'bot.halted': on.halted,
      },
    },
    blocked: {
      on: {
        'block.cleared': [{ target: 'running', actions: 'enabled' }],
        'bot.blocked': [{ actions: 'blocked' }],
        'bot.disabled': on.disabled,
        'bot.halted': on.halted,
      },
    },
    halted: {
      on: {
        'bot.disabled': on.disabled,
        'bot.enabled': [{ guard: 'isAcknowledged', target: 'running', actions: 'enabled' }],
      },
    },
    deleted: { type: 'final' },
  },
} as const satisfies Chart;

export type AutoTradeStateName = keyof typeof autoTradeChart.states;

type Of<Type extends AutoTradeEvent['type']> = Extract<AutoTradeEvent, { type: Type }>;

const reducers = {
  enabled: (context: AutoTradeContext, event: AutoTradeEvent): AutoTradeContext => ({
    ...context,
    liftedAt: event.type === 'pause.ended' ? (event.liftedAt ?? context.liftedAt ?? null) : (context.liftedAt ?? null),
    reason: null,
    pausedUntil: null,
    exits: 'continue',
    mustAcknowledge: false,
  }),
  disabled: (context: AutoTradeContext, event: Of<'bot.disabled'>): AutoTradeContext => ({
    ...context,
    reason: null,
    pausedUntil: null,
    exits: event.exits,
  }),
  paused: (context: AutoTradeContext, event: Of<'bot.paused'>): AutoTradeContext => ({
    ...context,
    reason: event.reason,
    pausedUntil: event.until,
  }),
  blocked: (context: AutoTradeContext, event: Of<'bot.blocked'>): AutoTradeContext => ({
    ...context,
    reason: event.reason,
    pausedUntil: null,
  }),
  halted: (context: AutoTradeContext, event: Of<'bot.halted'>): AutoTradeContext => ({
    ...context,
    reason: event.reason,
    pausedUntil: null,
    mustAcknowledge: true,
  }),
  reset: (context: AutoTradeContext): AutoTradeContext => ({
    ...context,
    runNo: context.runNo + 1,
    reason: null,
    pausedUntil: null,
    liftedAt: null,
  }),
};

const guards = {
  isAcknowledged: (context: AutoTradeContext, event: AutoTradeEvent) =>
    !context.mustAcknowledge || (event.type === 'bot.enabled' && event.acknowledge),
};

type AnyReducer = (context: AutoTradeContext, event: AutoTradeEvent) => AutoTradeContext;
const anyReducers = reducers as unknown as Readonly<Record<keyof typeof reducers, AnyReducer>>;

export const newAutoTradeContext: AutoTradeContext = {
  runNo: 1,
  reason: null,
  pausedUntil: null,
  exits: 'continue',
  mustAcknowledge: false,
  liftedAt: null,
};

/** The bot's machine: the screens draw it, the tests walk it, the server runs it as data. */
export const autoTradeMachine = setup({
  types: { context: {} as AutoTradeContext, events: {} as AutoTradeEvent, input: {} as AutoTradeContext },
  actions: Object.fromEntries(
    Object.entries(anyReducers).map(([name, reduce]) => [
      name,
      assign(({ context, event }) => reduce(context as AutoTradeContext, event as AutoTradeEvent)),
    ]),
  ) as never,
  guards: Object.fromEntries(
    Object.entries(guards).map(([name, holds]) => [
      name,
      ({ context, event }: { context: AutoTradeContext; event: AutoTradeEvent }) => holds(context, event),
    ]),
  ) as never,
}).createMachine({ ...autoTradeChart, context: ({ input }: { input: AutoTradeContext }) => input } as never) as unknown as AnyStateMachine;

/** The same chart as a table. */
export const advanceAutoTrade = compileChart<AutoTradeStateName, AutoTradeContext, AutoTradeEvent>(autoTradeChart, anyReducers, guards);

/** States in which a bot may open positions: one. */
export const opensPositions = (state: AutoTradeStateName): boolean => state === 'running';
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
