import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openProcessTerminal } from './process-terminal.ts';
import type { Size } from './screen.ts';
import { type Account, openAccount, openStage } from './stage.ts';

// What only a process of its own in a real pseudo-terminal can show: signals, the size, the echo of the keyboard, an
// editor that takes the terminal over, and what is left of it after a crash.

let account: Account;
let bot: AutoTrade;

beforeAll(async () => {
  await openStage();
  account = await openAccount();
  const { user } = account;
  const wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '1000' } })).body;
  const config = {
    name: 'Dip',
    walletId: wallet.id,
    coins: { symbols: ['BTCUSDT', 'ETHUSDT'] },
    entry: { size: { mode: 'fixed', value: '100' }, trigger: { kind: 'drop', dropPct: '80', lookbackMin: 5 } },
    stopLoss: { mode: 'none' },
  };
  bot = (await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: config })).body.autoTrade;
});
afterAll(() => account?.close());

const open = (words: readonly string[], size: Size = {}, more: Record<string, string> = {}) =>
  openProcessTerminal(words, { ...account.env, ...more }, size);

describe('the live screen of a bot', () => {
  test.each([
    ['ctrl-c', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s leaves it with %i and the terminal restored', async (how, exitCode) => {
    const terminal = open(['bots', 'show', 'Dip', '--watch']);
    await terminal.see(/Live/);
    expect(terminal.buffer()).toBe('alternate');
    if (how === 'ctrl-c') terminal.press('ctrl-c');
    else terminal.kill(how);
    expect(await terminal.ended()).toMatchObject({ exitCode });
    expect(terminal.buffer()).toBe('normal');
    expect(terminal.raw()).toContain('\u001b[?25h');
  });
});

test('the dashboard follows the size of the terminal and gives it back on a signal', async () => {
  const terminal = open(['--lang', 'tr'], { columns: 80, rows: 24 });
  await terminal.see('Fiyatlar');
  await terminal.see('BTCUSDT');
  terminal.resize(160, 40);
  // Wide enough for what the row holds beside the list.
  await terminal.see(/│ [A-Z]+USDT/);
  terminal.kill('SIGTERM');
  expect(await terminal.ended()).toMatchObject({ exitCode: 143 });
  expect(terminal.buffer()).toBe('normal');
});

test('a crash gives the terminal back, and what happened can be read', async () => {
  const crash = "process.on('SIGUSR2', () => { throw new Error('the sky fell') })";
  const terminal = open([], {}, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}` });
  await terminal.see('BTCUSDT');
  expect(terminal.buffer()).toBe('alternate');
  terminal.kill('SIGUSR2');
  expect(await terminal.ended()).toMatchObject({ exitCode: 1 });
  expect(terminal.buffer()).toBe('normal');
  expect(terminal.screen()).toContain('the sky fell');
  expect(terminal.raw()).toContain('\u001b[?25h');
});

test('a password is not echoed by the terminal, neither while it is asked for nor when it is typed ahead', async () => {
  const terminal = open(['account', 'password'], { columns: 100 });
  await terminal.see(/Current password:/);
  terminal.type('a wrong password\rharbour lights at noon\r');
  await terminal.see(/New password again:/);
  terminal.type('harbour lights at noon\r');
  expect((await terminal.ended()).exitCode).not.toBe(0);
  expect(terminal.raw()).not.toMatch(/wrong password|harbour/);
});

test('an editor has the terminal to itself, and gives it back to the question', async () => {
  const script = join(account.folder, 'editor.sh');
  writeFileSync(script, '#!/bin/sh\necho "Edit it?"\nread answer < /dev/tty\nsed -i "s/dropPct: 80/dropPct: $answer/" "$1"\n');
  chmodSync(script, 0o700);
  const terminal = open(['bots', 'edit', 'Dip'], { columns: 110 }, { EDITOR: script, VISUAL: '', TMPDIR: account.folder });
  await terminal.see('Edit it?');
  terminal.type('70\r');
  await terminal.see(/entry\.trigger\.dropPct +80 → 70[\s\S]*Save Dip\? \[y\/N\]/);
  terminal.type('y\r');
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  const { body } = await account.user.call<AutoTrade>(`/bff/v2/auto-trades/${bot.id}`);
  expect(body.config).toMatchObject({ entry: { trigger: { dropPct: '70' } } });
});
