import type { AnyStateMachine, EventObject } from 'xstate';
import type { Advance } from './interpreter.ts';
import type { Holds, Reduces } from './pure-actions.ts';

type Edge<State, Data, Event> = {
  readonly target: State;
  readonly holds: Holds<Data, Event>['holds'] | undefined;
  readonly reduce: Reduces<Data, Event>['reduce'] | undefined;
};

/**
 * The same machine as a table, for runs over recorded time alone: its own guards and reducers, read from its transitions.
 * Throws for a guard or an action that `pureActions` did not make: it must not become a silent no-op.
 */
export function tableOf<State extends string, Data, Event extends EventObject>(machine: AnyStateMachine): Advance<State, Data, Event> {
  const table = new Map(
    Object.entries(machine.states).map(([name, node]) => [
      name,
      new Map(
        [...node.transitions].map(([type, transitions]) => [
          type,
          transitions.map(({ target, guard, actions }): Edge<State, Data, Event> => {
            const [action] = actions;
            if (actions.length > 1 || (guard && !isPure<Holds<Data, Event>>(guard, 'holds')) || (action && !isPure(action, 'reduce')))
              throw new TypeError(`${machine.id}: ${name} takes ${type} with what no table can run`);
            return {
              target: (target?.[0]?.key ?? name) as State,
              holds: guard && isPure<Holds<Data, Event>>(guard, 'holds') ? guard.holds : undefined,
              reduce: action && isPure<Reduces<Data, Event>>(action, 'reduce') ? action.reduce : undefined,
            };
          }),
        ]),
      ),
    ]),
  );
  return (state, data, event) => {
    for (const { target, holds, reduce } of table.get(state)?.get(event.type) ?? []) {
      if (holds && !holds(data, event)) continue;
      return target === state && !reduce ? undefined : { state: target, context: reduce ? reduce(data, event) : data };
    }
    return undefined;
  };
}

const isPure = <Kind>(value: unknown, key: keyof Kind & string): value is Kind => typeof value === 'function' && key in value;
