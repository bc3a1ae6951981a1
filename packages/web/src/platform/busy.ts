import type { AnyActorRef } from 'xstate';
import { createStore } from './store.ts';

/**
 * What the loading bar shows: how many machines wait for an answer. Machines say it themselves with the tag `busy`;
 * no request is intercepted.
 */
export function createBusy() {
  const store = createStore(0);
  const begin = () => {
    store.set(store.get() + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      store.set(store.get() - 1);
    };
  };
  return {
    count: store,
    /** Marks something as running until the returned function is called. */
    begin,
    /** Follows an actor's `busy` states. */
    watch: (actor: AnyActorRef) => {
      let end: (() => void) | undefined;
      actor.subscribe({
        next: (snapshot) => {
          const busy = snapshot.status === 'active' && snapshot.hasTag('busy');
          if (busy && !end) end = begin();
          if (!busy && end) {
            end();
            end = undefined;
          }
        },
        error: () => end?.(),
        complete: () => end?.(),
      });
    },
    /** Runs a write with the bar on. */
    during: async <Value>(work: Promise<Value>): Promise<Value> => {
      const end = begin();
      try {
        return await work;
      } finally {
        end();
      }
    },
  };
}
export type Busy = ReturnType<typeof createBusy>;
