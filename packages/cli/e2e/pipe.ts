import { execFile } from 'node:child_process';
import { expect } from 'vitest';
import { PROGRAM } from './terminal.ts';

export type Run = { exit: number; stdout: string; stderr: string };
export type Pipe = {
  /** Runs the program as a script does. */
  run(words: readonly string[], more?: { env?: Record<string, string>; input?: string }): Promise<Run>;
  /** What `--json` prints; anything on stderr but `said` fails. */
  json<Answer>(words: readonly string[], said?: RegExp): Promise<Answer>;
};

/** The program in a pipe, with an environment of its own. */
export function openPipe(env: Record<string, string>): Pipe {
  const run: Pipe['run'] = (words, more = {}) =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [PROGRAM, ...words],
        { env: { ...process.env, LANG: 'en_US.UTF-8', PILOTFISH_KEYRING: 'off', ...env, ...more.env }, maxBuffer: 64 * 1024 * 1024 },
        (error, stdout, stderr) => resolve({ exit: error ? Number(error.code) : 0, stdout, stderr }),
      );
      child.stdin?.end(more.input ?? '');
    });
  return {
    run,
    json: async <Answer>(words: readonly string[], said: RegExp = /^$/) => {
      const done = await run([...words, '--json']);
      expect(done.stderr, words.join(' ')).toMatch(said);
      return JSON.parse(done.stdout) as Answer;
    },
  };
}
