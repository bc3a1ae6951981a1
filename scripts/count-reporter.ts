import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, SerializedError, TestModule, TestSuite, Vitest } from 'vitest/node';
import { seedOfRun } from '../packages/core/testing/seed.ts';
import { type Failure, failureLines } from './failure-lines.ts';
import { leftOut } from './missing-tools.ts';
import { firstLine, namesOf } from './test-names.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Says how to run each failed test alone, with its seed and its virtual time, and what this machine lacks. Ends with one
 * plain line that any runner can read: `N passed, N failed`, and the skipped ones if any.
 */
export default class CountReporter implements Reporter {
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[] = []): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const failures: Failure[] = [];
    for (const module of modules) {
      const at = { file: relative(root, module.moduleId), project: module.project.name };
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed' || state === 'skipped') counts[state] += 1;
        if (state === 'failed') failures.push({ ...at, names: namesOf(test), isTest: true, virtualTime: test.meta().virtualTime });
      }
      // What could not be loaded or made ready ran no test, and must not pass for that.
      for (const [index, around] of [module, ...module.children.allSuites()].entries()) {
        for (const error of around.errors()) {
          const names = index === 0 ? [] : namesOf(around as TestSuite);
          failures.push({ ...at, names, isTest: false, because: firstLine(error) });
          counts.failed += 1;
        }
      }
    }
    const config = this.vitest?.vite.config.configFile ?? '';
    const run = { isDeep: config.endsWith('vitest.deep.config.ts'), seed: seedOfRun(), environment: process.env };
    const lines = failures.flatMap((failure) => failureLines(failure, run));
    counts.failed += unhandled.length;
    for (const error of unhandled) lines.push(`Failed: an error that no test caught: ${firstLine(error)}`);
    lines.push(...leftOut());
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    lines.push(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
    process.on('exit', () => process.stdout.write(`${lines.join('\n')}\n`));
  }
}
