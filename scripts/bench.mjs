// `npm run bench`: bundles the benchmarks and runs them one after the other; `npm run bench -- core backtest` only those
// of that package, or of that name.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const [onlyPackage = '', onlyFile = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(root, 'node_modules', '.bench-'));
try {
  for (const name of ['core', 'simulator', 'server', 'web', 'cli']) {
    if (onlyPackage && name !== onlyPackage) continue;
    const bench = join(root, 'packages', name, 'bench');
    let files = [];
    try {
      files = readdirSync(bench).filter((file) => file.endsWith('.bench.ts') && file.startsWith(onlyFile));
    } catch {
      continue;
    }
    for (const file of files) {
      const bundle = await rolldown({
        input: join(bench, file),
        platform: 'node',
        external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@pilotfish/'),
      });
      await bundle.write({ dir: folder, format: 'esm', entryFileNames: `${name}-${file}.mjs` });
      await bundle.close();
      console.log(`\n${name}: ${file}`);
      const run = spawnSync(process.execPath, ['--expose-gc', join(folder, `${name}-${file}.mjs`)], {
        stdio: 'inherit',
        env: { ...process.env, NODE_ENV: 'production' },
      });
      if (run.status !== 0) process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
