import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type Failure, failureLines, type Run } from './failure-lines.ts';

const failure: Failure = { file: 'packages/core/src/money/decimal.test.ts', project: 'core', names: ['sums'], isTest: true };
const run: Run = { isDeep: false, seed: 20_261_123, environment: {} };
/** The words that a shell makes of a command, which it does not run: `npx` is a program that prints them. */
const wordsOf = (command: string, environment: NodeJS.ProcessEnv = {}) =>
  execFileSync('bash', ['-c', `npx() { printf '%s\\0' "$@"; }; ${command.replace('  alone: ', '')}`], {
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1);

test('the default seed is told, and the command is short', () => {
  expect(failureLines(failure, run)).toEqual([
    'Failed: sums (seed 20261123)',
    "  alone: npx vitest run --project core packages/core/src/money/decimal.test.ts -t '^sums$'",
  ]);
});

test.each([
  [['sums']],
  [['a bot that isn’t its owner’s', "can't be read: 'no'"]],
  [['$HOME `id` $(id) !! "x" \\ \\n *?[a-z]{2} a|b ^x$ (1+1) #']],
  [['GET /bff/v1/x?interval=7m&y=%20 is 400', '—', '…']],
  [['-t --run', '  two  spaces  ']],
  [['two\nlines\tand a tab']],
])('%j is found by its pattern and nothing else is', (names) => {
  const lines = failureLines({ ...failure, names }, run);
  expect(lines.join().includes('\n')).toBe(false);
  const words = wordsOf(lines[1] ?? '');
  expect(words.slice(0, -1)).toEqual(['vitest', 'run', '--project', 'core', failure.file, '-t']);
  const pattern = new RegExp(words.at(-1) ?? '');
  const name = names.join(' ');
  expect(name).toMatch(pattern);
  for (const other of [`${name} too`, `not ${name}`, name.slice(1)]) expect(other).not.toMatch(pattern);
});

test('what the run was given stands in front, and nothing secret', () => {
  const environment = {
    HOME: '/root',
    PILOTFISH_MASTER_KEY: 'secret',
    PILOTFISH_SEED: '7',
    PILOTFISH_TEST_DIALECT: 'postgres',
    PILOTFISH_POSTGRES_DOOR: '5000',
    TEST_DATABASE_URL: 'postgres://user:secret@host/x',
    TZ: "Here's/There",
  };
  const [said, command = ''] = failureLines(failure, { isDeep: true, seed: 7, environment });
  expect(said).toBe('Failed: sums (seed 7)');
  expect(command).toBe(
    "  alone: PILOTFISH_SEED=7 PILOTFISH_TEST_DIALECT=postgres TZ='Here'\\''s/There' npx vitest run --config vitest.deep.config.ts --project core packages/core/src/money/decimal.test.ts -t '^sums$'",
  );
});

test('a faked date begins again', () => {
  const environment = { PILOTFISH_DATE: '2028-02-29T23:50:00Z', PILOTFISH_DATE_SINCE: '1', TZ: 'Asia/Kolkata', NODE_OPTIONS: '--x' };
  const [, command = ''] = failureLines(failure, { ...run, environment });
  const shown = command.replace(/npx .*/, 'env');
  const set = execFileSync('bash', ['-c', shown.replace('  alone: ', '')], { env: { PATH: process.env.PATH }, encoding: 'utf8' });
  expect(set).toMatch(/^PILOTFISH_DATE=2028-02-29T23:50:00Z$/m);
  expect(set).toMatch(/^PILOTFISH_DATE_SINCE=\d{10}000$/m);
  expect(set).toMatch(new RegExp(`^NODE_OPTIONS=--import ${process.cwd()}/scripts/faked-date.mjs$`, 'm'));
  expect(set).toMatch(/^TZ=Asia\/Kolkata$/m);
});

test('the virtual time, and what failed around tests', () => {
  expect(failureLines({ ...failure, virtualTime: Date.UTC(2026, 0, 15, 12, 30) }, run)[0]).toBe(
    'Failed: sums (seed 20261123, virtual time 2026-01-15T12:30:00.000Z)',
  );
  expect(failureLines({ ...failure, names: [], isTest: false, because: 'Cannot find module' }, run)).toEqual([
    'Failed: packages/core/src/money/decimal.test.ts: Cannot find module (seed 20261123)',
    '  alone: npx vitest run --project core packages/core/src/money/decimal.test.ts',
  ]);
  const [said, command = ''] = failureLines({ ...failure, names: ['money', 'sums (2)'], isTest: false, because: 'no server' }, run);
  expect(said).toBe('Failed: money > sums (2): no server (seed 20261123)');
  const pattern = new RegExp(wordsOf(command).at(-1) ?? '');
  expect('money sums (2) of two').toMatch(pattern);
  expect('money sums (23) of two').not.toMatch(pattern);
});
