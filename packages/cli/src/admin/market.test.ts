import { stripVTControlCharacters } from 'node:util';
import type { MarketChoice } from '@pilotfish/core/admin/market-choice-contract';
import { describe, expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

const nothing = { bots: 0, runningBots: 0, openPositions: 0, liveOpenPositions: 0, wallets: 1, priceAlerts: 2, ledgerEntries: 3 };
const simulated: MarketChoice = {
  market: 'simulated',
  decidedBy: 'admin',
  reachable: true,
  changingTo: null,
  rests: [{ market: 'simulated', ...nothing }],
};
const traded: MarketChoice = {
  ...simulated,
  rests: [{ market: 'simulated', ...nothing, bots: 4, runningBots: 2, openPositions: 3, liveOpenPositions: 1 }],
};
const away = { status: 500, code: 'internal', title: 'Away' } as const;
type Reply = MarketChoice | { status: number; code: string; title: string; detail?: string };

/** A server that answers each look by the next of `looks`, the last again, and each change by the next of `changes`. */
function server(looks: readonly Reply[], changes: readonly Reply[] = []) {
  const bodies: unknown[] = [];
  const left = { GET: [...looks], PUT: [...changes] };
  const fetch = (async (input: string, { method = 'GET', body }: RequestInit = {}) => {
    if (!new URL(input).pathname.endsWith('/admin/market')) return new Response('{}', { status: 404 });
    if (method === 'PUT') bodies.push(JSON.parse(body as string));
    const replies = left[method as 'GET' | 'PUT'];
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) as Reply;
    return 'status' in reply
      ? new Response(JSON.stringify({ type: 'about:blank', ...reply }), {
          status: reply.status,
          headers: { 'content-type': 'application/problem+json' },
        })
      : new Response(JSON.stringify(reply));
  }) as typeof globalThis.fetch;
  return { fetch, bodies };
}

type Sitting = { answers?: readonly (readonly [RegExp, string])[]; terminal?: boolean };
async function run({ fetch, bodies }: ReturnType<typeof server>, words: readonly string[], sitting: Sitting = {}) {
  const timers = { setTimeout: (work: () => void) => setImmediate(work), clearTimeout: () => undefined };
  const env = { PILOTFISH_TOKEN: 't', NO_COLOR: '1' };
  const host = fakeHost({ fetch, timers, columns: 200, env, ...sitting });
  const exit = await execute(['admin', 'market', ...words], host);
  return { exit, out: host.out(), err: stripVTControlCharacters(host.err()), bodies };
}

test('shows the market, who decided it, whether prices arrive, and what belongs to each market', async () => {
  const { out, exit } = await run(server([traded]), [], { terminal: true });
  expect(exit).toBe(0);
  expect(out).toMatch(/Market +Simulated market[\s\S]*Decided by +an Admin\n[\s\S]*Prices +arriving/);
  expect(out).toMatch(/Running[^\n]*Of these, live[^\n]*\n[^\n]*Simulated market +4 +2 +3 +1 +1 +2 +3/);
  expect(JSON.parse((await run(server([traded]), ['show', '--json'])).out)).toEqual(traded);
  const open = await run(server([{ ...simulated, decidedBy: 'default', reachable: false }]), ['--lang', 'tr'], { terminal: true });
  expect(open.out).toMatch(/Belirleyen +henüz seçilmedi[\s\S]*Fiyatlar +gelmiyor/);
});

describe('another market', () => {
  const changed: MarketChoice = { ...traded, market: 'binance' };
  const changing: MarketChoice = { ...traded, changingTo: 'binance' };

  test('is asked for with the bots and live positions that are left; No changes nothing', async () => {
    const { exit, err, bodies } = await run(server([traded]), ['use', 'binance'], { answers: [[/y\/N/, 'n\r']] });
    expect(err.replaceAll('\n', ' ')).toMatch(/bots on Simulated market: 2; open live positions: 1\. Pilotfish does not manage them/);
    expect([exit, bodies]).toEqual([1, []]);
  });

  test('is asked for where nothing is left, too; no terminal needs --yes', async () => {
    const { exit, err, bodies } = await run(server([simulated]), ['use', 'binance'], { answers: [[/y\/N/, '\r']] });
    expect(err).toMatch(/The server restarts with Binance, for all accounts/);
    expect([exit, bodies]).toEqual([1, []]);
    const piped = await run(server([simulated]), ['use', 'binance']);
    expect([piped.exit, piped.bodies]).toEqual([2, []]);
    expect(piped.err).toContain('--yes');
  });

  test('is waited for while the server is away', async () => {
    const looks = [traded, away, changing, { ...changed, reachable: false }, changed];
    const { exit, out, err, bodies } = await run(server(looks, [changing]), ['use', 'Binance', '--yes', '--json']);
    expect(err).toBe('The server restarts with Binance…\nMarket: Binance.\n');
    expect(JSON.parse(out)).toEqual(changed);
    expect([exit, bodies]).toEqual([0, [{ market: 'binance', rest: true }]]);
  });

  test('without prices says so, with the way back', async () => {
    const looks = [simulated, { ...changed, reachable: false }];
    const { exit, err } = await run(server(looks, [changing]), ['use', 'binance', '--yes']);
    expect(exit).toBe(6);
    expect(err).toMatch(/no prices arrive[^\n]*pilotfish admin market use simulated \(exchange-unreachable\)/);
  });

  test('bots that began meanwhile are asked for', async () => {
    const inUse = { status: 409, code: 'in-use', title: 'In use' };
    const answers = [
      [/for all accounts[\s\S]*y\/N/, 'y\r'],
      [/bots on Simulated market: 2[\s\S]*y\/N/, 'y\r'],
    ] as const;
    const { exit, bodies } = await run(server([simulated, traded, changed], [inUse, changing]), ['use', 'binance'], { answers });
    expect(bodies).toEqual([
      { market: 'binance', rest: false },
      { market: 'binance', rest: true },
    ]);
    expect(exit).toBe(0);
    const again = await run(server([traded], [inUse]), ['use', 'binance', '--yes']);
    expect([again.exit, again.bodies.length]).toEqual([8, 1]);
  });

  test('that it works with already, or that the environment decides, changes nothing', async () => {
    expect(await run(server([simulated]), ['use', 'simulated'])).toMatchObject({ exit: 0, bodies: [] });
    const fixed = await run(server([{ ...simulated, decidedBy: 'environment' }]), ['use', 'binance', '--yes']);
    expect(fixed.err).toContain('PILOTFISH_EXCHANGE');
    expect([fixed.exit, fixed.bodies]).toEqual([8, []]);
    expect(await run(server([simulated]), ['use', 'kraken'])).toMatchObject({ exit: 2, err: expect.stringContaining('binance-testnet') });
  });

  test('the one at hand is settled without a question while none is chosen', async () => {
    const { exit, bodies } = await run(server([{ ...traded, decidedBy: 'default' }], [traded]), ['use', 'simulated']);
    expect([exit, bodies]).toEqual([0, [{ market: 'simulated', rest: false }]]);
  });
});
