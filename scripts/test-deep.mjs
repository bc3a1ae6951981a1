// `npm run test:deep`: what `npm test` leaves out. `--all` runs everything: `npm test` first, then the deep tier. Nothing
// is left for another commit, so the deep tier itself is the same with and without it. Other options are Vitest's.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const options = words.filter((word) => word !== '--all');
const tiers = [...(words.length > options.length ? [[]] : []), ['--config', 'vitest.deep.config.ts']];
for (const tier of tiers) {
  const run = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...tier, ...options], { cwd: root, stdio: 'inherit' });
  // The deep tier runs after a failure too: one run names everything that is broken.
  if (run.status !== 0) process.exitCode = run.status ?? 1;
}
