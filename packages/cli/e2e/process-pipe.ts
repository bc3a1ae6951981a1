import { execFile } from 'node:child_process';
import { type Pipe, withJson } from './pipe.ts';
import { PROGRAM } from './process-terminal.ts';

/** The built program in a real pipe, in a process of its own for each run. */
export function openProcessPipe(env: Record<string, string>): Pipe {
  return withJson(
    (words, more = {}) =>
      new Promise((resolve) => {
        const child = execFile(
          process.execPath,
          [PROGRAM, ...words],
          { env: { ...process.env, LANG: 'en_US.UTF-8', PILOTFISH_KEYRING: 'off', ...env, ...more.env }, maxBuffer: 64 * 1024 * 1024 },
          (error, stdout, stderr) => resolve({ exit: error ? Number(error.code) : 0, stdout, stderr }),
        );
        child.stdin?.end(more.input ?? '');
      }),
  );
}
