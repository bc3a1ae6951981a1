import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import type { Trace } from '@pilotfish/core/auto-trades/trace';
import { runTickBacktest } from '@pilotfish/core/backtest/tick-backtest';
import type { Comparison, RunPosition } from '@pilotfish/core/comparison/comparison-contract';
import { botConfig, walletBook } from '@pilotfish/core/testing/auto-trade-fixtures';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { afterAll, describe, expect, test } from 'vitest';
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

async function run(
  answer: Comparison,
  words: readonly string[],
  more: object = {},
  traces: readonly Trace[] = [],
  known: readonly unknown[] = [],
) {
  const seen: string[] = [];
  const fetch = (async (input: string) => {
    const { pathname, search } = new URL(input);
    if (pathname.endsWith('/comparison')) seen.push(`${pathname}${search}`);
    const body = pathname.endsWith('/comparison')
      ? answer
      : pathname.endsWith('/auto-trades')
        ? [bot, twin]
        : pathname.endsWith('/known-positions')
          ? known
          : { items: traces.toReversed(), total: traces.length, page: 1, pageSize: 200 };
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
    /Entry prices \+2.00 USDT Exit prices \+4.00 USDT Fees [−-]0.02 USDT Positions only one bot had [−-]3.00 USDT 1 position is not counted/,
  );
  expect(flat).toContain('These settings differ: Take profit');
  expect(flat).toContain('closed by hand or kill switch · different exit reason (by hand / take profit)');
  expect(flat).toContain('not closed yet · Dip already had its maximum of open positions');
});

test('a bot without another one in its currency is told what to do', async () => {
  const { out, err, exit } = await run({ ...beside, other: null, candidates: [], comparison: null }, ['Dip']);
  expect({ out, exit }).toEqual({ out: '', exit: 0 });
  expect(err).toContain('No other bot trades in USDT.');
});

describe('beside a backtest over its recording', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pilotfish-compare-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const START = Date.UTC(2026, 0, 5);
  const config = botConfig({
    entry: {
      size: { mode: 'fixed', value: '100' },
      trigger: { kind: 'drop', dropPct: '0.5', lookbackMin: 30 },
      trailing: { enabled: false },
      order: { type: 'Market' },
    },
    takeProfit: { levels: [{ gainPct: '1', sellPct: '100' }] },
    trailingCost: { enabled: false },
    stopLoss: { mode: 'percent', pct: '2' },
    cooldown: { afterWinMin: 0, afterLossMin: 0 },
  });
  const records: TapeRecord[] = [
    {
      type: 'activated',
      autoTradeId: bot.id,
      runNo: 1,
      mode: 'live',
      config,
      configVersion: 1,
      pairs: [btcusdt],
      takerFee: '0.001',
      wallet: walletBook(),
      restored: [],
      acceptsEntries: true,
      seq: 0,
    },
    { type: 'high', symbol: 'BTCUSDT', at: START - 86_400_000, price: 60_000 },
    ...Array.from({ length: 2000 }, (_, n): TapeRecord => {
      const price = Math.round(60_000 * (1 + 0.012 * Math.sin(n / 60) + 0.002 * Math.sin(n / 7)) * 100) / 100;
      return { type: 'tick', symbol: 'BTCUSDT', at: START + n * 5000, price, bid: price - 0.5, ask: price, quantity: 1 };
    }),
  ];
  const tape = join(folder, 'dip.jsonl');
  writeFileSync(tape, records.map((record) => JSON.stringify(record)).join('\n'));
  // What really happened: the orders took two ticks to the exchange.
  const { traces: happened } = runTickBacktest({ records, latencyMs: 10_000 });
  const stored = happened.map((trace, n) => ({
    ...trace,
    id: `01a1fc3a-46e6-72f7-a393-${String(n).padStart(12, '0')}`,
    recordedAt: trace.at,
  }));
  const compared = (...words: string[]) => run(beside, ['Dip', '--tape', tape, ...words], {}, stored);

  test('with the time its orders took it is what happened, without it is not', async () => {
    const found = await compared('--latency', '10000', '--json');
    expect(found.err).toBe('');
    const same = JSON.parse(found.out) as Comparison;
    expect(same).toMatchObject({
      real: { name: 'Dip' },
      other: { name: 'Backtest' },
      comparison: { gap: { total: '0' } },
    });
    const closed = same.comparison!.real.positions;
    expect(closed).toBeGreaterThan(3);
    expect(same.comparison!.positions.flatMap(({ reasons }) => reasons).filter((reason) => reason !== 'open')).toEqual([]);
    const atOnce = (JSON.parse((await compared('--json')).out) as Comparison).comparison!;
    expect(atOnce.real.positions).toBe(closed);
    expect(atOnce.gap.total).not.toBe('0');
    expect(atOnce.gap.entry).not.toBe('0');
  });

  test('fees that were valued later and positions that were taken over are those of the server', async () => {
    const [first, second] = [...new Set(happened.map(({ positionId }) => positionId))];
    const known = [
      { positionId: first, takenOverAt: null, realised: '-7', fees: '9' },
      { positionId: second, takenOverAt: new Date(START + 3_600_000).toISOString(), realised: '0', fees: '0' },
    ];
    const open = stored.filter(({ positionId, kind }) => positionId !== second || (kind !== 'Exit' && kind !== 'Sell'));
    const { out } = await run(beside, ['Dip', '--tape', tape, '--latency', '10000', '--json'], {}, open, known);
    const { positions } = (JSON.parse(out) as Comparison).comparison!;
    expect(positions.find(({ real }) => real?.positionId === first)).toMatchObject({ real: { result: '-7', fees: '9' } });
    expect(positions.find(({ real }) => real?.positionId === second)?.reasons).toContain('takenOver');
  });

  test('what is wrong with a recording is said in the language of the terminal', async () => {
    const broken = join(folder, 'broken.jsonl');
    writeFileSync(broken, [records[0], { type: 'tick', symbol: 'BTCUSDT', at: 'soon' }].map((record) => JSON.stringify(record)).join('\n'));
    const { err, exit } = await run(beside, ['Dip', '--tape', broken], { env: { PILOTFISH_TOKEN: 't', LANG: 'tr_TR.UTF-8' } }, stored);
    expect(exit).toBe(2);
    expect(err.replace(/[\u2068\u2069]/g, '')).toContain(`${broken}: 2. satır okunamıyor`);
  });

  test.each([
    [['Dip', 'Twin', '--tape', tape], 'tapeOrBot'],
    [['Dip', '--latency', '5'], 'latencyNeedsTape'],
    [['Twin', '--tape', tape], 'otherTape'],
    [['Dip', '--tape', join(folder, 'none.jsonl')], 'cannotRead'],
    [['Dip', '--tape', tape, '--latency', 'soon'], 'invalidValue'],
  ])('%j is refused: %s', async (words, code) => {
    const { exit, err, out } = await run(beside, words, {}, stored);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toContain(`(${code})`);
  });
});
