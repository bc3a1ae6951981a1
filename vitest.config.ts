import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { browserTexts } from './packages/web/vite.config.ts';

const PATIENCE = fileURLToPath(new URL('./packages/core/testing/patience.ts', import.meta.url));

const PROPERTY_SEED = fileURLToPath(new URL('./packages/core/testing/property-seed.ts', import.meta.url));

/** `expect.poll` looks for a second by default; see `patience.ts`. */
const PATIENT = { poll: { timeout: 15_000 } };

const unit = (name: string, environment: 'node' | 'happy-dom' = 'node') => ({
  test: {
    name,
    root: `packages/${name}`,
    environment,
    include: ['src/**/*.test.{ts,tsx}', 'testing/**/*.test.ts'],
    // For a machine that has other work: property tests take up to eighteen seconds where little else runs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: [PATIENCE, PROPERTY_SEED],
    expect: PATIENT,
  },
});

export default defineConfig({
  test: {
    reporters: ['default', './scripts/count-reporter.ts'],
    projects: [
      unit('core'),
      unit('simulator'),
      unit('server'),
      { ...unit('web', 'happy-dom'), plugins: [browserTexts] },
      unit('cli'),
      {
        test: {
          name: 'e2e',
          include: ['packages/*/e2e/**/*.e2e.ts'],
          // Builds what the browser and the pty will run, once, when sources changed.
          globalSetup: ['scripts/e2e-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          setupFiles: [PATIENCE],
          expect: PATIENT,
          fileParallelism: false,
        },
      },
    ],
  },
});
