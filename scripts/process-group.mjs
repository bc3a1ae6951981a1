// Programs that end as a whole: workers and the native compiler outlive the process that launched them, and go on.
import { spawn } from 'node:child_process';

/**
 * Runs a program in a process group of its own. The group ends by SIGKILL: when the program ends, when `isOver` says so
 * (it is asked every second), and when this process is told to end.
 * @param {{ cwd?: string, env?: object, hear?: (text: string) => void, isOver?: () => boolean }} options `hear` gets what the
 *   program prints; without it that goes to the terminal
 * @returns {Promise<{ code: number | null, isStopped: boolean }>} `code` is null where a signal ended it
 */
export function runGroup(command, words, { hear, isOver = () => false, ...options } = {}) {
  return new Promise((done) => {
    const outputs = hear ? 'pipe' : 'inherit';
    const child = spawn(command, words, { ...options, detached: true, stdio: ['ignore', outputs, outputs] });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', hear);
    const end = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    const interrupt = (signal) => {
      end();
      process.exit(signal === 'SIGINT' ? 130 : 143);
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupt);
    let isStopped = false;
    const watch = setInterval(() => {
      if (!isOver()) return;
      isStopped = true;
      end();
    }, 1000);
    const finish = (code) => {
      clearInterval(watch);
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupt);
      end();
      done({ code, isStopped });
    };
    child.once('error', () => finish(127));
    child.once('close', finish);
  });
}
