import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { readTape, removeTape, storedTapes, tapeFolder } from './tape-folder.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-tapes-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const linkOf = (fd: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
};
const log = { error: vi.fn() };
const record = tapeFolder({ dataDir, recordTapes: true, tapesMb: 2048 }, log as never)!;
const read = async (bot: string): Promise<string> => {
  let text = '';
  for await (const part of readTape({ dataDir }, bot)) text += String(part);
  return text;
};

test('a tape that cannot be opened is told of, and stops nobody', async () => {
  symlinkSync('bad.jsonl', join(dataDir, 'tapes', 'bad.jsonl'));
  for (let price = 1; price < 4; price += 1) expect(() => record('bad', { type: 'frozen', frozen: false })).not.toThrow();
  await vi.waitFor(() => expect(log.error).toHaveBeenCalledTimes(1));
  record('good', { type: 'frozen', frozen: true });
  await vi.waitFor(async () => expect(await read('good')).toBe('{"type":"frozen","frozen":true}\n'));
  removeTape({ dataDir }, 'good');
  expect(await read('good')).toBe('');
});

test('no file stays open, however many bots there are, and every record is there in its order', async () => {
  const openFiles = () => readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).includes(dataDir)).length;
  for (let round = 0; round < 20; round += 1)
    for (let bot = 0; bot < 50; bot += 1) record(`bot${bot}`, { type: 'frozen', frozen: round % 2 === 0 });
  await vi.waitFor(async () => {
    for (let bot = 0; bot < 50; bot += 1) expect((await read(`bot${bot}`)).split('\n')).toHaveLength(21);
  });
  await vi.waitFor(() => expect(openFiles()).toBe(0));
  const frozen = (await read('bot7'))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { frozen: boolean }).frozen);
  expect(frozen).toEqual(Array.from({ length: 20 }, (_, round) => round % 2 === 0));
});

test('a disk that does not keep up ends a tape where it is whole, and takes no more memory', async () => {
  const written: string[] = [];
  let release: () => void = () => undefined;
  const slow = new Promise<void>((done) => {
    release = done;
  });
  const errors = { error: vi.fn() };
  const told = tapeFolder({ dataDir, recordTapes: true, tapesMb: 2048 }, errors as never, async (_path, text) => {
    await slow;
    written.push(text);
  })!;
  const note = 'x'.repeat(1024 * 1024);
  for (let index = 0; index < 40; index += 1) {
    told('slow', { type: 'note', index, note } as never);
    await Promise.resolve();
  }
  expect(errors.error).toHaveBeenCalledTimes(1);
  release();
  await vi.waitFor(() => expect(written).toHaveLength(2));
  told('slow', { type: 'frozen', frozen: true });
  await new Promise((done) => setImmediate(done));
  const indexes = written
    .join('')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { index: number }).index);
  expect(indexes).toEqual(indexes.map((_, place) => place));
  expect(indexes.length).toBeLessThan(10);
});

test('a tape that was removed is not made anew by what is still told of its bot', async () => {
  record('gone', { type: 'frozen', frozen: true });
  await vi.waitFor(async () => expect(await read('gone')).not.toBe(''));
  removeTape({ dataDir }, 'gone');
  record('gone', { type: 'frozen', frozen: false });
  record('after', { type: 'frozen', frozen: false });
  await vi.waitFor(async () => expect(await read('after')).not.toBe(''));
  expect(existsSync(join(dataDir, 'tapes', 'gone.jsonl'))).toBe(false);
});

test('a record that is told just when a write ends does not make two writes of one tape', async () => {
  const writes: { text: string; done: () => void }[] = [];
  const told = tapeFolder({ dataDir, recordTapes: true, tapesMb: 2048 }, log as never, (_path, text) => {
    const promise = new Promise<void>((done) => {
      writes.push({ text, done });
    });
    // Told in each of the turns in which the end of this write goes through its hands.
    if (writes.length === 1)
      void promise.then(async () => {
        for (let turn = 0; turn < 6; turn += 1) {
          told('turns', { type: 'frozen', frozen: false });
          await Promise.resolve();
        }
      });
    return promise;
  })!;
  told('turns', { type: 'frozen', frozen: true });
  await vi.waitFor(() => expect(writes).toHaveLength(1));
  writes[0]!.done();
  await new Promise((done) => setImmediate(done));
  // One is on its way, and all that came since waits for it.
  expect(writes).toHaveLength(2);
  writes[1]!.done();
  await vi.waitFor(() => expect(writes.map(({ text }) => text.match(/\n/g)?.length ?? 0).reduce((sum, lines) => sum + lines)).toBe(7));
  expect(writes.every(({ text }) => text !== '')).toBe(true);
});

test('the folder has the room of its setting: a tape that finds none ends whole, and one that goes makes room for others', async () => {
  const own = mkdtempSync(join(tmpdir(), 'pilotfish-tapes-'));
  const errors = { error: vi.fn() };
  const small = tapeFolder({ dataDir: own, recordTapes: true, tapesMb: 1 }, errors as never)!;
  const note = (index: number) => ({ type: 'note', index, note: 'x'.repeat(400_000) }) as never;
  const sizes = () => storedTapes({ dataDir: own }).map(({ autoTradeId, bytes }) => [autoTradeId, Math.round(bytes / 400_000)]);
  for (const bot of ['one', 'two', 'three']) small(bot, note(1));
  await vi.waitFor(() =>
    expect(sizes()).toEqual([
      ['one', 1],
      ['two', 1],
    ]),
  );
  expect(errors.error.mock.calls).toEqual([[{ autoTradeId: 'three', reason: 'the folder is full' }, expect.any(String)]]);
  removeTape({ dataDir: own }, 'one');
  small('three', note(2));
  small('four', note(1));
  await vi.waitFor(() =>
    expect(sizes()).toEqual([
      ['four', 1],
      ['two', 1],
    ]),
  );
  rmSync(own, { recursive: true });
});
