import { type AnyActorLogic, type AnyStateMachine, createActor, fromPromise, type InputFrom, SimulatedClock } from 'xstate';

// Replays a path against a live actor: user events are sent, invoked calls are settled by hand, time is simulated.

type Call = { input: unknown; resolve: (output: never) => void; reject: (error: unknown) => void };

/** Lets settled promises reach the actor: one macrotask, whatever number of microtasks that takes. */
export const settle = (): Promise<void> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(undefined);
  });

/**
 * An actor of `machine` whose calls named in `callNames` stay pending until a path's step settles them.
 * `apply` takes the events of generated paths, `xstate.*` ones included.
 */
export function liveActor<TMachine extends AnyStateMachine>(machine: TMachine, callNames: readonly string[], input?: InputFrom<TMachine>) {
  const clock = new SimulatedClock();
  const pending = new Map<string, Call>();
  const calls: { name: string; input: unknown; signal: AbortSignal }[] = [];
  const problems: unknown[] = [];
  const fakes = Object.fromEntries(
    callNames.map((name) => [
      name,
      fromPromise(
        ({ input: given, signal }) =>
          new Promise((resolve, reject) => {
            calls.push({ name, input: given, signal });
            pending.set(name, { input: given, resolve, reject });
          }),
      ) as AnyActorLogic,
    ]),
  );
  const actor = createActor(machine.provide({ actors: fakes } as never) as TMachine, { clock, input } as never);
  actor.subscribe({ error: (error) => problems.push(error) });

  const take = (name: string) => {
    const call = pending.get(name);
    if (!call) throw new Error(`${name} was not called`);
    pending.delete(name);
    return call;
  };
  async function apply(event: { type: string; output?: unknown; error?: unknown }): Promise<void> {
    const { type } = event;
    if (type === 'xstate.init') actor.start();
    else if (type.startsWith('xstate.done.actor.')) take(type.slice(18)).resolve(event.output as never);
    else if (type.startsWith('xstate.error.actor.')) take(type.slice(19)).reject(event.error);
    else if (type.startsWith('xstate.after.')) {
      const timer = Object.values(actor.system.getSnapshot()._scheduledEvents).find((scheduled) => scheduled.event.type === type);
      if (!timer) throw new Error(`no timer for ${type}`);
      clock.increment(timer.delay);
    } else actor.send(event as never);
    await settle();
  }
  /** Delays of the running timers, by event type, in milliseconds. */
  const timers = () =>
    Object.fromEntries(Object.values(actor.system.getSnapshot()._scheduledEvents).map((timer) => [timer.event.type, timer.delay]));
  return { actor, apply, calls, clock, problems, timers };
}
