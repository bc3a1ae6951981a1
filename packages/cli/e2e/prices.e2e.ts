import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ticker } from '@pilotfish/core/prices/prices-contract';
import type { FilterOptions, FilterResult } from '@pilotfish/core/prices/screener-contract';
import { until } from '@pilotfish/core/testing/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pipe } from './pipe.ts';
import { type Account, openAccount, openStage, type Stage, whileMoving } from './stage.ts';

// Prices, the screener and coin filters, in a pipe and in a terminal, against a server on the simulated market.

let simulator: Stage['simulator'];
let account: Account;
let folder: string;

beforeAll(async () => {
  ({ simulator } = await openStage());
  account = await openAccount();
  ({ folder } = account);
});
afterAll(() => account?.close());

/** Whoever is not signed in. */
const GUEST = { PILOTFISH_TOKEN: '' };
const moving = <Seen>(awaited: Promise<Seen>): Promise<Seen> => whileMoving(simulator, awaited);
const pilotfish: Pipe['run'] = (words, more) => account.pipe.run(words, more);
const json = <Answer>(...words: string[]) => account.pipe.json<Answer>(words);
type Screened = { items: FilterResult[]; total: number; columns: string[]; tooLittleHistory: number; page: number };

test('a list in a pipe: filtered, ordered, without colour, separated by tabs', { tags: ['smoke'] }, async () => {
  const rows = await json<Ticker[]>('prices', 'ls', '--quote', 'USDT', '--sort', 'changePct:asc', '--limit', '5');
  expect(rows).toHaveLength(5);
  const changes = rows.map(({ changePct }) => Number(changePct));
  expect(changes).toEqual([...changes].sort((a, b) => a - b));
  const plain = await pilotfish(['prices', 'ls', '--search', 'btc', '--limit', '2', '--fields', 'symbol,price']);
  expect(plain.stdout).toMatch(/^(\w*BTC\w*\t[\d.]+\n){2}$/);
  expect(await pilotfish(['prices', 'ls', '--sort', 'prise'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('quoteVolume') });
  expect(await pilotfish(['prices', 'ls', '--tag', 'mem'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('meme') });
  expect((await json<Ticker[]>('prices', 'ls', '--tag', 'meme')).length).toBeGreaterThan(0);
});

test('watchlists: kept by the account, a filter of prices, with lines of the last 24 hours, deleted on a yes', async () => {
  expect(await pilotfish(['prices', 'watchlists'], { env: GUEST })).toMatchObject({ exit: 4 });
  const made = await json('prices', 'watchlists', 'set', 'Layer 1', 'solusdt', 'ETHUSDT');
  expect(made).toEqual({ name: 'Layer 1', symbols: ['SOLUSDT', 'ETHUSDT'] });
  expect(await pilotfish(['prices', 'watchlists', 'set', 'layer 1', 'BTCUSDT', 'ETHUSDT'])).toMatchObject({ exit: 0 });
  expect(await pilotfish(['prices', 'watchlists', 'set', 'favourites', 'ETHUSDT'])).toMatchObject({ exit: 0 });
  const wrong = await pilotfish(['prices', 'watchlists', 'set', 'Layer 1', 'BTCUSDT', 'ETHUSTD']);
  expect(wrong).toMatchObject({ exit: 7, stdout: '', stderr: expect.stringContaining('There is no pair ETHUSTD.') });
  const lists = [
    { name: 'favourites', symbols: ['ETHUSDT'] },
    { name: 'Layer 1', symbols: ['BTCUSDT', 'ETHUSDT'] },
  ];
  expect(await json('prices', 'watchlists')).toEqual(lists);
  const kept = await account.user.call('/bff/v2/account/preferences');
  expect(kept.body).toMatchObject({ favourites: ['ETHUSDT'], watchlists: [lists[1]] });

  // The lines are there once the server has read the hours.
  type WithLine = Ticker & { sparkline: number[] | null };
  const rows = await until('lines of both pairs', async () => {
    const found = await json<WithLine[]>('prices', 'ls', '--watchlist', 'Layer 1', '--sort', 'symbol', '--sparkline');
    return found.every(({ sparkline }) => sparkline !== null) ? found : undefined;
  });
  expect(rows.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
  for (const { sparkline } of rows) expect([sparkline!.length, Math.min(...sparkline!), Math.max(...sparkline!)]).toEqual([24, 0, 100]);
  const found = await json<Ticker[]>('prices', 'ls', '--watchlist', 'layer 1', '--search', 'eth');
  expect(found.map((row) => [row.symbol, 'sparkline' in row])).toEqual([['ETHUSDT', false]]);
  const terminal = account.open(['prices', 'ls', '--watchlist', 'favourites', '--sparkline', '--lang', 'tr']);
  await terminal.ended();
  expect(terminal.screen()).toMatch(/^Parite .*Son 24 saat\nETHUSDT .* [▁-█]{24}$/);

  const live = account.open(['prices', 'watch', '--watchlist', 'favourites']);
  await live.see(/Pair.*\nETHUSDT.*\n\s*\n(?:Live|Connecting)/);
  live.press('ctrl-c');
  expect(await live.ended()).toMatchObject({ exitCode: 130 });

  const unknown = await pilotfish(['prices', 'ls', '--watchlist', 'Layer 2']);
  expect(unknown).toMatchObject({ exit: 7, stderr: expect.stringContaining('Watchlists: favourites, Layer 1.') });
  expect(await pilotfish(['prices', 'watchlists', 'rm', 'Layer 2', '--yes'])).toMatchObject({ exit: 7 });
  expect(await pilotfish(['prices', 'watchlists', 'rm', 'Layer 1'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') });
  const asked = account.open(['prices', 'watchlists', 'rm', 'Layer 1']);
  await asked.see(/Delete the watchlist Layer 1\?/);
  asked.type('y\r');
  expect(await asked.ended()).toMatchObject({ exitCode: 0 });
  expect(await json('prices', 'watchlists')).toEqual([lists[0]]);
});

test('one pair with its candles, on a small and on a wide terminal, in Turkish, and without UTF-8', async () => {
  const small = account.open(['prices', 'show', 'BTCUSDT'], {}, { NO_COLOR: '1' });
  await small.ended();
  const screen = small.screen();
  expect(screen).toMatch(/Tick size/);
  expect(screen).toMatch(/[⠁-⣿]/);
  expect(screen).toMatch(/◄ [\d,.]+/);
  expect(screen.split('\n').length).toBeLessThan(24);
  const wide = account.open(['prices', 'show', 'BTCUSDT', '--interval', '15m', '--lang', 'tr'], { columns: 160, rows: 50 });
  await wide.ended();
  expect(wide.screen()).toMatch(/Fiyat adımı/);
  expect(
    Math.max(
      ...wide
        .screen()
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeGreaterThan(120);
  const letters = account.open(['prices', 'show', 'BTCUSDT'], {}, { LC_ALL: 'C', NO_COLOR: '1' });
  await letters.ended();
  expect(letters.screen()).not.toMatch(/[⠁-⣿▁-█]/);
  expect(letters.screen()).toMatch(/#/);
  expect(await json('prices', 'show', 'ethusdt', '--limit', '7')).toMatchObject({ symbol: 'ETHUSDT', candles: { length: 7 } });
  expect(await pilotfish(['prices', 'show', 'BTCUSTD'])).toMatchObject({ exit: 7, stderr: expect.stringContaining('BTCUSDT?') });
});

test('a live table that redraws only what moved, follows the size, and gives the terminal back on ctrl-C', {
  tags: ['smoke'],
}, async () => {
  const terminal = account.open(['prices', 'watch', '--quote', 'USDT', '--limit', '8']);
  await terminal.see(/BTCUSDT[\s\S]*Live/);
  expect(terminal.buffer()).toBe('alternate');
  // A price may have moved before the first table: what is drawn after it counts.
  const before = terminal.raw().length;
  await moving(until('a redrawn table', () => terminal.raw().slice(before).includes('\u001b[?2026h')));
  await moving(terminal.see(/[▲▼]/));
  terminal.resize(44, 8);
  // The emulator keeps cells beyond its new width.
  await moving(terminal.see(/^(?=Pair +Price +24h)(?!.{0,40}High)/));
  terminal.press('ctrl-c');
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
  expect(terminal.buffer()).toBe('normal');
  expect(terminal.raw()).toContain('\u001b[?25h');
  // The last table stays readable above the prompt, once.
  expect(terminal.screen().match(/BTCUSDT/g)).toHaveLength(1);
});

test('live prices as lines, for guests, too', async () => {
  const terminal = account.open(['prices', 'watch', 'BTCUSDT', '--jsonl', '--fields', 'symbol,price'], {}, GUEST);
  await moving(terminal.see(/("symbol":"BTCUSDT","price":"[\d.]+"[\s\S]*){3}/));
  terminal.press('ctrl-c');
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
  expect(await pilotfish(['prices', 'watch', 'BTCUSD'])).toMatchObject({ exit: 7 });
});

test('what can be asked, as a table, one field, and as data', async () => {
  const options = await json<FilterOptions>('screen', 'options');
  expect(options.filter.map(({ key }) => key)).toContain('rsi');
  expect((await pilotfish(['screen', 'options', 'rsi'])).stdout).toMatch(/example\trsi\.15m < 30\n/);
  expect(await pilotfish(['screen', 'options', 'rsj'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('Did you mean rsi?') });
  const terminal = account.open(['screen', 'options', '--lang', 'tr']);
  await terminal.ended();
  expect(
    Math.max(
      ...terminal
        .screen()
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(80);
  expect(terminal.screen()).toMatch(/rsi\.15m < 30/);
});

test('rules of the command line and of files find pairs; pages, columns, count and history', async () => {
  // Figures of an hour are there once the server has read the history.
  const found = await until('figures', async () => {
    const answer = await json<Screened>('screen', 'run', 'rsi.1h > 0', 'quote in USDT', '--sort', 'rsi.1h:asc', '--limit', '3');
    return answer.total > 3 ? answer : undefined;
  });
  expect(found.columns).toEqual(['rsi.1h', 'quote', 'change.24h', 'quoteVolume']);
  const values = found.items.map(({ values }) => Number(values['rsi.1h']));
  expect(values).toEqual([...values].sort((a, b) => a - b));
  const second = await json<Screened>('screen', 'run', 'rsi.1h > 0', 'quote = usdt', '--sort', 'rsi.1h:asc', '--limit', '3', '--page', '2');
  expect(second.page).toBe(2);
  const either = await json<Screened>(
    'screen',
    'run',
    'symbol startsWith BTCUSDT',
    'symbol startsWith ETHUSDT',
    '--any',
    '--sort',
    'quoteVolume',
  );
  expect(either.items.map(({ symbol }) => symbol).sort()).toEqual(['BTCUSDT', 'ETHUSDT']);
  const file = join(folder, 'rules.yaml');
  writeFileSync(
    file,
    'match: any\nrules:\n  - symbol startsWith BTCUSDT\n  - {key: symbol, operation: startsWith, value: ETHU}\n  - match: all\n    rules: ["base contains LINK", "quote = BTC"]\n',
  );
  const grouped = await json<Screened>('screen', 'run', '--file', file, 'quote in USDT');
  expect(grouped.items.map(({ symbol }) => symbol).sort()).toEqual(['BTCUSDT', 'ETHUSDT']);
  const lines = await pilotfish([
    'screen',
    'run',
    'symbol startsWith BTCUSDT',
    '--columns',
    'natr.1h,tags',
    '--jsonl',
    '--fields',
    'symbol,natr.1h',
  ]);
  expect(JSON.parse(lines.stdout)).toMatchObject({ symbol: 'BTCUSDT' });
  const terminal = account.open(['screen', 'run', 'quote in USDT', '--limit', '5']);
  await terminal.ended();
  expect(terminal.screen()).toMatch(/pairs match · page 1 of \d+/);
});

test('wrong rules are named with what is allowed, whoever finds them', async () => {
  const here = await pilotfish(['screen', 'run', 'rsj.1h < 30', 'quote in USDC2', 'rsi < 30']);
  expect(here).toMatchObject({ exit: 2, stdout: '' });
  expect(here.stderr).toMatch(/rsj\.1h < 30: There is no field rsj[\s\S]*Did you mean rsi\?/);
  expect(here.stderr).toMatch(/quote in USDC2: USDC2 is none of .*USDT/);
  expect(here.stderr).toMatch(/rsi < 30: Say which timeframe.*15m/);
  const document = JSON.parse((await pilotfish(['screen', 'run', 'rsi < 30', '--json', '--lang', 'tr'])).stderr);
  expect(document).toMatchObject({ status: 400, code: 'invalid', errors: [{ path: 'rsi < 30', code: 'missingTimeframe' }] });
  // The server counts the depth of groups; its complaint names the group as it is typed.
  const deep = await pilotfish(['screen', 'run', 'any(all(any(price > 1)))']);
  expect(deep).toMatchObject({ exit: 2, stderr: expect.stringContaining('any(price > 1): ') });
  expect(await pilotfish(['screen', 'run', '--file', '/nonexistent'])).toMatchObject({ exit: 2 });
  expect(await pilotfish(['screen', 'run', 'owned'], { env: { PILOTFISH_TOKEN: '' } })).toMatchObject({ exit: 2 });
});

test('a screen that stays tells what entered, as lines and as a table', async () => {
  const lines = account.open(
    ['screen', 'run', 'symbol startsWith BTCU', '--watch', '--jsonl', '--columns', 'price'],
    { columns: 300 },
    GUEST,
  );
  await lines.see(/"event":"entered","symbol":"BTCUSDT"/);
  await moving(lines.see(/"event":"changed","symbol":"BTCUSDT"/));
  lines.press('ctrl-c');
  expect(await lines.ended()).toMatchObject({ exitCode: 130 });
  const terminal = account.open(['screen', 'run', 'quote in USDT', '--watch']);
  await terminal.see(/pairs match/);
  terminal.press('ctrl-c');
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
  expect(terminal.buffer()).toBe('normal');
});

test('coin filters: saved from a screen or by themselves, shown with their coins, deleted on a yes', async () => {
  expect(await pilotfish(['filters', 'ls'], { env: { PILOTFISH_TOKEN: '' } })).toMatchObject({ exit: 4 });
  const saved = await pilotfish(['screen', 'run', 'quoteVolume topN 30', 'quote in USDT', '--save', 'Large']);
  expect(saved).toMatchObject({ exit: 0, stderr: expect.stringContaining('Large is saved for pairs in USDT') });
  const words = ['filters', 'add', 'Small', 'price < 5', '--sort', 'price:asc', '--max-coins', '4', '--min-age', '0', '--min-volume', '0'];
  expect(await json(...words)).toMatchObject({ name: 'Small', quoteAsset: 'USDT', maxCoins: 4, minAgeDays: 0 });
  expect(await pilotfish(['filters', 'add', 'Small'])).toMatchObject({ exit: 8 });
  expect(await pilotfish(['filters', 'add', 'Other', '--include', 'NOTUSDT'])).toMatchObject({ exit: 2 });
  expect((await pilotfish(['filters', 'ls', '--fields', 'name,conditions'])).stdout).toBe(
    'Large\tquoteVolume topN 30, quote in USDT\nSmall\tprice < 5\n',
  );
  const shown = await json<{ coins: string[]; leftOut: { reason: string; count: number }[] }>('filters', 'show', 'small');
  expect(shown.coins.length).toBeLessThanOrEqual(4);
  expect(shown.leftOut.map(({ reason }) => reason)).toContain('conditions');
  const terminal = account.open(['filters', 'show', 'Small'], { rows: 40 });
  await terminal.ended();
  expect(terminal.screen()).toMatch(/Left out:\n +\d+ {2}\w/);
  expect(await pilotfish(['filters', 'show', 'Nothing'])).toMatchObject({ exit: 7, stderr: expect.stringContaining('Large, Small') });
  expect(await pilotfish(['filters', 'rm', 'Small'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') });
  const asked = account.open(['filters', 'rm', 'Small']);
  await asked.see(/Delete the coin filter Small\?/);
  asked.type('n\r');
  expect(await asked.ended()).toMatchObject({ exitCode: 1 });
  expect(await pilotfish(['filters', 'rm', 'Small', '--yes'])).toMatchObject({ exit: 0 });
  expect(await json<unknown[]>('filters', 'ls')).toHaveLength(1);
});
