import { assign, type EventObject } from 'xstate';

/**
 * The context of a machine whose data is one object. `assign` copies a context field by field: in a box the data stays the
 * object that a reducer answered, and a reducer that changed nothing is told by it.
 */
export type Boxed<Data> = { readonly data: Data };

/** What an action made by `does` and a guard made by `when` stand for, outside of XState. */
export type Reduces<Data, Event> = { readonly reduce: (data: Data, event: Event) => Data };
export type Holds<Data, Event> = { readonly holds: (data: Data, event: Event) => boolean };

/**
 * Makes actions and guards of a machine out of pure functions over its data. `does` under an event that its reducer is
 * not written for is a type error.
 */
export const pureActions = <Data, AnyEvent extends EventObject>() => ({
  does: <Event extends AnyEvent>(reduce: (data: Data, event: Event) => Data) =>
    Object.assign(
      assign<Boxed<Data>, Event, undefined, AnyEvent, never>(({ context, event }) => ({ data: reduce(context.data, event) })),
      { reduce },
    ),
  /** A guard that holds when all of these do. */
  when: (first: (data: Data, event: AnyEvent) => boolean, ...others: readonly ((data: Data, event: AnyEvent) => boolean)[]) => {
    const holds = (data: Data, event: AnyEvent): boolean => first(data, event) && others.every((other) => other(data, event));
    return Object.assign(({ context, event }: { readonly context: Boxed<Data>; readonly event: AnyEvent }) => holds(context.data, event), {
      holds,
    });
  },
});
