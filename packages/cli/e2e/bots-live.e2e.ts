import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AutoTrade, AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { digits } from '@pilotfish/core/money/figure';
import { until } from '@pilotfish/core/testing/until';
import { type SignedInUser, startTestServer, type TestServer } from '@pilotfish/server/app/testing/test-server';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pipe } from './pipe.ts';
import { type Account, openAccount } from './stage.ts';

// What an owner does by hand with a bot that holds something, on a market that stands still until it is moved.

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 0, 5);
const QUIET = 30;

let folder: string;
let simulator: Simulator;
let server: TestServer;
let account: Account;
let user: SignedInUser;
let pipe: Pipe;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-cli-live-'));
  const lines = Array.from({ length: 2000 }, (_, n) => {
    const at = BEGIN + n * MINUTE;
    // Flat within its minute, too: at what second a bot enters must not matter.
    return [at, 100_000, 100_000, 100_000, 100_000, 50, at + MINUTE - 1, 5_000_000, 100, 25, 2_500_000, 0].join(',');
  });
  writeFileSync(join(folder, 'BTCUSDT-1m-path.csv'), `${lines.join('\n')}\n`);
  const start = BEGIN + QUIET * MINUTE;
  // One of its own: this market has one coin, whose price stands still.
  simulator = await startSimulator({ market: { kind: 'replay', folder, start }, now: () => server?.now() ?? start });
  const settings = { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin };
  server = await startTestServer({ realClock: true, now: start, settings });
  account = await openAccount({ server });
  ({ user, pipe } = account);
  const keys = await simulator.createAccount({ burnBnb: false, balances: { USDT: '20000' } });
  const connected = await user.call('/gateway/v2/account/connect/binance', {
    body: { clientId: keys.apiKey, clientSecret: keys.apiSecret },
  });
  expect(connected.status).toBe(200);
  expect((await pipe.run(['wallets', 'add', 'Main', '--mode', 'live', '--balance', '10000', '--yes'])).exit).toBe(0);
  const created = await pipe.run(['bots', 'create', '-f', '-'], { input: hand });
  expect(created.stderr).toBe('');
  expect(await pipe.json(['bots', 'enable', 'Hand', '--yes'])).toMatchObject({ state: 'Running' });
});
afterAll(async () => {
  await server?.close();
  await simulator?.close();
  account?.close();
  rmSync(folder, { recursive: true, force: true });
});

const hand = `name: Hand
wallet: Main
coins: [BTCUSDT]
entry:
  size: { mode: fixed, value: 1000 }
  trigger: { kind: manual }
  trailing: { enabled: false }
  order: { type: Market }
  maxSpreadPct: 5
rebuys: { levels: [{ dropPct: 2 }, { dropPct: 3, sizeMultiplier: 2 }] }
takeProfit: { levels: [{ gainPct: 20, sellPct: 50 }, { gainPct: 40, sellPct: 50 }] }
stopLoss: { mode: percent, pct: 15 }
protectiveStop: { enabled: true, limitOffsetPct: 1 }
timeStop: { hours: 400 }
cooldown: { afterWinMin: 0, afterLossMin: 0 }
`;

const detail = async (): Promise<AutoTradeDetail> => {
  const bot = (await user.call<AutoTrade[]>('/bff/v2/auto-trades')).body.find(({ name }) => name === 'Hand')!;
  return (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`)).body;
};
const traces = async () => pipe.json<StoredTrace[]>(['bots', 'trace', 'Hand', '-n', '200']);

/** Moves the market until it is so. */
const untilMoved = <Value>(what: string, look: () => Promise<Value | undefined>) =>
  until(what, look, { meanwhile: () => simulator.clock.advance(5_000) });
const held = () =>
  untilMoved('an open position', async () =>
    (await detail()).positions.find(({ state, lines }) => state === 'Open' && lines.protectiveStop !== null),
  );
const closed = (id: string) =>
  untilMoved('the end of the position', async () => (await detail()).positions.find((each) => each.id === id && each.state === 'Closed'));

async function enter(): Promise<AutoTradePosition> {
  await untilMoved('a first price', async () => ((await detail()).evaluations[0]?.price ? true : undefined));
  const entered = await untilMoved('the end of the pause after a sale', async () => {
    const run = await pipe.run(['bots', 'enter', 'Hand', 'btcusdt', '--json', '--yes']);
    return run.stderr.includes('cooldown') ? undefined : run;
  });
  expect(entered).toMatchObject({ exit: 0, stderr: expect.stringContaining('Hand enters BTCUSDT') });
  expect(JSON.parse(entered.stdout)).toMatchObject({ entered: true, symbol: 'BTCUSDT' });
  return held();
}

test('enter: by hand, only coins of the bot; what stops it is named', async () => {
  expect(await pipe.run(['bots', 'enter', 'Hand', 'ETHUSDT'])).toMatchObject({ exit: 7, stderr: expect.stringContaining('BTCUSDT') });
  await enter();
  const again = await pipe.run(['bots', 'enter', 'Hand', 'BTCUSDT', '--yes']);
  expect(again.exit).toBe(8);
  expect(again.stderr).toMatch(/BTCUSDT was not entered: \w/);
});

test('show: every line of the position; its live screen at 80 by 24, wide, in Turkish and without colours', async () => {
  const { lines, breakEven } = (await pipe.json<AutoTradeDetail>(['bots', 'show', 'Hand'])).positions[0]!;
  expect(lines.rebuys).toHaveLength(2);
  const plain = account.open(['bots', 'show', 'Hand']);
  expect(await plain.ended()).toMatchObject({ exitCode: 0 });
  const flat = plain.screen().replace(/\s+/g, ' ');
  for (const mark of [
    'Take profit 120,',
    '(50%), 140,',
    `Break-even ${digits(breakEven!).slice(0, 3)},`,
    'Stop 85,',
    'Exchange stop 85,',
    'Rebuys 98,',
  ])
    expect(flat).toContain(mark);
  expect(flat).toMatch(/Time stop 2\d Jan/);
  const small = account.open(['bots', 'show', 'Hand', '--watch', '--color', 'never']);
  const screen = await small.see(/Rebuys 98,000\.\d\d, 97,000\.\d\d/);
  expect(screen).toContain('Exchange stop 85,');
  expect(screen.split('\n').length).toBeLessThan(24);
  expect(Math.max(...screen.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  // Colours and backgrounds: none.
  expect(small.raw()).not.toMatch(new RegExp(`${String.fromCharCode(27)}\\[(3[0-8]|4[0-8]|9\\d)[;m]`));
  small.type('q');
  await small.ended();
  const wide = account.open(['bots', 'show', 'Hand', '--watch', '--lang', 'tr'], { columns: 160, rows: 40 });
  await wide.see(/Kâr al 120,.*Başa baş .*Zarar durdur 85,.*Borsadaki stop 85,[\s\S]*Ek alımlar 98,/);
  wide.type('q');
  expect(await wide.ended()).toMatchObject({ exitCode: 0 });
  const why = await pipe.run(['bots', 'why', 'Hand', 'BTCUSDT']);
  expect(why).toMatchObject({ exit: 0, stdout: expect.stringContaining('BTCUSDT') });
});

test('target: set, taken back; one that is reached already is a sale and asked for', async () => {
  expect(await pipe.json(['bots', 'target', 'Hand', 'BTCUSDT', '130000'])).toMatchObject({ lines: { target: '130000' } });
  expect(await pipe.json(['bots', 'target', 'Hand', 'BTC', 'none'])).toMatchObject({ lines: { target: null } });
  expect((await pipe.run(['bots', 'target', 'Hand', 'BTCUSDT', '-5'])).exit).not.toBe(0);
  expect(await pipe.run(['bots', 'target', 'Hand', 'XRPUSDT', '5'])).toMatchObject({
    exit: 7,
    stderr: expect.stringContaining('Positions: BTCUSDT'),
  });
  expect(await pipe.run(['bots', 'target', 'Hand', 'BTCUSDT', '90000'])).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('--yes'),
  });
  const asked = account.open(['bots', 'target', 'Hand', 'BTCUSDT', '90000']);
  await asked.see(/everything\s+would\s+be\s+sold\s+at\s+once[\s\S]*result\s+of[\s\S]*Sell\?/);
  asked.type('n\r');
  expect(await asked.ended()).toMatchObject({ exitCode: 1 });
  expect((await held()).lines.target).toBeNull();
});

test('carry-over: only for a position that waits because of a jump, and by a number above zero', async () => {
  expect(await pipe.run(['bots', 'carry-over', 'Hand', 'BTCUSDT', '100', '--yes'])).toMatchObject({
    exit: 8,
    stderr: expect.stringContaining('(no-jump)'),
  });
  expect((await pipe.run(['bots', 'carry-over', 'Hand', 'BTCUSDT', '0', '--yes'])).exit).toBe(2);
});

test('exits that were frozen and are due: letting them go is a sale and asked for', async () => {
  const { id } = await held();
  const path = `/bff/v2/auto-trades/${(await detail()).id}`;
  const target = (body: object) => user.call(`${path}/positions/${id}/target-price`, { method: 'PATCH', body });
  expect((await user.call(`${path}/disable`, { body: { exits: 'freeze' } })).status).toBe(200);
  expect((await target({ targetPrice: '90000', sellNow: true })).status).toBe(200);
  const asked = account.open(['bots', 'enable', 'Hand']);
  await asked.see(/test\s+money[\s\S]*Enable\?/);
  asked.type('y\r');
  await asked.see(/everything\s+would\s+be\s+sold\s+at\s+once[\s\S]*result\s+of[\s\S]*Sell\?/);
  asked.type('n\r');
  expect(await asked.ended()).toMatchObject({ exitCode: 1 });
  expect((await target({ targetPrice: null })).status).toBe(200);
  expect((await pipe.run(['bots', 'enable', 'Hand', '--yes'])).exit).toBe(0);
  expect((await held()).id).toBe(id);
});

test('new settings for what is held: the plan says which lines move, and they do', async () => {
  const file = join(folder, 'hand.yaml');
  writeFileSync(file, hand.replace('pct: 15', 'pct: 10'));
  const planned = await pipe.run(['bots', 'apply', '-f', file, '--apply-to-open', '--dry-run']);
  expect(planned).toMatchObject({
    exit: 1,
    stdout: expect.stringMatching(/stopLoss\.pct +15 → 10[\s\S]*Open positions change:[\s\S]*BTCUSDT {2}Stop {2}85,[\d,.]+ → 90,/),
  });
  expect((await held()).lines.stopLoss).toMatch(/^85/);
  expect((await pipe.run(['bots', 'apply', '-f', file, '--apply-to-open', '--yes'])).exit).toBe(0);
  await untilMoved('the new stop', async () =>
    digits((await detail()).positions[0]?.lines.stopLoss ?? '').startsWith('90') ? true : undefined,
  );
  expect(await pipe.run(['bots', 'apply', '-f', file, '--apply-to-open', '--dry-run'])).toMatchObject({ exit: 0 });
  // Saved for new positions only, then taken on by what is held, although the settings do not differ any more.
  writeFileSync(file, hand.replace('pct: 15', 'pct: 12'));
  expect((await pipe.run(['bots', 'apply', '-f', file, '--yes'])).exit).toBe(0);
  expect((await held()).lines.stopLoss).toMatch(/^90/);
  expect((await pipe.run(['bots', 'apply', '-f', file, '--dry-run'])).exit).toBe(0);
  const late = await pipe.run(['bots', 'apply', '-f', file, '--apply-to-open', '--yes']);
  expect(late).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(/~ change {2}Hand.*\n {2}Open positions change:\n +BTCUSDT {2}Stop {2}90.* → 88/),
  });
  await untilMoved('the last stop', async () =>
    digits((await detail()).positions[0]?.lines.stopLoss ?? '').startsWith('88') ? true : undefined,
  );
});

test('sell: asks on a terminal, needs --yes in a script, and the position ends by hand', async () => {
  const position = await held();
  expect(await pipe.run(['bots', 'sell', 'Hand', 'BTCUSDT'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') });
  const asked = account.open(['bots', 'sell', 'Hand', position.id.slice(0, 13)]);
  await asked.see(/Hand sells all its BTCUSDT at market now\.[\s\S]*0\.0\d+ at about[\s\S]*Sell\?/);
  asked.type('y\r');
  expect(await asked.ended()).toMatchObject({ exitCode: 0 });
  expect(await closed(position.id)).toMatchObject({ exitReason: 'Manual' });
  const [exit] = await pipe.json<StoredTrace[]>([
    'bots',
    'trace',
    'Hand',
    '--kind',
    'Exit',
    '--coin',
    'BTCUSDT',
    '--position',
    position.id,
  ]);
  expect(exit).toMatchObject({ kind: 'Exit', reason: 'Manual' });
  expect(await pipe.json(['bots', 'trace', 'Hand', '--since', '2030-01-01'])).toEqual([]);
  expect((await traces()).length).toBeGreaterThan(2);
  expect((await pipe.run(['bots', 'logs', 'Hand', '--since', 'soon'])).exit).toBe(2);
  const codes = (await pipe.run(['bots', 'logs', 'Hand', '--code', 'target_set', '--fields', 'code'])).stdout.trim().split('\n');
  expect(new Set(codes)).toEqual(new Set(['TARGET_SET']));
});

test('detach: the coins become the owner’s', async () => {
  const position = await enter();
  expect((await pipe.run(['bots', 'resume', 'Hand', 'BTCUSDT', '--yes'])).exit).toBe(8);
  expect((await pipe.run(['bots', 'detach', 'Hand', 'BTCUSDT'])).exit).toBe(2);
  // An order that rests at the exchange has to be taken back first.
  const done = await untilMoved('the takeover', async () => {
    const run = await pipe.run(['bots', 'detach', 'Hand', 'BTCUSDT', '--yes', '--json']);
    return run.exit === 0 ? (JSON.parse(run.stdout) as AutoTradePosition) : undefined;
  });
  expect(done).toMatchObject({ id: position.id, state: 'Detached' });
});

test('halt of a coin: told, listed, shown, lifted', async () => {
  expect((await pipe.run(['bots', 'halt', '--coin', 'BTCUSDT', '--hours', '200', '--yes'])).exit).toBe(2);
  expect((await pipe.run(['bots', 'halt', 'Hand', '--hours', '2', '--yes'])).exit).toBe(2);
  expect((await pipe.run(['bots', 'halt', '--coin', 'BTCUSDT'])).exit).toBe(2);
  expect(await pipe.json(['bots', 'halt', '--coin', 'btcusdt', '--hours', '2', '--reason', 'news', '--yes'])).toMatchObject({
    scope: 'coin',
    halted: 1,
  });
  expect(await pipe.json(['bots', 'halts'])).toMatchObject([{ symbol: 'BTCUSDT', bot: '*', reason: 'news' }]);
  const shown = account.open(['bots', 'show', 'Hand'], { columns: 110 });
  await shown.ended();
  expect(shown.screen()).toMatch(/BTCUSDT is halted until .*: news/);
  expect((await pipe.run(['bots', 'enter', 'Hand', 'BTCUSDT', '--yes'])).exit).toBe(8);
  expect(await pipe.run(['bots', 'lift', 'ETHUSDT'])).toMatchObject({ exit: 7, stderr: expect.stringContaining('BTCUSDT') });
  expect(await pipe.run(['bots', 'lift', 'btcusdt'])).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('may enter BTCUSDT again'),
  });
  expect(await pipe.json(['bots', 'halts'])).toEqual([]);
});

test('halt with a sell-off: everything is sold, the bot is halted and says so', async () => {
  const position = await enter();
  const asked = account.open(['bots', 'halt', 'Hand', '--sell-off', '--reason', 'enough'], { columns: 110 });
  await asked.see(/sells all it holds at market/);
  asked.type('y\r');
  expect(await asked.ended()).toMatchObject({ exitCode: 0 });
  expect(asked.screen()).toContain('Selling off: 1.');
  expect(await closed(position.id)).toMatchObject({ exitReason: 'KillSwitch' });
  const list = account.open(['bots', 'halts'], { columns: 110 });
  await list.ended();
  expect(list.screen()).toContain('Halted bots: Hand.');
});

test('enabling a bot that trades on the account says what is exposed without the server, and what helps', async () => {
  const told = 'When the server is off or cannot reach the exchange, nothing sells';
  const enabled = async (name: string, input: string) => {
    expect((await pipe.run(['bots', 'create', '-f', '-'], { input })).exit).toBe(0);
    const run = await pipe.run(['bots', 'enable', name, '--json', '--yes']);
    expect(JSON.parse(run.stdout)).toMatchObject({ state: 'Running' });
    expect((await pipe.run(['bots', 'disable', name])).exit).toBe(0);
    return run.stderr;
  };
  const said = await enabled('Bare', hand.replace('Hand', 'Bare').replace(/^protectiveStop.*\n/m, ''));
  expect(said).toContain(`${told}, however far the price falls`);
  expect(said).toContain('protectiveStop.enabled (pilotfish bots edit)');
  // One whose stop rests at the exchange needs no such word.
  expect(await enabled('Kept', hand.replace('Hand', 'Kept'))).not.toContain(told);
});
