import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { BotTemplate } from '@pilotfish/core/auto-trades/bot-templates-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPipe, type Pipe } from './pipe.ts';
import { type Account, openAccount } from './stage.ts';

// Settings of a bot kept under a name, and another bot made from them.

let account: Account;
let pipe: Pipe;
const run = (...words: string[]) => pipe.run(['bots', ...words]);
const listed = async () => JSON.parse((await run('templates', '--json')).stdout) as BotTemplate[];

beforeAll(async () => {
  account = await openAccount();
  pipe = openPipe(account.env);
  expect((await pipe.run(['wallets', 'add', 'Main', '--balance', '5000'])).exit).toBe(0);
  const settings = ['--size', '100', '--drop', '7', '--take-profit', '4', '--stop-loss', '9', '--max-positions', '5'];
  expect((await run('create', '--name', 'Dip', '--wallet', 'Main', '--coins', 'BTCUSDT', ...settings)).exit).toBe(0);
});
afterAll(() => account?.close());

test('a bot is saved as a template, and a bot of another coin is made from it', { tags: ['smoke'] }, async () => {
  expect(await run('templates')).toEqual({ exit: 0, stdout: '', stderr: '' });
  expect(await run('templates', 'save', 'Dip', 'Ladder')).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('Template Ladder is saved.'),
  });
  expect((await run('templates', 'ls')).stdout).toContain('Ladder');
  const [template] = await listed();
  expect(template).toMatchObject({ name: 'Ladder', settings: { maxOpenPositions: 5, stopLoss: { mode: 'percent', pct: '9' } } });
  expect(template?.settings).not.toHaveProperty('coins');

  const made = ['--name', 'Ether', '--wallet', 'Main', '--coins', 'ETHUSDT', '--max-positions', '2'];
  expect((await run('create', '--template', 'ladder', ...made)).exit).toBe(0);
  const bots = (await account.user.call<AutoTrade[]>('/bff/v2/auto-trades')).body;
  const [dip, ether] = ['Dip', 'Ether'].map((name) => bots.find((each) => each.name === name)?.config);
  expect(ether).toEqual({ ...dip, name: 'Ether', coins: { symbols: ['ETHUSDT'], coinFilterIds: [] }, maxOpenPositions: 2 });
});

test('sums of another currency than the wallet’s are refused until they are said again', async () => {
  const [template] = await listed();
  expect(template).toMatchObject({ name: 'Ladder', currency: 'USDT' });
  const body = { settings: template?.settings, currency: 'TRY' };
  expect((await account.user.call(`/bff/v2/auto-trades/templates/${template?.id}`, { method: 'PATCH', body })).status).toBe(200);
  const made = ['create', '--template', 'Ladder', '--name', 'Lira', '--wallet', 'Main', '--coins', 'ETHUSDT', '--dry-run'];
  expect(await run(...made)).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('Amounts of the template Ladder are in TRY, and the wallet is in USDT.'),
  });
  expect((await run(...made, '--size', '50')).exit).toBe(0);
});

test('a name is one template: it is refused, replaced when that is asked for, renamed and deleted', async () => {
  expect(await run('templates', 'save', 'Ether', 'LADDER')).toMatchObject({
    exit: 8,
    stderr: expect.stringContaining('You already have a template named LADDER.'),
  });
  expect(await run('templates', 'save', 'Ether', 'LADDER', '--replace')).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('Template Ladder is replaced.'),
  });
  expect(await listed()).toMatchObject([{ name: 'Ladder', settings: { maxOpenPositions: 2 } }]);
  expect(await run('templates', 'rename', 'Ladder', 'Steps')).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('Ladder is now named Steps.'),
  });
  expect(await run('create', '--template', 'Ladder', '--name', 'x')).toMatchObject({
    exit: 7,
    stderr: expect.stringContaining('There is no template Ladder. Templates: Steps.'),
  });
  expect(await run('create', '--template', 'Steps')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--name') });
  expect(await run('create', '--template', 'Steps', '-f', 'x.yaml', '--name', 'x')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('Give --file or --template, not both.'),
  });
  expect(await run('templates', 'rm', 'Steps')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') });
  expect(await run('templates', 'rm', 'Steps', '--yes')).toMatchObject({ exit: 0, stderr: expect.stringContaining('Steps is deleted.') });
  expect(await listed()).toEqual([]);
});
