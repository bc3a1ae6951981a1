import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount, openStage } from './stage.ts';

// The other files run many commands in one process. Here it is shown that these know nothing of one another.

let accounts: Account[];
beforeAll(async () => {
  await openStage();
  accounts = [await openAccount(), await openAccount()];
  for (const { user } of accounts) {
    const wallet = { name: `Wallet of ${user.username}`, mode: 'paper', initialBalance: '1000' };
    const { body } = await user.call<Wallet>('/bff/v2/wallets', { body: wallet });
    const config = {
      name: `Bot of ${user.username}`,
      walletId: body.id,
      coins: { symbols: ['BTCUSDT'] },
      entry: { size: { mode: 'fixed', value: '100' }, trigger: { kind: 'drop', dropPct: '80', lookbackMin: 5 } },
      stopLoss: { mode: 'none' },
    };
    expect((await user.call('/bff/v2/auto-trades', { body: config })).status).toBe(200);
  }
});
afterAll(() => {
  for (const account of accounts ?? []) account.close();
});

const COLOUR = '\u001b[3';

test('commands of two people in two languages at once, one with colours', async () => {
  const [ada, bob] = accounts as [Account, Account];
  const rounds = Array.from({ length: 8 }, () => [
    ada.pipe.run(['wallets', 'ls', '--fields', 'name']),
    bob.pipe.run(['wallets', 'ls', '--fields', 'name']),
    ada.pipe.run(['wallets', 'lst', '--color', 'always']),
    bob.pipe.run(['wallets', 'lst', '--lang', 'tr']),
  ]);
  for (const round of rounds) {
    const [hers, his, english, turkish] = await Promise.all(round);
    expect(hers).toEqual({ exit: 0, stdout: `Wallet of ${ada.user.username}\n`, stderr: '' });
    expect(his).toEqual({ exit: 0, stdout: `Wallet of ${bob.user.username}\n`, stderr: '' });
    expect(english).toMatchObject({ exit: 2, stderr: expect.stringContaining('Did you mean ls?') });
    expect(english?.stderr).toContain(COLOUR);
    expect(turkish).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining('ls mi demek istediniz?') });
    expect(turkish?.stderr).not.toContain(COLOUR);
  }
});

test('two full screens at once: each has its size, language, colours and keys', async () => {
  const [ada, bob] = accounts as [Account, Account];
  const hers = ada.open(['bots', 'show', `Bot of ${ada.user.username}`, '--watch', '--color', 'never']);
  const his = bob.open(['bots', 'show', `Bot of ${bob.user.username}`, '--watch', '--lang', 'tr'], { columns: 120, rows: 40 });
  await Promise.all([hers.see(/Live/), his.see(/Canlı/)]);
  expect(hers.screen()).toContain(`Bot of ${ada.user.username}`);
  expect(his.screen()).toContain(`Bot of ${bob.user.username}`);
  hers.type('q');
  expect(await hers.ended()).toMatchObject({ exitCode: 0 });
  expect([hers.buffer(), his.buffer()]).toEqual(['normal', 'alternate']);
  his.kill('SIGTERM');
  expect(await his.ended()).toMatchObject({ exitCode: 143 });
  expect(hers.raw()).not.toContain(COLOUR);
  expect(his.raw()).toContain(COLOUR);
});
