import { type AnyMachineSnapshot, type AnyStateMachine, type ContextFrom, getNextTransitions, type InputFrom } from 'xstate';
import { getShortestPaths, getSimplePaths, type StatePath } from 'xstate/graph';

// Path generation for machines with invoke and after, which xstate's own createTestModel() refuses.

type AnyEvent = { type: string };
export type MachinePath = StatePath<AnyMachineSnapshot, AnyEvent>;

export type PathOptions<TMachine extends AnyStateMachine> = {
  /** Payloads to try, by event type. A type without a case is sent bare; a done/error type must have one. */
  cases: Record<string, readonly object[]>;
  input?: InputFrom<TMachine>;
  /** The part of context that makes two states differ. Keep it small: it bounds the graph. */
  identity?: (context: ContextFrom<TMachine>) => unknown;
  stopWhen?: (snapshot: AnyMachineSnapshot) => boolean;
  /** Traversal throws past this many visits; it does not truncate. */
  limit?: number;
};

/** One path per transition, none a prefix of another. */
export const transitionPaths = <TMachine extends AnyStateMachine>(machine: TMachine, options: PathOptions<TMachine>) =>
  generate(machine, options, getShortestPaths as never, true);

/** One path per state. */
export const statePaths = <TMachine extends AnyStateMachine>(machine: TMachine, options: PathOptions<TMachine>) =>
  generate(machine, options, getShortestPaths as never, false);

/** Every loop-free path to every state. Explodes on cyclic machines: bound it with stopWhen. */
export const loopFreePaths = <TMachine extends AnyStateMachine>(machine: TMachine, options: PathOptions<TMachine>) =>
  generate(machine, options, getSimplePaths as never, false);

/** A path as a test title: its events in order. */
export const title = (path: MachinePath): string =>
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

function generate<TMachine extends AnyStateMachine>(
  machine: TMachine,
  { cases, identity = () => undefined, limit = 5_000, ...rest }: PathOptions<TMachine>,
  find: (machine: AnyStateMachine, options: object) => MachinePath[],
  perTransition: boolean,
): MachinePath[] {
  const untried = new Set(Object.keys(cases));
  const paths = find(machine, {
    ...rest,
    limit,
    // `events` replaces xstate's own list, it is not merged with it: so the full list is built here.
    events: (snapshot: AnyMachineSnapshot) => {
      const types = new Set(
        getNextTransitions(snapshot)
          .map((transition) => transition.eventType)
          .filter(isSendable),
      );
      return [...types].flatMap((type) => {
        untried.delete(type);
        if (NEEDS_CASE.test(type) && !cases[type]) throw new Error(`No case for ${type}`);
        return (cases[type] ?? [{}]).map((payload) => ({ ...payload, type }));
      });
    },
    serializeState: (snapshot: AnyMachineSnapshot, event?: AnyEvent, previous?: AnyMachineSnapshot) =>
      JSON.stringify([
        snapshot.value,
        identity(snapshot.context),
        ...(perTransition && previous ? [previous.value, identity(previous.context), event] : []),
      ]),
  });
  if (untried.size > 0) throw new Error(`Cases of unknown or unreachable events: ${[...untried].join(', ')}`);
  return withoutPrefixes(paths);
}

/** An actor's outcome has no default payload, and a wildcard names no event. */
const NEEDS_CASE = /^xstate\.(done|error)\.actor\.|\*/;

/** Eventless transitions, a region's own completion and child snapshots are never sent from outside. */
const isSendable = (type: string) => type !== '' && !/^xstate\.(done\.state|snapshot)\./.test(type);

function withoutPrefixes(paths: MachinePath[]): MachinePath[] {
  const key = (path: MachinePath) => `${path.steps.map((step) => JSON.stringify(step.event)).join('\n')}\n`;
  const longestFirst = [...paths].sort((a, b) => b.steps.length - a.steps.length);
  const kept: { path: MachinePath; key: string }[] = [];
  for (const path of longestFirst) if (!kept.some((other) => other.key.startsWith(key(path)))) kept.push({ path, key: key(path) });
  return kept.map(({ path }) => path);
}
