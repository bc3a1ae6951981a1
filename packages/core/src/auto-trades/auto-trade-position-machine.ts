import { type AnyStateMachine, assign, setup } from 'xstate';
import { type Advanced, compileChart } from './chart.ts';
import { type PositionState, positionChart } from './position-chart.ts';
import { type PositionGuardName, positionGuards } from './position-guards.ts';
import { type PositionActionName, positionReducers } from './position-reducers.ts';
import type { PositionContext, PositionEvent } from './position-state.ts';

const actionNames = Object.keys(positionReducers) as PositionActionName[];
const guardNames = Object.keys(positionGuards) as PositionGuardName[];

/**
 * One position of a bot. The server runs it as data, the screens draw it, the tests walk it. Its context is the
 * stored row; what a step asks of the world is in `context.effects`, which every action replaces.
 */
export const autoTradePositionMachine = setup({
  types: { context: {} as PositionContext, events: {} as PositionEvent, input: {} as PositionContext },
  actions: Object.fromEntries(
    actionNames.map((name) => [
      name,
      assign(({ context, event }) => positionReducers[name](context as PositionContext, event as PositionEvent)),
    ]),
  ) as never,
  guards: Object.fromEntries(
    guardNames.map((name) => [
      name,
      ({ context, event }: { context: PositionContext; event: PositionEvent }) => positionGuards[name](context, event),
    ]),
  ) as never,
}).createMachine({ ...positionChart, context: ({ input }: { input: PositionContext }) => input } as never) as unknown as AnyStateMachine;

/** The same chart as a table, for the hot path: equal to the machine on every event, as the tests show. */
export const advancePosition: (
  state: PositionState,
  context: PositionContext,
  event: PositionEvent,
) => Advanced<PositionState, PositionContext> | undefined = compileChart<PositionState, PositionContext, PositionEvent>(
  positionChart,
  positionReducers,
  positionGuards,
);
