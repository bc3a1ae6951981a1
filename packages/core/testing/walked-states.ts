import type { AnyStateMachine } from 'xstate';
import { allowedBotActions, allowedBotPositionActions, NEEDS_TRADING, withoutTrading } from '../src/auto-trades/allowed-actions.ts';
import type { AutoTrade, AutoTradePosition } from '../src/auto-trades/auto-trades-contract.ts';
import {
  type AutoTradeContext,
  type AutoTradeStateName,
  autoTradeMachine,
  newAutoTradeContext,
} from '../src/auto-trades/engine/auto-trade-machine.ts';
import { autoTradePositionMachine, type PositionState } from '../src/auto-trades/position/auto-trade-position-machine.ts';
import { newPosition } from '../src/auto-trades/position/position-state.ts';
import { allowedPositionActions, type PositionContext, type PositionSnapshot, positionMachine } from '../src/positions/position-machine.ts';
import {
  allowedAlertActions,
  type PriceAlertContext,
  type PriceAlertStateName,
  priceAlertMachine,
  wireState,
} from '../src/price-alerts/price-alert-machine.ts';
import type { Boxed } from '../src/statechart/pure-actions.ts';
import { positionSettings } from './auto-trade-fixtures.ts';
import { botCases } from './auto-trade-paths.ts';
import { type MachinePath, type PathOptions, transitionPaths } from './machine-paths.ts';
import { openPosition, positionCases, positionIdentity } from './position-paths.ts';
import { alertCases, alertIdentity, alertInputs } from './price-alert-paths.ts';

// Every state that a machine comes to, as the server tells it: what a screen offers there is what the machine takes.

type Walked<State, Context> = { readonly value: State; readonly context: Context };

type Resolvable<Snapshot> = { resolveState(config: { value: never; context: never }): Snapshot };

/** The snapshots that the paths of a machine come to, each state once for each memory that differs. */
export function walkedSnapshots<Snapshot, Context>(
  machine: Resolvable<Snapshot>,
  paths: readonly MachinePath[],
  identity: (context: Context) => unknown,
): (readonly [name: string, snapshot: Snapshot])[] {
  const named = paths.flatMap(({ steps }) =>
    steps.map(({ state: { value, context } }) => {
      const name = `${JSON.stringify(value)} ${JSON.stringify(identity(context as Context))}`;
      return [name, machine.resolveState({ value: value as never, context: context as never })] as const;
    }),
  );
  return [...new Map(named)];
}

/** Each state of the machine once, as often as its memory differs. */
function everyState<State, Context>(machine: AnyStateMachine, options: PathOptions<AnyStateMachine>): Walked<State, Context>[] {
  const states = transitionPaths(machine, options).flatMap(({ steps }) => steps.map(({ state }) => state as Walked<State, Context>));
  const keyOf = ({ value, context }: Walked<State, Context>) => JSON.stringify([value, options.identity?.(context as never)]);
  return [...new Map(states.map((state) => [keyOf(state), state])).values()];
}

/** Alerts by their state, how often they fire, and whether they rest or were seen. */
export const walkedAlerts = alertInputs.flatMap((input) =>
  everyState<PriceAlertStateName, Boxed<PriceAlertContext>>(priceAlertMachine, {
    input,
    identity: ({ data }: Boxed<PriceAlertContext>) => alertIdentity(data),
    cases: alertCases(input),
    stopWhen: ({ context }) => context.data.firedCount > 1,
  }).map(({ value, context: { data: context } }) => ({
    name: `${value}: ${alertIdentity(context)}`,
    repeat: context.repeat,
    state: wireState(value),
    allowed: allowedAlertActions(value, context),
    snoozedUntil: context.snoozedUntil === null ? null : new Date(context.snoozedUntil).toISOString(),
  })),
);

const named = (...words: (string | false)[]): string => words.filter((word) => word !== false).join(', ');
const capital = (word: string): string => `${word[0]!.toUpperCase()}${word.slice(1)}`;

/** Bots by their state, holding something or nothing, with keys that may trade and with keys that may not. */
export const walkedBots = everyState<AutoTradeStateName, Boxed<AutoTradeContext>>(autoTradeMachine, {
  input: newAutoTradeContext,
  identity: ({ data: { mustAcknowledge, exits } }: Boxed<AutoTradeContext>) => [mustAcknowledge, exits],
  cases: botCases,
  stopWhen: ({ context }) => context.data.runNo > 2,
}).flatMap(({ value: state, context: { data: context } }) =>
  [true, false].flatMap((holds) =>
    [true, false].map((mayTrade) => ({
      name: named(state, context.mustAcknowledge && 'to acknowledge', context.exits, holds ? 'holds' : 'empty', !mayTrade && 'no trading'),
      state: capital(state) as AutoTrade['state'],
      exits: context.exits,
      mustAcknowledge: context.mustAcknowledge,
      openPositions: holds ? 1 : 0,
      ...withoutTrading(allowedBotActions(state, context, holds), NEEDS_TRADING.bot, !mayTrade),
    })),
  ),
);

/** Positions of a bot by their state, of bots whose orders are sent and whose are not, with and without trading. */
export const walkedBotPositions = (Object.keys(autoTradePositionMachine.states) as PositionState[]).flatMap((state) =>
  [true, false].flatMap((orders) =>
    [true, false].map((mayTrade) => ({
      name: named(state, !orders && 'no orders', !mayTrade && 'no trading'),
      state: capital(state) as AutoTradePosition['state'],
      ...withoutTrading(
        allowedBotPositionActions(state, newPosition(positionSettings(), 1, 'p1'), orders),
        NEEDS_TRADING.position,
        !mayTrade,
      ),
    })),
  ),
);

/** Positions of their owner by what the entries say and what was said of them. */
export const walkedPositions = everyState<PositionSnapshot['value'], PositionContext>(positionMachine, {
  input: openPosition as never,
  identity: positionIdentity as never,
  cases: positionCases,
  limit: 50_000,
}).map((state) => {
  const { closedAt, holds, word } = state.context;
  return {
    name: named(
      ...Object.values(state.value),
      holds ? 'holds' : 'empty',
      word.closing !== null && 'closing',
      word.reopenedUntil !== null && 'reopened',
    ),
    isOpen: closedAt === null,
    reopened: word.reopenedUntil !== null,
    targetPrice: word.targetPrice,
    excludedFromTotals: word.excluded,
    allowed: allowedPositionActions(state as PositionSnapshot),
  };
});
