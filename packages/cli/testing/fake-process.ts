import { EventEmitter } from 'node:events';
import { type Process, runCli } from '../src/app/cli.ts';
import type { Host } from '../src/app/context.ts';

/** The clock of a run, where it is not the machine's. */
export type HostClock = Pick<Host, 'now' | 'timers'>;

/**
 * One run of the program in this process. Nothing but what is given here is its own: environment, streams, clock and
 * signals. The environment begins empty, so that nothing of the machine decides what a test sees.
 */
export function runInProcess(
  words: readonly string[],
  { env, ...given }: Host,
): { ended: Promise<number>; kill: (signal: NodeJS.Signals) => void } {
  const signals = new EventEmitter();
  let host: Process;
  const ended = new Promise<number>((resolve, reject) => {
    host = {
      env: { PATH: process.env.PATH, HOME: '/nonexistent', LANG: 'en_US.UTF-8', PILOTFISH_KEYRING: 'off', ...env },
      ...given,
      exit: resolve,
      on: (event: string, listener: () => void) => signals.on(event, listener),
      once: (event: string, listener: (error: unknown) => void) => signals.once(event, listener),
    };
    runCli(words, host).then(() => resolve(Number(host.exitCode ?? 0)), reject);
  });
  return { ended, kill: (signal) => void signals.emit(signal) };
}
