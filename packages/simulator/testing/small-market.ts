import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const MINUTE = 60_000;
/** First candle of the small markets. */
export const BEGIN = Date.UTC(2025, 0, 1);

/** [open, high, low, close, volume] */
export type Row = readonly [number, number, number, number, number];

/** Candles that stand still at one price. */
export const flat = (price: number, count: number, volume = 100): Row[] =>
  Array.from({ length: count }, () => [price, price, price, price, volume] as const);

/** A folder of one-minute candle files, for exact stories: what happens is written in the candles. */
export async function tapeFolder(tapes: Record<string, readonly Row[]>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-tape-'));
  await mkdir(folder, { recursive: true });
  for (const [symbol, candles] of Object.entries(tapes)) {
    const lines = candles.map((candle, index) => [BEGIN + index * MINUTE, ...candle].join(','));
    await writeFile(join(folder, `${symbol}-1m-small.csv`), `open_time,open,high,low,close,volume\n${lines.join('\n')}\n`);
  }
  return folder;
}
