import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalFailure } from '../app/failure.ts';

/** A refresh gives up after 20 s, so a lock this old was left behind by a process that is gone. */
const STALE_MS = 60_000;
const PATIENCE_MS = 90_000;
const POLL_MS = 25;

type Held = { pid: number; at: number };

/** Runs one process at a time: a lock file that names its owner, so that one left by a crash is recognised. */
export function fileLock(file: string, now: () => number): <Value>(run: () => Promise<Value>) => Promise<Value> {
  return async (run) => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const since = now();
    while (!take(file, now())) {
      breakStale(file, now());
      if (now() - since > PATIENCE_MS) throw new LocalFailure('locked', { file });
      await sleep(POLL_MS);
    }
    try {
      return await run();
    } finally {
      rmSync(file, { force: true });
    }
  };
}

function take(file: string, at: number): boolean {
  try {
    writeFileSync(file, JSON.stringify({ pid: process.pid, at } satisfies Held), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new LocalFailure('cannotWrite', { file, reason: String((error as NodeJS.ErrnoException).code) }, { cause: error });
  }
}

const holder = (file: string): Held | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Held;
  } catch {
    return undefined;
  }
};

function isStale(file: string, at: number): boolean {
  const held = holder(file);
  // Being written at this moment, or just given back.
  if (!held) return false;
  if (at - held.at > STALE_MS) return true;
  try {
    process.kill(held.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Only the holder of a second lock may remove a foreign one, after looking again: else two would both break it. */
function breakStale(file: string, at: number): void {
  if (!isStale(file, at)) return;
  const breaker = `${file}.break`;
  if (!take(breaker, at)) {
    const other = holder(breaker);
    if (other && at - other.at > STALE_MS) rmSync(breaker, { force: true });
    return;
  }
  try {
    if (isStale(file, at)) rmSync(file, { force: true });
  } finally {
    rmSync(breaker, { force: true });
  }
}
