import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { type HostClock, runInProcess } from '../testing/fake-process.ts';

export type Run = { exit: number; stdout: string; stderr: string };
export type Pipe = {
  /** Runs the program as a script does. */
  run(words: readonly string[], more?: { env?: Record<string, string>; input?: string }): Promise<Run>;
  /** What `--json` prints; anything on stderr but `said` fails. */
  json<Answer>(words: readonly string[], said?: RegExp): Promise<Answer>;
};

export const withJson = (run: Pipe['run']): Pipe => ({
  run,
  json: async <Answer>(words: readonly string[], said: RegExp = /^$/) => {
    const done = await run([...words, '--json']);
    expect(done.stderr, words.join(' ')).toMatch(said);
    return JSON.parse(done.stdout) as Answer;
  },
});

/** A command that goes on: what it said so far, and how it ends. */
export type Started = {
  readonly said: { readonly stdout: string; readonly stderr: string };
  /** Waits until what it said is so. The limit is the test's own. */
  readonly see: (holds: () => boolean) => Promise<void>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<number>;
};

/** The program in a pipe, in this process, with an environment of its own. */
export function openPipe(
  env: Readonly<Record<string, string>>,
  clock: HostClock = {},
): Pipe & { start(words: readonly string[], more?: { env?: Record<string, string>; input?: string }): Started } {
  const start = (words: readonly string[], more: { env?: Record<string, string>; input?: string } = {}): Started => {
    const said = { stdout: '', stderr: '' };
    const waiting = new Set<() => void>();
    const output = (name: keyof typeof said) => ({
      write: (text: string) => {
        said[name] += text;
        for (const look of Array.from(waiting)) look();
        return true;
      },
    });
    const run = runInProcess(words, {
      env: { ...env, ...more.env },
      stdin: Readable.from([Buffer.from(more.input ?? '')]),
      stdout: output('stdout'),
      stderr: output('stderr'),
      ...clock,
    });
    const see = (holds: () => boolean) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (!holds()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void run.ended.then((exit) => reject(new Error(`ended with ${exit} before ${String(holds)}\n${JSON.stringify(said)}`)), reject);
      });
    return { ...run, said, see };
  };
  const run: Pipe['run'] = async (words, more) => {
    const { ended, said } = start(words, more);
    return { exit: await ended, ...said };
  };
  return { ...withJson(run), start };
}
