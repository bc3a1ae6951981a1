/** @module-tag smoke */
import { formatPrice } from '@pilotfish/core/money/format';
import type { Order } from '@pilotfish/core/orders/orders-contract';
import type { ClosedPosition, OpenPosition, PositionTotals, SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { until } from '@pilotfish/core/testing/until';
import { realTimers } from '@pilotfish/core/time/timers';
import { openExchange } from '@pilotfish/server/exchange/exchange';
import { type Signer, signerFor } from '@pilotfish/server/exchange/signing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Pipe } from './pipe.ts';
import { type Account, openAccount, openStage, type Stage } from './stage.ts';

// Positions and orders of an account that traded at a simulated exchange which moves only when it is told to.

let simulator: Stage['simulator'];
let account: Account;
let venue: ReturnType<typeof openExchange>;
let signer: Signer;

beforeAll(async () => {
  const stage = await openStage();
  ({ simulator } = stage);
  venue = openExchange({
    timers: realTimers,
    origins: { rest: simulator.origin, stream: simulator.wsOrigin, api: simulator.wsOrigin } as never,
    now: stage.server.now,
    random: Math.random,
  });
  account = await openAccount();
  const { user } = account;
  const { apiKey, apiSecret } = await simulator.createAccount({ balances: { USDT: '100000' } });
  signer = signerFor(apiKey, apiSecret);
  const connected = await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
  expect(connected.status).toBe(200);
});
afterAll(async () => {
  await venue?.close();
  account?.close();
});

const pilotfish: Pipe['run'] = (words, more) => account.pipe.run(words, more);
const json = <Answer>(...words: string[]) => account.pipe.json<Answer>(words);
const order = (parameters: Record<string, string>) =>
  venue.placeOrder(signer, parameters, { urgent: true, beforeSigning: () => undefined });
/** The exchange moves only when it is told to. */
const untilMoved = <Value>(what: string, look: () => Promise<Value | undefined | false>) =>
  until(what, look, { meanwhile: () => simulator.clock.advance(1_000) });
type OpenList = { items: OpenPosition[]; totals: PositionTotals[] };
type ClosedList = { items: ClosedPosition[]; total: number; totalsListed: PositionTotals[]; totalsAll: PositionTotals[] };
const isOpen = (symbol: string) =>
  untilMoved(`${symbol} open`, async () => (await json<OpenList>('positions', 'open')).items.find((each) => each.symbol === symbol));

test('before anything was traded: empty lists say so, and who is not signed in is told', async () => {
  const status = await json<SyncStatus>('positions', 'sync', '--wait');
  expect(status.state).toBe('idle');
  expect(await pilotfish(['positions', 'open'])).toMatchObject({ exit: 0, stdout: '' });
  expect(await pilotfish(['positions', 'open'], { env: { PILOTFISH_TOKEN: '' } })).toMatchObject({ exit: 4 });
  expect(await pilotfish(['positions', 'show', 'BTCUSDT'])).toMatchObject({ exit: 7, stderr: expect.stringContaining('positions open') });
  expect(await pilotfish(['orders', 'cancel', 'BTCUSDT'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('--all') });
});

test('open positions as a table, in a pipe and as data; a pair typed wrong is guessed', async () => {
  await order({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quoteOrderQty: '500' });
  await order({ symbol: 'ETHUSDT', side: 'BUY', type: 'MARKET', quoteOrderQty: '300' });
  await isOpen('BTCUSDT');
  await isOpen('ETHUSDT');
  const { items, totals } = await json<OpenList>('positions', 'open', '--sort', 'symbol');
  expect(items.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
  expect(totals[0]).toMatchObject({ currency: 'USDT', count: 2 });
  const plain = await pilotfish(['positions', 'open', 'BTCUSDT', '--fields', 'symbol,number,quantity,id']);
  expect(plain.stdout).toMatch(/^BTCUSDT\t1\t0\.\d+\t[\da-f-]{36}\n$/);
  const terminal = account.open(['positions', 'open'], {}, { NO_COLOR: '1' });
  await terminal.ended();
  const lines = terminal.screen().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(terminal.screen()).toMatch(/BTCUSDT#1 .*[+−]\d+\.\d\d .*[+−]\d+\.\d\d%/);
  expect(terminal.screen()).toMatch(/All 2 positions · Invested [\d.,]+ · Value [\d.,]+/);
  expect(await pilotfish(['positions', 'show', 'BTCUSTD'])).toMatchObject({ exit: 7, stderr: expect.stringContaining('BTCUSDT?') });
  const wide = account.open(['positions', 'open', '--lang', 'tr'], { columns: 220 });
  await wide.ended();
  expect(wide.screen()).toMatch(/Başa baş/);
});

test('a target, marks and a calculation', async () => {
  const { items } = await json<OpenList>('positions', 'open', 'BTCUSDT');
  const target = String(Math.round(Number(items[0]?.price) * 1.1));
  expect(await json('positions', 'target', 'btcusdt', target)).toMatchObject({
    targetPrice: target,
    targetDistancePct: expect.stringMatching(/^(9|1\d)/),
  });
  expect(await pilotfish(['positions', 'target', 'BTCUSDT', '100.001'])).toMatchObject({ exit: 6, stderr: expect.stringContaining('100') });
  expect(await json('positions', 'target', 'BTCUSDT', 'none')).toMatchObject({ targetPrice: null });
  expect(await json('positions', 'break', 'BTCUSDT', '--text', 'a deposit is missing')).toMatchObject({ broken: [{ code: 'USER' }] });
  const terminal = account.open(['positions', 'open'], {}, { NO_COLOR: '1' });
  await terminal.ended();
  expect(terminal.screen()).toMatch(/BTCUSDT#1 {2}\S[^\n]* → /);
  expect(terminal.screen()).toMatch(/1 broken position not counted/);
  expect(await json('positions', 'break', 'BTCUSDT', '--undo')).toMatchObject({ broken: [] });
  expect((await pilotfish(['positions', 'exclude', 'BTCUSDT'])).stderr).toContain('is excluded from the totals');
  expect((await json<OpenList>('positions', 'open')).totals[0]).toMatchObject({ excluded: 1 });
  expect(await pilotfish(['positions', 'exclude', 'BTCUSDT', '--undo'])).toMatchObject({ exit: 0 });
  expect(await json('positions', 'calculate', 'BTCUSDT')).toMatchObject({ tradesAdded: 0, tradesRemoved: 0 });
});

test('one position with its trades, its lines and its days', async () => {
  const shown = await json<OpenPosition & { fills: unknown[]; transactions: unknown[]; daily: unknown[] }>(
    'positions',
    'show',
    'BTCUSDT#1',
  );
  expect(shown.fills.length).toBeGreaterThan(0);
  expect(shown.transactions.length).toBeGreaterThan(0);
  expect(shown.daily.length).toBeGreaterThan(0);
  const terminal = account.open(['positions', 'show', shown.id.slice(0, 13)], { rows: 60 });
  await terminal.ended();
  expect(terminal.screen()).toMatch(/Daily performance[\s\S]*Trades BTCUSDT#1[\s\S]*Buy[\s\S]*Ledger\b/);
});

test('closing asks for the rest, or needs to be told; it can be taken back', async () => {
  expect(await pilotfish(['positions', 'close', 'ETHUSDT'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('--remainder') });
  const dry = await pilotfish(['positions', 'close', 'ETHUSDT', '--remainder', 'at-cost', '--dry-run']);
  expect(dry).toMatchObject({ exit: 0, stdout: '', stderr: expect.stringContaining('ETHUSDT#1') });
  const asked = account.open(['positions', 'close', 'ETHUSDT']);
  await asked.see(/nothing is sold.*\[c\/m\]/s);
  asked.type('x\r');
  expect(await asked.ended()).toMatchObject({ exitCode: 1 });
  const terminal = account.open(['positions', 'close', 'ETHUSDT'], { rows: 40 });
  await terminal.see(/\[c\/m\]/);
  terminal.type('c\r');
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  const { items } = await json<ClosedList>('positions', 'closed');
  expect(items[0]).toMatchObject({ symbol: 'ETHUSDT', closedBy: 'hand' });
  expect(await json('positions', 'reopen', 'ETHUSDT')).toMatchObject({ symbol: 'ETHUSDT', sparkline: expect.anything() });
  expect(await pilotfish(['positions', 'reopen', 'ETHUSDT'])).toMatchObject({ exit: 7 });
});

test('what was sold: the totals of the listed and of all, months and overview', async () => {
  const { balances } = await venue.account(signer);
  const held = balances.find(({ asset }) => asset === 'ETH')?.free ?? '0';
  await order({ symbol: 'ETHUSDT', side: 'SELL', type: 'MARKET', quantity: String(Math.floor(Number(held) * 1e4) / 1e4) });
  const closed = await untilMoved('ETHUSDT closed', async () => {
    const list = await json<ClosedList>('positions', 'closed');
    return list.items.some(({ symbol, closedBy }) => symbol === 'ETHUSDT' && closedBy === 'sell') && list;
  });
  expect(closed.totalsListed).toEqual(closed.totalsAll);
  const hidden = await json<ClosedList>('positions', 'closed', '--hide-from', '-100000', '--hide-to', '100000');
  expect(hidden.items).toEqual([]);
  expect(hidden.totalsAll).toEqual(closed.totalsAll);
  expect(await pilotfish(['positions', 'closed', '--hide-from', '5', '--hide-to', '1'])).toMatchObject({ exit: 2 });
  expect(await pilotfish(['positions', 'closed', '--order', 'best'])).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('realised-desc'),
  });
  expect((await pilotfish(['positions', 'closed', '--csv', '--fields', 'symbol,closedBy'])).stdout).toBe(
    'symbol,closedBy\r\nETHUSDT,sell\r\n',
  );
  const terminal = account.open(['positions', 'closed'], {}, { NO_COLOR: '1' });
  await terminal.ended();
  expect(terminal.screen()).toMatch(/ETHUSDT#1[\s\S]*Listed 1 position · .*\nAll 1 position · /);
  const months = await json<{ currency: string; closed: number }[]>('positions', 'monthly');
  expect(months).toMatchObject([{ currency: 'USDT', closed: 1 }]);
  const overview = account.open(['positions', 'overview']);
  await overview.ended();
  expect(overview.screen()).toMatch(/This month[\s\S]*ETHUSDT#1[\s\S]*All \d positions/);
  const month = account.open(['positions', 'monthly']);
  await month.ended();
  expect(month.screen()).toMatch(/All [+−]?\d/);
});

test('what was sold out is opened again, and is sold out as before without a question', async () => {
  expect(await json('positions', 'reopen', 'ETHUSDT')).toMatchObject({ symbol: 'ETHUSDT', sparkline: expect.anything() });
  const isListed = async () => (await json<OpenList>('positions', 'open')).items.find(({ symbol }) => symbol === 'ETHUSDT');
  expect(await isListed()).toMatchObject({ quantity: expect.stringMatching(/^0/) });
  expect(await json('positions', 'close', 'ETHUSDT')).toMatchObject({ symbol: 'ETHUSDT', closedBy: 'sell' });
  expect(await isListed()).toBeUndefined();
});

test('positions that stay on the screen follow a purchase', async () => {
  const terminal = account.open(['positions', 'open', '--watch']);
  await terminal.see(/BTCUSDT#1[\s\S]*All 1 position/);
  expect(terminal.buffer()).toBe('alternate');
  await order({ symbol: 'SOLUSDT', side: 'BUY', type: 'MARKET', quoteOrderQty: '200' });
  await isOpen('SOLUSDT');
  await terminal.see(/SOLUSDT#1/);
  terminal.press('ctrl-c');
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
  expect(terminal.buffer()).toBe('normal');
});

test('open orders: listed, watched, tried out and cancelled, one and all', async () => {
  const { items } = await json<OpenList>('positions', 'open', 'BTCUSDT');
  const price = String(Math.round(Number(items[0]?.price) * 0.9));
  const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001', price };
  for (let n = 0; n < 3; n += 1) await order(limit);
  const open = await json<Order[]>('orders', 'ls', 'BTCUSDT');
  expect(open).toHaveLength(3);
  const terminal = account.open(['orders', 'ls', '--watch'], {}, { NO_COLOR: '1' });
  await terminal.see(/BTCUSDT +Buy .* 0\.0%/);
  terminal.press('ctrl-c');
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
  const id = open[0]?.orderId ?? '';
  expect(await pilotfish(['orders', 'cancel', 'BTCUSDT', id])).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') });
  expect(await pilotfish(['orders', 'cancel', 'BTCUSDT', '--all', '--dry-run'])).toMatchObject({
    exit: 0,
    stdout: '',
    stderr: expect.stringContaining(`Would cancel Buy 0.001 BTCUSDT at ${formatPrice(price, 2)}.\n`),
  });
  expect(await json('orders', 'cancel', 'BTCUSDT', id, '--yes')).toMatchObject({ orderId: id, status: 'CANCELED' });
  expect(await pilotfish(['orders', 'cancel', 'BTCUSDT', id, '--yes'])).toMatchObject({ exit: 7 });
  const asked = account.open(['orders', 'cancel', 'BTCUSDT', '--all']);
  await asked.see(/Cancel all 2 open orders/);
  asked.type('y\r');
  expect(await asked.ended()).toMatchObject({ exitCode: 0 });
  expect(await json<Order[]>('orders', 'ls')).toEqual([]);
});

test('a cancel whose answer is lost is looked up, said as it is, and sent again only by a yes', async () => {
  const { items } = await json<OpenList>('positions', 'open', 'BTCUSDT');
  const price = String(Math.round(Number(items[0]?.price) * 0.9));
  const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001', price };
  for (let n = 0; n < 2; n += 1) await order(limit);
  const [one, other] = (await json<Order[]>('orders', 'ls', 'BTCUSDT')).map(({ orderId }) => orderId) as [string, string];
  const { faults } = simulator;
  onTestFinished(() => faults.clear());
  // Nor does the exchange tell the server afterwards what became of it.
  faults.apply({ kind: 'request', method: 'GET', path: '/api/v3/order', status: 503, times: 100 });
  faults.apply({ kind: 'request', method: 'DELETE', path: '/api/v3/order', loseAnswer: true });
  const lost = await pilotfish(['orders', 'cancel', 'BTCUSDT', one, '--yes', '--json']);
  expect(lost).toMatchObject({
    exit: 7,
    stdout: '',
    stderr: expect.stringMatching(/No answer came to the cancel[\s\S]*checking the order[\s\S]*"code":"orderGone"/),
  });
  faults.clear();
  faults.apply({ kind: 'request', method: 'DELETE', path: '/api/v3/order', status: 503, when: 'before', times: 100 });
  const asked = account.open(['orders', 'cancel', 'BTCUSDT', other]);
  await asked.see(/Cancel Buy[^\n]*\[y\/N\]$/);
  asked.type('y\r');
  await asked.see(/is still open\. Cancel again\? \[y\/N\]$/);
  faults.clear();
  asked.type('y\r');
  expect(await asked.ended()).toMatchObject({ exitCode: 0 });
  expect(asked.screen()).toContain('CANCELED');
  expect(await json<Order[]>('orders', 'ls')).toEqual([]);
});
