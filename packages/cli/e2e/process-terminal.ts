import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import { onTestFinished } from 'vitest';
import { KEYS, openScreen, type Size, STANDARD_SIZE, type Terminal } from './screen.ts';

/** The built program; the end-to-end setup builds it. */
export const PROGRAM = fileURLToPath(new URL('../dist/pilotfish.js', import.meta.url));

/** Runs the built program in a process of its own, in a real pseudo-terminal of that size. */
export function openProcessTerminal(words: readonly string[], env: Record<string, string>, size: Size = {}): Terminal {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: build it first (node scripts/build.mjs cli)`);
  const { columns, rows } = { ...STANDARD_SIZE, ...size };
  // With CI in the environment, even empty, Ink draws its last frame only.
  const { CI: _ci, NO_COLOR: _noColor, FORCE_COLOR: _forceColor, ...inherited } = process.env as Record<string, string>;
  const { shown, write, resize, finish } = openScreen({ columns, rows });
  const pty = spawn(process.execPath, [PROGRAM, ...words], {
    cols: columns,
    rows,
    name: 'xterm-256color',
    env: { ...inherited, LANG: 'en_US.UTF-8', PILOTFISH_KEYRING: 'off', ...env },
  });
  let hasEnded = false;
  pty.onData(write);
  pty.onExit(({ exitCode, signal }) => {
    hasEnded = true;
    finish({ exitCode, signal });
  });
  // A test that failed leaves no program behind.
  onTestFinished(() => {
    if (!hasEnded) pty.kill('SIGKILL');
  });
  return {
    ...shown,
    type: (text) => pty.write(text),
    press: (key) => pty.write(KEYS[key]),
    resize: (newColumns, newRows) => {
      resize(newColumns, newRows);
      pty.resize(newColumns, newRows);
    },
    kill: (signal) => pty.kill(signal),
  };
}
