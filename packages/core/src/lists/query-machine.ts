import { assign, fromPromise, setup, stateIn } from 'xstate';
import { isConnectivity, type ShownProblem, shownProblem } from '../http/problem.ts';

/** Pauses between tries while what is shown is stale for want of a connection. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

export type QueryEvent<Params> =
  /** What should be shown: a screen opened, or its filter, sort or page changed. */
  | { type: 'query.requested'; params: Params }
  /** What is shown may be old: a write went through, the stream said so. */
  | { type: 'query.invalidated' }
  /** Asked for anew, whatever is under way: by hand, or because the connection came back. */
  | { type: 'query.retried' }
  | { type: 'query.closed' };

export type QueryContext<Params, Data> = {
  params: Params | undefined;
  data: Data | undefined;
  /** Milliseconds since 1970 at which `data` arrived, to show its age. */
  loadedAt: number | undefined;
  problem: ShownProblem | undefined;
  failures: number;
  now: () => number;
};

const notProvided = async (): Promise<never> => {
  throw new Error('provide() the query');
};

/**
 * One machine for every list and panel: idle, loading, ready, failed, stale.
 * `stale` keeps the data on screen with its age while it reloads or waits for a connection; new parameters drop the
 * answer of the old ones. What is invalidated while its call is under way is asked for again after it: its answer may
 * be of before. The call is not given up for that, so that news that come faster than answers hide none.
 * `provide({ actors: { fetch } })` gives it its call.
 */
export const queryMachine = <Params, Data>() =>
  setup({
    types: {
      tags: {} as 'busy',
      context: {} as QueryContext<Params, Data>,
      events: {} as QueryEvent<Params>,
      input: {} as { now: () => number },
    },
    actors: { fetch: fromPromise<Data, { params: Params }>(notProvided) },
    guards: { isConnectivity: ({ event }) => 'error' in event && isConnectivity(event.error) },
    actions: {
      takeParams: assign({
        params: ({ context, event }) => (event.type === 'query.requested' ? event.params : context.params),
        failures: 0,
      }),
      drop: assign({ data: undefined, loadedAt: undefined, problem: undefined, failures: 0 }),
      forgetParams: assign({ params: undefined }),
      keep: assign(({ context, event }) => ({
        ...('output' in event && { data: event.output as Data }),
        loadedAt: context.now(),
        problem: undefined,
        failures: 0,
      })),
      showProblem: assign({
        problem: ({ event }) => ('error' in event ? shownProblem(event.error) : undefined),
        failures: ({ context }) => context.failures + 1,
      }),
    },
    delays: { retryDelay: ({ context }) => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, context.failures - 1)) },
  }).createMachine({
    id: 'query',
    initial: 'idle',
    context: ({ input }) => ({ params: undefined, data: undefined, loadedAt: undefined, problem: undefined, failures: 0, now: input.now }),
    on: { 'query.closed': '.idle' },
    states: {
      idle: { entry: ['drop', 'forgetParams'], on: { 'query.requested': { target: 'loading', actions: 'takeParams' } } },
      loading: {
        tags: 'busy',
        entry: 'drop',
        initial: 'asked',
        on: {
          'query.requested': { target: 'loading', reenter: true, actions: 'takeParams' },
          'query.retried': { target: 'loading', reenter: true },
        },
        states: { asked: { on: { 'query.invalidated': 'outdated' } }, outdated: {} },
        invoke: {
          id: 'fetch',
          src: 'fetch',
          input: ({ context }) => ({ params: context.params as Params }),
          onDone: [
            { guard: stateIn({ loading: 'outdated' }), target: 'stale', actions: 'keep' },
            { target: 'ready', actions: 'keep' },
          ],
          onError: { target: 'failed', actions: 'showProblem' },
        },
      },
      ready: {
        on: {
          'query.requested': { target: 'loading', actions: 'takeParams' },
          'query.invalidated': 'stale',
          'query.retried': 'stale',
        },
      },
      failed: {
        on: {
          'query.requested': { target: 'loading', actions: 'takeParams' },
          'query.retried': 'loading',
          'query.invalidated': 'loading',
        },
      },
      stale: {
        initial: 'reloading',
        on: { 'query.requested': { target: 'loading', actions: 'takeParams' } },
        states: {
          reloading: {
            initial: 'asked',
            on: { 'query.retried': { target: 'reloading', reenter: true } },
            states: { asked: { on: { 'query.invalidated': 'outdated' } }, outdated: {} },
            invoke: {
              id: 'reload',
              src: 'fetch',
              input: ({ context }) => ({ params: context.params as Params }),
              onDone: [
                { guard: stateIn({ stale: { reloading: 'outdated' } }), target: 'reloading', reenter: true, actions: 'keep' },
                { target: '#query.ready', actions: 'keep' },
              ],
              onError: [
                { guard: stateIn({ stale: { reloading: 'outdated' } }), target: 'reloading', reenter: true, actions: 'showProblem' },
                { guard: 'isConnectivity', target: 'retrying', actions: 'showProblem' },
                { target: 'waiting', actions: 'showProblem' },
              ],
            },
          },
          /** Only time and a connection are missing. */
          retrying: {
            on: { 'query.retried': 'reloading', 'query.invalidated': 'reloading' },
            after: { retryDelay: 'reloading' },
          },
          /** Refused: trying again by itself would change nothing. */
          waiting: { on: { 'query.retried': 'reloading', 'query.invalidated': 'reloading' } },
        },
      },
    },
  });
