import { createHash } from 'node:crypto';
import { archivePath, checksumOf } from '@pilotfish/core/candles/candle-archive';
import type { CandleProblem } from '@pilotfish/core/candles/candles-contract';
import type { ExactCandle } from '@pilotfish/core/prices/candle-gaps';
import type { Timers } from '@pilotfish/core/time/timers';
import type { MonthKey } from './candle-month-store.ts';
import { candlesOfMonthFile, MONTH_ROOM, MonthFileRefused } from './month-file.ts';

const TIMEOUT_MS = 5 * 60_000;
const MOST_CHECKSUM = 4096;

/** Why a month is not stored; the text is `candles.problems.<code>`. */
export class MonthRefused extends Error {
  override readonly name = 'MonthRefused';
  readonly code: CandleProblem;
  /** What the exchange said, for `exchangeRefused`. */
  readonly reason: string;
  constructor(code: CandleProblem, { cause, reason = '' }: { cause?: unknown; reason?: string } = {}) {
    super(code, { cause });
    this.code = code;
    this.reason = reason;
  }
}

async function bodyWithin(response: Response, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > mostBytes) throw new MonthRefused('badFile');
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a month from the exchange's published archive: the file and the checksum beside it, which must agree. Undefined
 * where the archive has no such file, as before a pair was listed and for the month that runs. @throws MonthRefused
 */
export function archiveOf(base: string, timers: Pick<Timers, 'deadline'>, ask: typeof globalThis.fetch = globalThis.fetch) {
  async function get(path: string, mostBytes: number, signal: AbortSignal): Promise<Buffer | undefined> {
    try {
      const address = `${base.replace(/\/$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}`;
      // A redirect would lead somewhere that the operator did not name.
      const response = await ask(address, { redirect: 'error', signal: AbortSignal.any([signal, timers.deadline(TIMEOUT_MS)]) });
      if (response.status === 404) {
        await response.body?.cancel();
        return undefined;
      }
      if (!response.ok) throw new Error(`status ${response.status}`);
      return await bodyWithin(response, mostBytes);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof MonthRefused ? error : new MonthRefused('archiveUnreachable', { cause: error });
    }
  }

  return async ({ symbol, interval, month }: MonthKey, signal: AbortSignal): Promise<ExactCandle[] | undefined> => {
    const path = `${archivePath(symbol, interval, month)}.zip`;
    const sums = await get(`${path}.CHECKSUM`, MOST_CHECKSUM, signal);
    const file = await get(path, MONTH_ROOM.bytes, signal);
    if (file === undefined) return undefined;
    const wanted = sums && checksumOf(sums.toString('utf8'), path.slice(path.lastIndexOf('/') + 1));
    if (wanted === undefined) throw new MonthRefused('noChecksum');
    if (createHash('sha256').update(file).digest('hex') !== wanted) throw new MonthRefused('checksum');
    return candlesOfMonthFile(file, { symbol, interval, month }, '').catch((cause: unknown) => {
      throw cause instanceof MonthFileRefused ? new MonthRefused('badFile', { cause }) : cause;
    });
  };
}
