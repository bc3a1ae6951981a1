// `npm run test:node24`: core and simulator on Node 24, with other cases of the property tests than everywhere else, and
// the same ones for the same commit.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pilotfish-node24-'));
const seed = () => Number.parseInt(execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: root, encoding: 'utf8' }), 16);
try {
  const platform = `node-${process.platform}-${process.arch}@24`;
  const words = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--silent', platform];
  if (spawnSync('npm', words, { stdio: 'inherit' }).status !== 0) throw new Error(`${platform} could not be installed`);
  const node = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  const test = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'core', '--project', 'simulator', ...process.argv.slice(2)];
  const env = { ...process.env, PILOTFISH_SEED: process.env.PILOTFISH_SEED ?? String(seed()) };
  process.exitCode = spawnSync(node, test, { cwd: root, stdio: 'inherit', env }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
