import type { StoredPreferences } from '@pilotfish/core/account/account-contract';
import { DEFAULT_PREFERENCES, type Watchlist } from '@pilotfish/core/account/preferences';
import { LONGEST_WATCHLIST_NAME, VIEW_LIMITS } from '@pilotfish/core/account/view-limits';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

const ticker = (symbol: string, changePct: string, quoteVolume: string) => ({
  symbol,
  price: '9',
  changePct,
  quoteVolume,
  open: '1',
  high: '1',
  low: '1',
  volume: '1',
  at: '2026-11-21T00:00:00.000Z',
});
const items = [ticker('BTCUSDT', '2.5', '300'), ticker('ETHUSDT', '-1', '200'), ticker('SOLUSDT', '0', '100')];
const pairs = [
  ...items.map(({ symbol }) => ({ symbol, pricePrecision: 2 })),
  { symbol: 'OLDUSDT', pricePrecision: 2, offered: false },
  ...Array.from({ length: VIEW_LIMITS.watchlistPairs + 1 }, (_, n) => ({ symbol: `C${n}USDT`, pricePrecision: 2 })),
];

/**
 * A server that keeps the choices of one account, and what was asked of it.
 * @param meanwhile what the browser does until the pairs are there
 */
function fakeServer(
  stored: Partial<Pick<StoredPreferences, 'favourites' | 'watchlists'>>,
  meanwhile: (kept: Partial<StoredPreferences>) => void = () => undefined,
) {
  const kept: Partial<StoredPreferences> = { ...DEFAULT_PREFERENCES, updatedAt: null, ...stored };
  const asked: string[] = [];
  const lines = new Map([
    ['BTCUSDT', [0, 25, 50, 100]],
    ['ETHUSDT', [100, 0]],
  ]);
  const fetch = (async (input: string, init: RequestInit) => {
    const { pathname, search, searchParams } = new URL(input);
    const path = pathname.replace('/bff', '');
    asked.push(path + search);
    const wanted = searchParams.get('symbols')?.split(',');
    if (path === '/v2/account/preferences' && init.method === 'PUT') Object.assign(kept, JSON.parse(init.body as string));
    if (path === '/v1/pairs') meanwhile(kept);
    const answers: Record<string, unknown> = {
      '/v1/tickers': { items, stale: false, asOf: '2026-11-21T00:00:00.000Z' },
      '/v1/pairs': pairs,
      '/v2/account/preferences': kept,
      '/v2/prices/sparklines': {
        until: '2026-11-21T00:00:00.000Z',
        items: [...lines].flatMap(([symbol, points]) => (wanted?.includes(symbol) === false ? [] : [{ symbol, points }])),
      },
    };
    return path in answers ? new Response(JSON.stringify(answers[path])) : new Response('{}', { status: 404 });
  }) as typeof globalThis.fetch;
  const run = async (words: string, more: Parameters<typeof fakeHost>[0] = {}) => {
    const host = fakeHost({ fetch, ...more, env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1', ...more.env } });
    const exit = await execute(['prices', ...words.split(' ').map((word) => word.replaceAll('_', ' '))], host);
    return { exit, out: host.out(), err: host.err() };
  };
  return { run, kept, asked };
}
const majors: Watchlist = { name: 'Majors', symbols: ['ETHUSDT', 'BTCUSDT'] };
const layer: Watchlist = { name: 'Layer 1', symbols: ['SOLUSDT'] };

describe('watchlists', () => {
  test('are listed after the favourites, as a table, in a pipe, and as data', async () => {
    const { run } = fakeServer({ favourites: ['SOLUSDT'], watchlists: [majors, layer] });
    expect((await run('watchlists')).out).toBe('favourites\tSOLUSDT\nMajors\tETHUSDT, BTCUSDT\nLayer 1\tSOLUSDT\n');
    expect(JSON.parse((await run('watchlists --json')).out)).toEqual([{ name: 'favourites', symbols: ['SOLUSDT'] }, majors, layer]);
    expect((await run('watchlists ls', { terminal: true })).out).toMatch(
      /Name +Pairs\nfavourites +1 {2}SOLUSDT\nMajors +2 {2}ETHUSDT, BTCUSDT\n/,
    );
    const none = await fakeServer({ watchlists: null }).run('watchlists', { terminal: true });
    expect(none).toMatchObject({ exit: 0, out: '', err: `${en.cli.empty.watchlists}\n` });
  });

  test('an older server, which knows of none, has none', async () => {
    expect(await fakeServer({}).run('watchlists --json')).toMatchObject({ exit: 0, out: '[]\n' });
  });

  test('are made at the end, and replaced where they stand, under the name they have', async () => {
    const { run, kept } = fakeServer({ watchlists: [majors, layer] });
    const made = await run('watchlists set _Top_two_ btcusdt ethusdt,BTCUSDT --json');
    expect(JSON.parse(made.out)).toEqual({ name: 'Top two', symbols: ['BTCUSDT', 'ETHUSDT'] });
    expect(await run('watchlists set majors SOLUSDT')).toMatchObject({ exit: 0, out: 'name\tMajors\nsymbols\tSOLUSDT\n' });
    expect(kept.watchlists).toEqual([
      { name: 'Majors', symbols: ['SOLUSDT'] },
      layer,
      { name: 'Top two', symbols: ['BTCUSDT', 'ETHUSDT'] },
    ]);
    expect(kept.favourites).toBeUndefined();
  });

  test('what the browser makes while the pairs are asked for stays', async () => {
    const { run, kept } = fakeServer({ watchlists: [majors] }, (now) => {
      now.watchlists = [majors, layer];
    });
    expect(await run('watchlists set Majors SOLUSDT')).toMatchObject({ exit: 0 });
    expect(kept.watchlists).toEqual([{ name: 'Majors', symbols: ['SOLUSDT'] }, layer]);
  });

  test('favourites are set in the same way; a list that somebody called Favourites is meant as it is spelt', async () => {
    const { run, kept } = fakeServer({ favourites: ['BTCUSDT'], watchlists: [] });
    expect(await run('watchlists set Favourites ETHUSDT SOLUSDT')).toMatchObject({ exit: 0 });
    expect(kept).toMatchObject({ favourites: ['ETHUSDT', 'SOLUSDT'], watchlists: [] });
    kept.watchlists = [{ name: 'Favourites', symbols: ['BTCUSDT'] }];
    const named = async (name: string) => (await run(`ls --watchlist ${name} --fields symbol`)).out;
    expect([await named('Favourites'), await named('favourites')]).toEqual(['BTCUSDT\n', 'ETHUSDT\nSOLUSDT\n']);
  });

  test('a pair that is not there is named, and nothing is written', async () => {
    const { run, kept, asked } = fakeServer({ watchlists: [majors] });
    const wrong = await run('watchlists set Majors BTCUSDT ETHUSTD');
    expect(wrong).toMatchObject({ exit: 7, out: '' });
    expect(wrong.err).toContain('There is no pair ETHUSTD. (unknownPair)\nDid you mean ETHUSDT?\n');
    // As the search of the browser, which does not find what is no longer offered.
    expect((await run('watchlists set Majors OLDUSDT')).err).toContain('There is no pair OLDUSDT.');
    expect(kept.watchlists).toEqual([majors]);
    expect(asked.filter((path) => path === '/v2/account/preferences')).toHaveLength(2);
  });

  test('names and numbers that the account does not take are refused', async () => {
    const { run, kept } = fakeServer({ watchlists: [majors] });
    expect(await run('watchlists set _ BTCUSDT')).toMatchObject({ exit: 2, err: expect.stringContaining(en.markets.nameMissing) });
    const long = await run(`watchlists set ${'x'.repeat(LONGEST_WATCHLIST_NAME + 1)} BTCUSDT`);
    expect(long).toMatchObject({ exit: 2, err: expect.stringContaining('at most 40 characters') });
    const many = pairs.slice(4).map(({ symbol }) => symbol);
    expect(await run(`watchlists set Many ${many.join(' ')}`)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('at most 200 pairs'),
    });
    expect(await run('watchlists set Many ,')).toMatchObject({ exit: 2, err: expect.stringContaining('<pairs...> is missing') });
    expect(await run('watchlists set Many')).toMatchObject({ exit: 2 });
    kept.watchlists = Array.from({ length: VIEW_LIMITS.watchlists }, (_, n) => ({ name: `List ${n}`, symbols: [] }));
    expect(await run('watchlists set More BTCUSDT')).toMatchObject({ exit: 8, err: expect.stringContaining('at most 20 watchlists') });
    expect(await run('watchlists set _list_7 BTCUSDT')).toMatchObject({ exit: 0 });
    expect(await run(`watchlists set favourites ${many.join(' ')}`)).toMatchObject({ exit: 0 });
  });

  test('are deleted on a yes; a wrong name says which there are, and favourites stay', async () => {
    const { run, kept } = fakeServer({ watchlists: [majors, layer] });
    expect(await run('watchlists rm Minors --yes')).toMatchObject({
      exit: 7,
      err: expect.stringContaining('There is no watchlist Minors. Watchlists: favourites, Majors, Layer 1.'),
    });
    expect(await run('watchlists rm favourites --yes')).toMatchObject({ exit: 8, err: expect.stringContaining('cannot be deleted') });
    expect(await run('watchlists rm Majors')).toMatchObject({ exit: 2, err: expect.stringContaining('--yes') });
    expect(await run('watchlists rm Majors', { answers: [[/Delete the watchlist Majors\?/, 'n\r']] })).toMatchObject({ exit: 1 });
    expect(kept.watchlists).toEqual([majors, layer]);
    expect(await run('watchlists rm majors --yes')).toMatchObject({ exit: 0, err: 'Majors is deleted.\n' });
    expect(kept.watchlists).toEqual([layer]);
  });
});

describe('a list of prices', () => {
  const names = (out: string) => out.trim().split('\n');

  test('holds the pairs of a watchlist, within the other filters', async () => {
    const { run } = fakeServer({ favourites: ['SOLUSDT'], watchlists: [majors] });
    expect(names((await run('ls --watchlist majors --fields symbol')).out)).toEqual(['BTCUSDT', 'ETHUSDT']);
    expect(names((await run('ls --watchlist Majors --max-change 0 --fields symbol')).out)).toEqual(['ETHUSDT']);
    const favourites = await run('ls --watchlist favourites --json');
    expect(JSON.parse(favourites.out).map(({ symbol }: { symbol: string }) => symbol)).toEqual(['SOLUSDT']);
  });

  test('refuses a list that is not there, and says that one is empty', async () => {
    const { run } = fakeServer({ watchlists: [majors, { name: 'Later', symbols: [] }] });
    expect(await run('ls --watchlist Latter')).toMatchObject({
      exit: 7,
      out: '',
      err: expect.stringContaining('There is no watchlist Latter. Watchlists: favourites, Majors, Later.'),
    });
    expect(await run('ls --watchlist Later', { terminal: true })).toMatchObject({ exit: 0, out: '', err: `${en.cli.empty.watchlist}\n` });
    expect(await run('ls --watchlist Later --json --sparkline')).toMatchObject({ exit: 0, out: '[]\n' });
    expect(await run('ls --watchlist Majors --search sol', { terminal: true })).toMatchObject({ err: `${en.cli.empty.prices}\n` });
  });

  test('asks for the last 24 hours only where they are wanted, and of no more pairs than are shown', async () => {
    const { run, asked } = fakeServer({ watchlists: [majors] });
    expect(JSON.parse((await run('ls --json')).out)[0]).not.toHaveProperty('sparkline');
    expect(asked.join()).not.toContain('sparklines');
    const rows = JSON.parse((await run('ls --json --sparkline')).out) as { symbol: string; sparkline: unknown }[];
    expect(rows.map(({ symbol, sparkline }) => [symbol, sparkline])).toEqual([
      ['BTCUSDT', [0, 25, 50, 100]],
      ['ETHUSDT', [100, 0]],
      ['SOLUSDT', null],
    ]);
    await run('ls --sparkline --limit 2');
    expect(asked.filter((path) => path.includes('sparklines'))).toEqual([
      '/v2/prices/sparklines?symbols=BTCUSDT,ETHUSDT,SOLUSDT',
      '/v2/prices/sparklines?symbols=BTCUSDT,ETHUSDT',
    ]);
  });

  test('draws them as blocks, within the width of the terminal', async () => {
    const { run } = fakeServer({});
    const { out } = await run('ls --sparkline', { terminal: true, columns: 80 });
    expect(out).toMatch(/Pair .*Volume {2}Last 24 hours\nBTCUSDT .* ▁▃▅█\nETHUSDT .* █▁\nSOLUSDT .*\d\n$/);
    expect((await run('ls --sparkline --fields symbol,sparkline')).out).toBe('BTCUSDT\t0 25 50 100\nETHUSDT\t100 0\nSOLUSDT\t\n');
    expect((await run('ls --sparkline', { terminal: true, env: { LC_ALL: 'C' } })).out).toMatch(/BTCUSDT .* {2}[ .:=+#*-]{4}\n/);
  });
});
