import type { ClosedRow, OpenPosition, PositionTotals } from '@pilotfish/core/positions/positions-contract';
import { describe, expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';
import { closedQuery } from './closed-positions.ts';
import { sortPositions } from './open-positions.ts';

process.env.TZ = 'UTC';
let count = 0;
const newId = () => {
  count += 1;
  return `01a1fc3a-46e6-72f7-a393-${String(count).padStart(12, '0')}`;
};
const base = (symbol: string, number = 1) => ({
  id: newId(),
  exchange: 'Binance' as const,
  symbol,
  baseAsset: symbol.slice(0, 3),
  quoteAsset: symbol.endsWith('USDT') ? 'USDT' : 'BTC',
  number,
  openedAt: '2026-11-20T10:00:00.000Z',
  averageCost: '90.0675',
  breakEven: '0',
  averageAsOnExchange: '85',
  realised: '4.86125',
  fees: '0.2',
  trades: 3,
  broken: [] as OpenPosition['broken'],
  excludedFromTotals: false,
  reopened: false,
  allowed: [],
});
const open = (symbol: string, more: Partial<OpenPosition> = {}): OpenPosition => ({
  ...base(symbol),
  quantity: '1.5',
  cost: '90.0675',
  price: '95',
  value: '142.5',
  unrealised: '4.8',
  total: '9.66125',
  exitFee: '0.1',
  returnPct: '5.25',
  targetPrice: null,
  targetDistancePct: null,
  resultAtTarget: null,
  sparkline: [1, 2, 3],
  ...more,
});
const closed = (symbol: string, number: number, more: Partial<ClosedRow> = {}): ClosedRow => ({
  ...base(symbol, number),
  quantity: '0',
  closedAt: '2026-11-21T10:00:00.000Z',
  closedBy: 'sell',
  matchedCost: '100',
  returnPct: '-2',
  dust: '0.0001',
  bots: [],
  byHand: true,
  exit: 'hand',
  ...more,
});
const totals = (more: Partial<PositionTotals> = {}): PositionTotals => ({
  currency: 'USDT',
  invested: '180.135',
  value: '237.5',
  realised: '-4.86125',
  unrealised: '57.365',
  fees: '0.3',
  count: 3,
  wins: 1,
  losses: 1,
  broken: 1,
  excluded: 0,
  ...more,
});
const unknown = {
  averageCost: null,
  unrealised: null,
  total: null,
  realised: null,
  returnPct: null,
  broken: [{ code: 'MISSING_COST' as const, detail: '0.5 SOL came in without a cost.', fix: 'Enter the cost of 0.5 SOL.' }],
};
const items = [open('BTCUSDT', { value: '900', total: '-1.5' }), open('ETHUSDT'), open('SOLUSDT', { ...unknown, value: '99.5' })];

const run = async (words: string[], answers: Record<string, unknown>, more: Parameters<typeof fakeHost>[0] = {}) => {
  const asked: string[] = [];
  const fetch = (async (input: string) => {
    const path = new URL(input).pathname.replace('/bff/v2/positions/', '');
    asked.push(new URL(input).search);
    return path in answers
      ? new Response(JSON.stringify(answers[path]))
      : new Response(JSON.stringify({ title: 'T', status: 404, code: 'not-found' }), { status: 404 });
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, ...more, env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1', ...more.env } });
  const exit = await execute(['positions', ...words], host);
  return { exit, out: host.out(), err: host.err(), asked };
};
const openList = { items, totals: [totals()], asOf: '2026-11-21T10:00:00.000Z' };
const BOT = '01890000-0000-7000-8000-000000000001';
const closedList = (list: ClosedRow[]) => ({
  items: list,
  page: 1,
  pageSize: 25,
  total: list.length,
  totalsListed: [totals({ count: list.length })],
  totalsAll: [totals({ count: 30 })],
  choices: { bots: [{ id: BOT, name: 'Dip ladder' }], coins: ['BTC', 'XRP'], exits: ['StopLoss', 'hand'] },
});

describe('open positions', () => {
  test('signs, aligned figures, dashes for the unknown, reasons in words with what mends them, totals', async () => {
    const { out, err } = await run(['open'], { open: openList }, { terminal: true, columns: 110 });
    const lines = out.split('\n');
    expect(lines[1]).toMatch(/^BTCUSDT#1 .*−1\.50/);
    expect(lines[3]).toMatch(/^SOLUSDT#1 .* – .* – .*MISSING_COST/);
    const end = (line: string | undefined, what: RegExp) => (what.exec(line ?? '')?.index ?? -1) + (what.exec(line ?? '')?.[0].length ?? 0);
    expect(end(lines[1], /−1\.50/)).toBe(end(lines[2], /\+9\.66/));
    expect(out).toContain('SOLUSDT#1  0.5 SOL came in without a cost. → Enter the cost of 0.5 SOL.');
    expect(out).toContain(
      'All 3 positions · Invested 180.14 · Value 237.50 · Unrealised +57.36 · Realised −4.86 USDT · 1 broken position not counted',
    );
    // What found no room is named.
    expect(err).toMatch(/--fields: .*breakEven/);
  });
  test.each([60, 80, 100, 240])('nothing is wider than %i columns', async (columns) => {
    const { out } = await run(['open'], { open: openList }, { terminal: true, columns });
    const [table = ''] = out.split('\n\n');
    for (const line of table.split('\n')) expect(Array.from(line).length).toBeLessThanOrEqual(columns);
    expect(table).toContain('BTCUSDT#1');
    if (columns === 240) expect(table).toMatch(/Break-even[\s\S]*Recovered/);
  });
  test('exact values in a pipe; one document with totals; colour only where it is wanted', async () => {
    const { out } = await run(['open', 'ethusdt', '--fields', 'symbol,total,averageCost'], { open: openList });
    expect(out).toBe('ETHUSDT\t9.66125\t90.0675\n');
    expect(JSON.parse((await run(['open', '--json'], { open: openList })).out)).toMatchObject({
      totals: [{ broken: 1 }],
      items: { length: 3 },
    });
    const coloured = await run(['open', '--color', 'always'], { open: openList }, { terminal: true, columns: 110 });
    expect(coloured.out).toContain('\u001b[31m−1.50\u001b[39m');
    expect(coloured.out).toContain('\u001b[32m+9.66\u001b[39m');
  });
  test('largest first, the unknown last, ties by pair', () => {
    const order = (sort: string) => sortPositions(items, sort).map(({ symbol }) => symbol.slice(0, 3));
    expect(order('total')).toEqual(['ETH', 'BTC', 'SOL']);
    expect(order('total:asc')).toEqual(['BTC', 'ETH', 'SOL']);
    expect(order('symbol')).toEqual(['BTC', 'ETH', 'SOL']);
    expect(order('symbol:desc')).toEqual(['SOL', 'ETH', 'BTC']);
    expect(() => sortPositions([], 'profit')).toThrow('invalidValue');
  });
});

describe('closed positions', () => {
  test('options become the question, bounds may stand alone', () => {
    expect(closedQuery({ order: 'realised-asc', hideFrom: '-1', limit: '5', onlyBroken: true, currency: 'usdt' })).toEqual({
      page: 1,
      pageSize: 5,
      order: 'realised-asc',
      currency: 'USDT',
      'excludedPnl.min': '-1',
      onlyBrokenPositions: 'true',
    });
    for (const wrong of [{ order: 'best' }, { order: 'closedAt-desc', hideTo: '1,5' }, { order: 'closedAt-desc', limit: '201' }])
      expect(() => closedQuery(wrong)).toThrow();
  });
  test('whose it was and what ended it; a bot is asked for by its name', async () => {
    const row = closed('ETHUSDT', 4, {
      bots: [{ id: BOT, name: 'Dip ladder' }],
      byHand: false,
      exit: 'StopLoss',
      openedAt: '2026-11-21T09:00:00.000Z',
    });
    const answers = { closed: closedList([row]) };
    const { out } = await run(['closed', '--bot', 'dip LADDER'], answers, { terminal: true, columns: 200 });
    expect(out).toMatch(/Dip ladder +stop loss .* 1 h /);
    expect((await run(['closed', '--csv', '--fields', 'bots,byHand,exit,held'], answers)).out).toBe(
      'bots,byHand,exit,held\r\nDip ladder,false,StopLoss,3600000\r\n',
    );
    expect(await run(['closed', '--bot', 'Nobody'], answers)).toMatchObject({ exit: 2, err: expect.stringContaining('Dip ladder, hand') });
    const wrong = [{ from: 'May' }, { to: '2026-1-1' }, { result: 'draw' }, { exit: 'Luck' }];
    for (const flags of wrong) expect(() => closedQuery({ order: 'closedAt-desc', ...flags })).toThrow();
    const flags = { order: 'closedAt-desc', coin: 'btc', exit: 'stoploss', result: 'win', from: '2026-11-01', to: '2026-11-30' };
    expect(closedQuery(flags)).toMatchObject({ coins: 'BTC', exits: 'StopLoss', result: 'win', from: '2026-11-01', to: '2026-11-30' });
  });
  test('of bots on paper where that is asked for, the bot that is named too', async () => {
    const answers = {
      closed: closedList([closed('ETHUSDT', 1, { bots: [{ id: BOT, name: 'Dip ladder' }], byHand: false, exit: 'gone' })]),
    };
    const paper = await run(['closed', '--mode', 'paper', '--bot', 'dip ladder', '--csv', '--fields', 'bots,exit'], answers);
    expect(paper.out).toBe('bots,exit\r\nDip ladder,gone\r\n');
    expect(paper.asked).toHaveLength(2);
    for (const query of paper.asked) expect(new URLSearchParams(query).get('mode')).toBe('paper');
    expect(new URLSearchParams((await run(['closed'], answers)).asked[0]).get('mode')).toBe('live');
    expect(await run(['closed', '--mode', 'both'], answers)).toMatchObject({ exit: 2, err: expect.stringContaining('live, paper') });
  });
  test('the listed and all have totals of their own', async () => {
    const { out } = await run(['closed'], { closed: closedList([closed('ETHUSDT', 4)]) }, { terminal: true, columns: 120 });
    expect(out).toMatch(/ETHUSDT#4 {2}21 Nov 2026 10:00 AM/);
    expect(out).toMatch(/Listed 1 position · [\s\S]*All 30 positions · /);
  });
});

describe('which position is meant', () => {
  const lists = { open: openList, closed: closedList([closed('BTCUSDT', 2), closed('XRPUSDT', 7), closed('XRPUSDT', 6)]) };
  const first = async (...words: string[]) => {
    const [symbol, number] =
      (await run(['show', ...words, '--json', '--fields', 'symbol,number'], records(lists))).out.match(/[A-Z]+|\d+/g) ?? [];
    return `${symbol}#${number}`;
  };
  const records = (answers: Record<string, unknown>) => {
    const all = [...items, ...(lists.closed.items as { id: string }[])];
    const page = { items: [], page: 1, pageSize: 25, total: 0 };
    return {
      ...answers,
      ...Object.fromEntries(
        all.flatMap(({ id }) => [
          [`${id}/trades`, page],
          [`${id}/transactions`, page],
          [`open/${id}/daily-performance`, []],
        ]),
      ),
    };
  };
  test('the open one of a pair, else the newest closed; a number or an id says it exactly', async () => {
    expect(await first('btcusdt')).toBe('BTCUSDT#1');
    expect(await first('BTCUSDT#2')).toBe('BTCUSDT#2');
    expect(await first('XRPUSDT')).toBe('XRPUSDT#7');
    expect(await first(lists.closed.items[2]!.id)).toBe('XRPUSDT#6');
  });
  test('what is not there is guessed; what could be several is refused', async () => {
    expect(await run(['show', 'XRPUSTD'], lists)).toMatchObject({ exit: 7, err: expect.stringContaining('Did you mean XRPUSDT?') });
    expect(await run(['show', 'BTCUSDT#9'], lists)).toMatchObject({ exit: 7 });
    expect(await run(['show', '01a1fc3a-46e6'], lists)).toMatchObject({ exit: 2, err: expect.stringContaining('BTCUSDT#1, ETHUSDT#1') });
    expect(await run(['close', 'ETHUSDT'], lists)).toMatchObject({ exit: 2, err: expect.stringContaining('--remainder') });
    expect(await run(['reopen', 'ETHUSDT'], lists)).toMatchObject({ exit: 7 });
    expect(await run(['target', 'ETHUSDT', '-5'], lists)).toMatchObject({ exit: 2 });
  });
});

test('an exchange that lists no deposits is named below the status', async () => {
  const status = { state: 'idle', done: 1, total: 1, symbol: null, tradesFound: 0, etaSeconds: null, finishedAt: null, error: null };
  const rest = { comparedAt: '2026-11-21T10:00:00.000Z', differences: [] };
  const told = async (sync: object) => (await run(['sync', '--status'], { sync: { ...status, ...rest, ...sync } }, { terminal: true })).out;
  expect(await told({ withoutTransfers: true })).toContain('deposits, withdrawals, rewards, conversions or dust');
  expect(await told({})).not.toContain('are unknown');
});

test('rows of the exchange that could not be read are named below the status', async () => {
  const status = { state: 'idle', done: 1, total: 1, symbol: null, tradesFound: 0, etaSeconds: null, finishedAt: null, error: null };
  const rest = { comparedAt: '2026-11-21T10:00:00.000Z', differences: [] };
  const unread = [{ list: 'conversions', row: '77', field: 'fromAmount' }];
  const { out } = await run(['sync', '--status'], { sync: { ...status, ...rest, unread } }, { terminal: true });
  expect(out).toContain('1 record from the exchange could not be read and is not counted');
  expect(out).toContain('  conversions 77 (fromAmount)');
  expect((await run(['sync', '--status'], { sync: { ...status, ...rest } }, { terminal: true })).out).not.toContain('could not be read');
});
