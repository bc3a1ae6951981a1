import { type AnyActorScope, createActor, createMachine, type EventObject } from 'xstate';
import type { Boxed } from './pure-actions.ts';

export type Advanced<State extends string, Data> = { readonly state: State; readonly context: Data };
/** What an event makes of a state and its data (what is stored beside the state); undefined where it is not taken, or changes neither. */
export type Advance<State extends string, Data, Event> = (state: State, data: Data, event: Event) => Advanced<State, Data> | undefined;

type Resolved = { readonly value: string; readonly context: Boxed<unknown> };
/** What is asked of a flat machine of XState, as `setup().createMachine()` makes it. */
export type Runs<Snapshot extends Resolved, Event> = {
  resolveState(config: { value: Snapshot['value']; context: Snapshot['context'] }): Snapshot;
  transition(snapshot: Snapshot, event: Event, scope: AnyActorScope): Snapshot;
};

const nothing = () => undefined;

/** The place an event happens in: no actor of its own, so one is enough for all. */
function emptyScope(): AnyActorScope {
  const self = createActor(createMachine({}));
  return {
    self,
    system: self.system,
    id: self.id,
    sessionId: self.sessionId,
    logger: nothing,
    defer: nothing,
    stopChild: nothing,
    emit: nothing,
    actionExecutor: nothing,
  };
}

/** Advances a machine by XState itself, one event at a time, from whatever was stored. */
export function interpreterOf<Snapshot extends Resolved, Event extends EventObject>(
  machine: Runs<Snapshot, Event>,
): Advance<Snapshot['value'], Snapshot['context']['data'], Event> {
  const scope = emptyScope();
  return (value, data, event) => {
    const before = machine.resolveState({ value, context: { data } });
    const after = machine.transition(before, event, scope);
    return after === before ? undefined : { state: after.value, context: after.context.data };
  };
}
