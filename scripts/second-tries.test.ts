import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Fails when it runs for the first time; how often it has run stands in a file. */
const FLAKY = (file: string) => `
  import { existsSync, writeFileSync } from 'node:fs';
  const isFirst = !existsSync('${file}');
  writeFileSync('${file}', '');`;

/** Runs these test files by `npm test` of a small project. */
async function tried(files: Record<string, string>, { quarantine = [] as object[], env = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'second-tries-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const place = (name: string) => relative(root, join(folder, 'src', name));
  mkdirSync(join(folder, 'src'));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, 'src', name), `import { beforeAll, expect, test } from 'vitest';\n${text}`);
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default { test: { reporters: ['${root}scripts/result-reporter.ts'], projects: [
      { test: { name: 'small', root: '${folder}', include: ['src/*.test.ts'], pool: 'forks', isolate: false, maxWorkers: 1 } }] } };`,
  );
  writeFileSync(join(folder, 'quarantine.json'), JSON.stringify(quarantine.map((entry) => ({ ...entry, file: place('a.test.ts') }))));
  const child = spawn(process.execPath, [join(root, 'scripts/test.mjs'), '--config', join(folder, 'vitest.config.mjs')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PILOTFISH_GATE_REPORT: join(folder, 'report.json'),
      PILOTFISH_QUARANTINE: join(folder, 'quarantine.json'),
      ...env,
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const code = await new Promise((done) => child.once('close', done));
  return {
    code,
    said,
    last: said.trimEnd().split('\n').at(-1),
    report: JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')),
    place,
  };
}

test('a broken test is red in all three tries; one that failed once is told and lets through', async () => {
  const marks = mkdtempSync(join(tmpdir(), 'marks-'));
  onTestFinished(() => rmSync(marks, { recursive: true }));
  const flaky = `${FLAKY(join(marks, 'flaky'))}\ntest('by chance', () => expect(isFirst).toBe(false));`;
  const hook = `${FLAKY(join(marks, 'hook'))}\nbeforeAll(() => expect(isFirst).toBe(false));\ntest('behind a hook', () => undefined);`;
  const beside = `${FLAKY(join(marks, 'beside'))}\ntest('passes', () => { if (isFirst) void Promise.reject(new Error('nobody caught')); });`;
  const fine = await tried({ 'a.test.ts': flaky, 'b.test.ts': hook, 'c.test.ts': beside });
  expect({ code: fine.code, last: fine.last }, fine.said).toEqual({ code: 0, last: '3 passed, 0 failed' });
  expect(fine.report).toMatchObject({ verdict: 'passed', failed: [] });
  expect(fine.report.passedOnRetry).toMatchObject([
    { file: fine.place('a.test.ts'), name: 'by chance', failures: 1 },
    { file: fine.place('b.test.ts'), name: '(the file)', failures: 1 },
    { file: fine.place('c.test.ts'), name: '(beside the tests)', error: 'nobody caught' },
  ]);
  expect(fine.said).toContain(`passed on retry: ${fine.place('a.test.ts')} > by chance (expected true to be false`);

  const broken = await tried({ 'a.test.ts': "test('is', () => expect(1).toBe(2));\ntest('fine', () => undefined);" });
  expect({ code: broken.code, last: broken.last }, broken.said).toEqual({ code: 1, last: '1 passed, 1 failed' });
  expect(broken.report).toMatchObject({ verdict: 'refused', failed: [{ name: 'is', failures: 3 }], passedOnRetry: [] });
});

test('what a process that crashed or hung left behind runs again; what does so every time is red', async () => {
  const marks = mkdtempSync(join(tmpdir(), 'marks-'));
  onTestFinished(() => rmSync(marks, { recursive: true }));
  const crash = `${FLAKY(join(marks, 'crash'))}\ntest('lives', () => { if (isFirst) process.kill(process.pid, 'SIGKILL'); });`;
  const after = "test('after it', () => undefined);";
  const fine = await tried({ 'a.test.ts': crash, 'b.test.ts': after });
  expect({ code: fine.code, last: fine.last }, fine.said).toEqual({ code: 0, last: '2 passed, 0 failed' });

  const hang = "test('never ends', () => { for (;;); });";
  const stuck = await tried({ 'a.test.ts': hang }, { env: { PILOTFISH_TEST_STALL_MINUTES: '0.05' } });
  expect({ code: stuck.code, last: stuck.last }, stuck.said).toEqual({ code: 1, last: '0 passed, 1 failed' });
  expect(stuck.said).toContain(`Failed: ${stuck.place('a.test.ts')} did not end`);
});

test('a test in quarantine runs and is told, and refuses nothing; time that is over is no verdict', async () => {
  const text = "test('by chance', () => expect(1).toBe(2));\ntest('fine', () => undefined);";
  const held = await tried({ 'a.test.ts': text }, { quarantine: [{ test: 'by chance' }] });
  expect({ code: held.code, last: held.last }, held.said).toEqual({ code: 0, last: '1 passed, 0 failed' });
  expect(held.said).toContain(`in quarantine, failed: ${held.place('a.test.ts')} > by chance`);

  const late = await tried({ 'a.test.ts': "test('never ends', () => { for (;;); });" }, { env: { PILOTFISH_TEST_MINUTES: '0.05' } });
  expect(late.code, late.said).toBe(1);
  expect(late.report.verdict).toBe('unknown');
});
