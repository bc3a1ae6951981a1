import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Env } from '../app/context.ts';
import { LocalFailure, UsageError } from '../app/failure.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4600';

/** What is remembered of a server: its address, who signed in, and where the session lies. */
export type KnownProfile = { url: string; username?: string; store?: 'keyring' | 'file' };

/** One server as the commands address it. */
export type Profile = {
  readonly name: string;
  readonly folder: string;
  /** `--url`, else PILOTFISH_URL, else what was remembered, else the local server. */
  readonly url: string;
  known(): KnownProfile | undefined;
  remember(profile: KnownProfile): void;
  forget(): void;
  /** What this server gave after a sign-in, so that others' guesses do not slow down the next one; kept when signing out. */
  device(): string | undefined;
  keepDevice(token: string): void;
};

export const configFolder = (env: Env): string => join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'pilotfish');

let written = 0;

/** Writes a private file whole or not at all. */
export function writePrivate(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Two commands of one process would take each other's file away, if it were named by the process alone.
    written += 1;
    const temporary = `${file}.${process.pid}.${written}.new`;
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    throw new LocalFailure('cannotWrite', { file, reason: String((error as NodeJS.ErrnoException).code) }, { cause: error });
  }
}

export const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

export function openProfile(env: Env, named?: string, url?: string): Profile {
  const name = named ?? (env.PILOTFISH_PROFILE || 'default');
  if (!/^[\w.-]{1,40}$/.test(name)) throw new UsageError('profileName', { name });
  const folder = configFolder(env);
  const file = join(folder, 'profiles', `${name}.json`);
  const known = (): KnownProfile | undefined => {
    try {
      const read = JSON.parse(readText(file) ?? '') as KnownProfile;
      return typeof read.url === 'string' ? read : undefined;
    } catch {
      return undefined;
    }
  };
  const devices = join(folder, 'devices', `${name}.json`);
  const knownDevices = (): Record<string, string> => {
    try {
      return JSON.parse(readText(devices) ?? '{}') as Record<string, string>;
    } catch {
      return {};
    }
  };
  const address = (url ?? (env.PILOTFISH_URL || known()?.url || DEFAULT_URL)).replace(/\/+$/, '');
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) throw new UsageError('url', { url: address });
  // Paths of calls are written behind it.
  if (/[?#]/.test(address)) throw new UsageError('urlRest');
  return {
    name,
    folder,
    url: address,
    known,
    remember: (profile) => writePrivate(file, `${JSON.stringify(profile)}\n`),
    forget: () => rmSync(file, { force: true }),
    device: () => {
      const token = knownDevices()[address];
      return typeof token === 'string' ? token : undefined;
    },
    keepDevice: (token) => writePrivate(devices, `${JSON.stringify({ ...knownDevices(), [address]: token })}\n`),
  };
}
