import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
// @ts-expect-error -- a script without types
import { quarantineProblems } from './quarantine.mjs';

const NOW = Date.UTC(2026, 10, 20);
const ENTRY = { file: 'a.test.ts', test: 'prices > a stream of 3 pairs', since: '2026-11-18', feature: 'prices', reason: 'a race' };

function checked(entries: unknown[], changed: string[] = []): { problems: string[]; warnings: string[] } {
  const root = mkdtempSync(join(tmpdir(), 'quarantine-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'a.test.ts'), "describe('prices', () => test.each([3])('a stream of %s pairs', run));");
  writeFileSync(join(root, 'quarantine.json'), JSON.stringify(entries));
  return quarantineProblems(root, { now: NOW, changed });
}

test('a fresh entry with all that belongs to it is fine', () => {
  expect(checked([ENTRY], ['quarantine.json'])).toEqual({ problems: [], warnings: [] });
});

test.each([
  [{ ...ENTRY, reason: ' ' }, 'no reason'],
  [{ ...ENTRY, feature: undefined }, 'no feature'],
  [{ ...ENTRY, file: 'gone.test.ts' }, 'the file does not exist'],
  [{ ...ENTRY, test: 'prices > another' }, 'no such test'],
  [{ ...ENTRY, since: '2026-11-21' }, 'no day until today'],
  [{ ...ENTRY, since: 'yesterday' }, 'no day until today'],
])('an entry is refused: %j', (entry, problem) => {
  const { problems } = checked([entry]);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
});

test('a sixteenth entry and a double are refused', () => {
  expect(checked(Array.from({ length: 16 }, () => ENTRY)).problems).toContainEqual(
    'quarantine.json: 16 entries, at most 15: mend one first',
  );
  expect(checked([ENTRY, ENTRY]).problems).toEqual([expect.stringContaining('named twice')]);
});

test('after a fortnight an entry refuses only a change that has to do with it', () => {
  const old = { ...ENTRY, since: '2026-11-05' };
  expect(checked([old], ['b.ts'])).toMatchObject({ problems: [], warnings: [expect.stringContaining('15 days in quarantine')] });
  expect(checked([old], ['a.test.ts']).problems).toHaveLength(1);
  expect(checked([old], ['quarantine.json']).problems).toHaveLength(1);
  expect(checked([{ ...old, since: '2026-11-06' }], ['quarantine.json'])).toEqual({ problems: [], warnings: [] });
});
