// `npm start`: builds what is missing, then serves.
import { fileURLToPath } from 'node:url';
import { buildAll } from './build.mjs';

await buildAll();
const entry = fileURLToPath(new URL('../packages/cli/dist/pilotfish.js', import.meta.url));
process.argv = [process.execPath, entry, 'serve', ...process.argv.slice(2)];
await import(entry);
