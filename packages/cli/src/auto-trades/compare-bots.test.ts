import type { Comparison, RunPosition } from '@pilotfish/core/comparison/comparison-contract';
import { expect, test } from 'vitest';
import { autoTrade } from '../../testing/auto-trade-fixture.ts';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

const [bot, twin] = [autoTrade(), { ...autoTrade(), id: '01a1fc3a-46e6-72f7-a393-a88a45a667de', name: 'Twin' }];
const position = (over: Partial<RunPosition> = {}): RunPosition => ({
  positionId: 'p-1',
  enteredAt: '2026-01-15T12:00:00.000Z',
  openedAt: '2026-01-15T12:00:00.000Z',
  closedAt: '2026-01-15T12:10:00.000Z',
  exitReason: 'Manual',
  buys: 1,
  quantity: '2',
  entryPrice: '101',
  exitPrice: '108',
  entrySlippagePct: '1',
  exitSlippagePct: '0',
  fees: '0.4',
  feePct: '0.1',
  result: '13.6',
  resultPct: '6.7327',
  ...over,
});
const gap = { entry: '2', exit: '4', fees: '-0.02', size: '0', missed: '-3', rest: '0', total: '2.98' };
const sums = { positions: 1, bought: '202', fees: '0.4', result: '13.6', resultPct: '6.7327' };
const beside: Comparison = {
  currency: 'USDT',
  real: { id: bot.id, name: 'Dip', mode: 'live' },
  other: { id: twin.id, name: 'Twin', mode: 'paper', differs: ['takeProfit.levels'] },
  candidates: [{ id: twin.id, name: 'Twin', mode: 'paper', differs: ['takeProfit.levels'] }],
  comparison: {
    since: '2026-01-15T11:00:00.000Z',
    real: sums,
    other: { ...sums, result: '16.58', positions: 2 },
    gap,
    open: 1,
    positions: [
      {
        symbol: 'BTCUSDT',
        real: position(),
        other: position({ exitReason: 'TakeProfit', entryPrice: '100' }),
        gap,
        reasons: ['byHand', 'exitReason'],
      },
      {
        symbol: 'ETHUSDT',
        real: null,
        other: position({ closedAt: null, exitPrice: null, result: null }),
        gap: null,
        reasons: ['open', 'full'],
      },
    ],
  },
};

async function run(answer: Comparison, words: readonly string[], more: object = {}) {
  const seen: string[] = [];
  const fetch = (async (input: string) => {
    const { pathname, search } = new URL(input);
    if (pathname.endsWith('/comparison')) seen.push(`${pathname}${search}`);
    const body = pathname.endsWith('/comparison') ? answer : pathname.endsWith('/auto-trades') ? [bot, twin] : { items: [] };
    return new Response(JSON.stringify(body), { status: 200 });
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' }, ...more });
  return { exit: await execute(['bots', 'compare', ...words], host), out: host.out(), err: host.err(), seen };
}

test('rows for a program are exact, and name who is meant', async () => {
  const { out, seen } = await run(beside, ['dip', 'Twin', '--csv']);
  expect(seen).toEqual([`/bff/v2/auto-trades/${bot.id}/comparison?against=${twin.id}`]);
  expect(out.split('\r\n')).toEqual([
    'symbol,enteredAt,entryPrice.real,entryPrice.other,exitPrice.real,exitPrice.other,result.real,result.other,gap,reasons',
    'BTCUSDT,2026-01-15T12:00:00.000Z,101,100,108,108,13.6,13.6,2.98,byHand exitReason',
    'ETHUSDT,2026-01-15T12:00:00.000Z,,101,,,,,,open full',
    '',
  ]);
  expect(JSON.parse((await run(beside, ['Dip', '--json'])).out)).toEqual(beside);
});

test('a person reads the sums, where the difference comes from, what differs, and why', async () => {
  const { out } = await run(beside, ['Dip'], { terminal: true, columns: 160 });
  const flat = out.replaceAll(/\s+/g, ' ');
  expect(flat).toContain('Dip (live): +13.60 USDT (+6.73%) with 1 closed position');
  expect(flat).toContain('Twin (paper): +16.58 USDT (+6.73%) with 2 closed positions');
  expect(flat).toMatch(
    /Entry prices \+2.00 USDT Exit prices \+4.00 USDT Fees [−-]0.02 USDT Positions that only one had [−-]3.00 USDT 1 position is open/,
  );
  expect(flat).toContain('These settings differ: Take profit');
  expect(flat).toContain('ended by hand or kill switch · sold for another reason (by hand, take profit)');
  expect(flat).toContain('not closed yet · Dip had no position free');
});

test('a bot without another one in its currency is told what to do', async () => {
  const { out, err, exit } = await run({ ...beside, other: null, candidates: [], comparison: null }, ['Dip']);
  expect({ out, exit }).toEqual({ out: '', exit: 0 });
  expect(err).toContain('There is no other bot in USDT to compare with.');
});
