import { afterAll, expect, vi } from 'vitest';

// Files share their worker's globals. A fake timer that is left behind makes tests of other files hang, far from its
// cause: the file that left it fails instead.

const NAMES = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'Date'] as const;
const real: Readonly<Record<string, unknown>> = Object.fromEntries(NAMES.map((name) => [name, globalThis[name]]));

afterAll(() => {
  const isFaked = vi.isFakeTimers();
  vi.useRealTimers();
  // Vitest does so itself between two files: a spy on a fake timer then puts the fake one back.
  vi.restoreAllMocks();
  const changed = NAMES.filter((name) => globalThis[name] !== real[name]);
  Object.assign(globalThis, real);
  expect({ isFaked, changed }, 'this file leaves fake timers behind: vi.useRealTimers(), and spies on them restored before').toEqual({
    isFaked: false,
    changed: [],
  });
});
