import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { call, signed } from '../../testing/exchange-client.ts';
import { startSimulator } from './simulator.ts';

const DATA = resolve(import.meta.dirname, '../../../../../shared/data/klines');
const FILES = ['BTCUSDT-1m-20250520-20250818.csv.gz', 'ETHUSDT-1m-20250520-20250818.csv.gz'];
const present = FILES.every((name) => existsSync(join(DATA, name)));
if (!present) console.info('recorded-market.test.ts is skipped: there is no ../shared/data/klines beside the repository');

test.skipIf(!present)(
  'three recorded months of BTC and ETH replay to the end, through every price they had',
  { timeout: 60_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pilotfish-recorded-'));
    for (const name of FILES) await symlink(join(DATA, name), join(folder, name));
    const simulator = await startSimulator({
      market: { kind: 'replay', folder },
      speed: 'max',
      paused: true,
      limits: { weightPerMinute: 1e6 },
    });
    const start = simulator.clock.now();
    expect(new Date(start).toISOString()).toBe('2025-05-20T16:39:59.999Z');
    const get = async (path: string): Promise<unknown> => (await call(`${simulator.origin}/api/v3/${path}`)).body;
    const [first] = (await get('klines?symbol=BTCUSDT&interval=1m&startTime=1747699200000&limit=1')) as unknown[][];
    expect(first?.slice(0, 6)).toEqual([
      1747699200000,
      '105573.73000000',
      '105597.10000000',
      '105554.31000000',
      '105554.32000000',
      '10.82647000',
    ]);
    const keys = await simulator.createAccount({ balances: { USDT: '10000', BTC: '1' } });
    const order = (side: string, price: string) =>
      signed(simulator.origin, keys, 'POST', '/api/v3/order', {
        symbol: 'BTCUSDT',
        side,
        type: 'LIMIT',
        timeInForce: 'GTC',
        quantity: '0.01',
        price,
      });
    // The quarter's range was about 98,200 to 124,474: one order each side inside it, one each outside.
    for (const [side, price] of [
      ['BUY', '99000'],
      ['SELL', '120000'],
      ['BUY', '90000'],
      ['SELL', '130000'],
    ] as const)
      await order(side, price);
    await simulator.clock.advance(120 * 86_400_000);
    expect(simulator.status()).toMatchObject({ ended: true, symbols: 2 });
    const orders = (await signed(simulator.origin, keys, 'GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })).body as Record<
      string,
      string
    >[];
    expect(orders.map((one) => [one.price, one.status])).toEqual([
      ['99000.00000000', 'FILLED'],
      ['120000.00000000', 'FILLED'],
      ['90000.00000000', 'NEW'],
      ['130000.00000000', 'NEW'],
    ]);
    const days = (await get('klines?symbol=ETHUSDT&interval=1d&limit=1000')) as unknown[][];
    expect(days).toHaveLength(91);
    await simulator.close();
    await rm(folder, { recursive: true });
  },
);
