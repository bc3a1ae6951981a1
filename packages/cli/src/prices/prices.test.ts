import { describe, expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';
import { shownText } from '../ui/cell-text.ts';
import { colours } from '../ui/colour.ts';
import { livePrices } from './live-prices.ts';
import { choose, fold, noSuchPair } from './price-choice.ts';
import { prices } from './price-columns.ts';

const ticker = (symbol: string, price: string, changePct: string, quoteVolume: string) => ({
  symbol,
  price,
  changePct,
  quoteVolume,
  open: '1',
  high: '1',
  low: '1',
  volume: '1',
  at: '2026-11-21T00:00:00.000Z',
});
const items = [ticker('LINKUSDT', '9', '-1', '100'), ticker('BTCUSDT', '100000', '2.5', '100'), ticker('ETHBTC', '0.03', '10', '20')];
const names = (options: Parameters<typeof choose>[1]) => choose(items, options).map(({ symbol }) => symbol);

test('figures largest first by value, not by text; ties by symbol', () => {
  expect(names({ sort: 'price' })).toEqual(['BTCUSDT', 'LINKUSDT', 'ETHBTC']);
  expect(names({ sort: 'changePct' })).toEqual(['ETHBTC', 'BTCUSDT', 'LINKUSDT']);
  expect(names({})).toEqual(['BTCUSDT', 'LINKUSDT', 'ETHBTC']);
  expect(names({ sort: 'symbol', limit: '2' })).toEqual(['BTCUSDT', 'ETHBTC']);
});
test('search finds what Turkish keyboards type', () => {
  for (const typed of ['link', 'LİNK', 'lınk', 'LINK']) expect(names({ search: typed }), typed).toEqual(['LINKUSDT']);
  expect(fold('Şığ')).toBe('sig');
  expect(names({ quote: 'btc' })).toEqual(['ETHBTC']);
});
test('a limit that is no count is refused', () => {
  for (const limit of ['0', '-1', '1.5', 'all']) expect(() => names({ limit })).toThrow('count');
});

test('an order of its own for each column, and filters by figures and tags', () => {
  expect(names({ sort: 'price:asc' })).toEqual(['ETHBTC', 'LINKUSDT', 'BTCUSDT']);
  expect(names({ sort: 'quoteVolume:asc,changePct:desc' })).toEqual(['ETHBTC', 'BTCUSDT', 'LINKUSDT']);
  expect(names({ sort: 'symbol:desc' })).toEqual(['LINKUSDT', 'ETHBTC', 'BTCUSDT']);
  expect(names({ minVolume: '50' })).toEqual(['BTCUSDT', 'LINKUSDT']);
  expect(names({ minChange: '2.5', maxChange: '9' })).toEqual(['BTCUSDT']);
  expect(choose(items, {}, new Set(['ETHBTC'])).map(({ symbol }) => symbol)).toEqual(['ETHBTC']);
  for (const wrong of [{ sort: 'prise' }, { sort: 'price:up' }, { minVolume: '1,5' }]) expect(() => choose([], wrong)).toThrow();
});
test('a wrong pair names the one that was probably meant', () => {
  expect(noSuchPair('BTCUSTD', ['ETHUSDT', 'BTCUSDT'])).toMatchObject({ exit: 7, values: { suggestion: 'BTCUSDT' } });
  expect(noSuchPair('NOTHING', ['ETHUSDT'])).toMatchObject({ code: 'unknownPairAtAll' });
});

describe('prices that stay on the screen', () => {
  const message = (price: string, more: object = {}) => ({
    at: '2026-11-21T00:00:01.000Z',
    stale: false,
    items: [['BTCUSDT', price, '1', '100', '1', '1'] as [string, string, string, string, string, string]],
    ...more,
  });
  const plain = colours({ env: { NO_COLOR: '1' }, globals: { color: 'auto' } as never }, { write: () => true });
  test('a changed price is marked for a second, and remembers where it went', () => {
    let time = 0;
    const live = livePrices(() => time);
    live.load(items, { stale: false, asOf: '2026-11-21T00:00:00.000Z' });
    const shown = (paint = plain) => {
      const column = live.columns(prices.columns, true).find(({ key }) => key === 'price');
      return shownText(column!, live.rows().find(({ symbol }) => symbol === 'BTCUSDT')!, paint);
    };
    expect(shown()).toBe('100,000  ');
    expect(live.apply(message('100000.5')).map(({ symbol, price }) => [symbol, price])).toEqual([['BTCUSDT', '100000.5']]);
    expect(shown()).toBe('100,000.5 ▲');
    const coloured = colours({ env: {}, globals: { color: 'always' } as never }, { write: () => true });
    expect(shown(coloured)).toContain('\u001b[7m100,000.5');
    time += 1_000;
    expect(shown()).toBe('100,000.5 △');
    live.apply(message('99000'));
    expect(shown()).toBe('99,000 ▼');
  });
  test('figures say when they are old, and since when', () => {
    let time = 0;
    const live = livePrices(() => time);
    live.load(items, { stale: false, asOf: '2026-11-21T00:00:00.000Z' });
    live.connection('live');
    expect(live.state()).toEqual({ status: 'live', age: 0 });
    time = 7_000;
    live.apply(message('1', { stale: true }));
    expect(live.state()).toEqual({ status: 'stale', age: 7_000 });
    live.apply(message('1'));
    expect(live.state()).toEqual({ status: 'live', age: 0 });
    time = 20_000;
    expect(live.state().status).toBe('stale');
    live.connection('offline');
    expect(live.state()).toEqual({ status: 'offline', age: 13_000 });
  });
});

describe('one pair', () => {
  const answers: Record<string, unknown> = {
    '/bff/v1/tickers': { items, asOf: '2026-11-21T00:00:00.000Z', stale: false },
    '/bff/v1/pairs': [
      {
        symbol: 'BTCUSDT',
        baseAsset: 'BTC',
        quoteAsset: 'USDT',
        baseAssetPrecision: 8,
        quoteAssetPrecision: 8,
        pricePrecision: 2,
        quantityPrecision: 5,
        status: 'TRADING',
        filters: {
          tickSize: '0.01',
          minPrice: '0.01',
          maxPrice: '1000000',
          stepSize: '0.00001',
          minQty: '0.00001',
          maxQty: '9000',
          marketMaxQty: '100',
          minNotional: '5',
          maxNotional: '0',
          bidMultiplierUp: '5',
          bidMultiplierDown: '0.2',
          askMultiplierUp: '5',
          askMultiplierDown: '0.2',
          maxNumOrders: 200,
          maxNumAlgoOrders: 5,
        },
      },
    ],
    '/bff/v1/candles/BTCUSDT': {
      symbol: 'BTCUSDT',
      interval: '1h',
      items: Array.from({ length: 60 }, (_, n) => ({
        openTime: new Date(Date.UTC(2026, 10, 20, n)).toISOString(),
        open: String(100_000 + n * 10),
        high: String(100_030 + n * 10),
        low: String(99_990 + n * 10),
        close: String(100_020 + n * 10),
        volume: String(n + 1),
        closed: true,
      })),
    },
  };
  const fetch = (async (input: string) => {
    const path = new URL(input).pathname;
    return path in answers ? new Response(JSON.stringify(answers[path])) : new Response('{}', { status: 404 });
  }) as typeof globalThis.fetch;
  const run = async (words: string[], more: Parameters<typeof fakeHost>[0] = {}) => {
    const host = fakeHost({ fetch, ...more });
    const exit = await execute(['prices', 'show', ...words], host);
    return { exit, out: host.out(), err: host.err() };
  };
  test('fits 80 by 24, with rules of orders, axes and volume', async () => {
    const { out } = await run(['btcusdt'], { terminal: true, env: { NO_COLOR: '1' } });
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(23);
    expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(80);
    expect(out).toMatch(/Tick size +0.01 USDT/);
    expect(out).not.toContain('Max. notional');
    expect(out).toMatch(/[⠁-⣿].*◄ 100,6\d\d\.00/);
    expect(out).toMatch(/[▁-█].*┤ 60/);
    expect(out).toContain('1h × 60');
  });
  test('letters only where the locale promises no UTF-8', async () => {
    const { out } = await run(['BTCUSDT'], { terminal: true, env: { NO_COLOR: '1', LC_ALL: 'C' } });
    expect(out).toMatch(/#/);
    expect(out).toMatch(/< 100,6/);
    for (const letter of out) expect(letter.codePointAt(0), letter).toBeLessThan(0x80);
  });
  test('data in a pipe and as a document', async () => {
    expect((await run(['BTCUSDT'])).out).toContain('tickSize\t0.01\n');
    const document = JSON.parse((await run(['BTCUSDT', '--json'])).out);
    expect(document).toMatchObject({ symbol: 'BTCUSDT', price: '100000', filters: { minNotional: '5' }, interval: '1h' });
    expect(document.candles).toHaveLength(60);
  });
  test('what is not there, and what cannot be asked', async () => {
    expect(await run(['BTCUSD'])).toMatchObject({ exit: 7, err: expect.stringContaining('Did you mean BTCUSDT?') });
    expect(await run(['BTCUSDT', '--interval', '7m'])).toMatchObject({ exit: 2, err: expect.stringContaining('1m, 3m, 5m') });
    expect(await run(['BTCUSDT', '--limit', '1001'])).toMatchObject({ exit: 2, err: expect.stringContaining('1000') });
  });
});

test('pairs of a currency that the Admin no longer offers are in no list', async () => {
  const answers: Record<string, unknown> = {
    tickers: { items, stale: false, asOf: '2026-11-21T00:00:00.000Z' },
    pairs: [
      { symbol: 'ETHBTC', offered: false, pricePrecision: 5 },
      { symbol: 'BTCUSDT', pricePrecision: 2 },
    ],
  };
  const fetch = (async (input: string) =>
    new Response(JSON.stringify(answers[new URL(input).pathname.split('/').at(-1) ?? '']))) as typeof globalThis.fetch;
  const listed = async (...words: string[]) => {
    const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' } });
    expect(await execute(['prices', ...words, '--fields', 'symbol'], host)).toBe(0);
    return host.out().trim().split('\n');
  };
  expect(await listed('ls')).toEqual(['BTCUSDT', 'LINKUSDT']);
});
