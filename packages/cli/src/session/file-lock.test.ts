import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileLock } from './file-lock.ts';

let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'pilotfish-lock-')), 'sessions', 'default.lock');
});
afterEach(() => rmSync(join(file, '../..'), { recursive: true, force: true }));

test('one at a time, also when one of them fails; nothing stays behind', async () => {
  const lock = fileLock(file, Date.now);
  let inside = 0;
  let most = 0;
  const work = (fails: boolean) =>
    lock(async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((done) => setImmediate(done));
      inside -= 1;
      if (fails) throw new Error('refused');
      return 'done';
    });
  const results = await Promise.allSettled([work(false), work(true), work(false), work(true)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(most).toBe(1);
  expect(existsSync(file)).toBe(false);
});

test('the lock of a process that died is taken over, by one of many', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  await fileLock(file, Date.now)(async () => undefined);
  writeFileSync(file, JSON.stringify({ pid: child.pid, at: Date.now() }));
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 8 }, () =>
      fileLock(
        file,
        Date.now,
      )(async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((done) => setImmediate(done));
        inside -= 1;
      }),
    ),
  );
  expect(most).toBe(1);
});

test('a lock older than any refresh can last is taken over although its number is in use again', async () => {
  await fileLock(file, Date.now)(async () => undefined);
  writeFileSync(file, JSON.stringify({ pid: process.pid, at: Date.now() - 61_000 }));
  expect(await fileLock(file, Date.now)(async () => 'mine')).toBe('mine');
});
