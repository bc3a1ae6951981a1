// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  delete document.documentElement.dataset.base;
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** What an app below a path of this site, or at its root, makes of the browser that all of them share. */
async function browserBelow(base: string) {
  vi.resetModules();
  if (base === '') delete document.documentElement.dataset.base;
  else document.documentElement.dataset.base = base;
  const { realBrowser } = await import('./browser.ts');
  return realBrowser();
}

test('apps at one origin keep what is theirs, clear only that, and wait for no other', async () => {
  const locked: string[] = [];
  const request = async (name: string, run: () => unknown) => {
    locked.push(name);
    return run();
  };
  vi.stubGlobal('navigator', { locks: { request } });
  const bases = ['', '/pilotfish', '/pilotfish/second'];
  for (const base of bases) {
    const { storage, lock } = await browserBelow(base);
    storage.set('user_jwt', `of "${base}"`);
    await lock(async () => undefined);
  }
  expect(new Set(locked).size).toBe(bases.length);
  for (const [cleared, base] of bases.entries()) {
    const { storage } = await browserBelow(base);
    expect(storage.get('user_jwt')).toBe(`of "${base}"`);
    storage.clear();
    expect([storage.get('user_jwt'), localStorage.length]).toEqual([null, bases.length - cleared - 1]);
  }
});
