import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monthEnd, monthStart } from '@pilotfish/core/candles/candle-month';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { candleMonthStore, candlesOf, type NewMonth } from './candle-month-store.ts';

let folder: string;
let free: number;
/** Of the disk: no file takes less. */
const BLOCK = 4096;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-months-'));
  free = Number.POSITIVE_INFINITY;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (mostBytes = 1_000_000) => candleMonthStore({ folder, mostBytes, free: () => free, log: pino({ level: 'silent' }) });
const key = { symbol: '币安人生USDT', interval: '1h', month: '2024-02' } as const;
const month = (more: Partial<NewMonth> = {}): NewMonth => ({
  ...key,
  origin: 'exchange',
  coveredTo: monthEnd('2024-02'),
  candles: [0, 2].map((hour) => ({
    openTime: monthStart('2024-02') + hour * 3_600_000,
    open: '0.00000012',
    high: '1',
    low: '0.1',
    close: '0.5',
    volume: '123456789012345678.123',
    quoteVolume: '1',
    trades: 7,
  })),
  ...more,
});
const file = () => join(folder, key.symbol, key.interval, `${key.month}.candles`);

test('what is written is read by the next process, exactly', async () => {
  const stored = await open().write(month());
  expect(stored).toMatchObject({ rows: 2, gaps: 29 * 24 - 2, complete: true });
  const next = open();
  expect(await next.list({})).toEqual([stored]);
  expect(await candlesOf((await next.read(key))!)).toEqual(month().candles);
});

test.each([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['without its head', (bytes: Buffer) => bytes.subarray(40)],
  ['empty', () => Buffer.alloc(0)],
])('a file that is %s is not listed, and removed', async (_, damage) => {
  await open().write(month());
  writeFileSync(file(), damage(readFileSync(file())));
  expect(await open().list({})).toEqual([]);
  expect(readdirSync(join(folder, key.symbol, key.interval))).toEqual([]);
});

test.each([
  ['rows', (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('"rows":2', '"rows":3'), 'latin1')],
  ['a byte of its candles', (bytes: Buffer) => Buffer.from(bytes.map((each, at) => (at === bytes.length - 3 ? each ^ 1 : each)))],
])('a file of which %s changed is not read, and removed', async (_, damage) => {
  await open().write(month());
  writeFileSync(file(), damage(readFileSync(file())));
  const store = open();
  expect(await store.read(key)).toBeUndefined();
  expect(await store.list({})).toEqual([]);
});

test('what a process that was killed was writing is swept away and changes nothing', async () => {
  const stored = await open().write(month());
  writeFileSync(`${file()}.part-1-1`, 'half');
  expect(await open().list({})).toEqual([stored]);
  expect(readdirSync(join(folder, key.symbol, key.interval))).toEqual(['2024-02.candles']);
});

test('beyond the bound, and on a disk that is nearly full, nothing is stored; what replaces a month counts once', async () => {
  const { bytes } = await open().write(month());
  expect(await open().bytes()).toBe(BLOCK);
  await expect(open(BLOCK * 2 - 1).write(month({ month: '2024-03' }))).rejects.toMatchObject({ code: 'storage-full' });
  expect((await open(BLOCK).write(month())).bytes).toBe(bytes);
  free = 1_000_000;
  await expect(open().write(month())).rejects.toMatchObject({ code: 'storage-full' });
  expect((await open().list({})).length).toBe(1);
});

test('of two months written at once, only one takes the last room', async () => {
  const store = open(BLOCK * 2 - 1);
  const both = await Promise.allSettled([store.write(month()), store.write(month({ month: '2024-03' }))]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect((await open().list({})).length).toBe(1);
});

test('months are listed and removed by pair, interval and span', async () => {
  const store = open();
  for (const each of ['2024-01', '2024-02', '2024-03']) await store.write(month({ month: each, candles: [] }));
  await store.write(month({ symbol: 'BTCUSDT' }));
  expect((await store.list({ symbol: key.symbol, from: '2024-02' })).map((each) => each.month)).toEqual(['2024-02', '2024-03']);
  expect(await store.remove({ symbol: key.symbol, interval: '1h', to: '2024-02' })).toBe(2);
  expect((await open().list({})).map((each) => `${each.symbol} ${each.month}`)).toEqual(['BTCUSDT 2024-02', `${key.symbol} 2024-03`]);
});

test('an account has its share of the room; what Admins store counts in none', async () => {
  const store = open();
  const share = { by: 'a', most: 2 * BLOCK };
  for (const each of ['2024-01', '2024-02', '2024-02']) await store.write(month({ month: each, candles: [] }), share);
  const third = month({ month: '2024-03', candles: [] });
  await expect(store.write(third, share)).rejects.toMatchObject({ code: 'storage-full', parameters: { context: 'candles_share' } });
  // Known by the next process, and said to nobody.
  const next = open();
  await expect(next.write(third, share)).rejects.toMatchObject({ code: 'storage-full' });
  expect(Object.keys((await next.list({}))[0]!)).not.toContain('by');
  expect(Object.keys((await next.read({ ...key, month: '2024-01' }))!.month)).not.toContain('by');
  await next.write(third, { ...share, by: 'b' });
  await next.write(month({ month: '2024-02' }));
  expect((await next.write(month({ month: '2024-04', candles: [] }), share)).month).toBe('2024-04');
});

test('an entry that cannot be read is left out of the list, and the others are in it', async () => {
  const stored = await open().write(month());
  mkdirSync(join(folder, key.symbol, key.interval, '2024-03.candles'));
  expect(await open().list({})).toEqual([stored]);
});
