import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProcessPipe } from './process-pipe.ts';
import { openProcessTerminal, PROGRAM } from './process-terminal.ts';
import { type Account, openAccount } from './stage.ts';

// What only a process of its own can show to a shell: pipes, exit codes, interrupts.

let account: Account;
beforeAll(async () => {
  account = await openAccount();
});
afterAll(() => account?.close());

/** A line of shell in which `$P` is the program. */
const shell = (line: string, more: Record<string, string> = {}) =>
  new Promise<{ exit: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, LANG: 'en_US.UTF-8', PILOTFISH_KEYRING: 'off', ...account.env, ...more };
    execFile('bash', ['-c', `P='"${process.execPath}" "${PROGRAM}"'; ${line}`], { env }, (error, stdout, stderr) =>
      resolve({ exit: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

test('a closed pipe is no error', async () => {
  expect(await shell('set -o pipefail; eval "$P screen options" | head -n 1')).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(/^.+\n$/),
    stderr: '',
  });
});

test('the shell gets the exit code and the sentence', async () => {
  const codes = ['wallets ls', 'wallets lst', 'prices ls --url http://127.0.0.1:1'].map((words) => `eval "$P ${words}"; echo $?`);
  const { stdout, stderr } = await shell(`${codes.join('; ')}; PILOTFISH_TOKEN= eval "$P wallets ls"; echo $?`);
  expect(stdout.trim().split('\n')).toEqual(['0', '2', '1', '4']);
  expect(stderr).toContain('Did you mean ls?');
  expect(stderr).toContain('pilotfish auth login');
});

test('a table that stays is left by the interrupt of a terminal that is not raw', async () => {
  const terminal = openProcessTerminal(['prices', 'watch', '--quote', 'USDT', '--limit', '8'], account.env);
  await terminal.see(/BTCUSDT[\s\S]*Live/);
  expect(terminal.buffer()).toBe('alternate');
  terminal.press('ctrl-c');
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
  expect(terminal.buffer()).toBe('normal');
  expect(terminal.raw()).toContain('\u001b[?25h');
  expect(terminal.screen().match(/BTCUSDT/g)).toHaveLength(1);
});

test('colours: none in a pipe unless they are asked for, and on a terminal unless they are refused', async () => {
  const words = ['prices', 'ls', '--limit', '1', '--nonsense'];
  const red = '\u001b[31m';
  expect((await openProcessPipe(account.env).run(words)).stderr).not.toContain(red);
  expect((await openProcessPipe({ ...account.env, FORCE_COLOR: '1' }).run(words)).stderr).toContain(red);
  const shown = async (more: Record<string, string>) => {
    const terminal = openProcessTerminal(words, { ...account.env, ...more });
    expect((await terminal.ended()).exitCode).toBe(2);
    return terminal.raw();
  };
  expect(await shown({})).toContain(red);
  expect(await shown({ NO_COLOR: '1' })).not.toContain(red);
});

test('completion in a real shell: verbs, and names that the server knows', async () => {
  const { stdout } = await shell(
    `pilotfish() { eval "$P" '"$@"'; }; eval "$(pilotfish completion bash)"
    at() { COMP_WORDS=(pilotfish "$@"); COMP_CWORD=$#; _pilotfish; echo "\${COMPREPLY[*]}"; }
    pilotfish wallets add 'My $HOME' --currency USDT --balance 100 >/dev/null 2>&1; at bots e; at wallets show my; at prices show BTCUSD`,
  );
  expect(stdout).toBe('edit enable enter\nMy\\ \\$HOME\nBTCUSDT\n');
});
