import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSetupCode, SETUP_CODE_FILE } from '@pilotfish/core/auth/setup-code';
import type { Context } from '../app/context.ts';

/** The code that a server left in its data folder for a terminal on the same machine. No other server is given it. */
export function setupCodeBeside(context: Context): string | undefined {
  const left = read(join(resolve(context.env.PILOTFISH_DATA_DIR || './data'), SETUP_CODE_FILE));
  return left?.addresses.some((address) => isSamePlace(address, context.profile.url)) === true ? left.code : undefined;
}

function read(file: string) {
  try {
    return readSetupCode(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The same path of the same origin, or of the same port of this machine under another of its names. */
function isSamePlace(one: string, other: string): boolean {
  const [here, there] = [new URL(one), new URL(other)];
  const isLocal = ({ hostname }: URL) => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  const isSameHost = here.origin === there.origin || (isLocal(here) && isLocal(there) && here.port === there.port);
  // Beside it at the same origin may lie somebody else's.
  return isSameHost && here.pathname === there.pathname;
}
