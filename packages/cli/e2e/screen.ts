import xterm from '@xterm/headless';
import { onTestFailed } from 'vitest';

export type Ending = { exitCode: number; signal: number | undefined };
export type Size = { columns?: number; rows?: number };

/** What a program writes, as a person sees it. */
export type Screen = {
  /** The screen as a person sees it now, without trailing blanks. */
  screen(): string;
  /** Everything that was ever written, with its control codes. */
  raw(): string;
  /** `alternate` while a full-screen view is on. */
  buffer(): 'normal' | 'alternate';
  /** Waits until the screen matches; fails when the program ends before. The limit is the test's own. */
  see(what: RegExp | string): Promise<string>;
  /** Waits until what was written is so, e.g. until there were enough frames. */
  written(holds: (raw: string) => boolean): Promise<string>;
  ended(): Promise<Ending>;
};

export type Terminal = Screen & {
  type(text: string): void;
  press(key: 'enter' | 'escape' | 'ctrl-c'): void;
  resize(columns: number, rows: number): void;
  kill(signal: string): void;
};

export const KEYS = { enter: '\r', escape: '\u001b', 'ctrl-c': '\u0003' } as const;
export const STANDARD_SIZE = { columns: 80, rows: 24 } as const;

/** The terminal emulator that a program writes into, in this process or in its own. */
export function openScreen({ columns, rows }: Required<Size>) {
  const view = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 500 });
  let raw = '';
  let end: Ending | undefined;
  const waiting = new Map<() => void, string>();
  const wake = () => {
    for (const look of Array.from(waiting.keys())) look();
  };
  const screen = () => {
    const { active } = view.buffer;
    const lines = Array.from({ length: active.length }, (_, index) => active.getLine(index)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  };
  // A wait has no limit of its own: when the test's limit ends it, this says what stood there instead.
  onTestFailed(({ task }) => {
    for (const what of waiting.values()) {
      const error = task.result?.errors?.[0];
      if (error) error.message += `\nStill waiting for ${what}. The screen:\n${screen()}`;
    }
  });
  const until = <Value>(what: string, look: () => Value | undefined): Promise<Value> =>
    new Promise((resolve, reject) => {
      const check = () => {
        const found = look();
        if (found === undefined && !end) return;
        waiting.delete(check);
        if (found !== undefined) resolve(found);
        else reject(new Error(`${what} did not come before the end (${end?.exitCode}). The screen:\n${screen()}`));
      };
      waiting.set(check, what);
      check();
    });
  const shown: Screen = {
    screen,
    raw: () => raw,
    buffer: () => view.buffer.active.type,
    see: (what) =>
      until(String(what), () => {
        const text = screen();
        return (typeof what === 'string' ? text.includes(what) : what.test(text)) ? text : undefined;
      }),
    written: (holds) => until(String(holds), () => (holds(raw) ? raw : undefined)),
    ended: () => until('the end', () => end),
  };
  return {
    shown,
    write: (text: string) => {
      raw += text;
      view.write(text, wake);
    },
    resize: (newColumns: number, newRows: number) => view.resize(newColumns, newRows),
    /** The screen is complete once what was written before the end is parsed. */
    finish: (ending: Ending) =>
      view.write('', () => {
        end ??= ending;
        wake();
      }),
  };
}
