import { appendFile, copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { call, type Keys, Listener, row, rows, signed } from '../../testing/exchange-client.ts';
import { BEGIN, flat, MINUTE, type Row, tapeFolder } from '../../testing/small-market.ts';
import { TEST_PAIRS, testMarket } from '../../testing/test-market.ts';
import { startSimulator } from './simulator.ts';
import { runSimulator } from './simulator-command.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
const folderOf = async (tapes: Record<string, readonly Row[]>): Promise<string> => {
  const folder = await tapeFolder(tapes);
  cleanups.push(() => rm(folder, { recursive: true }));
  return folder;
};
const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-storage-'));
  cleanups.push(() => rm(folder, { recursive: true }));
  return folder;
};
const start = async (options: Parameters<typeof startSimulator>[0]) => {
  const simulator = await startSimulator(options);
  cleanups.push(() => simulator.close());
  return simulator;
};
const resting = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.1', price: '49000' };
const dip: Row = [50_000, 50_000, 48_000, 50_000, 400];

describe('what is stored', () => {
  test('accounts, balances, orders, fills and the market position survive a restart', async () => {
    const folder = await folderOf({ BTCUSDT: [...flat(50_000, 3), dip, ...flat(50_000, 3)] });
    const storageFolder = await emptyFolder();
    const market = { kind: 'replay', folder, start: BEGIN + MINUTE - 1 } as const;
    const first = await startSimulator({ market, storageFolder, paused: true });
    const keys = await first.createAccount({ balances: { USDT: '10000' } });
    const send = (origin: string, method: string, path: string, parameters = {}) => signed(origin, keys, method, path, parameters);
    await send(first.origin, 'POST', '/api/v3/order', { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' });
    await send(first.origin, 'POST', '/api/v3/order', resting);
    await send(first.origin, 'POST', '/sapi/v1/bnbBurn', { spotBNBBurn: 'true' });
    await first.clock.advance(MINUTE);
    const before = {
      account: (await send(first.origin, 'GET', '/api/v3/account')).body,
      orders: (await send(first.origin, 'GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })).body,
      trades: (await send(first.origin, 'GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })).body,
    };
    await first.close();

    const second = await start({ market, storageFolder, paused: true });
    expect(second.clock.now()).toBe(BEGIN + 2 * MINUTE - 1);
    expect((await send(second.origin, 'GET', '/api/v3/account')).body).toEqual(before.account);
    expect((await send(second.origin, 'GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })).body).toEqual(before.orders);
    expect((await send(second.origin, 'GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })).body).toEqual(before.trades);
    expect((await send(second.origin, 'GET', '/sapi/v1/bnbBurn')).body).toMatchObject({ spotBNBBurn: true });
    // The order that was open still works, and new ids go on after the old ones.
    await second.clock.advance(2 * MINUTE);
    expect((await send(second.origin, 'GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId: 2 })).body).toMatchObject({ status: 'FILLED' });
    expect((await send(second.origin, 'POST', '/api/v3/order', { ...resting, quantity: '0.01' })).body).toMatchObject({ orderId: 3 });
  });

  test('an answered order is on disk before its answer, and a torn last line costs nothing else', async () => {
    const folder = await folderOf({ BTCUSDT: flat(50_000, 5) });
    const storageFolder = await emptyFolder();
    const market = { kind: 'replay', folder, start: BEGIN + MINUTE - 1 } as const;
    const first = await startSimulator({ market, storageFolder, paused: true });
    const keys = await first.createAccount({ balances: { USDT: '10000' } });
    await signed(first.origin, keys, 'POST', '/api/v3/order', resting);
    // What a crash at this moment leaves behind: the file as it is, and a line that was being written.
    const crashed = await emptyFolder();
    const journal = join(crashed, 'journal.jsonl');
    await copyFile(join(storageFolder, 'journal.jsonl'), journal);
    await appendFile(journal, '{"market":17356897,"orders":[{"orderId":9');
    await first.close();
    const second = await start({ market, storageFolder: crashed, paused: true });
    const open = await signed(second.origin, keys, 'GET', '/api/v3/openOrders');
    expect(rows(open)).toMatchObject([{ orderId: 1, price: '49000.00000000' }]);
    const account = row(await signed(second.origin, keys, 'GET', '/api/v3/account'));
    expect(account.balances).toEqual([{ asset: 'USDT', free: '5100.00000000', locked: '4900.00000000' }]);
    expect((await stat(journal)).mode & 0o077).toBe(0);
    expect(
      (await readFile(journal, 'utf8'))
        .trim()
        .split('\n')
        .every((line) => JSON.parse(line) !== null),
    ).toBe(true);
  });

  test('without a pair its open orders expire and give back what they held; its orders are there again when it is back', async () => {
    const storageFolder = await emptyFolder();
    const run = async (tape: Parameters<typeof folderOf>[0]) =>
      startSimulator({ market: { kind: 'replay', folder: await folderOf(tape) }, storageFolder, paused: true });
    const first = await run({ BTCUSDT: flat(50_000, 5) });
    const keys = await first.createAccount({ balances: { USDT: '10000' } });
    const place = (order: Record<string, string>) => signed(first.origin, keys, 'POST', '/api/v3/order', order);
    expect((await place({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' })).body).toMatchObject({ status: 'FILLED' });
    await place(resting);
    const balancesAt = async ({ origin }: { origin: string }) => row(await signed(origin, keys, 'GET', '/api/v3/account')).balances;
    const held = (await balancesAt(first)) as { asset: string; free: string; locked: string }[];
    await first.close();
    for (const tape of [{ ETHUSDT: flat(2_000, 5) }, { ETHUSDT: flat(2_000, 5) }]) {
      const without = await run(tape);
      expect(await balancesAt(without)).toEqual(
        held.map(({ asset, free, locked }) => ({ asset, free: (Number(free) + Number(locked)).toFixed(8), locked: '0.00000000' })),
      );
      await without.close();
    }
    const back = await start({
      market: { kind: 'replay', folder: await folderOf({ BTCUSDT: flat(50_000, 5) }) },
      storageFolder,
      paused: true,
    });
    const listed = async (path: string) => rows(await signed(back.origin, keys, 'GET', path, { symbol: 'BTCUSDT' }));
    expect(await listed('/api/v3/allOrders')).toMatchObject([
      { status: 'FILLED', executedQty: '0.01000000' },
      { status: 'EXPIRED', executedQty: '0.00000000', expiryReason: 'EXCHANGE_CANCELED' },
    ]);
    expect([(await listed('/api/v3/myTrades')).length, (await listed('/api/v3/openOrders')).length]).toEqual([1, 0]);
  });

  test('a damaged line in the middle is told, not skipped', async () => {
    const folder = await folderOf({ BTCUSDT: flat(50_000, 5) });
    const storageFolder = await emptyFolder();
    await appendFile(join(storageFolder, 'journal.jsonl'), '{"market":1}\n{"mark\n{"market":2}\n');
    await expect(startSimulator({ market: { kind: 'replay', folder }, storageFolder })).rejects.toThrow('journal.jsonl:2');
  });

  test('an invented market went on while nobody ran it: open orders met its trades', async () => {
    const storageFolder = await emptyFolder();
    let wall = Date.UTC(2026, 2, 1);
    const options = {
      market: { kind: 'seeded', seed: 1, startTime: wall, symbols: TEST_PAIRS },
      storageFolder,
      now: () => wall,
    } as const;
    const first = await startSimulator({ ...options, paused: true });
    const keys = await first.createAccount({ balances: { USDT: '100000' } });
    const price = Number(row(await call(`${first.origin}/api/v3/ticker/price?symbol=SOLUSDT`)).price);
    const order = { ...resting, symbol: 'SOLUSDT', quantity: '1', price: (price * 0.9995).toFixed(2), timestamp: wall };
    expect((await signed(first.origin, keys, 'POST', '/api/v3/order', order)).body).toMatchObject({ status: 'NEW' });
    await first.close();
    wall += 12 * 3_600_000;
    const second = await start(options);
    expect(second.clock.now()).toBeGreaterThanOrEqual(wall);
    const later = await signed(second.origin, keys, 'GET', '/api/v3/order', { symbol: 'SOLUSDT', orderId: 1, timestamp: wall });
    expect(later.body).toMatchObject({ status: 'FILLED' });
  });
});

describe('market time', () => {
  const story = async (speed: number | 'max', steps: readonly number[]): Promise<unknown> => {
    const folder = await folderOf({ BTCUSDT: [...flat(50_000, 2), dip, ...flat(50_000, 4)], ETHUSDT: flat(2_000, 7) });
    const simulator = await start({ market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 }, speed, paused: true });
    const keys = await simulator.createAccount({ balances: { USDT: '10000' } });
    await signed(simulator.origin, keys, 'POST', '/api/v3/order', resting);
    for (const step of steps) await simulator.clock.advance(step);
    return (await signed(simulator.origin, keys, 'GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })).body;
  };

  test('the same trades fill the same orders however the time is cut', async () => {
    const whole = await story(1, [5 * MINUTE]);
    expect(whole).toHaveLength(1);
    expect(
      await story(
        600,
        Array.from({ length: 300 }, () => 1000),
      ),
    ).toEqual(whole);
    expect(await story('max', [1, 77_777, 222_222])).toEqual(whole);
  });

  test('at max speed a tape runs to its end, and orders are still answered there', async () => {
    const folder = await folderOf({ BTCUSDT: flat(50_000, 3000) });
    const simulator = await start({ market: { kind: 'replay', folder }, speed: 'max', paused: true });
    expect(simulator.clock.now()).toBe(BEGIN + 1000 * MINUTE - 1);
    const stream = await Listener.open(`${simulator.wsOrigin}/ws/btcusdt@kline_1m`);
    simulator.clock.resume();
    await stream.find(({ k }) => {
      const { t, x } = k as { t: number; x: boolean };
      return t === BEGIN + 2999 * MINUTE && x;
    });
    expect(stream.seen.filter((message) => (message.k as { x: boolean }).x)).toHaveLength(2000);
    expect(simulator.status()).toMatchObject({ ended: true, marketTime: BEGIN + 3000 * MINUTE - 1, accounts: 0 });
    const keys: Keys = await simulator.createAccount();
    expect((await signed(simulator.origin, keys, 'POST', '/api/v3/order', { ...resting, quantity: '0.01' })).status).toBe(200);
    stream.close();
  });

  test('a running market follows its clock', async () => {
    const simulator = await start({ market: testMarket('running'), speed: 100 });
    const stream = await Listener.open(`${simulator.wsOrigin}/ws/btcusdt@trade`);
    const first = await stream.find(() => true);
    const later = await stream.find((message) => (message.t as number) >= (first.t as number) + 5);
    expect(later.E).toBeGreaterThan(first.E as number);
    expect(simulator.status().speed).toBe(100);
    simulator.clock.pause();
    const stopped = simulator.clock.now();
    await call(`${simulator.origin}/api/v3/ping`);
    expect(simulator.clock.now()).toBe(stopped);
    stream.close();
  });
});

test('the command starts, prints where, and names a wrong option', async () => {
  const lines: string[] = [];
  const simulator = await runSimulator({ seed: '7', speed: '2', start: '2026-01-01' }, (line) => lines.push(line));
  cleanups.push(() => simulator.close());
  expect(lines[0]).toContain(simulator.origin);
  expect((await call(`${simulator.origin}/sim/v1/status`)).body).toMatchObject({ kind: 'seeded', speed: 2 });
  await expect(runSimulator({ port: 'x' }, () => undefined)).rejects.toThrow('--port');
  await expect(runSimulator({ speed: '0' }, () => undefined)).rejects.toThrow('--speed');
  await expect(runSimulator({ start: 'soon' }, () => undefined)).rejects.toThrow('--start');
});
