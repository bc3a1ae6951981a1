import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { describe, expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';
import { loadTexts } from '../app/texts.ts';
import { exactText, shownText } from '../ui/cell-text.ts';
import type { Colours } from '../ui/colour.ts';
import { wallets } from './wallets.ts';

const paint = new Proxy({}, { get: () => (text: string) => text }) as Colours;

test.each([
  ['USDT', ['0.0012', '1,234.50', '0.00000001', '−0.01']],
  ['BTC', ['0.00123000', '1,234.50000000', '0.00000001', '−0.00500100']],
])('the sums of a wallet are read with the decimals of its currency: %s', async (currency, expected) => {
  const { columns } = wallets(await loadTexts('en'));
  const row = { currency, free: '0.00123', reserved: '1234.5', invested: '0.00000001', realised: '-0.005001' } as unknown as Wallet;
  const sums = ['free', 'reserved', 'invested', 'realised'].map((key) => columns.find((column) => column.key === key)!);
  expect(sums.map((column) => shownText(column, row, paint))).toEqual(expected);
  expect(sums.map((column) => exactText(column, row))).toEqual(['0.00123', '1234.5', '0.00000001', '-0.005001']);
});

describe('fees and latency of a paper wallet', () => {
  const sums = { free: '1', reserved: '0', invested: '0', realised: '0', deposits: '1', withdrawals: '0' };
  const terms = { makerFeePct: '0.075', takerFeePct: '0.1', latencyMs: 150 };
  const id = '01a1fc3a-46e6-72f7-a393-a88a45a667dc';
  const own = {
    id,
    name: 'Main',
    currency: 'USDT',
    mode: 'paper',
    reservePct: '1',
    status: 'Ready',
    createdAt: '2026-11-21T03:00:00.000Z',
  };
  const run = async (words: readonly string[], wallet: object = { ...own, ...sums, ...terms }) => {
    const sent: unknown[] = [];
    const fetch = (async (url: string, { method, body }: RequestInit) => {
      if (method !== 'GET') sent.push([method, new URL(url).pathname.replace(/^.*wallets/, 'wallets'), JSON.parse(body as string)]);
      const answer = method === 'GET' && url.endsWith('/wallets') ? [wallet] : { ...wallet, ledger: [] };
      return new Response(JSON.stringify(answer), { status: 200 });
    }) as typeof globalThis.fetch;
    const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' }, terminal: true });
    const exit = await execute(['--color', 'never', 'wallets', ...words], host);
    return { exit, sent, out: host.out(), err: host.err() };
  };

  test('are given when it is opened and later, and only what was given is sent', async () => {
    const given = ['--maker-fee', '0.075', '--taker-fee', '0.1', '--latency', '150'];
    const opened = await run(['add', 'Main', ...given]);
    expect(opened.sent).toEqual([['POST', 'wallets', { name: 'Main', mode: 'paper', currency: 'USDT', initialBalance: '1000', ...terms }]]);
    expect((await run(['add', 'Main'])).sent).toEqual([
      ['POST', 'wallets', { name: 'Main', mode: 'paper', currency: 'USDT', initialBalance: '1000' }],
    ]);
    expect((await run(['edit', 'main', '--latency', '0'])).sent).toEqual([['PATCH', `wallets/${id}`, { latencyMs: 0 }]]);
  });

  test('stand where one wallet is shown, and nowhere for a live one', async () => {
    const shown = (await run(['show', 'Main'])).out;
    for (const line of [/Maker fee +0\.075%/, /Taker fee +0\.1%/, /Latency +150 ms/]) expect(shown).toMatch(line);
    const live = { ...own, ...sums, mode: 'live', makerFeePct: null, takerFeePct: null, latencyMs: null };
    expect((await run(['show', 'Main'], live)).out).toMatch(/Latency *\n/);
    expect((await run(['ls'])).out).not.toContain('0.075');
  });

  test.each([
    [['edit', 'Main'], '--maker-fee, --taker-fee, --latency is missing.'],
    [['edit', 'Main', '--maker-fee', '0,1'], '--maker-fee must be a decimal number with a point, not 0,1.'],
    [['add', 'Main', '--latency', '1.5'], '--latency accepts: 0 … 3000.'],
  ])('are refused before anything is sent: %j', async (words, said) => {
    const { exit, sent, err } = await run(words);
    expect([exit, sent]).toEqual([2, []]);
    expect(err).toContain(said);
  });
});
