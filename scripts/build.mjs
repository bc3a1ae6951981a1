// Builds what changed: the terminal app with the server in it (rolldown) and the web app (Vite).
// `node scripts/build.mjs [--force] [cli] [web]`
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What each product is made from, and the file that exists once it is built. */
const PRODUCTS = {
  cli: {
    sources: ['packages/core/src', 'packages/simulator/src', 'packages/server/src', 'packages/cli/src'],
    result: 'packages/cli/dist/pilotfish.js',
  },
  web: {
    sources: ['packages/core/src', 'packages/web/src', 'packages/web/public', 'packages/web/index.html', 'packages/web/vite.config.ts'],
    result: 'packages/web/dist/index.html',
  },
};

function* files(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).sort()) yield* files(join(path, name));
}

/** A test that builds says NODE_ENV=test, and would get what nobody runs. */
const PRODUCTION = { ...process.env, NODE_ENV: 'production' };

/** Sizes and contents of the sources; tests do not count. */
function fingerprint(sources) {
  const hash = createHash('sha256');
  for (const source of [
    ...sources,
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/bundle.mjs',
    'scripts/plain-contracts.mjs',
    'scripts/pack.mjs',
  ]) {
    for (const file of files(join(root, source))) {
      if (/\.(test|e2e)\.tsx?$|\.transitions\.txt$/.test(file)) continue;
      hash.update(relative(root, file)).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

const stampOf = (name) => join(root, 'packages', name, 'dist', '.built-from');

/** Builds one product unless its sources are those of the last build. Answers whether it had to. */
export async function build(name, { force = false } = {}) {
  const { sources, result } = PRODUCTS[name];
  const stamp = fingerprint(sources);
  const file = stampOf(name);
  if (!force && existsSync(join(root, result)) && existsSync(file) && readFileSync(file, 'utf8') === stamp) return false;
  if (name === 'cli') await (await import('./bundle.mjs')).bundle();
  else {
    const run = spawnSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
      cwd: join(root, 'packages/web'),
      stdio: ['ignore', 'inherit', 'inherit'],
      env: PRODUCTION,
    });
    if (run.status !== 0) throw new Error('The web app could not be built.');
    await (await import('./pack.mjs')).packAll(join(root, 'packages/web/dist'));
  }
  mkdirSync(join(root, 'packages', name, 'dist'), { recursive: true });
  writeFileSync(file, stamp);
  return true;
}

export async function buildAll(names = Object.keys(PRODUCTS), options = {}) {
  for (const name of names) {
    const started = performance.now();
    if (await build(name, options)) process.stderr.write(`built ${name} in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2);
  const names = words.filter((word) => word in PRODUCTS);
  await buildAll(names.length > 0 ? names : undefined, { force: words.includes('--force') });
}
