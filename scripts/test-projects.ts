import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config';
import { patient } from '../packages/core/testing/patience-factor.ts';
import { browserTexts } from '../packages/web/vite.config.ts';
import { SMOKE_WHOLE } from './features.mjs';
import { bundledThreads } from './test-threads.ts';

export type Tier = 'fast' | 'deep';

const root = fileURLToPath(new URL('..', import.meta.url));
const shared = (name: string) => join(root, 'packages/core/testing', name);

/** What holds for every project. */
const common = (tier: Tier) => ({
  env: { PILOTFISH_TIER: tier },
  // For a machine with other work: no test ends by its limit unless it hangs. All cases of a property are one test: sixty
  // nights of attacks on the sign-in passed three minutes on a machine with seven times the work it can do.
  testTimeout: patient(tier === 'deep' ? 600_000 : 180_000),
  hookTimeout: patient(180_000),
  expect: { poll: { timeout: patient(60_000) } },
  setupFiles: [shared('patience.ts'), shared('property-seed.ts'), shared('real-timers.ts'), shared('time-of-failure.ts')],
});

/** Files of a folder whose text says so. */
function filesThat(folder: string, start: string, ending: string, say: RegExp): string[] {
  if (!existsSync(join(folder, start))) return [];
  return readdirSync(join(folder, start), { recursive: true, encoding: 'utf8' })
    .map((name) => `${start}/${name}`)
    .filter((file) => file.includes(ending) && say.test(readFileSync(join(folder, file), 'utf8')));
}

/** Files that do more in the deep tier than in the fast one: they ask `testing/tiers`, or have property tests. */
const askTier = (folder: string, start: string, ending: string) => filesThat(folder, start, ending, /testing\/tiers|from 'fast-check'/);

/** The unit tests that a tier runs: `*.deep.*` is for the deep one only. */
const unitFiles = (tier: Tier, folder: string, starts: readonly string[]) => ({
  include:
    tier === 'fast'
      ? starts.map((start) => `${start}/**/*.test.{ts,tsx}`)
      : starts.flatMap((start) => [`${start}/**/*.deep.test.{ts,tsx}`, ...askTier(folder, start, '.test.ts')]),
  exclude: ['**/node_modules/**', ...(tier === 'fast' ? ['**/*.deep.*'] : [])],
});

/**
 * The units of a package share their workers' modules (`isolate: false`): to load them again for each file took two
 * thirds of the time. No test may leave anything behind for the next file.
 */
function units(tier: Tier, name: string, more: TestProjectInlineConfiguration['test'] = {}): TestProjectInlineConfiguration {
  const folder = join(root, 'packages', name);
  return {
    plugins: [bundledThreads],
    test: {
      ...common(tier),
      name,
      root: folder,
      ...unitFiles(tier, folder, ['src', 'testing']),
      pool: 'threads',
      isolate: false,
      ...more,
    },
  };
}

/**
 * Whole programs against each other. Files of a package run after one another in two workers at most and may share what
 * is costly to start (a browser, a server): the stages of each package say what.
 */
function endToEnd(tier: Tier, name: string, more: TestProjectInlineConfiguration['test'] = {}): TestProjectInlineConfiguration {
  const folder = join(root, 'packages', name);
  return {
    plugins: [bundledThreads],
    test: {
      ...common(tier),
      name: `e2e-${name}`,
      root: folder,
      include: ['e2e/*.e2e.ts'],
      // What `npm test` runs whole is not run once more.
      exclude: tier === 'deep' ? filesThat(folder, 'e2e', '.e2e.ts', SMOKE_WHOLE) : [],
      pool: 'forks',
      isolate: false,
      ...more,
    },
  };
}

/** Builds what the browser and the terminal run, once, when sources changed. */
const BUILT = { globalSetup: [join(root, 'scripts/e2e-setup.ts')] };

/** One PostgreSQL per run, started when a file asks for it. */
const POSTGRES = { globalSetup: [join(root, 'scripts/postgres-setup.ts')] };

/**
 * With `PILOTFISH_TEST_DIALECT=postgres` the server's tests run once more, on PostgreSQL. Only those that start a server
 * differ then: the others open no database, or try both dialects in every run (`describeEachDialect`, `findPostgres`).
 * End to end: a bot's whole life, and what comes at the same moment.
 */
const ONCE_MORE =
  process.env.PILOTFISH_TEST_DIALECT === 'postgres'
    ? {
        units: { include: filesThat(join(root, 'packages/server'), 'src', '.test.ts', /startTestServer|PILOTFISH_TEST_DIALECT/) },
        endToEnd: { include: ['e2e/bot.e2e.ts', 'e2e/races*.e2e.ts'] },
      }
    : { units: {}, endToEnd: {} };

/** Everything that Vitest runs in one tier. */
export function suite(tier: Tier): ViteUserConfig {
  return defineConfig({
    test: {
      tags: [{ name: 'smoke', description: 'one path of a feature in an app: what `npm test` runs of the end-to-end tests' }],
      // `npm test` counts over all its tries itself.
      reporters: ['default', process.env.PILOTFISH_RESULTS ? './scripts/result-reporter.ts' : './scripts/count-reporter.ts'],
      // By default one is left out for the terminal: on two cores nothing would run beside anything.
      maxWorkers: Math.max(2, availableParallelism()),
      projects: [
        units(tier, 'core'),
        units(tier, 'simulator'),
        {
          ...units(tier, 'web', {
            setupFiles: [...common(tier).setupFiles, join(root, 'packages/web/src/platform/testing/clean-page.ts')],
          }),
          plugins: [browserTexts],
        },
        units(tier, 'cli'),
        // Processes: Argon2 and SQLite are native, and a server's tests look at its own signals and memory.
        units(tier, 'server', { pool: 'forks', ...POSTGRES, ...ONCE_MORE.units }),
        ...(tier === 'fast' ? [{ test: { ...common(tier), name: 'scripts', root: join(root, 'scripts'), include: ['*.test.ts'] } }] : []),
        endToEnd(tier, 'simulator'),
        // Some look inside of modules (`vi.mock`) and are killed: each file has modules of its own. Those of `npm test` do not.
        endToEnd(tier, 'server', { isolate: tier === 'deep', ...POSTGRES, ...ONCE_MORE.endToEnd }),
        endToEnd(tier, 'web', BUILT),
        endToEnd(tier, 'cli', BUILT),
      ],
    },
  });
}
