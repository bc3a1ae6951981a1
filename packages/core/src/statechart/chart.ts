import type { AnyStateMachine } from 'xstate';

/** A flat machine as one draws it: each state with the events that lead to another. */
export type Chart = {
  readonly id: string;
  readonly initial: string;
  readonly states: Readonly<
    Record<string, { readonly final: boolean; readonly ways: readonly { readonly event: string; readonly to: string }[] }>
  >;
};

/** The chart of a machine, from its own transitions. */
export function chartOf(machine: AnyStateMachine): Chart {
  const states = Object.entries(machine.states).map(([name, node]) => {
    const ways = [...node.transitions].flatMap(([event, transitions]) =>
      transitions.flatMap(({ target }) => (target?.[0] && target[0].key !== name ? [{ event, to: target[0].key }] : [])),
    );
    return [name, { final: node.type === 'final', ways }] as const;
  });
  return { id: machine.id, initial: machine.root.initial.target[0]!.key, states: Object.fromEntries(states) };
}
