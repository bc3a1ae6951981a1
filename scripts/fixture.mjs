// `npm run fixture`: makes the database fixture of this version; see CONTRIBUTING.md, "When a version is released".
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(root, 'node_modules', '.fixture-'));
try {
  const bundle = await rolldown({
    input: join(root, 'packages/server/scripts/make-database-fixture.ts'),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@pilotfish/'),
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'fixture.mjs' });
  await bundle.close();
  const run = spawnSync(process.execPath, [join(folder, 'fixture.mjs'), join(root, 'packages/server/fixtures')], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
