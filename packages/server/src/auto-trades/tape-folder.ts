import { constants, createReadStream, existsSync, lstatSync, mkdirSync, type ReadStream, readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import type { WalletBook } from '@pilotfish/core/wallets/wallet-book';
import type { Logger } from 'pino';

/** Bytes of one bot's tape before recording it stops: a tape is for checking a run, not an archive. */
const LIMIT = 256 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
const EXTENSION = '.jsonl';
/** Bytes of one tape that may wait for the disk. */
const MOST_WAITING = 8 * 1024 * 1024;
/** Tapes written side by side: the disk and its threads are the database's first. */
const MOST_WRITES = 2;
const fileOf = ({ dataDir }: { readonly dataDir: string }, autoTradeId = ''): string =>
  join(dataDir, 'tapes', autoTradeId && `${autoTradeId}${EXTENSION}`);

/** Bytes of a file; of one that cannot be looked at none: what is wrong with it is said when it is opened. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** A tape as it lies in the folder; `at` is when it was last written, epoch ms. */
export type StoredTape = { readonly autoTradeId: string; readonly bytes: number; readonly at: number };

/** The tapes of the folder, in the order of their bots' ids; those that go in the same moment are left out. */
export function storedTapes(settings: { readonly dataDir: string }): StoredTape[] {
  const folder = fileOf(settings);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(EXTENSION))
    .sort()
    .flatMap((name) => {
      const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
      return found === undefined
        ? []
        : [{ autoTradeId: name.slice(0, -EXTENSION.length), bytes: found.size, at: Math.round(found.mtimeMs) }];
    });
}
const totalOf = (settings: { readonly dataDir: string }): number => storedTapes(settings).reduce((sum, { bytes }) => sum + bytes, 0);

type Tape = {
  readonly path: string;
  bytes: number;
  /** Lines that are not on the disk yet, and how many bytes they are. */
  waiting: string[];
  waitingBytes: number;
  /** Whether the file was there before, or this process made it: one that is gone after that was removed. */
  exists: boolean;
  isBusy: boolean;
  /** A tape with a hole cannot be replayed: after the first record that is lost nothing more is recorded. */
  isOver: boolean;
};

/**
 * Records what every bot is told into `<data>/tapes/<bot>.jsonl`, one record a line. Undefined unless
 * `PILOTFISH_TAPE=on`. All together they have the room of `PILOTFISH_TAPES_MB`; a tape that finds none ends. No file stays open, and what a slow disk leaves waiting is bounded: a tape that waits for more
 * ends there, whole until then.
 */
export function tapeFolder(
  settings: { dataDir: string; recordTapes: boolean; tapesMb: number },
  log: Pick<Logger, 'error'>,
  append: typeof appendTo = appendTo,
): ((autoTradeId: string, record: TapeRecord) => void) | undefined {
  if (!settings.recordTapes) return undefined;
  mkdirSync(fileOf(settings), { recursive: true, mode: 0o700 });
  const tapes = new Map<string, Tape>();
  const due: string[] = [];
  let writing = 0;
  const most = settings.tapesMb * MEGABYTE;
  let total = totalOf(settings);
  /** Nothing more fits into the folder, tapes that went since it was measured left out. */
  function isFull(bytes: number): boolean {
    if (total + bytes <= most) return false;
    const waiting = [...tapes.values()].reduce((sum, { waitingBytes }) => sum + waitingBytes, 0);
    total = totalOf(settings) + waiting;
    return total + bytes > most;
  }

  function end(autoTradeId: string, tape: Tape, reason: string, error?: unknown): void {
    tape.isOver = true;
    log.error({ autoTradeId, reason, ...(error === undefined ? {} : { err: error }) }, 'a tape could not be written; it ends here');
  }

  async function write(autoTradeId: string, tape: Tape): Promise<void> {
    const lines = tape.waiting.join('');
    tape.waiting = [];
    tape.waitingBytes = 0;
    try {
      await append(tape.path, lines, !tape.exists);
      tape.exists = true;
    } catch (error) {
      tape.waiting = [];
      // Its bot was deleted, and what is still told of it must not make the file anew.
      if (tape.exists && (error as { code?: string }).code === 'ENOENT') tape.isOver = true;
      else end(autoTradeId, tape, 'disk', error);
    }
  }
  function next(): void {
    while (writing < MOST_WRITES) {
      const autoTradeId = due.shift();
      if (autoTradeId === undefined) return;
      const tape = tapes.get(autoTradeId)!;
      writing += 1;
      void write(autoTradeId, tape).then(() => {
        writing -= 1;
        // In the same turn as the next look at what waits: a record in between would be a second write beside the first.
        tape.isBusy = false;
        if (tape.waiting.length > 0) enqueue(autoTradeId, tape);
        next();
      });
    }
  }
  function enqueue(autoTradeId: string, tape: Tape): void {
    tape.isBusy = true;
    due.push(autoTradeId);
  }

  return (autoTradeId, record) => {
    let tape = tapes.get(autoTradeId);
    if (!tape) {
      const path = fileOf(settings, autoTradeId);
      const bytes = sizeOf(path);
      tape = { path, bytes, waiting: [], waitingBytes: 0, exists: bytes > 0, isBusy: false, isOver: false };
      tapes.set(autoTradeId, tape);
    }
    if (tape.isOver || tape.bytes > LIMIT) return;
    const line = `${JSON.stringify(record)}\n`;
    const bytes = Buffer.byteLength(line);
    if (tape.waitingBytes + bytes > MOST_WAITING) return end(autoTradeId, tape, 'too slow');
    if (isFull(bytes)) return end(autoTradeId, tape, 'the folder is full');
    total += bytes;
    tape.bytes += bytes;
    tape.waiting.push(line);
    tape.waitingBytes += bytes;
    if (tape.isBusy) return;
    enqueue(autoTradeId, tape);
    // All that is told in this turn is one write.
    queueMicrotask(next);
  };
}

/** Adds to a file that must be there, unless it is to be made; it is closed again. */
async function appendTo(path: string, text: string, create: boolean): Promise<void> {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const file = await open(path, O_APPEND | O_WRONLY | (create ? O_CREAT : 0), 0o600);
  try {
    const { size } = await file.stat();
    await file.appendFile(text).catch(async (error: unknown) => {
      // Half a record would make all of it unreadable.
      await file.truncate(size);
      throw error;
    });
  } finally {
    await file.close();
  }
}

/** What was recorded of a bot so far; empty when nothing was. */
export function readTape(settings: { readonly dataDir: string }, autoTradeId: string): ReadStream | string {
  const file = fileOf(settings, autoTradeId);
  return existsSync(file) ? createReadStream(file) : '';
}

/** A tape says what its owner had and did: it outlives neither the bot nor the account. */
export function removeTape(settings: { readonly dataDir: string }, autoTradeId: string): void {
  rmSync(fileOf(settings, autoTradeId), { force: true });
}

/**
 * A bot's tape that also tells what others moved of its wallet, before the next input: a deposit, another bot of it.
 * `movedHere` is called after each move of the bot itself.
 */
export function withWallet(wallet: WalletBook, tape: ((record: TapeRecord) => void) | undefined) {
  let sums = wallet.sums;
  const movedHere = (): void => {
    sums = wallet.sums;
  };
  const record = (next: TapeRecord): void => {
    if (wallet.sums !== sums) tape?.({ type: 'wallet', before: sums, sums: wallet.sums });
    movedHere();
    tape?.(next);
  };
  return { tape: tape && record, movedHere };
}
