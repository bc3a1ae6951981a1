import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProfile } from './profiles.ts';
import { sessionStore } from './session-store.ts';

const session = { accessToken: 'a', refreshToken: 'r', expiresAt: '2026-11-21T04:00:00.000Z' };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = () => ({ XDG_CONFIG_HOME: folder });
const memoryKeyring = () => {
  let kept: string | null = null;
  return {
    kept: () => kept,
    open: async () => ({
      get: async () => kept,
      set: async (text: string) => {
        kept = text;
      },
      remove: async () => {
        kept = null;
      },
    }),
  };
};

test('the keyring takes it where there is one, and no file is written', async () => {
  const ring = memoryKeyring();
  const profile = openProfile(env(), undefined, 'http://a.example');
  const store = sessionStore(profile, env(), ring.open);
  expect(await store.write(session)).toBe('keyring');
  profile.remember({ url: profile.url, store: 'keyring' });
  expect(await store.read()).toEqual(session);
  expect(readdirSync(join(folder, 'pilotfish'))).toEqual(['profiles']);
  await store.remove();
  expect(ring.kept()).toBeNull();
});

test('a keyring that refuses gives way to a file only its owner can read, with nothing left beside it', async () => {
  const refusing = async () => ({
    get: async () => null,
    set: () => Promise.reject(new Error('AccessDenied')),
    remove: async () => undefined,
  });
  const profile = openProfile(env(), 'work', 'http://a.example');
  const store = sessionStore(profile, env(), refusing);
  expect(await store.write(session)).toBe('file');
  profile.remember({ url: profile.url, store: 'file' });
  const sessions = join(folder, 'pilotfish/sessions');
  expect(readdirSync(sessions)).toEqual(['work.json']);
  expect(statSync(join(sessions, 'work.json')).mode & 0o777).toBe(0o600);
  expect(statSync(sessions).mode & 0o777).toBe(0o700);
  expect(JSON.parse(readFileSync(join(sessions, 'work.json'), 'utf8'))).toEqual(session);
  expect(await store.read()).toEqual(session);
});

test('a session is only read for the server it came from, and garbage counts as signed out', async () => {
  const profile = openProfile(env(), undefined, 'http://a.example');
  await sessionStore(profile, { PILOTFISH_KEYRING: 'off' }).write(session);
  profile.remember({ url: profile.url, store: 'file' });
  const at = (url?: string) => sessionStore(openProfile(env(), undefined, url), env()).read();
  expect(await at()).toEqual(session);
  expect(await at('http://b.example')).toBeUndefined();
  await sessionStore(profile, { PILOTFISH_KEYRING: 'off' }).write({ ...session, accessToken: '' });
  expect(await at()).toBeUndefined();
});

test('which server: the flag, the environment, what was remembered, the local one', () => {
  expect(openProfile(env()).url).toBe('http://127.0.0.1:4600');
  openProfile(env()).remember({ url: 'http://remembered.example' });
  expect(openProfile(env()).url).toBe('http://remembered.example');
  expect(openProfile({ ...env(), PILOTFISH_URL: 'http://env.example/' }).url).toBe('http://env.example');
  expect(openProfile({ ...env(), PILOTFISH_URL: 'http://env.example' }, undefined, 'https://flag.example').url).toBe(
    'https://flag.example',
  );
  expect(openProfile(env(), undefined, 'https://home.example/pilotfish//').url).toBe('https://home.example/pilotfish');
  // What is asked for is written behind it.
  for (const rest of ['?a=1', '/?', '#prices', '/#'])
    expect(() => openProfile(env(), undefined, `https://home.example/pilotfish${rest}`), rest).toThrow('urlRest');
  expect(() => openProfile(env(), '../evil')).toThrow('profileName');
});
