import { expect } from 'vitest';
import { type AnyStateMachine, createActor, type EventObject } from 'xstate';
import type { Advance, Advanced } from '../src/statechart/interpreter.ts';
import { tableOf } from '../src/statechart/table.ts';

/**
 * Sends events to a machine in the three ways there are: to an actor that runs, by XState from what is stored, and to the
 * table of backtests. Each time they must agree, also on whether the event is taken.
 */
export function allInterpreters<State extends string, Data, Event extends EventObject>(
  machine: AnyStateMachine,
  byXState: Advance<State, Data, Event>,
  start: Advanced<State, Data>,
) {
  const byTable = tableOf<State, Data, Event>(machine);
  const snapshot = machine.resolveState({ value: start.state, context: { data: start.context } });
  const actor = createActor(machine, { snapshot, input: undefined }).start();
  let now = start;
  return {
    send(event: Event): Advanced<State, Data> {
      const taken = actor.getSnapshot().can(event);
      const next = byXState(now.state, now.context, event);
      expect([event.type, next !== undefined]).toEqual([event.type, taken]);
      expect(byTable(now.state, now.context, event)).toEqual(next);
      actor.send(event);
      now = next ?? now;
      const { value, context } = actor.getSnapshot();
      expect({ state: value as State, context: context.data as Data }).toEqual(now);
      return now;
    },
    stop: () => actor.stop(),
  };
}
