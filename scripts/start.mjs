// `npm start`: builds what is missing, then serves.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
// In a process of its own: what the build tools take up is not kept while the server runs.
const build = spawnSync(process.execPath, [path('build.mjs')], { stdio: 'inherit' });
if (build.status !== 0) process.exit(build.status ?? 1);

const entry = path('../packages/cli/dist/pilotfish.js');
process.argv = [process.execPath, entry, 'serve', ...process.argv.slice(2)];
await import(entry);
