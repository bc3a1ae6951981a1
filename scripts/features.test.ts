import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { smokeFiles, touchedBy } from './features.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const filesOf = (...changed: string[]) => touchedBy(root, changed).files.map((path) => path.slice('packages/'.length));

test('a change of an app asks for the tests of that app, one of what they share for those of all', () => {
  expect(filesOf('packages/cli/src/prices/prices-command.ts')).toEqual(['cli/e2e/prices.e2e.ts']);
  const all = filesOf('packages/core/src/prices/operands.ts');
  expect(all).toEqual(expect.arrayContaining(['cli/e2e/prices.e2e.ts', 'web/e2e/prices.e2e.ts', 'web/e2e/charts.e2e.ts']));
  expect(touchedBy(root, ['packages/core/src/prices/operands.ts']).features).toEqual(['prices']);
});

test('a changed end-to-end file comes first; what npm test runs whole comes in no case again', () => {
  expect(filesOf('packages/server/src/price-alerts/watch.ts', 'packages/web/e2e/screens.e2e.ts')[0]).toBe('web/e2e/screens.e2e.ts');
  expect(filesOf('packages/server/e2e/bot.e2e.ts')).toEqual([]);
  expect(filesOf('packages/web/e2e/that-was-deleted.e2e.ts', 'README.md', 'packages/core/src/money/decimal.ts')).toEqual([]);
});

test('each app has tests of its own in npm test', () => {
  const apps = new Set(smokeFiles(root).map((path) => path.split('/')[1]));
  expect([...apps].sort()).toEqual(['cli', 'server', 'simulator', 'web']);
});
