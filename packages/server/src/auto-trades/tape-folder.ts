import { createReadStream, createWriteStream, existsSync, mkdirSync, type ReadStream, rmSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type { TapeRecord } from '@pilotfish/core/auto-trades/tape';
import type { WalletBook } from '@pilotfish/core/wallets/wallet-book';
import type { Logger } from 'pino';

/** Bytes of one bot's tape before recording it stops: a tape is for checking a run, not an archive. */
const LIMIT = 256 * 1024 * 1024;
const fileOf = ({ dataDir }: { readonly dataDir: string }, autoTradeId = ''): string =>
  join(dataDir, 'tapes', autoTradeId && `${autoTradeId}.jsonl`);

/** Bytes of a file; of one that cannot be looked at none: what is wrong with it is said when it is opened. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/**
 * Records what every bot is told into `<data>/tapes/<bot>.jsonl`, one record a line. Undefined unless
 * `PILOTFISH_TAPE=on`.
 */
export function tapeFolder(
  settings: { dataDir: string; recordTapes: boolean },
  log: Logger,
): ((autoTradeId: string, record: TapeRecord) => void) | undefined {
  if (!settings.recordTapes) return undefined;
  mkdirSync(fileOf(settings), { recursive: true, mode: 0o700 });
  const files = new Map<string, { stream: WriteStream; bytes: number }>();
  return (autoTradeId, record) => {
    let file = files.get(autoTradeId);
    if (!file) {
      const path = fileOf(settings, autoTradeId);
      const bytes = sizeOf(path);
      const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
      stream.on('error', (error) => log.error({ err: error, autoTradeId }, 'a tape could not be written'));
      file = { stream, bytes };
      files.set(autoTradeId, file);
    }
    if (file.bytes > LIMIT) return;
    const line = `${JSON.stringify(record)}\n`;
    file.bytes += line.length;
    file.stream.write(line);
  };
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
