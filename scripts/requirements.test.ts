import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

// docs/requirements.md names for each statement the test that proves it, by its title: a test that is renamed or removed
// takes its statement along.

const read = (...path: string[]): string => readFileSync(join(import.meta.dirname, '..', ...path), 'utf8');
const document = read('docs', 'requirements.md');

type Row = { readonly requirement: string; readonly proofs: readonly (readonly [file: string, title: string])[] };

const rows: readonly Row[] = document
  .split('\n')
  .map((line) => /^\| (.*?) +\| .*? +\| (.*?) *\|$/.exec(line))
  .filter((cells) => cells !== null && cells[1] !== 'Requirement' && !/^-+$/.test(cells[1] ?? ''))
  .map((cells) => ({
    requirement: cells?.[1] ?? '',
    proofs: [...(cells?.[2] ?? '').matchAll(/`([^`]+)`: “([^”]+)”/g)].map(([, file = '', title = '']) => [file, title] as const),
  }));

/** Titles of the tests of a file, as they are written there: what begins a call whose name ends in `test`, `it` or `firstOf`. */
function titlesOf(file: string): ReadonlySet<string> {
  const source = read('packages', file);
  const calls = source.matchAll(/\b(?:test|it|deepTest|firstOf)\b[^'"`\n]*?(?:\.each[\s\S]*?\))?\(\s*(['"`])((?:(?!\1)[^\n\\]|\\.)+)\1,/g);
  return new Set([...calls].map(([, , title = '']) => title));
}

describe('docs/requirements.md', () => {
  test.each(rows.map((row) => [row.requirement, row] as const))('is proved: %s', (_, { proofs }) => {
    expect(proofs).not.toEqual([]);
    expect(proofs.filter(([file, title]) => !titlesOf(file).has(title))).toEqual([]);
  });

  test('has a row for each call that was asked for, as the walk over all of them lists them', () => {
    const section = /## Calls([\s\S]*?)\n## /.exec(document)?.[1] ?? '';
    const calls = rows
      .map(({ requirement }) => requirement)
      .filter((each) => section.includes(each))
      .join('\n');
    const listed = [
      ...read('packages', 'server', 'e2e', 'listed-calls.e2e.ts').matchAll(/^ {2}'\/(?:gateway|bff)([^']*)':\s*'([^']+)',$/gm),
    ];
    expect(listed.length).toBeGreaterThan(10);
    const names = listed.flatMap(([, folder = '', each = '']) =>
      each.split(', ').map((call) => {
        const [method = '', path = ''] = call.split(' ');
        // What stands last and is not a value.
        return [method, `${folder}/${path}`.split('/').findLast((part) => /^[a-z][a-z\d-]+$/.test(part)) ?? ''] as const;
      }),
    );
    expect(names.filter(([method, name]) => !calls.includes(method) || !new RegExp(`\\b${name}\\b`, 'i').test(calls))).toEqual([]);
  });
});
