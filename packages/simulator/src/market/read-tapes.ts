import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readCandleFile, type Tape } from './candle-file.ts';
import type { TapeNews } from './tape-worker.ts';

/** So much is read in a moment. */
export const APART_FROM = 4_000_000;
/** How much larger a packed file is inside, about. */
const PACKED = 8;

const candleFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /\.csv(\.gz)?$/.test(name)).sort();

/** Bytes of all candle files of a folder, unpacked, about. */
export async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await candleFiles(folder)) bytes += (await stat(join(folder, name))).size * (name.endsWith('.gz') ? PACKED : 1);
  return bytes;
}

/** The tapes of all candle files of a folder, one for each symbol. Keeps the process until each of them is read. */
export async function readTapes(folder: string): Promise<Tape[]> {
  const names = await candleFiles(folder);
  if (names.length === 0) throw new Error(`${folder}: no .csv or .csv.gz candle files to replay`);
  const bySymbol = new Map<string, Tape[]>();
  for (const name of names) {
    for (const tape of await readCandleFile(join(folder, name))) {
      if (tape.count === 0) continue;
      const others = bySymbol.get(tape.symbol);
      if (others) others.push(tape);
      else bySymbol.set(tape.symbol, [tape]);
    }
  }
  const tapes = [...bySymbol.values()].map(joined).sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  if (tapes.length === 0) throw new Error(`${folder}: the candle files have no rows`);
  return tapes;
}

/**
 * The same in a thread of its own: years of minutes take half a minute, and a server that is told to end meanwhile has to
 * hear it. @throws the reason of the signal, which ends the thread at once
 */
export async function readTapesApart(folder: string, signal?: AbortSignal): Promise<Tape[]> {
  signal?.throwIfAborted();
  const { TAPE_WORKER_FILE, TAPE_WORKER_KIND } = await import('./tape-worker.ts');
  const worker = new Worker(new URL(TAPE_WORKER_FILE), { workerData: { kind: TAPE_WORKER_KIND, folder }, env: {} });
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(signal?.reason as Error);
      void worker.terminate();
    };
    signal?.addEventListener('abort', stop, { once: true });
    // Gone while the thread was started.
    if (signal?.aborted) stop();
    worker.once('message', (news: TapeNews) => ('tapes' in news ? resolve(news.tapes) : reject(new Error(news.failure))));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`${folder}: the thread that read the candle files ended with ${code}`)));
  });
}

/** Files of one symbol that follow each other (a file a month) as one tape. */
function joined(tapes: Tape[]): Tape {
  const length = Math.min(...tapes.map((tape) => tape.length));
  const parts = tapes.filter((tape) => tape.length === length);
  if (parts.length === 1) return parts[0]!;
  const seen = new Map<number, [Tape, number]>();
  for (const part of parts) for (let index = 0; index < part.count; index += 1) seen.set(part.times[index]!, [part, index]);
  const rows = [...seen].sort(([a], [b]) => a - b).map(([, row]) => row);
  const column = (name: 'times' | 'open' | 'high' | 'low' | 'close' | 'volume'): Float64Array =>
    Float64Array.from(rows, ([tape, index]) => tape[name][index]!);
  return {
    symbol: parts[0]!.symbol,
    length,
    count: rows.length,
    times: column('times'),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
    pricePlaces: Math.max(...parts.map((tape) => tape.pricePlaces)),
    volumePlaces: Math.max(...parts.map((tape) => tape.volumePlaces)),
  };
}
