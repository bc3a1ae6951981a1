import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';

/** The built program; the end-to-end setup builds it. */
export const PROGRAM = fileURLToPath(new URL('../dist/pilotfish.js', import.meta.url));

export type Terminal = {
  /** The screen as a person sees it now, without trailing blanks. */
  screen(): string;
  /** Everything that was ever written, with its control codes. */
  readonly raw: () => string;
  /** `alternate` while a full-screen view is on. */
  buffer(): 'normal' | 'alternate';
  type(text: string): void;
  press(key: 'enter' | 'escape' | 'ctrl-c'): void;
  resize(columns: number, rows: number): void;
  kill(signal: string): void;
  /** Waits until the screen matches; fails with the screen in the message. */
  see(what: RegExp | string, patienceMs?: number): Promise<string>;
  ended(patienceMs?: number): Promise<{ exitCode: number; signal: number | undefined }>;
};

const KEYS = { enter: '\r', escape: '\u001b', 'ctrl-c': '\u0003' } as const;

/** Runs the program in a real pseudo-terminal of that size. */
export function openTerminal(
  words: readonly string[],
  env: Record<string, string>,
  size: { columns?: number; rows?: number } = {},
): Terminal {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: build it first (node scripts/build.mjs cli)`);
  const { columns = 80, rows = 24 } = size;
  // With CI in the environment, even empty, Ink draws its last frame only.
  const { CI: _ci, NO_COLOR: _noColor, FORCE_COLOR: _forceColor, ...inherited } = process.env as Record<string, string>;
  const view = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 500 });
  const pty = spawn(process.execPath, [PROGRAM, ...words], {
    cols: columns,
    rows,
    name: 'xterm-256color',
    env: { ...inherited, LANG: 'en_US.UTF-8', PILOTFISH_KEYRING: 'off', ...env },
  });
  let raw = '';
  let end: { exitCode: number; signal: number | undefined } | undefined;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of Array.from(waiting)) look();
  };
  pty.onData((data) => {
    raw += data;
    view.write(data, wake);
  });
  pty.onExit((exit) => {
    // The screen is complete once what was written before the end is parsed.
    view.write('', () => {
      end = { exitCode: exit.exitCode, signal: exit.signal };
      wake();
    });
  });
  const screen = () => {
    const { active } = view.buffer;
    const lines = Array.from({ length: active.length }, (_, index) => active.getLine(index)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  };
  const until = <Value>(what: string, look: () => Value | undefined, patienceMs: number): Promise<Value> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => finish(() => reject(new Error(`${what} did not come within ${patienceMs} ms. The screen:\n${screen()}`))),
        patienceMs,
      );
      const check = () => {
        const found = look();
        if (found !== undefined) finish(() => resolve(found));
        else if (end && what !== 'the end')
          finish(() => reject(new Error(`${what} did not come before the end (${end?.exitCode}). The screen:\n${screen()}`)));
      };
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        waiting.delete(check);
        settle();
      };
      waiting.add(check);
      check();
    });
  return {
    screen,
    raw: () => raw,
    buffer: () => view.buffer.active.type,
    type: (text) => pty.write(text),
    press: (key) => pty.write(KEYS[key]),
    resize: (newColumns, newRows) => {
      view.resize(newColumns, newRows);
      pty.resize(newColumns, newRows);
    },
    kill: (signal) => pty.kill(signal),
    see: (what, patienceMs = 20_000) =>
      until(
        String(what),
        () => {
          const text = screen();
          return (typeof what === 'string' ? text.includes(what) : what.test(text)) ? text : undefined;
        },
        patienceMs,
      ),
    ended: (patienceMs = 20_000) => until('the end', () => end, patienceMs),
  };
}
