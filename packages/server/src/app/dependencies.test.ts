import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// What is installed for production, as the lockfile says it: nothing that runs at install, nothing whose licence binds
// what is built with it, nothing from elsewhere than a registry.

type Entry = { license?: string; dev?: boolean; link?: boolean; hasInstallScript?: boolean; integrity?: string; resolved?: string };
const lockfile = JSON.parse(readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Entry>;
};
const production = Object.entries(lockfile.packages).filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link);

/** Licences that ask for a notice at most; MPL-2.0 binds changes to its own files only, OFL-1.1 fonts only. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  '0BSD',
  '(MIT OR CC0-1.0)',
  'MPL-2.0',
  'OFL-1.1',
]);

test('every package of the production tree may be used and passed on', () => {
  expect(production.length).toBeGreaterThan(100);
  expect(production.filter(([, { license }]) => !ALLOWED.has(license ?? 'none')).map(([path, { license }]) => [path, license])).toEqual([]);
});
test('none needs to run anything when it is installed', () => {
  expect(production.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)).toEqual([]);
});
test('each is pinned by what it holds, and comes from no place but a registry', () => {
  expect(production.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true).map(([path]) => path)).toEqual([]);
  expect(production.filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://')).map(([path]) => path)).toEqual(
    [],
  );
});
test('our own packages name exact versions', () => {
  for (const name of ['core', 'simulator', 'server', 'web', 'cli']) {
    const text = readFileSync(new URL(`../../../${name}/package.json`, import.meta.url), 'utf8');
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
    expect(Object.entries(dependencies).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  }
});
