import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readSession, SESSION_KEY, type StoredSession, writeSession } from '@pilotfish/core/session/stored-session';
import type { Env } from '../app/context.ts';
import { type Profile, readText, writePrivate } from './profiles.ts';

/** Where the session of a profile lies: the keyring of the operating system where it works, else a private file. */
export type SessionStore = {
  read: () => Promise<StoredSession | undefined>;
  /** Answers where it went. */
  write: (session: StoredSession) => Promise<'keyring' | 'file'>;
  remove: () => Promise<void>;
};

type Keyring = { get(): Promise<string | null | undefined>; set(text: string): Promise<void>; remove(): Promise<unknown> };

/** `undefined` where there is no keyring (a server without a desktop, a container). */
async function openKeyring(profile: Profile): Promise<Keyring | undefined> {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    const entry = new AsyncEntry('pilotfish', `${SESSION_KEY}:${profile.name}`);
    return { get: () => entry.getPassword(), set: (text) => entry.setPassword(text), remove: () => entry.deletePassword() };
  } catch {
    return undefined;
  }
}

export function sessionStore(
  profile: Profile,
  env: Env,
  keyring: (profile: Profile) => Promise<Keyring | undefined> = openKeyring,
): SessionStore {
  const file = join(profile.folder, 'sessions', `${profile.name}.json`);
  const usesKeyring = env.PILOTFISH_KEYRING !== 'off';
  return {
    read: async () => {
      const known = profile.known();
      // A token of one server is never sent to another.
      if (known?.url !== profile.url) return undefined;
      if (known.store !== 'keyring') return readSession(readText(file));
      try {
        return readSession(await (await keyring(profile))?.get());
      } catch {
        return undefined;
      }
    },
    write: async (session) => {
      const text = writeSession(session);
      // Where a session lies is decided at sign-in; a refresh keeps to it.
      if (usesKeyring && profile.known()?.store !== 'file') {
        try {
          const ring = await keyring(profile);
          if (ring) {
            await ring.set(text);
            rmSync(file, { force: true });
            return 'keyring';
          }
        } catch {
          // No keyring answers here: the file takes it.
        }
      }
      writePrivate(file, `${text}\n`);
      return 'file';
    },
    remove: async () => {
      rmSync(file, { force: true });
      if (profile.known()?.store !== 'keyring') return;
      try {
        await (await keyring(profile))?.remove();
      } catch {
        // Nothing was kept there.
      }
    },
  };
}
