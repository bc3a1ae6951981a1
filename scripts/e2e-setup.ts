import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Builds what the browser and the terminal will run, when its sources changed since the last build.
 * `PILOTFISH_E2E_BUILD=off` leaves that out: the server's own end-to-end tests run from source.
 */
export default function setup(): void {
  if (process.env.PILOTFISH_E2E_BUILD === 'off') return;
  execFileSync(process.execPath, [fileURLToPath(new URL('./build.mjs', import.meta.url))], { stdio: 'inherit' });
}
