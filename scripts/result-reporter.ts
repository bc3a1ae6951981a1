import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { seedOfRun } from '../packages/core/testing/seed.ts';
import { failureLines } from './failure-lines.ts';
import { leftOut } from './missing-tools.ts';
import { firstLine, namesOf } from './test-names.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Writes what became of every file as soon as it ends, a line of JSON each, to the file that `PILOTFISH_RESULTS` names:
 * so it is known too what a run had done that was stopped. `verdict.mjs` reads it.
 *
 * - `{ planned: [{ project, file }] }`: what will run
 * - `{ beat: true }`: a test has ended, so the run does not hang
 * - `{ file: { project, file, ms, tests: [{ name, state, error, told }], broken?: { error, told } } }`: `broken` says that a hook
 *   or an import failed, `told` is what a person should read
 * - `{ end: { unhandled: [{ error, file? }], leftOut: [text] } }`
 */
export default class ResultReporter implements Reporter {
  private readonly path = process.env.PILOTFISH_RESULTS ?? '';
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.write({ planned: specifications.map(({ project, moduleId }) => ({ project: project.name, file: relative(root, moduleId) })) });
  }

  onTestCaseResult(): void {
    this.write({ beat: true });
  }

  onTestModuleEnd(module: TestModule): void {
    const at = { file: relative(root, module.moduleId), project: module.project.name };
    const isDeep = this.vitest?.vite.config.configFile?.endsWith('vitest.deep.config.ts') ?? false;
    const run = { isDeep, seed: seedOfRun(), environment: process.env };
    const copies = new Map<string, number>();
    const wanted = this.vitest?.config.tagsFilter ?? [];
    // What was not asked for is not skipped: it is no part of this run.
    const isAsked = (test: TestCase) => wanted.every((tag) => test.tags.includes(tag));
    const tests = [...module.children.allTests()].filter(isAsked).map((test) => {
      const { state, errors } = test.result();
      const names = namesOf(test);
      // Two tests may share a name, and only one of them fails.
      const copy = (copies.get(test.fullName) ?? 0) + 1;
      copies.set(test.fullName, copy);
      const name = copy === 1 ? test.fullName : `${test.fullName} (${copy})`;
      if (state !== 'failed') return { name, state };
      const told = failureLines({ ...at, names, isTest: true, virtualTime: test.meta().virtualTime }, run);
      return { name, state, error: firstLine(errors[0]), told };
    });
    const around = [module, ...module.children.allSuites()].find((each) => each.errors().length > 0);
    const broken = around && {
      error: firstLine(around.errors()[0]),
      told: failureLines(
        { ...at, names: around.type === 'module' ? [] : namesOf(around), isTest: false, because: firstLine(around.errors()[0]) },
        run,
      ),
    };
    this.write({ file: { ...at, ms: Math.round(module.diagnostic().duration), tests, ...(broken ? { broken } : {}) } });
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[] = []): void {
    const errors = unhandled.map((error) => ({
      error: firstLine(error),
      ...(typeof error.VITEST_TEST_PATH === 'string' ? { file: relative(root, error.VITEST_TEST_PATH) } : {}),
    }));
    this.write({ end: { unhandled: errors, leftOut: leftOut() } });
  }

  private write(line: object): void {
    appendFileSync(this.path, `${JSON.stringify(line)}\n`);
  }
}
