import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from './log.ts';
import { logDestination } from './log-destination.ts';

const LINES = 2000;
let folder: string;
let handles: number[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-log-'));
});
afterEach(() => {
  for (const handle of handles.splice(0)) closeSync(handle);
  rmSync(folder, { recursive: true, force: true });
});
const opened = (path: string, flags: number): number => {
  const handle = openSync(path, flags);
  handles = [...handles, handle];
  return handle;
};
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test.skipIf(!existsSync('/dev/full'))(
  'a disk that is full neither ends the process nor stops it: lines are dropped and counted',
  async () => {
    const destination = logDestination(opened('/dev/full', constants.O_WRONLY), 20_000);
    const log = createLog('info', destination);
    for (let line = 0; line < LINES; line += 1) {
      log.info({ line }, 'nobody can keep this');
      if (line % 100 === 0) await turn();
    }
    expect(destination.dropped).toBeGreaterThan(LINES / 2);
  },
);

test('a reader that stands still costs lines, and is told how many when it reads again', async () => {
  const path = join(folder, 'pipe');
  execFileSync('/usr/bin/env', ['mkfifo', path]);
  const pipe = opened(path, constants.O_RDWR | constants.O_NONBLOCK);
  const destination = logDestination(pipe, 200_000);
  const log = createLog('info', destination);
  for (let line = 0; line < LINES; line += 1) {
    log.info({ line, filler: 'x'.repeat(300) }, 'nobody reads');
    if (line % 100 === 0) await turn();
  }
  const { dropped } = destination;
  expect(dropped).toBeGreaterThan(0);
  // It reads again.
  let read = '';
  const buffer = Buffer.alloc(65_536);
  while (!read.includes('log.dropped')) {
    try {
      read += buffer.toString('utf8', 0, readSync(pipe, buffer, 0, buffer.length, null));
    } catch (error) {
      expect((error as { code?: string }).code).toBe('EAGAIN');
      log.info('one more');
    }
    await turn();
  }
  const told = read.split('\n').find((line) => line.includes('log.dropped'))!;
  expect(JSON.parse(told)).toMatchObject({ lines: expect.any(Number) as number });
  expect((JSON.parse(told) as { lines: number }).lines).toBeGreaterThanOrEqual(dropped);
});
