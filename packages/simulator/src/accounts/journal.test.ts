import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toText } from '@pilotfish/core/money/decimal';
import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Market } from '../market/market-contract.ts';
import { type Account, balanceOf } from './account.ts';
import { AccountStore } from './account-store.ts';
import { Journal } from './journal.ts';

const COUNTERS = { nextOrderId: 1, nextTradeId: 1, nextListId: 1, nextExecutionId: 1, nextPreventedMatchId: 0 };
const NOTHING = { accounts: [], orders: [], lists: [], fills: [], transfers: [] };

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
  await journal.restore(new AccountStore(undefined as never, time.now), undefined as never, { ...COUNTERS, restore: () => undefined });
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

const path = () => join(folder, 'journal.jsonl');
/** A start in a market without pairs, which has no room to compact the journal where its disk is full. */
async function start({ full = false } = {}) {
  if (full) await symlink('/dev/full', `${path()}.new`);
  const time = virtualTime();
  const market = { find: () => undefined } as unknown as Market;
  const journal = await Journal.open(folder, { timers: time.timers });
  const store = new AccountStore(market, time.now);
  await journal.restore(store, market, { ...COUNTERS, restore: () => undefined });
  const { free, locked } = balanceOf(store.byId(1), 'USDT');
  return { journal, store, balance: [toText(free), toText(locked)] };
}
const ACCOUNT = { accounts: [{ id: 1, createdAt: 0, updateTime: 0, burnBnb: false }], balances: [[1, 'USDT', '60', '40']] };

test.skipIf(!existsSync('/dev/full'))(
  'money of a pair that is gone is given back once, also where the disk is full at that start',
  async () => {
    const order = { orderId: 1, accountId: 1, pair: 'BTCUSDT', base: 'BTC', quote: 'USDT', side: 'BUY', status: 'NEW', locked: '40' };
    await writeFile(path(), `${JSON.stringify({ ...ACCOUNT, orders: [order] })}\n`);
    for (const full of [true, true, false, false]) {
      const { journal, store, balance } = await start({ full });
      expect(balance).toEqual(['100', '0']);
      const balances: [Account, string[]][] = [[store.byId(1), ['USDT']]];
      await journal.record({ ...NOTHING, balances, engine: COUNTERS }, 1);
      await journal.close();
    }
  },
);

test.skipIf(!existsSync('/dev/full'))('what is written after a torn line that a full disk kept is read at the next start', async () => {
  await writeFile(path(), `${JSON.stringify(ACCOUNT)}\n{"market":1,"bal`);
  const { journal } = await start({ full: true });
  await journal.recordPosition(7);
  await journal.close();
  const next = await start();
  expect([next.balance, next.journal.position]).toEqual([['60', '40'], 7]);
  await next.journal.close();
});
