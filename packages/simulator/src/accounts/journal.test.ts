import type { FileHandle } from 'node:fs/promises';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AccountStore } from './account-store.ts';
import { Journal } from './journal.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotfish-journal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A disk that writes half of each line and refuses the rest, while it is full. */
async function onFullDisk() {
  const time = virtualTime();
  const disk = { full: true, refusals: 0, givesRoom: false };
  const append = async (file: FileHandle, lines: Buffer) => {
    if (!disk.full) return file.appendFile(lines);
    await file.appendFile(lines.subarray(0, lines.length / 2));
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  const onRefused = () => {
    disk.refusals += 1;
    if (disk.givesRoom) disk.full = false;
  };
  const journal = await Journal.open(folder, { timers: time.timers, onRefused, append });
  const counters = { nextOrderId: 1, nextTradeId: 1, nextListId: 1, nextExecutionId: 1, nextPreventedMatchId: 0 };
  await journal.restore(new AccountStore(undefined as never, time.now), undefined as never, { ...counters, restore: () => undefined });
  const positions = async () =>
    (await readFile(join(folder, 'journal.jsonl'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { market?: number }).market)
      .filter((at) => at !== undefined);
  return { disk, time, journal, positions };
}

test('lines that a full disk refused are written when there is room, in their order', async () => {
  const { disk, time, journal, positions } = await onFullDisk();
  const written = [journal.recordPosition(1), journal.recordPosition(2)];
  await time.advance(5000);
  expect(disk.refusals).toBe(1);
  expect(await positions()).toEqual([]);
  written.push(journal.recordPosition(3));
  disk.full = false;
  await time.advance(1000);
  await Promise.all(written);
  expect(await positions()).toEqual([1, 2, 3]);
  await journal.close();
});

test('room that is given up for them is taken at once', async () => {
  const { disk, journal, positions } = await onFullDisk();
  disk.givesRoom = true;
  await journal.recordPosition(1);
  expect(await positions()).toEqual([1]);
  await journal.close();
});

test('nobody waits for a full disk at the end', async () => {
  const { journal, positions } = await onFullDisk();
  journal.end();
  await expect(journal.recordPosition(1)).rejects.toThrow('no space left');
  await journal.close();
  expect(await positions()).toEqual([]);
});
