import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { TIER } from '@pilotfish/core/testing/tiers';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, openAccount, openStage, type Stage } from './stage.ts';

// The full screen over a whole account, against the real server and the simulated exchange.

let simulator: Stage['simulator'];
let admin: SignedInUser;
let account: Account;
let user: SignedInUser;
let bot: AutoTrade;

beforeAll(async () => {
  ({ simulator, admin } = await openStage());
  account = await openAccount();
  ({ user } = account);
  const keys = await simulator.createAccount({ balances: { USDT: '5000' } });
  await user.call('/gateway/v2/account/connect/binance', { body: { clientId: keys.apiKey, clientSecret: keys.apiSecret } });
  const wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '1000' } })).body;
  const config = {
    name: 'Dip',
    walletId: wallet.id,
    coins: { symbols: ['BTCUSDT', 'ETHUSDT'] },
    entry: { size: { mode: 'fixed', value: '100' }, trigger: { kind: 'drop', dropPct: '80', lookbackMin: 5 } },
    stopLoss: { mode: 'none' },
  };
  bot = (await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: config })).body.autoTrade;
});
afterAll(() => account?.close());

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 200, rows: 60 },
];
const open = (words: readonly string[] = [], size = SIZES[0]!) => account.open(words, size);
const botNow = async () => (await user.call<AutoTrade>(`/bff/v2/auto-trades/${bot.id}`)).body;

describe.each(TIER === 'deep' ? SIZES : SIZES.slice(0, 1))('at $columns × $rows', (size) => {
  test('all five tabs, a chart, help; nothing runs over the edge, and the terminal is given back', async () => {
    const terminal = open([], size);
    const lines = () => terminal.screen().split('\n');
    await terminal.see('BTCUSDT');
    expect(terminal.buffer()).toBe('alternate');
    await terminal.see(/SIMULATED/);
    await terminal.see(/Live$/m);
    for (const [key, seen] of [
      ['2', /No open positions|Average/],
      ['3', /Dip/],
      ['4', /No alerts yet|above|rises/],
      ['5', /Nothing has happened|What/],
      ['1', /BTCUSDT/],
    ] as const) {
      terminal.type(key);
      await terminal.see(seen);
      expect(Math.max(...lines().map((line) => line.length))).toBeLessThanOrEqual(size.columns);
      expect(lines().length).toBeLessThanOrEqual(size.rows);
    }
    terminal.type('/btcusdt\r');
    await terminal.see(/of \d+ with “btcusdt”/);
    terminal.press('enter');
    // Braille candles with the prices beside them.
    await terminal.see(/[\u2800-\u28ff].*┤/);
    await terminal.see(/1h × \d+/);
    terminal.type('?');
    await terminal.see('Leave; bots and alerts keep running');
    terminal.press('escape');
    terminal.type('q');
    expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
    expect(terminal.buffer()).toBe('normal');
    expect(terminal.raw()).toContain('\u001b[?25h');
  });
});

test('a bot is asked why, enabled and disabled; what a refusal says is shown', { tags: ['smoke'] }, async () => {
  const terminal = open(['dashboard', '--tab', 'bots']);
  await terminal.see(/Dip/);
  terminal.type('w');
  await terminal.see(/Why Dip did not act/);
  terminal.press('escape');
  await terminal.see(/w why/);
  terminal.type('e');
  await terminal.see('Dip is enabled.');
  expect((await botNow()).state).toBe('Running');
  terminal.type('d');
  await terminal.see(/Stop new entries of Dip\?.*y yes, n no/);
  terminal.type('n');
  await terminal.see(/w why|enabled/);
  expect((await botNow()).state).toBe('Running');
  terminal.type(':disable Dip\r');
  await terminal.see(/y yes, n no/);
  terminal.type('y');
  await terminal.see('Dip is disabled.');
  expect((await botNow()).state).toBe('Disabled');
  terminal.type(':nonsense\r');
  await terminal.see('“nonsense” is not a command here.');
  terminal.press('ctrl-c');
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
});

test('an alert is typed, mended, snoozed and deleted', async () => {
  const alerts = async () => (await user.call<PriceAlert[]>('/bff/v2/price-alerts')).body;
  const terminal = open(['dashboard', '--tab', 'alerts']);
  await terminal.see('No alerts yet');
  terminal.type('aBTC > many\r');
  await terminal.see(/New alert: BTC > many.*many/);
  expect(await alerts()).toEqual([]);
  // What was typed is still there.
  terminal.type('\u0015BTC > 900k # far away\r');
  await terminal.see(/New alert: .*900,000/);
  await terminal.see(/BTCUSDT is above 900,000 +Armed/);
  // Too narrow for the note; the detail has it.
  terminal.press('enter');
  await terminal.see('far away');
  terminal.press('escape');
  await terminal.see(/z snooze/);
  expect(await alerts()).toMatchObject([{ symbol: 'BTCUSDT', note: 'far away', state: 'Armed' }]);
  terminal.type('z');
  await terminal.see('is snoozed for 1 hour');
  expect((await alerts())[0]?.snoozedUntil).not.toBeNull();
  terminal.type('x');
  await terminal.see(/Delete the alert on BTCUSDT\?/);
  terminal.type('y');
  await terminal.see('No alerts yet');
  expect(await alerts()).toEqual([]);
  terminal.type('q');
  await terminal.ended();
});

test('it is drawn anew for another size, in Turkish, and gives the terminal back on a signal', async () => {
  const terminal = open(['--lang', 'tr'], { columns: 80, rows: 24 });
  await terminal.see('Fiyatlar');
  await terminal.see('BTCUSDT');
  terminal.resize(160, 40);
  // Wide enough for what the row holds beside the list.
  await terminal.see(/│ [A-Z]+USDT/);
  terminal.resize(80, 24);
  await terminal.see(/BTCUSDT/);
  expect(
    Math.max(
      ...terminal
        .screen()
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(160);
  terminal.kill('SIGTERM');
  expect(await terminal.ended()).toMatchObject({ exitCode: 143 });
  expect(terminal.buffer()).toBe('normal');
});

test('whoever is not signed in is told so; a pipe has no dashboard', { tags: ['smoke'] }, async () => {
  const stranger = account.open([], {}, { PILOTFISH_TOKEN: '' });
  await stranger.see(/auth login/);
  expect(await stranger.ended()).toMatchObject({ exitCode: 4 });
});

test('a text that the Admin changes is on the screen within seconds, and goes again', async () => {
  const path = '/bff/v2/localization-resources';
  const { items } = (await admin.call<{ items: { id: string; key: string }[] }>(`${path}?filter=cli.dashboard.tabs.activity`)).body;
  const { id, key } = items.find((each) => each.key === 'cli.dashboard.tabs.activity')!;
  const terminal = open();
  await terminal.see('5 Activity');
  await admin.call(`${path}/${id}`, { method: 'PUT', body: { key, values: { en: 'Logbook' } } });
  await terminal.see('5 Logbook');
  await admin.call(`${path}/${id}`, { method: 'DELETE' });
  await terminal.see('5 Activity');
  terminal.type('q');
  await terminal.ended();
});
