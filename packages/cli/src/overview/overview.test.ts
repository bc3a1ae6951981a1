import type { Answer } from '@pilotfish/core/http/endpoint';
import type { overviewContract } from '@pilotfish/core/overview/overview-contract';
import { expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

process.env.TZ = 'UTC';
type Of<Id extends keyof typeof overviewContract> = Answer<(typeof overviewContract)[Id]>;
const ID = '01890000-0000-7000-8000-000000000002';
const AT = '2026-11-27T14:42:08.000Z';
const change = (amount: string, pct: string) => ({ change: amount, pct, since: AT, exact: true });

const equity: Of<'getEquity'> = {
  mode: 'live',
  range: 'today',
  currency: 'USDT',
  now: { equity: '12480.22', free: '7456.6', invested: '5000', unpriced: [] },
  sinceMidnight: change('85.22', '0.69'),
  month: null,
  series: [],
  change: null,
  benchmark: null,
  other: { btc: null, currency: null },
  asOf: AT,
};
const needs: Of<'getNeeds'> = {
  checkedAt: AT,
  items: [
    {
      id: 'no-stop:1',
      kind: 'no-stop',
      rank: 1,
      mode: 'live',
      autoTradeId: ID,
      botName: 'Dip',
      symbol: 'BNBUSDT',
      code: 'noStop',
      facts: { bot: 'Dip', symbol: 'BNBUSDT' },
      action: 'set-stop',
      link: `/auto-trade/detail/${ID}/edit`,
      since: null,
    },
    {
      id: 'key-ends:1',
      kind: 'key-ends',
      rank: 2,
      mode: 'live',
      autoTradeId: null,
      botName: null,
      symbol: null,
      code: 'trading-ends-soon',
      facts: { endsAt: Date.parse('2026-12-02T10:00:00.000Z') },
      action: 'renew-key',
      link: '/user/exchange-connect',
      since: null,
    },
  ],
};
const next: Of<'getNextEvents'> = {
  total: 1,
  checkedAt: AT,
  items: [
    {
      id: '1',
      kind: 'bot',
      code: 'stop-loss',
      symbol: 'ETHUSDT',
      autoTradeId: ID,
      botName: 'Majors',
      alertId: null,
      condition: null,
      mode: 'live',
      price: '3628.55',
      priceNow: '3664.1',
      distancePct: '-0.9702',
      at: null,
      quantity: '1',
      quote: '3628.55',
      currency: 'USDT',
      detail: null,
    },
  ],
};
const activity: Of<'getActivity'> = {
  from: AT,
  timeZone: 'UTC',
  complete: true,
  items: [
    {
      id: '1',
      at: AT,
      kind: 'sell',
      code: 'TakeProfit',
      facts: { bot: 'Majors', symbol: 'BNBUSDT', reasonKey: 'exitReasons.TakeProfit' },
      symbol: 'BNBUSDT',
      autoTradeId: ID,
      botName: 'Majors',
      mode: 'live',
      result: '21.4',
      currency: 'USDT',
      link: null,
    },
  ],
  totals: [{ mode: 'live', currency: 'USDT', sells: 4, wins: 3, realised: '46.32' }],
};

const EMPTY = { needs: { items: [], checkedAt: AT }, next: { ...next, items: [] }, activity: { ...activity, items: [], totals: [] } };
const run = async (words: string[], changes: Record<string, unknown> = {}, more: Parameters<typeof fakeHost>[0] = {}) => {
  const answers: Record<string, unknown> = { equity, needs, next, activity, ...changes };
  const asked: string[] = [];
  const fetch = (async (input: string) => {
    const { pathname, search } = new URL(input);
    const name = pathname.replace('/bff/v2/overview/', '');
    asked.push(name + search);
    return name in answers && answers[name] !== undefined
      ? new Response(JSON.stringify(answers[name]))
      : new Response(JSON.stringify({ title: 'T', status: 409, code: 'not-connected' }), { status: 409 });
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, ...more, env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1', LC_ALL: 'en_GB.UTF-8', ...more.env } });
  const exit = await execute(['overview', ...words], host);
  return { exit, out: host.out(), err: host.err(), asked };
};

test('equity, today, what needs its owner, what is next and what happened, in this order', async () => {
  const { out, asked } = await run([], {}, { terminal: true, columns: 140 });
  const lines = out.split('\n');
  expect(lines[0]).toBe('Equity 12,480.22 USDT live · free 7,456.60 USDT');
  expect(lines[1]).toBe('Today +85.22 USDT (+0.69%) · This month unknown');
  expect(lines[3]).toBe('Needs you 2');
  const at = (what: RegExp) => lines.findIndex((line) => what.test(line));
  const places = [
    /BNBUSDT has no stop +Set a stop/,
    /The API key expires 2 Dec 2026 10:00 +Renew/,
    /^Next/,
    /Stop sells all/,
    /BNBUSDT sold: take profit/,
  ].map(at);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(3);
  expect(out).toMatch(/ETHUSDT +Stop sells all +Majors +3,628\.55 +↓ 0\.97%/);
  expect(out).toMatch(/14:42 +BNBUSDT sold: take profit +Majors +\+21\.40/);
  expect(out).toContain('live: sells 4, wins 3, realised +46.32 USDT');
  expect(asked).toContain('equity?mode=live&range=today');
  expect(asked).toContain('next?limit=5');
  expect((await run(['--mode', 'paper'])).asked).toContain('equity?mode=paper&range=today');
});

test('nothing to do is said with the time of the look; without a connection the rest is there', async () => {
  const { out, err, exit } = await run([], { ...EMPTY, equity: undefined }, { terminal: true });
  expect(exit).toBe(0);
  expect(err).toContain('No exchange account is connected');
  expect(out).toContain('Nothing needs you. Checked 27 Nov 2026 14:42:08.');
  expect(out).toContain('Nothing happened today.');
});

test('one document for programs, exact rows for pipes', async () => {
  expect(JSON.parse((await run(['--json'])).out)).toEqual({ equity, needs, next, activity });
  const rows = (await run(['--fields', 'kind,code,symbol,price,amount'])).out.split('\n');
  expect(rows).toContain('equity\ttoday\t\t\t85.22');
  expect(rows).toContain('needs\tno-stop\tBNBUSDT\t\t');
  expect(rows).toContain('next\tstop-loss\tETHUSDT\t3628.55\t');
  expect(rows).toContain('activity\tTakeProfit\tBNBUSDT\t\t21.4');
});
