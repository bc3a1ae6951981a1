import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { WALLET } from '../../testing/wallet-sample.ts';
import { execute } from '../app/cli.ts';

const NASTY = `Dip $(echo obeyed) "two" it's a\\b`;
/** A server with these wallets. */
const server = (names: readonly string[], seen: string[] = []) =>
  (async (input: string) => {
    seen.push(input);
    return new Response(JSON.stringify(names.map((name) => ({ ...WALLET, name }))), { status: 200 });
  }) as unknown as typeof globalThis.fetch;
const offline = (async () => {
  throw new TypeError('fetch failed');
}) as unknown as typeof globalThis.fetch;

const completed = async (shell: string, words: readonly string[], fetch = offline): Promise<string[]> => {
  const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' } });
  expect(await execute(['complete', shell, '--', ...words], host)).toBe(0);
  expect(host.err()).toBe('');
  return host.out().split('\n').slice(0, -1);
};
const script = async (shell: string): Promise<string> => {
  const host = fakeHost();
  expect(await execute(['completion', shell], host)).toBe(0);
  return host.out();
};

test.each([
  ['commands', ['bo'], ['bots']],
  ['verbs', ['bots', 'e'], ['edit', 'enable', 'enter']],
  ['options after an argument and after options with values', ['--lang', 'tr', 'bots', 'show', 'Dip', '--w'], ['--watch']],
  ['options in the order they are listed', ['bots', 'apply', '--d'], ['--dry-run', '--delete-pruned']],
  ['the choices of an option', ['--color', ''], ['auto', 'always', 'never']],
  ['the choices of an option with its value in one word, which bash splits', ['--color', '=', 'a'], ['auto', 'always']],
  ['the values of an argument', ['completion', ''], ['bash', 'zsh', 'fish']],
  ['a path, left to the shell', ['bots', 'apply', '-f', 'fo'], [':files']],
  ['a path as an argument', ['import', ''], [':files']],
  ['nothing where anything may be written', ['wallets', 'deposit', 'Main', ''], []],
  ['nothing behind a command that does not exist', ['nonsense', ''], []],
  ['nothing where the server does not answer', ['bots', 'show', ''], []],
  ['nothing where the address is no address', ['--url', 'nonsense', 'bots', 'show', ''], []],
])('%s', async (_, words, expected) => {
  expect(await completed('bash', words)).toEqual(expected);
});

test('an older way to say something, and this command, are not offered; what a command does is said where a shell shows it', async () => {
  const [all, fish, zsh] = await Promise.all([completed('bash', ['']), completed('fish', ['bots', 'ena']), completed('zsh', ['--col'])]);
  expect(all).not.toContain('complete');
  expect(fish).toEqual([expect.stringMatching(/^enable\t\w.+/)]);
  expect(zsh).toEqual([expect.stringMatching(/^--color:\w.+/)]);
  expect(await completed('fish', ['--color=a'])).toEqual(['--color=auto', '--color=always']);
});

test('names come from the server that the line names, whatever case they are begun in; some that no line can hold are left out', async () => {
  const seen: string[] = [];
  const fetch = server(['Main', 'Make', 'Other', 'Ma\nin'], seen);
  expect(await completed('fish', ['--url', 'http://127.0.0.1:9', 'wallets', 'show', 'ma'], fetch)).toEqual(['Main', 'Make']);
  expect(seen.map((each) => new URL(each).host)).toEqual(['127.0.0.1:9']);
  // Bash hands the address over in pieces.
  const pieces = ['--url', '=', 'http', ':', '//127.0.0.1', ':', '8', 'bots', 'create', '--wallet', 'O'];
  expect(await completed('bash', pieces, fetch)).toEqual(['Other']);
  expect(seen.map((each) => new URL(each).host)).toEqual(['127.0.0.1:9', '127.0.0.1:8']);
});

test('a name that would be read as an option is not offered as an argument', async () => {
  for (const shell of ['bash', 'zsh', 'fish'])
    expect(await completed(shell, ['wallets', 'show', ''], server(['--yes', '-f', 'Main']))).toEqual(['Main']);
});

test('bash gets the rest of a name behind the colon that it takes for the end of a word', async () => {
  const after = (...begun: string[]) => completed('bash', ['wallets', 'show', ...begun], server(['Dip: one', 'Dip: two']));
  expect(await after('Di')).toEqual(['Dip:\\ one', 'Dip:\\ two']);
  expect(await after('Dip', ':')).toEqual(['\\ one', '\\ two']);
  expect(await after('Dip', ':', '\\ t')).toEqual(['\\ two']);
  expect(await completed('bash', ['--color', '=', 'a'])).toEqual(['auto', 'always']);
  expect(await completed('bash', ['--color', '='])).toEqual(['auto', 'always', 'never']);
});

test.each([
  ['', (line: string) => line],
  ['D', (line: string) => line],
  ['"Dip', (line: string) => `"${line}"`],
])('bash gets a name back as it is, and obeys nothing in it, when it is begun as %s', async (begun, typed) => {
  const [line = ''] = await completed('bash', ['wallets', 'show', begun], server([NASTY]));
  expect(execFileSync('bash', ['-c', `printf %s ${typed(line)}`], { encoding: 'utf8' })).toBe(NASTY);
});

/** A shell in which the program answers these words with these lines, and others with nothing. */
const inShell = (shell: string, source: string, answer: readonly string[]) =>
  execFileSync(shell, ['-c', source], { encoding: 'utf8', env: { ...process.env, ANSWER: answer.join('\n') } })
    .trim()
    .split('\n');

test('bash hands the words over and takes what it is answered', async () => {
  const answer = await completed('bash', ['wallets', 'show', 'Di'], server([NASTY, 'Dive']));
  const program = `pilotfish() { [[ "$*" == 'complete bash -- wallets show Di' ]] && printf '%s\\n' "$ANSWER"; }`;
  const bash = await script('bash');
  const offered = (words: string) =>
    inShell(
      'bash',
      `${bash}\n${program}\nCOMP_WORDS=(pilotfish ${words}); COMP_CWORD=3; _pilotfish; printf '%s\\n' "\${COMPREPLY[@]}"`,
      answer,
    );
  expect(offered('wallets show Di')).toEqual(answer);
  expect(offered('wallets show X')).toEqual(['']);
});

const hasFish = spawnSync('fish', ['--version']).status === 0;
test.skipIf(!hasFish)('fish offers names as they are, with what is said of them', async () => {
  const answer = await completed('fish', ['wallets', 'show', 'Di'], server([NASTY, 'Dive']));
  const program = `function pilotfish; test "$argv" = 'complete fish -- wallets show Di'; and printf '%s\\n' $ANSWER; end`;
  const offered = inShell('fish', `${await script('fish')}\n${program}\ncomplete -C 'pilotfish wallets show Di'`, answer);
  expect(offered).toHaveLength(2);
  expect(offered).toContain('Dive');
});
