import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCandleFile } from './candle-file.ts';
import { openReplay } from './replay-market.ts';

const T = Date.UTC(2025, 5, 1);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotfish-candles-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
};

test.each([
  ['BTCUSDT-1m-2025-06.csv', `open_time,open,high,low,close,volume\n${T},1.5,2,1,1.25,10\n${T + 60_000},1.25,2,1,1.75,0.125\n`],
  ['BTCUSDT-1m-2025-06.csv.gz', `${T}000,1.5,2,1,1.25,10,${T + 59_999}999,15,7,5,7,0\n${T + 60_000}000,1.25,2,1,1.75,0.125,1,1,1,1,1,0\n`],
  [
    'BTCUSDT-1m.csv',
    `Date,Open,High,Low,Close,Volume,ticker\r\n2025-06-01 00:00:00,1.5,2,1,1.25,10,BTCUSDT\r\n2025-06-01 00:01:00,1.25,2,1,1.75,0.125,BTCUSDT\r\n`,
  ],
  [
    'BTCUSDT-1m-wide.csv',
    `open_time,datetime,open,high,low,close,volume,close_time\n${T + 60_000},x,1.25,2,1,1.75,0.125,1\n${T},x,1.5,2,1,1.25,10,1\n`,
  ],
])('reads %s', async (name, text) => {
  const [tape] = await readCandleFile(await write(name, text));
  expect(tape).toMatchObject({ symbol: 'BTCUSDT', length: 60_000, count: 2, pricePlaces: 2, volumePlaces: 3 });
  expect([...tape!.times]).toEqual([T, T + 60_000]);
  expect([...tape!.close]).toEqual([1.25, 1.75]);
  expect([...tape!.volume]).toEqual([10, 0.125]);
});

test('reads several symbols from one file', async () => {
  const tapes = await readCandleFile(
    await write(
      'universe-1d-all.csv',
      'symbol,date,open,high,low,close,volume\nBTCUSDT,2025-06-01,1,2,1,2,5\n币安人生USDT,2025-06-01,3,4,3,4,5\n',
    ),
  );
  expect(tapes.map((tape) => [tape.symbol, tape.open[0]])).toEqual([
    ['BTCUSDT', 1],
    ['币安人生USDT', 3],
  ]);
});

test.each([
  ['prices.csv', `${T},1,2,1,2,5\n`, 'the file name must begin with the symbol and the interval'],
  ['BTCUSDT-1m.csv', 'open_time,open,high,low,close\n', 'no column for volume'],
  ['BTCUSDT-1m.csv', `${T},1,2,1,2,5\n${T + 60_000},1,x,1,2,5\n`, 'BTCUSDT-1m.csv:2: not a candle'],
])('tells what is wrong with %s', async (name, text, message) => {
  await expect(readCandleFile(await write(name, text))).rejects.toThrow(message);
});

test.each([
  ['BTCUSDT-1m.csv', `${T},1,2,1,2,5\n`.repeat(20), 'BTCUSDT-1m.csv: holds more than 300 bytes'],
  ['BTCUSDT-1m.csv.gz', '1'.repeat(100_000), 'BTCUSDT-1m.csv.gz: holds more than 300 bytes'],
  ['BTCUSDT-1m.csv', `${T},1,2,1,2,5\n`.repeat(4), 'BTCUSDT-1m.csv: holds more than 3 rows'],
  ['BTCUSDT-1m.csv', `${T},1,2,1,2,5\n${','.repeat(61)}\n`, 'BTCUSDT-1m.csv: line 2 is longer than 60 bytes'],
])('refuses more in %s than there is room for', async (name, text, message) => {
  await expect(readCandleFile(await write(name, text), { bytes: 300, rows: 3, record: 60 })).rejects.toThrow(message);
});

test('joins files that follow each other, and walks the shortest interval of a symbol', async () => {
  await write('BTCUSDT-1m-2025-05.csv', `${T - 60_000},1,1,1,1,1\n`);
  await write('BTCUSDT-1m-2025-06.csv', `${T},2,2,2,2,1\n`);
  await write('BTCUSDT-1h-2025.csv', `${T},9,9,9,9,1\n`);
  const market = await openReplay(folder);
  expect(market.pairs.map((pair) => pair.symbol)).toEqual(['BTCUSDT']);
  const pair = market.find('BTCUSDT')!;
  expect(market.aggregate(pair, T - 60_000, T + 60_000)).toMatchObject({ open: 100, close: 200 });
});

test('walks a rising bar open, low, high, close and a falling one open, high, low, close', async () => {
  await write('BTCUSDT-1h-2025.csv', `${T},10,12,9,11,8\n${T + 3_600_000},11,12,9,10,8\n${T + 7_200_000},10,10,10,10,0\n`);
  const market = await openReplay(folder);
  const pair = market.find('BTCUSDT')!;
  const prices = (time: number): number[] => [...market.ticks(pair, time).prices].map((ticks) => ticks / 100);
  expect(prices(T)).toEqual([10, 9, 12, 11]);
  expect(prices(T + 3_600_000)).toEqual([11, 12, 9, 10]);
  expect(prices(T + 7_200_000)).toEqual([]);
  expect([...market.ticks(pair, T + 5).times]).toEqual([T, T + 1_200_000, T + 2_400_000, T + 3_599_999]);
  expect([...market.ticks(pair, T).quantities].map((lots) => lots / 100_000)).toEqual([2, 2, 2, 2]);
});

test('an empty folder is refused by name', async () => {
  await expect(openReplay(folder)).rejects.toThrow('no .csv or .csv.gz candle files');
});

test('a large folder is read in a thread, to the same market, and what is wrong with it is said in the same words', async () => {
  const threads: unknown[] = [];
  const note = (worker: unknown) => void threads.push(worker);
  process.on('worker', note);
  await write('BTCUSDT-1h-2025.csv', `${T},10,12,9,11,8\n${T + 3_600_000},11,12,9,10,8\n`);
  await write('ETHUSDT-1h-2025.csv.gz', `${T},1.5,2,1,1.25,8\n`);
  const [here, apart] = [await openReplay(folder), await openReplay(folder, { apartFrom: 1 })];
  expect(threads).toHaveLength(1);
  expect(apart).toEqual(here);
  expect(apart.pairs.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
  await write('BTCUSDT-1h-2026.csv', `${T},1,x,1,2,5\n`);
  await expect(openReplay(folder, { apartFrom: 1 })).rejects.toThrow('BTCUSDT-1h-2026.csv:1: not a candle');
  process.off('worker', note);
});

test('whoever gives up ends the reading of a large folder, before it and during it', async () => {
  await write('BTCUSDT-1h-2025.csv', `${T},10,12,9,11,8\n`);
  const gone = new Error('gone');
  await expect(openReplay(folder, { apartFrom: 1, signal: AbortSignal.abort(gone) })).rejects.toBe(gone);
  const leaving = new AbortController();
  let ended: Promise<unknown> | undefined;
  let said = 0;
  process.once('worker', (worker: Worker) => {
    worker.on('message', () => {
      said += 1;
    });
    ended = new Promise((resolve) => worker.once('exit', resolve));
    leaving.abort(gone);
  });
  await expect(openReplay(folder, { apartFrom: 1, signal: leaving.signal })).rejects.toBe(gone);
  await ended;
  expect(said).toBe(0);
});
