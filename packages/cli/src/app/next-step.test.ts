import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { autoTrade } from '../../testing/auto-trade-fixture.ts';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from './cli.ts';

const wallet = {
  id: '01a1fc3a-46e6-72f7-a393-a88a45a667dc',
  name: 'Main',
  currency: 'USDT',
  mode: 'paper',
  reservePct: '1',
  status: 'Ready',
  createdAt: '2026-11-21T03:00:00.000Z',
  free: '1',
  invested: '0',
  reserved: '0',
  realised: '0',
  deposits: '1',
  withdrawals: '0',
  makerFeePct: '0.1',
  takerFeePct: '0.1',
  latencyMs: 0,
};
const account = {
  claims: [],
  exchanges: [],
  hasTelegram: false,
  username: 'ada',
  email: 'ada@example.com',
  emailConfirmed: true,
  createdAt: '2026-11-21T03:00:00.000Z',
};

type Answers = { readonly bots?: unknown; readonly status?: number };
async function open(words: readonly string[], { terminal = true, bots = [], status = 200 }: Answers & { terminal?: boolean } = {}) {
  const asked: string[] = [];
  const fetch = (async (url: string, { method }: RequestInit) => {
    const path = new URL(url).pathname.replace(/^.*\/v2\//, '');
    asked.push(`${method} ${path}`);
    if (path === 'wallets') return new Response(JSON.stringify(method === 'POST' ? wallet : [wallet]));
    return new Response(JSON.stringify(path === 'account' ? account : bots), { status });
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' }, terminal });
  const exit = await execute(['--color', 'never', ...words, 'wallets', 'add', 'Main'], host);
  return { exit, err: host.err(), asked };
}

test('a command says which one comes next', async () => {
  const { exit, err, asked } = await open([]);
  expect([exit, err]).toEqual([0, 'Next: pilotfish bots create\n']);
  expect(asked).toContain('GET auto-trades');
  expect((await open(['--lang', 'tr'])).err).toBe('Sırada: pilotfish bots create\n');
});

test.each([[['--json']], [['--csv']], [['--jsonl']]])(
  'a program that reads %j is told nothing, and nothing is asked for it',
  async (words) => {
    const { exit, err, asked } = await open(words);
    expect([exit, err]).toEqual([0, '']);
    expect(asked).not.toContain('GET auto-trades');
  },
);

test('neither is a pipe', async () => {
  const { err, asked } = await open([], { terminal: false });
  expect(err).toBe('');
  expect(asked).not.toContain('GET auto-trades');
});

test('what cannot be asked is no failure of a command that has done its work', async () => {
  const { exit, err } = await open([], { status: 500, bots: { code: 'internal' } });
  expect([exit, err]).toEqual([0, '']);
});

test('a command that is pasted obeys nothing in the name of a bot', async () => {
  const name = `Dip $(echo obeyed) "two" it's \\`;
  const { err } = await open([], { bots: [{ ...autoTrade('Disabled'), name }] });
  const command = err.replace('Next: ', '').trim();
  expect(execFileSync('bash', ['-c', `pilotfish() { printf '%s' "$3"; }; ${command}`], { encoding: 'utf8' })).toBe(name);
});
