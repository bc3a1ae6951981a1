import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { CANDLE_ROOM } from '@pilotfish/core/prices/candle-room';
import { afterAll, expect, test } from 'vitest';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { loadTexts } from '../app/texts.ts';
import { candlesOfFile } from './candle-file.ts';
import { readCandles } from './read-candles.ts';

const folder = mkdtempSync(join(tmpdir(), 'pilotfish-candle-room-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const candles = (count: number) =>
  Array.from({ length: count }, (_, index) => `${1_750_000_000_000 + index * 60_000},1.5,2,1,1.25,10\n`).join('');

/** A ZIP of one file, as far as it is looked at. */
function zip(text: string): Buffer {
  const packed = deflateRawSync(text);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + packed.length, 16);
  return Buffer.concat([local, packed, entry, end]);
}

const ROOM = { bytes: 500, rows: 5, record: 100 };
function refusal(file: string, room = ROOM): LocalFailure | undefined {
  try {
    readCandles(file, 'BTCUSDT', room);
    return undefined;
  } catch (error) {
    if (error instanceof LocalFailure) return error;
    throw error;
  }
}

test('a file with room for it is read, packed or not', () => {
  for (const [name, content] of [
    ['a.csv', candles(5)],
    ['a.csv.gz', gzipSync(candles(5))],
    ['a.zip', zip(candles(5))],
  ] as const)
    expect(readCandles(write(name, content), 'BTCUSDT', ROOM).close).toHaveLength(5);
});

test.each([
  ['more bytes', candles(20), 'candlesTooLarge', 'b.csv holds more than 0 MB of candles.'],
  ['more bytes once unpacked', gzipSync('1'.repeat(100_000)), 'candlesTooLarge', 'b.csv holds more than 0 MB of candles.'],
  ['more bytes once unzipped', zip('1'.repeat(100_000)), 'candlesTooLarge', 'b.csv holds more than 0 MB of candles.'],
  ['more rows', candles(6), 'tooManyCandles', 'b.csv holds more than 5 candles.'],
  ['more rows, all of them empty', '\n'.repeat(6), 'tooManyCandles', 'b.csv holds more than 5 candles.'],
  ['a line of separators', `${candles(1)}${','.repeat(101)}\n`, 'longCandle', 'b.csv: line 2 is longer than 100 bytes'],
])('%s: refused by name before anything is made of it', async (_, content, code, sentence) => {
  const failure = refusal(write('b.csv', content));
  expect(failure?.code).toBe(code);
  for (const language of ['en', 'tr'] as const) {
    const said = (await loadTexts(language))(`cli.failures.${failure?.code}`, failure?.values);
    expect(said).not.toMatch(/\{\{|cli\./);
    if (language === 'en') expect(said.replace(/[\u2068\u2069]/g, '')).toContain(sentence);
  }
});

test('a line of ten million separators is refused without a cell of it', () => {
  expect(refusal(write('c.csv', ','.repeat(10_000_000)), CANDLE_ROOM)).toMatchObject({ code: 'longCandle', values: { line: 1 } });
});

test('what never ends is read no further than there is room', () => {
  expect(refusal('/dev/zero')).toMatchObject({ code: 'candlesTooLarge' });
});

test('a large file is read in a thread, to the same candles, and what is wrong with it is said in the same words', async () => {
  const threads: unknown[] = [];
  const note = (worker: unknown) => void threads.push(worker);
  process.on('worker', note);
  const whole = write('whole.csv', `open_time,open,high,low,close,volume\n${candles(3)}`);
  const [here, apart] = [await candlesOfFile(whole, 'BTCUSDT'), await candlesOfFile(whole, 'BTCUSDT', 1)];
  expect(threads).toHaveLength(1);
  expect(apart).toEqual(here);
  const wide = write('wide.csv', ','.repeat(3000));
  await expect(candlesOfFile(wide, 'BTCUSDT', 1)).rejects.toMatchObject({ code: 'longCandle', values: { line: 1 }, exit: EXIT.usage });
  // Of what never ends nobody knows the size.
  await expect(candlesOfFile('/dev/null', 'BTCUSDT')).rejects.toMatchObject({ code: 'badCandles' });
  expect(threads).toHaveLength(3);
  process.off('worker', note);
});
