import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Env, Host, Timers } from '../src/app/context.ts';

// Ink settles once, while it is loaded, to draw only the last frame where it finds these two.
delete process.env.CI;
delete process.env.CONTINUOUS_INTEGRATION;

export type FakeHost = Host & { out: () => string; err: () => string };

/** A host that remembers what was written. Nobody sits at it unless `terminal` says so. */
export function fakeHost(
  options: {
    env?: Env;
    input?: string;
    /** What somebody types once this is on the screen, one after the other. */
    answers?: readonly (readonly [seen: RegExp, typed: string])[];
    terminal?: boolean;
    columns?: number;
    now?: number;
    timers?: Timers;
    fetch?: typeof globalThis.fetch;
  } = {},
): FakeHost {
  const { env = {}, input = '', answers, terminal = answers !== undefined, columns = 80, now = 0, timers, fetch } = options;
  let [out, err] = ['', ''];
  const left = [...(answers ?? [])];
  const stdin = answers ? new Readable({ read: () => undefined }) : Readable.from([input]);
  let seen = '';
  const type = (text: string) => {
    seen += text;
    const [next] = left;
    if (!next?.[0].test(stripVTControlCharacters(seen))) return;
    left.shift();
    seen = '';
    // What is typed into a question that is not drawn yet belongs to the one before.
    setImmediate(() => stdin.push(next[1]));
  };
  const writer = (add: (text: string) => void) => ({
    isTTY: terminal,
    columns,
    rows: 24,
    write: (text: string) => {
      add(text);
      return true;
    },
  });
  return {
    env: { XDG_CONFIG_HOME: '/nonexistent', LANG: 'en_US.UTF-8', PILOTFISH_KEYRING: 'off', ...env },
    stdin: Object.assign(stdin, { isTTY: terminal }) as never,
    stdout: writer((text) => (out += text)),
    stderr: writer((text) => {
      err += text;
      type(text);
    }),
    now: () => now,
    ...(timers ? { timers } : {}),
    ...(fetch ? { fetch } : {}),
    out: () => out,
    err: () => err,
  };
}
