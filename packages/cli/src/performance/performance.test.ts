import type { Performance } from '@pilotfish/core/performance/performance-contract';
import { expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

process.env.TZ = 'UTC';
const BOT = '01890000-0000-7000-8000-000000000002';
const tally = (exits: number, net: string) => ({ exits, wins: 1, winRatePct: '50', profitFactor: '1.84', net });
const day = (name: string, exits: number, net: string): Performance['days'][number] => ({
  ...tally(exits, net),
  day: name,
  fees: '0',
  equity: null,
  flow: '0',
  drawdownPct: null,
  benchmark: null,
});
const found: Performance = {
  mode: 'live',
  currency: 'USDT',
  timeZone: 'UTC',
  from: '2026-09-01',
  to: '2026-11-25',
  ...tally(3, '859.82'),
  returnPct: '7.4',
  losses: 1,
  won: '1852',
  lost: '992.18',
  averageExit: '6.26',
  averageWin: '20.14',
  averageLoss: '-23.41',
  fees: '148.2',
  feesPct: '15',
  open: { result: null, positions: 1 },
  benchmark: { asset: 'BTC', pct: '3.9', equityPct: '7.4' },
  drawdown: { pct: '-2.53', from: '2026-10-11', to: '2026-10-24', days: 13, recovered: true },
  sharpe: '1.92',
  sortino: '2.71',
  days: [day('2026-09-01', 1, '860.82'), day('2026-09-02', 0, '0'), day('2026-09-03', 2, '-1')],
  year: { year: 2026, net: '859.82', months: [{ month: '2026-09', exits: 3, net: '859.82' }] },
  bots: [
    { id: BOT, name: 'Majors', ...tally(2, '860.82') },
    { id: 'hand', name: null, ...tally(1, '-1') },
  ],
  wallets: [
    { id: BOT, name: 'Main', ...tally(2, '860.82') },
    { id: null, name: null, ...tally(1, '-1') },
  ],
  coins: [{ asset: 'BTC', ...tally(3, '859.82') }],
  reasons: [
    { reason: 'TakeProfit', ...tally(2, '860.82') },
    { reason: 'conversion', ...tally(1, '-1') },
  ],
  hours: [],
  more: { averageHoldMs: null, longestLosingRun: 0, daysWithGain: 1, daysWithExit: 2, best: null, worst: null },
  leftOut: [{ cause: 'no-rate', count: 2 }],
  choices: {
    bots: [
      { id: BOT, name: 'Majors' },
      { id: 'hand', name: null },
    ],
    coins: ['BTC'],
    reasons: [],
    first: '2026-09-01',
  },
  asOf: '2026-11-25T12:00:00.000Z',
};
const run = async (words: string[], answer: Performance = found, more: Parameters<typeof fakeHost>[0] = {}) => {
  const asked: string[] = [];
  const fetch = (async (input: string) => {
    const { pathname, searchParams } = new URL(input);
    asked.push(`${pathname}?${[...searchParams].map(([key, value]) => `${key}=${value}`).join('&')}`);
    return new Response(JSON.stringify(answer));
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, ...more, env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1', LC_ALL: 'en_GB.UTF-8', ...more.env } });
  const exit = await execute(['performance', ...words], host);
  return { exit, out: host.out(), err: host.err(), asked };
};

test('key figures, then by bot, coin and reason, and the days with a result', async () => {
  const { out, exit } = await run([], found, { terminal: true, columns: 140 });
  expect(exit).toBe(0);
  const lines = out.split('\n');
  expect(lines[0]).toBe('Net result +859.82 USDT (+7.40%) live · 2026-09-01 – 2026-11-25');
  expect(lines[1]).toBe('Won 1 of 3 (50%) · Profit factor 1.84 · Average exit +6.26 (+20.14 / −23.41) · Fees 148.20 USDT (15%)');
  expect(lines[2]).toBe('Open – in 1 position · Max. drawdown −2.53% (2026-10-11 – 2026-10-24) · Equity +7.40% / BTC +3.90%');
  expect(lines[3]).toBe('2 exits are left out: the exchange rate of their currency is unknown');
  expect(out).toMatch(/By bot\n[^\n]*\nMajors +2 +1 +50% +1\.84 +\+860\.82\nBy hand +1 /);
  expect(out).toMatch(/By exit reason\n[^\n]*\ntake profit +2 [^\n]*\nconverted +1 /);
  expect(out).toMatch(/Days with a result\n[^\n]*\n2026-09-01 [^\n]*\n2026-09-03 /);
});

test('bots are found by their names, also deleted ones; every choice is asked for', async () => {
  const { asked, exit } = await run([
    '--mode',
    'paper',
    '--from',
    '2026-09-01',
    '--to',
    '2026-09-30',
    '--bot',
    'majors',
    '--bot',
    'hand',
    '--coin',
    'btc',
    '--reason',
    'StopLoss',
  ]);
  expect(exit).toBe(0);
  expect(asked).toEqual([
    '/bff/v2/performance?mode=paper',
    `/bff/v2/performance?mode=paper&from=2026-09-01&to=2026-09-30&bots=${BOT},hand&coins=BTC&reasons=StopLoss`,
  ]);
  expect(await run(['--bot', 'Nobody'])).toMatchObject({ exit: 7, out: '' });
});

test('without an exit there are no lists', async () => {
  const none = { ...found, exits: 0, wins: 0, net: '0', winRatePct: null, profitFactor: null, bots: [], returnPct: null };
  const { out } = await run([], none, { terminal: true, columns: 140 });
  expect(out).toContain('Net result 0.00 USDT live');
  expect(out).toContain('Nothing was sold in this range.');
  expect(out).not.toContain('By bot');
});

test('one document for programs, exact rows for files', async () => {
  expect(JSON.parse((await run(['--json'])).out)).toEqual(found);
  const rows = (await run(['--csv', '--fields', 'kind,name,exits,net'])).out.split('\r\n');
  expect(rows.slice(0, 4)).toEqual(['kind,name,exits,net', 'total,,3,859.82', 'bot,Majors,2,860.82', 'bot,By hand,1,-1']);
  expect(rows).toContain('day,2026-09-03,2,-1');
  expect(rows).toContain('month,2026-09,3,859.82');
});
