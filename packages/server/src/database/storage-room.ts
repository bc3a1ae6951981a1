import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import { sync } from './backup-archive.ts';
import { isDiskFull } from './database-error.ts';

const MB = 1024 * 1024;
/** Thousands of steps of bots, and what SQLite's log needs beside them. */
const RESERVE_BYTES = 16 * MB;
/** With less, not even the database can be opened. */
const START_BYTES = 2 * MB;
const LOOK_MS = 10_000;
/** Looks are at most so far apart when it fills up again and again: each time people are told. */
const MOST_LOOK_MS = 10 * 60_000;
/** After so long with room the next full disk is a new one. */
const CALM_MS = 60 * 60_000;

/** Room that is set aside for a full disk. */
export type Reserve = {
  /** Takes the room, if it is not taken yet. @throws when there is none */
  readonly hold: () => void;
  readonly release: () => void;
  /** Bytes that are free beside it. */
  readonly free: () => number;
};

/** A file of the data folder. */
export function fileReserve(dataDir: string): Reserve {
  const file = join(dataDir, 'reserve');
  return {
    hold: () => {
      if (statSync(file, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return;
      const part = `${file}.part`;
      try {
        const handle = openSync(part, 'w', 0o600);
        try {
          // Written, not only made as long: a file with a hole takes no room.
          const piece = Buffer.alloc(MB, 1);
          for (let written = 0; written < RESERVE_BYTES; ) written += writeSync(handle, piece);
          fsyncSync(handle);
        } finally {
          closeSync(handle);
        }
        renameSync(part, file);
        sync(dataDir);
      } catch (error) {
        rmSync(part, { force: true });
        throw error;
      }
    },
    release: () => rmSync(file, { force: true }),
    free: () => {
      const { bavail, bsize } = statfsSync(dataDir);
      return bavail * bsize;
    },
  };
}

/** Where the database is on another machine's disk. */
export const NO_RESERVE: Reserve = { hold: () => undefined, release: () => undefined, free: () => Number.POSITIVE_INFINITY };

export type StorageRoom = {
  readonly isFull: () => boolean;
  /** To be called when the disk had no room for a write. */
  readonly refused: () => void;
  /** Hears when it becomes full, and when there is room again. */
  readonly onChange: (listener: (full: boolean) => void) => void;
  readonly stop: () => void;
};

/**
 * Whether what is decided can be stored. When a write finds no room, the reserve is given up, so that exits and halts
 * can still be written; who buys asks first. It is taken again, and all goes on, when there is room for it; the sooner
 * it fills up again, the later that is looked for. A start on a disk that is still full begins as full.
 */
export function storageRoom(parts: { reserve: Reserve; timers: Pick<Timers, 'every' | 'running'>; log: Logger }): StorageRoom {
  const { reserve, log } = parts;
  const listeners: ((full: boolean) => void)[] = [];
  let looking: Cancel | undefined;
  let apart = LOOK_MS;
  let roomSince: number | undefined;
  const tell = (full: boolean): void => {
    for (const listener of listeners) listener(full);
  };
  const look = (): void => {
    try {
      // As much again for everything else, or it would be full at once.
      if (reserve.free() < 2 * RESERVE_BYTES) return;
      reserve.hold();
    } catch {
      return;
    }
    looking?.();
    looking = undefined;
    roomSince = parts.timers.running();
    log.info('storage.room: there is room again; everything goes on');
    tell(false);
  };
  const refused = (): void => {
    if (looking) return;
    const isAgain = roomSince !== undefined && parts.timers.running() - roomSince < CALM_MS;
    apart = isAgain ? Math.min(apart * 2, MOST_LOOK_MS) : LOOK_MS;
    looking = parts.timers.every(apart, look);
    try {
      reserve.release();
    } catch (error) {
      log.error({ err: error }, 'storage.reserve_kept: the reserve could not be given up');
    }
    log.fatal('storage.full: the disk of the data folder is full; nothing is bought until there is room');
    tell(true);
  };
  try {
    reserve.hold();
    if (reserve.free() < START_BYTES) refused();
  } catch (error) {
    log.error({ err: error }, 'storage.no_reserve: no room could be set aside for a full disk');
    if (isDiskFull(error)) refused();
  }
  return {
    isFull: () => looking !== undefined,
    refused,
    onChange: (listener) => void listeners.push(listener),
    stop: () => looking?.(),
  };
}
