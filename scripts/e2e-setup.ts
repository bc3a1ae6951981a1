import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds what the browser and the terminal will run, when its sources changed since the last build. */
export default function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('./build.mjs', import.meta.url))], { stdio: 'inherit' });
}
