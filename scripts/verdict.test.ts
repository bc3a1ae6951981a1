import { expect, test } from 'vitest';
// @ts-expect-error -- a script without types
import { addRun, allOf, dropUnfinished, newTally, nextRuns, verdictOf } from './verdict.mjs';

type State = 'passed' | 'failed' | 'skipped';

const at = (file: string) => ({ project: 'core', file });
const planned = (...files: string[]) => ({ planned: files.map(at) });
const end = (...unhandled: { error: string; file?: string }[]) => ({ end: { unhandled, leftOut: [] } });
const ended = (file: string, tests: Record<string, State>, broken?: string) => ({
  file: {
    ...at(file),
    tests: Object.entries(tests).map(([name, state]) => ({ name, state, ...(state === 'failed' ? { error: 'no', told: [] } : {}) })),
    ...(broken ? { broken: { error: broken, told: [] } } : {}),
  },
});

/** What is known after these runs. */
function after(...runs: object[][]) {
  const tally = newTally();
  for (const lines of runs) addRun(tally, lines);
  return tally;
}

test('everything passed: nothing is tried again', () => {
  const tally = after([planned('a'), ended('a', { one: 'passed', two: 'skipped' }), end()]);
  expect(nextRuns(tally, [], 2)).toEqual([]);
  expect(verdictOf(tally, [])).toMatchObject({ verdict: 'passed', counts: { passed: 1, failed: 0, skipped: 1 } });
});

test('what fails in every try is broken; what passes once is not, whatever else fails beside it then', () => {
  const first = [planned('a', 'b'), ended('a', { one: 'failed', two: 'passed' }), ended('b', { one: 'failed' }), end()];
  expect(nextRuns(after(first), [], 2)).toEqual([[at('a')], [at('b')]]);
  const tally = after(
    first,
    [planned('a'), ended('a', { one: 'passed', two: 'failed' }), end()],
    [planned('b'), ended('b', { one: 'failed' }), end()],
  );
  expect(nextRuns(tally, [], 3)).toEqual([[at('b')]]);
  expect(nextRuns(tally, [], 4)).toEqual([]);
  expect(verdictOf(tally, [])).toMatchObject({
    verdict: 'refused',
    failed: [{ file: 'b', name: 'one', failures: 2 }],
    retried: [
      { file: 'a', name: 'one' },
      { file: 'a', name: 'two' },
    ],
    counts: { passed: 2, failed: 1, skipped: 0 },
  });
});

test('a hook that failed and an error that no test caught are tried with their file', () => {
  const first = [
    planned('a', 'b'),
    ended('a', { one: 'skipped' }, 'no port'),
    ended('b', { one: 'passed' }),
    end({ error: 'late', file: 'b' }),
  ];
  expect(nextRuns(after(first), [], 2)).toEqual([[at('a')], [at('b')]]);
  expect(verdictOf(after(first), [])).toMatchObject({ verdict: 'refused', counts: { passed: 1, failed: 2, skipped: 1 } });
  const tally = after(first, [planned('a'), ended('a', { one: 'passed' }), end()], [planned('b'), ended('b', { one: 'passed' }), end()]);
  expect(verdictOf(tally, [])).toMatchObject({ verdict: 'passed', counts: { passed: 2, failed: 0, skipped: 0 } });
});

test('an error of no file refuses, unless a process went that left files behind: these are tried', () => {
  expect(verdictOf(after([planned('a'), ended('a', { one: 'passed' }), end({ error: 'odd' })]), []).verdict).toBe('refused');
  const crashed = [planned('a', 'b', 'c'), ended('a', { one: 'passed' }), end({ error: 'Worker exited' })];
  expect(nextRuns(after(crashed), [], 2)).toEqual([[at('b'), at('c')]]);
  const rest = [planned('b', 'c'), ended('b', { one: 'passed' }), ended('c', { one: 'passed' }), end()];
  expect(verdictOf(after(crashed, rest), [])).toMatchObject({ verdict: 'passed', counts: { passed: 3 } });
});

test('what never ended is broken, but not where time was over', () => {
  const tally = after([planned('a', 'b'), ended('a', { one: 'passed' })]);
  expect(verdictOf(tally, [])).toMatchObject({ verdict: 'refused', counts: { passed: 1, failed: 1, skipped: 0 } });
  expect(verdictOf(tally, [], { isLate: true })).toMatchObject({ verdict: 'unknown', counts: { passed: 1, failed: 0, skipped: 0 } });
});

test('many failing files are no chance: eight are tried once', () => {
  const names = Array.from({ length: 20 }, (_, index) => `file-${index}`);
  const tally = after([planned(...names), ...names.map((name) => ended(name, { one: 'failed' })), end()]);
  expect(nextRuns(tally, [], 2)).toHaveLength(8);
  expect(nextRuns(tally, [], 3)).toEqual([]);
});

test('a test in quarantine is told, neither tried again nor counted as failed', () => {
  const tally = after([planned('a'), ended('a', { one: 'failed', two: 'passed' }), end()]);
  const quarantine = [{ file: 'a', test: 'one' }];
  expect(nextRuns(tally, quarantine, 2)).toEqual([]);
  expect(verdictOf(tally, quarantine)).toMatchObject({
    verdict: 'passed',
    quarantined: [{ name: 'one' }],
    counts: { passed: 1, failed: 0 },
  });
  expect(verdictOf(tally, [{ file: 'b', test: 'one' }]).verdict).toBe('refused');
});

test('nothing ran: refused', () => {
  expect(verdictOf(after([]), [])).toMatchObject({ verdict: 'refused', counts: { passed: 0, failed: 0, skipped: 0 } });
});

test('what was optional and did not end in time is no part of the run; what failed of it refuses all the same', () => {
  const tally = after([planned('a', 'b', 'c'), ended('a', { one: 'passed' }), ended('b', { one: 'failed' })]);
  expect(dropUnfinished(tally)).toEqual(['c']);
  expect(nextRuns(tally, [], 2)).toEqual([[at('b')]]);
  expect(verdictOf(tally, [], { isOptional: true })).toMatchObject({ verdict: 'refused', cut: [], counts: { passed: 1, failed: 1 } });
  expect(verdictOf(newTally(), [], { isOptional: true }).verdict).toBe('passed');
  expect(verdictOf(newTally(), []).verdict).toBe('refused');
});

test('several parts pass together only when each of them does', () => {
  const fine = verdictOf(after([planned('a'), ended('a', { one: 'passed' }), end()]), []);
  const broken = verdictOf(after([planned('b'), ended('b', { one: 'failed', two: 'passed' }), end()]), []);
  const late = verdictOf(after([planned('c')]), [], { isLate: true });
  expect(allOf([fine, fine])).toMatchObject({ verdict: 'passed', counts: { passed: 2, failed: 0, skipped: 0 } });
  expect(allOf([fine, late]).verdict).toBe('unknown');
  expect(allOf([late, fine, broken])).toMatchObject({ verdict: 'refused', failed: [{ file: 'b', name: 'one' }], counts: { failed: 1 } });
});
