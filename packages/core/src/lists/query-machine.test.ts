import { describe, expect, test } from 'vitest';
import { createActor, fromPromise, SimulatedClock } from 'xstate';
import { settle } from '../../testing/live-actor.ts';
import { title, transitionPaths, transitionTable } from '../../testing/machine-paths.ts';
import { queryMachine } from './query-machine.ts';

type Params = { page: number };
const machine = queryMachine<Params, string>();
const outcomes = [{ error: { code: 'offline' } }, { error: { code: 'not-found' } }];
const paths = transitionPaths(machine, {
  input: { now: () => 7 },
  cases: {
    'query.requested': [{ params: { page: 1 } }, { params: { page: 2 } }],
    'xstate.done.actor.fetch': [{ output: 'rows' }],
    'xstate.error.actor.fetch': outcomes,
    'xstate.done.actor.reload': [{ output: 'new rows' }],
    'xstate.error.actor.reload': outcomes,
  },
});

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths)).toMatchFileSnapshot('query-machine.transitions.txt');
});

/** A live query whose one call at a time is settled by hand, whichever state made it. */
function live() {
  const clock = new SimulatedClock();
  const calls: { params: Params; signal: AbortSignal; resolve: (rows: string) => void; reject: (error: unknown) => void }[] = [];
  const fetch = fromPromise<string, { params: Params }>(
    ({ input, signal }) => new Promise((resolve, reject) => calls.push({ params: input.params, signal, resolve, reject })),
  );
  const actor = createActor(machine.provide({ actors: { fetch } }), { clock, input: { now: () => 7 } });
  const problems: unknown[] = [];
  actor.subscribe({ error: (error) => problems.push(error) });
  const apply = async (event: { type: string; output?: string; error?: unknown }) => {
    if (event.type === 'xstate.init') actor.start();
    else if (event.type.startsWith('xstate.done.actor')) calls.at(-1)?.resolve(event.output as string);
    else if (event.type.startsWith('xstate.error.actor')) calls.at(-1)?.reject(event.error);
    else if (event.type.startsWith('xstate.after')) clock.increment(60_000);
    else actor.send(event as never);
    await settle();
  };
  return { actor, apply, calls, problems };
}

describe('every transition, on a live actor', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const { actor, apply, calls, problems } = live();
    for (const step of path.steps) {
      await apply(step.event as never);
      const snapshot = actor.getSnapshot();
      const { data, loadedAt, problem, params } = snapshot.context;
      expect(snapshot).toMatchObject({ status: 'active', value: step.state.value });
      // Data is on screen exactly while ready or stale, and always with its age.
      expect(data !== undefined).toBe(snapshot.matches('ready') || snapshot.matches('stale'));
      expect(loadedAt).toBe(data === undefined ? undefined : 7);
      if (snapshot.matches('failed')) expect(problem).toBeDefined();
      if (snapshot.matches('ready') || snapshot.matches('loading')) expect(problem).toBeUndefined();
      expect(params === undefined).toBe(snapshot.matches('idle'));
      // At most one call is wanted at any time, and it is for what is asked for now.
      const wanted = calls.filter(({ signal }) => !signal.aborted);
      const busy = snapshot.matches('loading') || snapshot.matches({ stale: 'reloading' });
      if (busy) expect(wanted.at(-1)?.params).toEqual(params);
    }
    expect(problems).toEqual([]);
  });
});

test('the late answer of old parameters is dropped and its call aborted', async () => {
  const { actor, apply, calls } = live();
  await apply({ type: 'xstate.init' });
  await apply({ type: 'query.requested', params: { page: 1 } } as never);
  await apply({ type: 'query.requested', params: { page: 2 } } as never);
  calls[0]?.resolve('page 1');
  await settle();
  expect(calls[0]?.signal.aborted).toBe(true);
  expect(actor.getSnapshot().matches('loading')).toBe(true);
  calls[1]?.resolve('page 2');
  await settle();
  expect(actor.getSnapshot().context.data).toBe('page 2');
});

test.each([{ reloading: false }, { reloading: true }])(
  'what is invalidated while it is asked for is asked for again, once ($reloading)',
  async ({ reloading }) => {
    const { actor, apply, calls } = live();
    await apply({ type: 'xstate.init' });
    await apply({ type: 'query.requested', params: { page: 1 } } as never);
    if (reloading) {
      await apply({ type: 'xstate.done.actor.fetch', output: 'first' });
      await apply({ type: 'query.invalidated' });
    }
    const asked = calls.length;
    await apply({ type: 'query.invalidated' });
    await apply({ type: 'query.invalidated' });
    // The call under way goes on: were it given up at every piece of news, a slow list would never come.
    expect([calls.length, calls.at(-1)?.signal.aborted]).toEqual([asked, false]);
    await apply({ type: 'xstate.done.actor.fetch', output: 'older' });
    expect(actor.getSnapshot().context.data).toBe('older');
    expect(calls).toHaveLength(asked + 1);
    await apply({ type: 'xstate.done.actor.reload', output: 'newest' });
    expect(actor.getSnapshot()).toMatchObject({ value: 'ready', context: { data: 'newest' } });
    expect(calls).toHaveLength(asked + 1);
  },
);

test('news that come faster than calls fail do not hide that they fail', async () => {
  const { actor, apply } = live();
  await apply({ type: 'xstate.init' });
  await apply({ type: 'query.requested', params: { page: 1 } } as never);
  await apply({ type: 'query.invalidated' });
  await apply({ type: 'xstate.error.actor.fetch', error: { code: 'offline' } });
  expect(actor.getSnapshot()).toMatchObject({ value: 'failed', context: { problem: { code: 'offline' } } });
  await apply({ type: 'query.invalidated' });
  await apply({ type: 'xstate.done.actor.fetch', output: 'rows' });
  await apply({ type: 'query.invalidated' });
  await apply({ type: 'query.invalidated' });
  await apply({ type: 'xstate.error.actor.reload', error: { code: 'offline' } });
  expect(actor.getSnapshot()).toMatchObject({
    value: { stale: { reloading: 'asked' } },
    context: { data: 'rows', problem: { code: 'offline' } },
  });
  await apply({ type: 'xstate.done.actor.reload', output: 'new rows' });
  expect(actor.getSnapshot()).toMatchObject({ value: 'ready', context: { data: 'new rows', problem: undefined } });
});

test('a call that went out by a connection that is gone is given up when it is asked for anew', async () => {
  const { actor, apply, calls } = live();
  await apply({ type: 'xstate.init' });
  await apply({ type: 'query.requested', params: { page: 1 } } as never);
  await apply({ type: 'query.retried' });
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  await apply({ type: 'xstate.done.actor.fetch', output: 'rows' });
  await apply({ type: 'query.invalidated' });
  await apply({ type: 'query.retried' });
  expect(calls.map(({ signal }) => signal.aborted).slice(2)).toEqual([true, false]);
  await apply({ type: 'xstate.done.actor.reload', output: 'new rows' });
  expect(actor.getSnapshot()).toMatchObject({ value: 'ready', context: { data: 'new rows' } });
});
