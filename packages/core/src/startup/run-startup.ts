import { createActor, fromPromise } from 'xstate';
import { type ModuleOutcome, startupMachine } from './startup-machine.ts';

/** A supporting module: loaded beside the others, then run in its turn. */
export type StartupModule = {
  name: string;
  load: () => Promise<{ run: () => ModuleOutcome | undefined | Promise<ModuleOutcome | undefined> }>;
};

export type StartupSurroundings = {
  /**
   * Puts the app on its root element.
   * @param missing names of the modules that could not be loaded: what stands in for them is up to the app
   */
  mount: (missing: readonly string[]) => void | Promise<void>;
  /** A full page load of a URL. */
  redirect: (url: string) => void;
  log: (message: string, error: unknown) => void;
};

/**
 * Starts the app by the start-up machine. Resolves to how it ended; `failed` has been logged and nothing is mounted.
 */
export async function runStartup(
  modules: readonly StartupModule[],
  { mount, redirect, log }: StartupSurroundings,
): Promise<'mounted' | 'redirecting' | 'failed'> {
  const loaded = new Map<string, Awaited<ReturnType<StartupModule['load']>>>();
  const machine = startupMachine.provide({
    actors: {
      loadModules: fromPromise(async () => {
        const results = await Promise.allSettled(modules.map(async (module) => module.load()));
        for (const [index, { name }] of modules.entries()) {
          const result = results[index];
          if (result?.status === 'fulfilled') loaded.set(name, result.value);
          else log(`Start-up module ${name} could not be loaded`, result?.reason);
        }
        return { loaded: [...loaded.keys()] };
      }),
      runModule: fromPromise(async ({ input }) => (await loaded.get(input.module)?.run()) ?? {}),
    },
  });
  const actor = createActor(machine, { input: { names: modules.map(({ name }) => name) } });
  actor.on('module.runFailed', ({ module, error }) => log(`Start-up module ${module} failed`, error));
  const end = await new Promise<{ value: string; redirectTo: string | undefined }>((resolve) => {
    actor.subscribe({
      next: (snapshot) => {
        if (snapshot.status === 'done') resolve({ value: snapshot.value, redirectTo: snapshot.context.redirectTo });
      },
      error: (error) => {
        log('Start-up failed', error);
        resolve({ value: 'failed', redirectTo: undefined });
      },
    });
    actor.start();
  });
  if (end.value === 'redirecting' && end.redirectTo !== undefined) {
    redirect(end.redirectTo);
    return 'redirecting';
  }
  if (end.value !== 'mounted') return 'failed';
  await mount(modules.map(({ name }) => name).filter((name) => !loaded.has(name)));
  return 'mounted';
}
