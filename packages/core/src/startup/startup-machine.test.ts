import { describe, expect, test, vi } from 'vitest';
import { liveActor } from '../../testing/live-actor.ts';
import { title, transitionPaths, transitionTable } from '../../testing/machine-paths.ts';
import { runStartup, type StartupModule } from './run-startup.ts';
import { startupMachine } from './startup-machine.ts';

const input = { names: ['texts', 'session'] };
const identity = ({ waiting }: { waiting: string[] }) => waiting;
const paths = transitionPaths(startupMachine, {
  input,
  identity,
  cases: {
    'xstate.done.actor.loadModules': [
      { output: { loaded: ['texts', 'session'] } },
      { output: { loaded: ['session'] } },
      { output: { loaded: [] } },
    ],
    'xstate.error.actor.loadModules': [{ error: { code: 'broken' } }],
    'xstate.done.actor.runModule': [{ output: {} }, { output: { redirectTo: '/elsewhere' } }],
    'xstate.error.actor.runModule': [{ error: { code: 'broken' } }],
  },
});

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, identity as never)).toMatchFileSnapshot('startup-machine.transitions.txt');
});

describe('every transition, on a live actor', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const { actor, apply, calls, problems } = liveActor(startupMachine, ['loadModules', 'runModule'], input);
    for (const step of path.steps) {
      await apply(step.event as never);
      const snapshot = actor.getSnapshot();
      expect(snapshot).toMatchObject({ status: step.state.status, value: step.state.value });
      expect(snapshot.matches('redirecting')).toBe(snapshot.context.redirectTo !== undefined);
      if (snapshot.matches('mounted')) expect(snapshot.context.waiting).toEqual([]);
    }
    const ran = calls.filter(({ name }) => name === 'runModule').map(({ input: given }) => (given as { module: string }).module);
    expect(new Set(ran).size).toBe(ran.length);
    expect(ran).not.toContain('');
    expect(problems).toEqual([]);
  });
});

describe('starting up', () => {
  const module = (name: string, run: () => unknown = () => undefined, load?: () => Promise<never>): StartupModule => ({
    name,
    load: load ?? (async () => ({ run: run as never })),
  });
  const surroundings = () => ({ mount: vi.fn(), redirect: vi.fn(), log: vi.fn() });

  test('a module that cannot be loaded is logged and does not stop the others, which run in order', async () => {
    const around = surroundings();
    const ran: string[] = [];
    const end = await runStartup(
      [
        module('a', async () => {
          await Promise.resolve();
          ran.push('a');
          return undefined;
        }),
        module('b', undefined, () => Promise.reject(new Error('404'))),
        module('c', () => ran.push('c') && undefined),
      ],
      around,
    );
    expect(end).toBe('mounted');
    expect(ran).toEqual(['a', 'c']);
    expect(around.mount.mock.calls).toEqual([[['b']]]);
    expect(around.log.mock.calls).toEqual([['Start-up module b could not be loaded', new Error('404')]]);
  });
  test('a module that fails in its run is logged, the later ones do not run and nothing mounts', async () => {
    const around = surroundings();
    const later = vi.fn();
    const end = await runStartup(
      [
        module('a', () => {
          throw new Error('broken');
        }),
        module('b', later),
      ],
      around,
    );
    expect(end).toBe('failed');
    expect(around.log.mock.calls).toEqual([['Start-up module a failed', new Error('broken')]]);
    expect(later).not.toHaveBeenCalled();
    expect(around.mount).not.toHaveBeenCalled();
  });
  test('a redirect is a full page load in place of mounting', async () => {
    const around = surroundings();
    const later = vi.fn();
    expect(await runStartup([module('a', () => ({ redirectTo: '/maintenance' })), module('b', later)], around)).toBe('redirecting');
    expect(around.redirect.mock.calls).toEqual([['/maintenance']]);
    expect(later).not.toHaveBeenCalled();
    expect(around.mount).not.toHaveBeenCalled();
  });
  test('modules load side by side', async () => {
    const around = surroundings();
    const started: string[] = [];
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const waiting = (name: string): StartupModule => ({
      name,
      load: async () => {
        started.push(name);
        if (started.length === 2) open();
        await gate;
        return { run: () => undefined };
      },
    });
    expect(await runStartup([waiting('a'), waiting('b')], around)).toBe('mounted');
    expect(started).toEqual(['a', 'b']);
  });
  test('with no modules the app mounts', async () => {
    expect(await runStartup([], surroundings())).toBe('mounted');
  });
});
