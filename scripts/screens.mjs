// `npm run screens`: pictures of every screen in all widths, themes and languages, into ./screens (not kept in git).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? fileURLToPath(new URL('../screens', import.meta.url));
const run = spawnSync(
  process.execPath,
  [`${root}/node_modules/vitest/vitest.mjs`, 'run', '--project', 'e2e-web', 'packages/web/e2e/screens.e2e.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PILOTFISH_SCREENS: folder },
  },
);
process.exitCode = run.status ?? 1;
