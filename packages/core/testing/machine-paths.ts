import { createTestModel, type TestModel, type TestPath } from '@xstate/test';
import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type ContextFrom,
  createMachine,
  getInitialSnapshot,
  getNextSnapshot,
  getNextTransitions,
  type InputFrom,
  type SnapshotFrom,
  type StateNodeConfig,
} from 'xstate';

type Config = StateNodeConfig<never, never, never, never, never, never, never, never, never, never>;
type Transitions = Record<string, unknown>;

export type MachinePath = TestPath<AnyMachineSnapshot, AnyEventObject>;

export type PathOptions<TMachine extends AnyStateMachine> = {
  /**
   * Payloads to try, by event type, also by what was reached. A type without a case is sent bare; a done/error type must
   * have one.
   */
  cases: Record<string, readonly object[] | ((snapshot: SnapshotFrom<TMachine>) => readonly object[])>;
  input?: InputFrom<TMachine>;
  /** The part of context that makes two states differ. Keep it small: it bounds the graph. */
  identity?: (context: ContextFrom<TMachine>) => unknown;
  stopWhen?: (snapshot: AnyMachineSnapshot) => boolean;
  /** Traversal throws past this many visits; it does not truncate. */
  limit?: number;
};

/** One path per transition, none a prefix of another. `@xstate/test` makes and drives them (`path.test`). */
export function transitionPaths<TMachine extends AnyStateMachine>(
  machine: TMachine,
  { cases, input, identity = () => undefined, limit = 5_000, stopWhen }: PathOptions<TMachine>,
): MachinePath[] {
  const untried = new Set(Object.keys(cases));
  const model = testModelOf(machine);
  const fromState = getInitialSnapshot(model.logic as AnyStateMachine, input);
  const paths = model.getShortestPaths({
    fromState,
    traversalLimit: limit,
    stopCondition: stopWhen,
    // These replace the list that the model makes itself, which knows no payloads: so all that a state takes is listed.
    events: (snapshot) => {
      const types = new Set(
        getNextTransitions(snapshot)
          .map((transition) => transition.eventType)
          .filter(isSendable),
      );
      return [...types].flatMap((type) => {
        untried.delete(type);
        if (NEEDS_CASE.test(type) && !cases[type]) throw new Error(`No case for ${type}`);
        const payloads = cases[type] ?? [{}];
        return (typeof payloads === 'function' ? payloads(snapshot as never) : payloads).map((payload) => ({ ...payload, type }));
      });
    },
    serializeState: (snapshot, event, previous) =>
      JSON.stringify([
        snapshot.value,
        identity(snapshot.context),
        ...(previous ? [previous.value, identity(previous.context), event] : []),
      ]),
  });
  if (untried.size > 0) throw new Error(`Cases of unknown or unreachable events: ${[...untried].join(', ')}`);
  // Of two snapshots of one identity a path may carry the other one: its own events tell which it has.
  return paths.map(({ steps }) =>
    pathBy(
      model,
      fromState,
      steps.slice(1).map(({ event }) => event),
    ),
  );
}

/** The path that these events make from a snapshot. */
export function pathBy(model: ReturnType<typeof testModelOf>, from: AnyMachineSnapshot, events: readonly AnyEventObject[]): MachinePath {
  const steps = [{ state: from, event: { type: 'xstate.init' } as AnyEventObject }];
  let state = from;
  for (const event of events) {
    state = getNextSnapshot(model.logic as AnyStateMachine, state, event);
    steps.push({ state, event });
  }
  const path = { state, steps, weight: events.length };
  const test = ((params) => model.testPath(path, params)) satisfies MachinePath['test'];
  const testSync = ((params) => model.testPathSync(path, params)) satisfies MachinePath['testSync'];
  return { ...path, description: title(path), test, testSync };
}

/** A path as a test title: its events in order. */
export const title = (path: Pick<MachinePath, 'steps'>): string =>
  path.steps
    .slice(1)
    .map((step) => step.event.type)
    .join(' > ') || 'start';

/** One line per distinct transition, for a committed file that a reviewer reads. */
export function transitionTable(paths: readonly MachinePath[], identity: (context: never) => unknown = () => undefined): string {
  const name = ({ value, context }: AnyMachineSnapshot) =>
    [JSON.stringify(value), JSON.stringify(identity(context as never))].filter(Boolean).join(' ');
  const lines = paths.flatMap(({ steps }) =>
    steps
      .slice(1)
      .map(
        ({ event, state }, index) =>
          `${name((steps[index] as { state: AnyMachineSnapshot }).state)} | ${JSON.stringify(event)} | ${name(state)}`,
      ),
  );
  return `${[...new Set(lines)].sort().join('\n')}\n`;
}

/** An actor's outcome has no default payload, and a wildcard names no event. */
const NEEDS_CASE = /^xstate\.(done|error)\.actor\.|\*/;

/** Eventless transitions, a region's own completion and child snapshots are never sent from outside. */
const isSendable = (type: string) => type !== '' && !/^xstate\.(done\.state|snapshot)\./.test(type);

/**
 * A machine as a test model of `@xstate/test`, which takes neither invocations nor delays: what a machine invokes becomes
 * the events that its end sends (`xstate.done.actor.ID`, `xstate.error.actor.ID`), a delay the event that its timer sends
 * (`xstate.after.DELAY.STATE`). Guards, actions and context stay the machine's own.
 * `path.test({ events, states })` walks a path on whatever the caller drives: a server, a browser, a terminal.
 */
export function testModelOf<TMachine extends AnyStateMachine>(machine: TMachine): TestModel<AnyMachineSnapshot, AnyEventObject, unknown> {
  const flat = createMachine(withoutActors(machine.root) as never).provide(machine.implementations as never) as AnyStateMachine;
  const model = createTestModel(flat);
  // The scope that its release hands to a transition knows no executor of actions, which XState calls by now.
  model.logic = Object.create(flat, { transition: { value: (snapshot: never, event: never) => getNextSnapshot(flat, snapshot, event) } });
  return model as never;
}

function withoutActors(node: AnyStateNode): object {
  const { invoke: _invoke, after: _after, states, on, ...config } = node.config as Config & { on?: Transitions };
  return {
    ...config,
    id: node.id,
    on: { ...on, ...endsOf(node), ...timersOf(node) },
    ...(states && { states: Object.fromEntries(Object.entries(node.states).map(([key, child]) => [key, withoutActors(child)])) }),
  };
}

const endsOf = (node: AnyStateNode): Transitions =>
  Object.fromEntries(
    node.invoke.flatMap(({ id, onDone, onError }) =>
      [
        [`xstate.done.actor.${id}`, onDone],
        [`xstate.error.actor.${id}`, onError],
      ].filter(([, transitions]) => transitions !== undefined),
    ),
  );

/** A state waits for one event a delay, whose name ends in the id that the state has in the machine. */
const timersOf = (node: AnyStateNode): Transitions =>
  Object.fromEntries(
    Object.entries((node.config as { after?: Transitions }).after ?? {}).map(([delay, transitions]) => [
      `xstate.after.${delay}.${node.id}`,
      transitions,
    ]),
  );
