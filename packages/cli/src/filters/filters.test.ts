import type { CoinFilter } from '@pilotfish/core/prices/screener-contract';
import { expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

const filter: CoinFilter = {
  id: '01a1fc3a-46e6-72f7-a393-a88a45a667dc',
  name: 'Oversold',
  quoteAsset: 'USDT',
  include: [],
  exclude: [],
  conditions: {
    match: 'any',
    rules: [
      { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 },
      { key: 'owned', operation: 'is', value: true },
    ],
  },
  sort: [{ key: 'rsi', timeframe: '1h', direction: 'asc' }],
  maxCoins: 20,
  minAgeDays: 30,
  minQuoteVolume24h: '1000000',
  maxSpreadPct: '0.3',
  refreshMinutes: 60,
  onError: 'keepLast',
};
const options = {
  sort: [{ key: 'rsi', label: 'RSI', timeframes: ['1h'] }],
  filter: [
    { key: 'rsi', label: 'RSI', type: 'number', operations: ['lt', 'gt'], timeframes: ['1h'] },
    { key: 'quote', label: 'Quote', type: 'enum', operations: ['in'], values: ['USDT', 'BTC'] },
  ],
};
const coins = {
  coins: ['BTCUSDT', 'ETHUSDT'],
  asOf: '2026-11-21T10:00:00.000Z',
  stale: true,
  leftOut: [
    { reason: 'age', count: 12 },
    { reason: 'conditions', count: 170 },
  ],
};

type Seen = { method: string; path: string; body: unknown };

const run = async (words: string[], more: Parameters<typeof fakeHost>[0] = {}) => {
  const seen: Seen[] = [];
  const fetch = (async (input: string, init: RequestInit = {}) => {
    const [path, method] = [new URL(input).pathname.replace('/bff', ''), init.method ?? 'GET'];
    seen.push({ method, path, body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined });
    if (method === 'DELETE')
      return new Response(JSON.stringify({ title: 'In use', status: 409, code: 'in-use', detail: 'Bots use it: Dip, Night.' }), {
        status: 409,
      });
    const answer = method === 'POST' ? filter : path.endsWith('/coins') ? coins : path.endsWith('/options') ? options : [filter];
    return new Response(JSON.stringify(answer), { status: method === 'POST' ? 201 : 200 });
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, ...more, env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1', ...more.env } });
  const exit = await execute(['filters', ...words], host);
  return { exit, out: host.out(), err: host.err(), seen };
};

test('a filter that bots use is kept, and the bots are named', async () => {
  const refused = await run(['rm', 'oversold', '--yes']);
  expect(refused).toMatchObject({ exit: 8, out: '' });
  expect(refused.err).toContain('Dip, Night');
  const unasked = await run(['rm', 'Oversold']);
  expect(unasked.exit).toBe(2);
  expect(unasked.seen.map(({ method }) => method)).not.toContain('DELETE');
});
test('rules are shown as they are typed; coins, and what was left out in words', async () => {
  expect((await run(['ls', '--fields', 'name,sort,conditions'])).out).toBe('Oversold\trsi.1h:asc\tany(rsi.1h < 30; owned is true)\n');
  const shown = await run(['show', 'Oversold'], { terminal: true });
  expect(shown.out).toMatch(/2 {2}BTCUSDT, ETHUSDT[\s\S]*Left out:\n {3}12 {2}too new\n {2}170 {2}the rules\n/);
  expect(shown.err).toContain('The market cannot be read');
  const turkish = await run(['show', 'Oversold', '--lang', 'tr'], { terminal: true });
  expect(turkish.out).toContain('170  kurallar');
  expect((await run(['show', 'Oversold'])).out).toContain('leftOut\tage 12, conditions 170\n');
});
test('what is typed becomes the filter; the quote asset follows from the rules', async () => {
  const words = [
    'add',
    'New',
    'rsi.1h < 30',
    'quote in btc',
    '--sort',
    'rsi.1h:asc',
    '--max-coins',
    '5',
    '--min-age',
    '0',
    '--include',
    'ethbtc',
  ];
  expect((await run(words)).seen.at(-1)).toEqual({
    method: 'POST',
    path: '/v2/coin-filters',
    body: {
      name: 'New',
      maxCoins: 5,
      minAgeDays: 0,
      quoteAsset: 'BTC',
      conditions: {
        match: 'all',
        rules: [
          { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 },
          { key: 'quote', operation: 'in', value: ['BTC'] },
        ],
      },
      sort: [{ key: 'rsi', timeframe: '1h', direction: 'asc' }],
      include: ['ETHBTC'],
      exclude: [],
    },
  });
  for (const wrong of [
    ['--max-coins', '0'],
    ['--min-volume', '1,5'],
    ['--max-spread', '-1'],
    ['--on-error', 'nothing'],
  ])
    expect((await run(['add', 'New', ...wrong])).exit, wrong.join(' ')).toBe(2);
});
