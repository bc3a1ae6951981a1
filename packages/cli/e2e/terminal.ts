import { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Host } from '../src/app/context.ts';
import { type HostClock, runInProcess } from '../testing/fake-process.ts';
import { KEYS, openScreen, type Size, STANDARD_SIZE, type Terminal } from './screen.ts';

// Ink settles once, while it is loaded, to draw only the last frame where it finds these two.
delete process.env.CI;
delete process.env.CONTINUOUS_INTEGRATION;

/** The keyboard's side of a terminal: cooked until it is made raw. */
class Keyboard extends Readable {
  readonly isTTY = true;
  isRaw = false;
  setRawMode(raw: boolean): this {
    this.isRaw = raw;
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  override _read(): void {}
}

/** The screen's side of a terminal. */
class Paper extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  readonly #print: (text: string) => void;
  constructor({ columns, rows }: Required<Size>, print: (text: string) => void) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
    this.#print = print;
  }
  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    // As the line discipline does it, also in raw mode.
    this.#print(String(chunk).replaceAll(/\r?\n/g, '\r\n'));
    done();
  }
}

/** Runs the program in this process, with a terminal of that size that exists only here. */
export function openTerminal(
  words: readonly string[],
  env: Record<string, string>,
  size: Size = {},
  clock: HostClock & Pick<Host, 'fetch'> = {},
): Terminal {
  const { columns, rows } = { ...STANDARD_SIZE, ...size };
  const { shown, write, resize, finish } = openScreen({ columns, rows });
  let hasEnded = false;
  // A process that ended writes nothing more.
  const print = (text: string) => {
    if (!hasEnded) write(text);
  };
  const stdin = new Keyboard();
  const [stdout, stderr] = [new Paper({ columns, rows }, print), new Paper({ columns, rows }, print)];
  const run = runInProcess(words, { env: { TERM: 'xterm-256color', ...env }, stdin, stdout, stderr, ...clock });
  run.ended.then(
    (exitCode) => {
      hasEnded = true;
      finish({ exitCode, signal: undefined });
    },
    (error: unknown) => {
      print(`\n${error instanceof Error ? error.stack : String(error)}\n`);
      hasEnded = true;
      finish({ exitCode: 1, signal: undefined });
    },
  );
  // A test that failed leaves no command running.
  onTestFinished(() => {
    if (!hasEnded) run.kill('SIGTERM');
  });
  const type = (text: string) => {
    if (stdin.isRaw) stdin.push(text);
    else if (text === KEYS['ctrl-c']) run.kill('SIGINT');
    else {
      const line = text.replaceAll('\r', '\n');
      print(line.replaceAll('\n', '\r\n'));
      stdin.push(line);
    }
  };
  return {
    ...shown,
    type,
    press: (key) => type(KEYS[key]),
    resize: (newColumns, newRows) => {
      resize(newColumns, newRows);
      for (const paper of [stdout, stderr]) {
        Object.assign(paper, { columns: newColumns, rows: newRows });
        paper.emit('resize');
      }
    },
    kill: (signal) => run.kill(signal as NodeJS.Signals),
  };
}
