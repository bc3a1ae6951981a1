import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../packages/core/testing/chromium.ts';
import { postgresBinaries } from '../packages/server/src/database/postgres-process.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const onPath = (name: string) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

/** What some tests need and a machine may lack; those tests say so and are skipped. Debian's packages, and what has none. */
const NEEDS = [
  { tests: 'browser tests', remedy: 'apt-get install chromium', isThere: () => findChromium() !== undefined },
  { tests: 'authenticator tests', remedy: 'apt-get install oathtool', isThere: () => onPath('oathtool') },
  {
    tests: 'PostgreSQL tests',
    remedy: 'apt-get install postgresql',
    isThere: () => Boolean(process.env.TEST_DATABASE_URL) || postgresBinaries() !== undefined,
  },
  {
    tests: 'tests over recorded markets and exports',
    remedy: 'put the recordings into ../shared/data, beside this folder',
    isThere: () => existsSync(join(root, '../shared/data')),
  },
];

/** A line for each kind of tests that this machine cannot run, with what would let it. */
export const leftOut = (): string[] =>
  NEEDS.filter(({ isThere }) => !isThere()).map(({ tests, remedy }) => `Left out: ${tests}. To run them: ${remedy}`);
