import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type CommandSpec, optionKey } from './command.ts';
import { GLOBAL_OPTIONS, ROOT } from './commands.ts';

// Every command that a text, a message or the documents name can be typed.

const root = fileURLToPath(new URL('../../../..', import.meta.url));

function* filesIn(folder: string, named: RegExp): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) continue;
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(path, named);
    else if (named.test(path)) yield path;
  }
}
const SOURCES = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...filesIn('docs', /\.md$/),
  ...filesIn('packages', /(?<!\.test)\.tsx?$|locales\/\w+\.json$/),
].filter((path) => !path.includes('/e2e/'));

/** Words after the name of the program, as far as they can be of a command: `pilotfish admin users ls --search ada`. */
const NAMED = /(?<=["'`(\n]|Run |run )pilotfish ((?:-{0,2}[a-z][\w-]*|<[\w ]+>|\$\{[^}]*\}|\{\{\w+\}\}|"[^"]*")(?: [^\s"'`|,;:)…]+)*)/g;
/** Names that begin with that of the program. */
const NO_COMMANDS: ReadonlySet<string> = new Set(['key id', 'key name', 'server on']);
/** What follows as words of the sentence, not of the command. */
const isWord = (word: string): boolean => /^[a-z][\w-]*$/.test(word);

/** Why these words are no command of ours; undefined when they are one. */
function problemOf(words: readonly string[]): string | undefined {
  let spec: CommandSpec = ROOT;
  let at = 0;
  for (; at < words.length && isWord(words[at]!); at += 1) {
    const next = spec.commands?.find(({ name }) => name === words[at]);
    if (!next) break;
    spec = next;
  }
  if (spec === ROOT && words[0] !== undefined && isWord(words[0])) return `there is no command ${words[0]}`;
  if (spec.commands && !spec.otherwise && !spec.load && words[at] !== undefined && isWord(words[at]!))
    return `${spec.name} has no ${words[at]}`;
  const group = spec.otherwise ? spec.commands?.find(({ name }) => name === spec.otherwise) : undefined;
  const options = [
    ...GLOBAL_OPTIONS,
    { flags: '-h, --help' },
    { flags: '-V, --version' },
    ...(spec.options ?? []),
    ...(group?.options ?? []),
  ];
  for (const word of words.slice(at)) {
    const flag = /^--[a-z][\w-]*/.exec(word)?.[0];
    if (flag && !options.some(({ flags }) => `--${optionKey(flags).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}` === flag))
      return `${spec.name} has no ${flag}`;
  }
  return undefined;
}

test('every command that is named somewhere can be typed', () => {
  const wrong: string[] = [];
  let found = 0;
  for (const path of SOURCES)
    for (const [, said = ''] of readFileSync(join(root, path), 'utf8').matchAll(NAMED)) {
      const [words = ''] = said.replaceAll('\\', '').split(' && ');
      if (NO_COMMANDS.has(words)) continue;
      found += 1;
      const problem = problemOf(words.split(' '));
      if (problem) wrong.push(`${path}: pilotfish ${said} (${problem})`);
    }
  expect(wrong).toEqual([]);
  expect(found).toBeGreaterThan(100);
});

test.each([['frobnicate'], ['admin', 'frobnicate'], ['backup', '--frobnicate'], ['restor', 'x']])(
  'pilotfish %s %s is no command',
  (...words) => {
    expect(problemOf(words.filter((word) => word !== undefined))).toBeDefined();
  },
);
