// Bundles the terminal app, with the server and the simulator behind it, into packages/cli/dist.
// Screens, server and simulator are chunks of their own: `--version` and JSON commands must not load them.

import { readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown, watch } from 'rolldown';
import { plainContracts } from './plain-contracts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));

/** Bundled although the server names them: pure JavaScript that commands need too. */
const BUNDLED = new Set(['zod', 'xstate', 'ofetch', 'i18next']);
const external = [
  ...Object.keys(manifest('server').dependencies),
  ...Object.keys(manifest('simulator').dependencies),
  '@napi-rs/keyring',
].filter((name) => !BUNDLED.has(name) && !name.startsWith('@pilotfish/'));

const EVERY_COMMAND = [
  /node_modules\/(commander|ofetch|destr|ufo)\//,
  /packages\/cli\/src\/(.*-command|app\/(cli|command|commands|everyday-commands|context|create-context|exit-codes|failure|find|short-fetch|texts))\.ts$/,
  /packages\/cli\/src\/(session\/.*|ui\/(cell-text|colour|output|paging|table-layout|terminal-size|times|unchecked|visible|whole-number|wrap))\.ts$/,
  /packages\/core\/src\/(fields\/(isolated|nearest-word)|http\/(client|older-server|endpoint-path|error-codes|error-policy|plain-answer|problem)|money\/(decimal|figure|format)|time\/moment|session\/stored-session)\.ts$/,
  /plain:.*\/problem-document\.ts$/,
];

const input = {
  input: { pilotfish: join(root, 'packages/cli/src/app/main.ts') },
  platform: 'node',
  // Only with it can a file be without what its modules import.
  preserveEntrySignatures: 'allow-extension',
  // What is loaded later here may be loaded at once there.
  checks: { ineffectiveDynamicImport: false },
  external: (id) =>
    builtinModules.includes(id) || id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`)),
  // Nothing of core happens by being imported. Unless that is said, the bundler leaves bare imports of contracts behind, in
  // other files with every build, and a command that prints JSON loads all schemas for nothing.
  treeshake: { moduleSideEffects: [{ test: /packages[\\/]core[\\/]src[\\/]/, sideEffects: false }] },
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
/** Commander asks for it at once, and needs it only to run commands that are programs of their own: we have none. */
const withoutPrograms = {
  name: 'without-programs',
  resolveId: (source, importer) =>
    source === 'node:child_process' && importer?.includes('/node_modules/commander/') ? join(root, 'scripts/empty.mjs') : undefined,
};

const output = {
  dir: join(root, 'packages/cli/dist'),
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // What every command that prints data loads is one file: each further one costs as much as reading all of it.
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      { name: 'command', test: (id) => EVERY_COMMAND.some((part) => part.test(id)) },
      { name: 'prices', test: /cli\/src\/prices\/price(s|-choice|-columns)\.ts$|plain:.*\/prices-contract\.ts$/ },
      {
        name: 'positions',
        test: /cli\/src\/positions\/(open-positions|find-position|position-columns|position-notes)\.ts$|plain:.*\/positions-contract\.ts$/,
      },
    ],
  },
  sourcemap: false,
  minify: { compress: true, mangle: false },
};

export async function bundle() {
  rmSync(join(root, 'packages/cli/dist'), { recursive: true, force: true });
  const build = await rolldown({ ...input, plugins: [withoutPrograms, await plainContracts()] });
  await build.write(output);
  await build.close();
}

/** Bundles at every change; `onBuilt` after each success. */
export function bundleOnChange(onBuilt) {
  const watcher = watch({ ...input, plugins: [withoutPrograms], output });
  watcher.on('event', (event) => {
    if (event.code === 'BUNDLE_END') {
      void event.result.close();
      onBuilt();
    } else if (event.code === 'ERROR') process.stderr.write(`${event.error.message}\n`);
  });
  return watcher;
}
