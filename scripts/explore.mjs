// `npm run explore [rounds] [folder]`: every file with property tests, again and again, each time with another seed, until
// one fails. What it finds is repeated by `PILOTFISH_SEED=<seed> npx vitest run --config vitest.deep.config.ts <file>`.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [rounds = '10', folder = 'packages'] = process.argv.slice(2);

const files = readdirSync(join(root, folder), { recursive: true })
  .map((name) => join(folder, name))
  .filter((name) => /\.test\.tsx?$/.test(name) && !name.includes('node_modules'))
  .filter((name) => readFileSync(join(root, name), 'utf8').includes("from 'fast-check'"));

for (let round = 1; round <= Number(rounds); round += 1) {
  const seed = String(randomInt(2 ** 31));
  console.log(`\nround ${round} of ${rounds}: PILOTFISH_SEED=${seed}`);
  const run = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'vitest.deep.config.ts', ...files],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PILOTFISH_SEED: seed },
    },
  );
  if (run.status !== 0) {
    process.exitCode = run.status ?? 1;
    break;
  }
}
