import { expect, test } from 'vitest';
import { autoTrade } from '../../testing/auto-trade-fixture.ts';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

const bots = [
  { ...autoTrade(), name: 'Dip' },
  { ...autoTrade(), id: '019c0000-0000-7000-8000-000000000002', name: 'New' },
];
const figures = [
  {
    id: bots[0]!.id,
    holds: ['BTCUSDT'],
    slots: { used: 1, most: 3 },
    next: null,
    open: '-4.86',
    realised: '7.86',
    total: '3',
    today: '1.5',
    inUse: '500',
    budget: '1000',
    returnPct: '0.3',
    atRisk: { amount: '189.2', without: 1 },
    exits: 0,
    wins: 0,
    winRatePct: null,
    profitFactor: null,
    maxDrawdownPct: '0',
    averageHoldSeconds: null,
    fees: '0.5',
    curve: [],
    lastEventAt: null,
  },
];

async function listed(answer: { status: number; body: unknown }, ...more: string[]): Promise<string> {
  const fetch = (async (input: string) => {
    const isFigures = new URL(input).pathname.endsWith('/auto-trades/figures');
    const { status, body } = isFigures ? answer : { status: 200, body: bots };
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' } });
  expect(await execute(['bots', 'ls', ...more], host), host.err()).toBe(0);
  return host.out();
}

test('a list of bots carries the figures of each, whole for programs', async () => {
  const known = { status: 200, body: figures };
  expect(JSON.parse(await listed(known, '--json'))).toEqual([
    { ...bots[0], figures: figures[0] },
    { ...bots[1], figures: null },
  ]);
  expect(await listed(known, '--csv', '--fields', 'name,openResult,today,total,atRisk')).toBe(
    'name,openResult,today,total,atRisk\r\nDip,-4.86,1.5,3,189.2\r\nNew,,,,\r\n',
  );
});

test('a server that knows no figures still lists its bots', async () => {
  const unknown = { status: 404, body: { type: 'about:blank', title: 'x', status: 404, code: 'not-found' } };
  expect(await listed(unknown, '--csv', '--fields', 'name,total')).toBe('name,total\r\nDip,\r\nNew,\r\n');
});
