import { assign, emit, fromPromise, setup } from 'xstate';

/** What a module answers from its run: nothing, or a URL the whole page must go to instead of mounting. */
export type ModuleOutcome = { redirectTo?: string };
/** Names of the modules that loaded, in declared order; a failed one is left out and the others go on. */
export type LoadReport = { loaded: string[] };

/** A module that failed while running: the app is not mounted. */
export type StartupEmitted = { type: 'module.runFailed'; module: string; error: unknown };

type StartupContext = { names: string[]; waiting: string[]; redirectTo?: string; failedModule?: string };

const notProvided = async (): Promise<never> => {
  throw new Error('provide() the modules');
};

/**
 * Start-up: the supporting modules load side by side, failures tolerated; those that loaded run in turn, in their
 * declared order; then the app mounts. `mounted`, `redirecting` and `failed` are final.
 */
export const startupMachine = setup({
  types: {
    context: {} as StartupContext,
    events: {} as { type: never },
    input: {} as { names: string[] },
    emitted: {} as StartupEmitted,
  },
  actors: {
    loadModules: fromPromise<LoadReport, { names: string[] }>(notProvided),
    runModule: fromPromise<ModuleOutcome, { module: string }>(notProvided),
  },
  guards: { hasMore: ({ context }) => context.waiting.length > 1, hasAny: ({ context }) => context.waiting.length > 0 },
}).createMachine({
  id: 'startup',
  initial: 'loading',
  context: ({ input }) => ({ names: input.names, waiting: [] }),
  states: {
    loading: {
      invoke: {
        id: 'loadModules',
        src: 'loadModules',
        input: ({ context }) => ({ names: context.names }),
        onDone: { target: 'ready', actions: assign({ waiting: ({ event }) => event.output.loaded }) },
        // Loading reports failures in its output; a rejection means the loader itself is broken.
        onError: { target: 'failed', actions: emit(({ event }) => ({ type: 'module.runFailed', module: 'loader', error: event.error })) },
      },
    },
    ready: { always: [{ guard: 'hasAny', target: 'running' }, { target: 'mounted' }] },
    running: {
      invoke: {
        id: 'runModule',
        src: 'runModule',
        input: ({ context }) => ({ module: context.waiting[0] ?? '' }),
        onDone: [
          {
            guard: ({ event }) => event.output.redirectTo !== undefined,
            target: 'redirecting',
            actions: assign({ redirectTo: ({ event }) => event.output.redirectTo ?? '' }),
          },
          {
            guard: 'hasMore',
            target: 'running',
            reenter: true,
            actions: assign({ waiting: ({ context }) => context.waiting.slice(1) }),
          },
          { target: 'mounted', actions: assign({ waiting: [] }) },
        ],
        onError: {
          target: 'failed',
          actions: [
            assign({ failedModule: ({ context }) => context.waiting[0] ?? '' }),
            emit(({ context, event }) => ({ type: 'module.runFailed', module: context.waiting[0] ?? '', error: event.error })),
          ],
        },
      },
    },
    mounted: { type: 'final' },
    redirecting: { type: 'final' },
    failed: { type: 'final' },
  },
});
