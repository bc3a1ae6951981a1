// Bundles the terminal app, with the server and the simulator behind it, into packages/cli/dist.
// Screens, server and simulator are chunks of their own: `--version` and JSON commands must not load them.

import { readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown, watch } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));

/** Bundled although the server names them: pure JavaScript that commands need too. */
const BUNDLED = new Set(['zod', 'xstate', 'ofetch', 'i18next']);
const external = [
  ...Object.keys(manifest('server').dependencies),
  ...Object.keys(manifest('simulator').dependencies),
  '@napi-rs/keyring',
].filter((name) => !BUNDLED.has(name) && !name.startsWith('@pilotfish/'));

const input = {
  input: { pilotfish: join(root, 'packages/cli/src/app/main.ts') },
  platform: 'node',
  external: (id) =>
    builtinModules.includes(id) || id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`)),
  transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: { runtime: 'automatic' } },
  resolve: {
    alias: {
      // Ink asks for it only when its developer tools are on.
      'react-devtools-core': join(root, 'scripts/empty.mjs'),
      // Its Node entry brings a second fetch; Node has one.
      ofetch: join(root, 'node_modules/ofetch/dist/index.mjs'),
    },
  },
};
const output = {
  dir: join(root, 'packages/cli/dist'),
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  sourcemap: false,
  minify: { compress: true, mangle: false },
};

export async function bundle() {
  rmSync(join(root, 'packages/cli/dist'), { recursive: true, force: true });
  const build = await rolldown(input);
  await build.write(output);
  await build.close();
}

/** Bundles at every change; `onBuilt` after each success. */
export function bundleOnChange(onBuilt) {
  const watcher = watch({ ...input, output });
  watcher.on('event', (event) => {
    if (event.code === 'BUNDLE_END') {
      void event.result.close();
      onBuilt();
    } else if (event.code === 'ERROR') process.stderr.write(`${event.error.message}\n`);
  });
  return watcher;
}
