import type { AutoTrade, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { expect, test } from 'vitest';
import { autoTrade } from '../../testing/auto-trade-fixture.ts';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

const ladder = { rungs: [], exits: [], stops: [], worstCaseTotal: '0', worstLoss: null, currency: 'USDT' };
const evaluation = { symbol: 'BTCUSDT', at: null, price: '60000', state: 'Watching', rules: [], stoppedBy: null, waitsFor: null };

const line = { trigger: null, entryLow: null, arm: null, protectedCost: null, peak: null, stopLoss: null };
/** 0.02 BTC; with a fee of 0.1 %, what cost 59,940 each is even at 60,000. */
const held: AutoTradePosition = {
  id: '01a1fc3a-46e6-72f7-a393-a88a45a667df',
  symbol: 'BTCUSDT',
  runNo: 1,
  state: 'Open',
  machineState: 'open',
  allowed: ['sell', 'detach', 'target'],
  withheld: [],
  attention: null,
  stopRefused: null,
  openedAt: '2026-11-21T09:30:00.000Z',
  closedAt: null,
  exitReason: null,
  quantity: '0.02',
  invested: '1198.8',
  averageCost: '59940',
  breakEven: '60000',
  realised: '0',
  fees: '1.2',
  lines: { ...line, takeProfit: [], rebuys: [], target: null, protectiveStop: null, timeStopAt: null, moved: [] },
};

const stands = { stop: '58000', trailingStart: null, takeProfit: ['61000', '62000'], worst: '-40.04' };
const outlook = {
  before: stands,
  after: { ...stands, stop: '59500', takeProfit: ['61000', '63000'], worst: '-10' },
  sellsNow: false,
  position: null,
};

/** What a person who answers No at a terminal is asked, and the paths of what was changed at the server. */
async function asked(bot: AutoTrade, ...words: string[]) {
  const writes: string[] = [];
  const detail = {
    ...bot,
    positions: bot.openPositions > 0 ? [held] : [],
    evaluations: [evaluation],
    ladder,
    coins: ['BTCUSDT'],
    coinPauses: [],
    coinHalts: [],
  };
  const fetch = (async (input: string, { method = 'GET' }: RequestInit = {}) => {
    const { pathname } = new URL(input);
    if (method !== 'GET') writes.push(pathname);
    if (pathname.endsWith('/pairs')) return new Response(JSON.stringify([btcusdt]));
    if (pathname.endsWith('/levels')) return new Response(JSON.stringify(outlook));
    if (pathname.endsWith('/detail')) return new Response(JSON.stringify(detail));
    if (pathname.endsWith('/auto-trades')) return new Response(JSON.stringify([bot]));
    return new Response(JSON.stringify(bot));
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, terminal: true, input: 'n\r', columns: 200, env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1' } });
  const exit = await execute(['bots', ...words], host);
  return { exit, err: host.err(), writes };
}

test('entering now asks with what money, how much and at what price, also with paper money', async () => {
  const { exit, err, writes } = await asked(autoTrade(), 'enter', 'Dip', 'btcusdt');
  // 15 ÷ 60000 = 0.00025
  expect(err).toContain(
    'Dip buys with paper money at once. Every rule but the trigger still holds. BTCUSDT: About 0.00025, by a limit order at about 60,000.00: 15.00 USDT plus the fee. Enter?',
  );
  expect([exit, writes]).toEqual([1, []]);
});

test('a live wallet is asked about before its bot trades, whatever its exchange; the money is named as it is', async () => {
  const enabling = async (over: Partial<AutoTrade>) => {
    const { err, writes } = await asked({ ...autoTrade('Disabled'), allowed: ['enable'], ...over }, 'enable', 'Dip');
    const spends = 'It may hold up to 3 positions, each opened with 15.00 USDT.';
    expect(err.includes(spends)).toBe(over.mode === 'live');
    return [err.split('\n').find((line) => line.includes('Enable?')) ?? '', writes.length] as const;
  };
  expect(await enabling({ mode: 'live', exchange: 'binance' })).toEqual([expect.stringContaining('real money from Main'), 0]);
  expect(await enabling({ mode: 'live', exchange: 'simulated' })).toEqual([expect.stringContaining('test money from Main'), 0]);
  expect(await enabling({ mode: 'live', exchange: 'binance-testnet' })).toEqual([expect.stringContaining('test money from Main'), 0]);
  expect(await enabling({ mode: 'paper' })).toEqual(['', 1]);
});

test.each([
  ['sell', ['sell', 'Dip', 'btcusdt']],
  ['a halt that sells off', ['halt', 'Dip', '--sell-off']],
])('%s asks with how much, at what price of the pair, and with what result', async (_, words) => {
  const { exit, err, writes } = await asked({ ...autoTrade(), openPositions: 1 }, ...words);
  expect(err).toContain('0.02 at about 60,000.00: about 1,198.80 USDT after the fee, a result of 0.00 USDT.');
  expect([exit, writes]).toEqual([1, []]);
});

test('levels are moved once their old and new prices and the worst case were agreed to', async () => {
  const moved = ['levels', 'Dip', 'btcusdt', '--stop', '59500', '--take-profit', '2=63000'];
  const { exit, err, writes } = await asked({ ...autoTrade(), openPositions: 1 }, ...moved);
  expect(err).toContain('Dip, BTCUSDT: Stop 58,000.00 → 59,500.00; Take profit 2 62,000.00 → 63,000.00; Worst case −40.04 → −10.00. Move?');
  // Asked what would be, and nothing else.
  expect([exit, writes.length]).toEqual([1, 1]);
  const bad = await asked(autoTrade(), 'levels', 'Dip', 'btcusdt', '--take-profit', '63000');
  expect([bad.exit, bad.err]).toEqual([2, expect.stringContaining('--take-profit takes a level and a price')]);
  expect((await asked(autoTrade(), 'levels', 'Dip', 'btcusdt')).err).toContain('Name what to move');
});
