import { Readable } from 'node:stream';
import type { Env, Host } from '../src/app/context.ts';

export type FakeHost = Host & { out: () => string; err: () => string };

/** A host that remembers what was written. Nobody sits at it unless `terminal` says so. */
export function fakeHost(
  options: { env?: Env; input?: string; terminal?: boolean; columns?: number; now?: number; fetch?: typeof globalThis.fetch } = {},
): FakeHost {
  const { env = {}, input = '', terminal = false, columns = 80, now = 0, fetch } = options;
  let [out, err] = ['', ''];
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
    stdin: Object.assign(Readable.from([input]), { isTTY: terminal }) as never,
    stdout: writer((text) => (out += text)),
    stderr: writer((text) => (err += text)),
    now: () => now,
    ...(fetch ? { fetch } : {}),
    out: () => out,
    err: () => err,
  };
}
