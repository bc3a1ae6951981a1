import type { Client } from '@pilotfish/core/http/client';
import type { Contract } from '@pilotfish/core/http/contract';
import { queryMachine } from '@pilotfish/core/lists/query-machine';
import { type ActorRefFrom, createActor, fromPromise } from 'xstate';
import type { Busy } from './busy.ts';

export type QueryActor<Params, Data> = ActorRefFrom<ReturnType<typeof queryMachine<Params, Data>>>;
export type QueryCall<Params, Data> = (client: Client<Contract>, params: Params, signal: AbortSignal) => Promise<Data>;

/** One query actor per name, made when first asked for and kept: actors live outside React. */
export function createQueries(client: Client<Contract>, now: () => number, busy: Busy) {
  const actors = new Map<string, QueryActor<never, never>>();
  const openers = new Map<string, number>();
  return {
    get<Params, Data>(name: string, call: QueryCall<Params, Data>): QueryActor<Params, Data> {
      const known = actors.get(name);
      if (known) return known as unknown as QueryActor<Params, Data>;
      const machine = queryMachine<Params, Data>().provide({
        actors: { fetch: fromPromise<Data, { params: Params }>(({ input, signal }) => call(client, input.params, signal)) },
      });
      const actor = createActor(machine, { input: { now } });
      actor.subscribe({ error: (error) => console.error(`query ${name}`, error) });
      busy.watch(actor);
      actor.start();
      actors.set(name, actor as unknown as QueryActor<never, never>);
      return actor as QueryActor<Params, Data>;
    },
    /** Counts who shows a query; the last one to leave closes it, unless it is to be kept. */
    open(name: string, keep: boolean): () => void {
      openers.set(name, (openers.get(name) ?? 0) + 1);
      return () => {
        const left = (openers.get(name) ?? 1) - 1;
        openers.set(name, left);
        if (left === 0 && !keep) actors.get(name)?.send({ type: 'query.closed' });
      };
    },
    /** Marks what is shown under these names as old: whoever is open loads again. */
    invalidate(...names: string[]) {
      for (const [name, actor] of actors)
        if (names.some((wanted) => name === wanted || name.startsWith(`${wanted}:`))) actor.send({ type: 'query.invalidated' });
    },
    invalidateAll() {
      for (const actor of actors.values()) actor.send({ type: 'query.invalidated' });
    },
    /** The connection is back: calls that went out by the old one may never be answered. */
    retryAll() {
      for (const actor of actors.values()) actor.send({ type: 'query.retried' });
    },
    /** Somebody else signs in: nothing of the last one may stay. */
    closeAll() {
      for (const actor of actors.values()) actor.send({ type: 'query.closed' });
    },
  };
}
