import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

const script = async (shell: string): Promise<string> => {
  const host = fakeHost();
  expect(await execute(['completion', shell], host)).toBe(0);
  return host.out();
};
const inBash = async (words: readonly string[]): Promise<string[]> => {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const run = `${await script('bash')}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _pilotfish; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', run], { encoding: 'utf8' }).trim().split('\n');
};

test('bash completes commands, verbs, options, also after options with values', async () => {
  expect(await inBash(['pilotfish', 'bo'])).toEqual(['bots']);
  expect(await inBash(['pilotfish', 'bots', 'e'])).toEqual(['edit', 'enable', 'enter']);
  expect(await inBash(['pilotfish', '--lang', 'tr', 'bots', 'show', 'Dip', '--w'])).toEqual(['--watch']);
  expect(await inBash(['pilotfish', 'bots', 'apply', '--d'])).toEqual(['--dry-run', '--delete-pruned']);
  expect(await inBash(['pilotfish', 'completion', ''])).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
});
test('zsh and fish know every verb', async () => {
  const [zsh, fish] = await Promise.all([script('zsh'), script('fish')]);
  for (const verb of ['halt', 'lift', 'versions', 'withdraw', 'reset-2fa', 'register']) {
    expect(zsh).toContain(`'${verb}:`);
    expect(fish).toContain(`-a ${verb} `);
  }
});
