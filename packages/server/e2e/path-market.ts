import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// A market whose prices are known beforehand, minute by minute as written.

export const MINUTE = 60_000;
export const BEGIN = Date.UTC(2026, 0, 5);

export const line = (from: number, to: number, minutes: number): number[] =>
  Array.from({ length: minutes }, (_, n) => Math.round(from + ((to - from) * (n + 1)) / minutes));
export const flat = (price: number, minutes: number): number[] => Array.from({ length: minutes }, () => price);

export type MarketPaths = {
  /** Closes of the minutes, by pair. */
  readonly paths: Readonly<Record<string, readonly number[]>>;
  /** Volume of a minute; 50 when left out. */
  readonly volume?: (minute: number) => number;
};

/** Writes the files of a recorded market that begins at `BEGIN`; answers their folder. */
export function writeMarket(folder: string, { paths, volume = () => 50 }: MarketPaths): string {
  mkdirSync(folder, { recursive: true });
  for (const [symbol, path] of Object.entries(paths)) {
    const lines = path.map((price, n) => {
      const open = path[n - 1] ?? price;
      const at = BEGIN + n * MINUTE;
      const v = volume(n);
      return [at, open, Math.max(open, price), Math.min(open, price), price, v, at + MINUTE - 1, v * price, 100, 25, 25 * price, 0].join(
        ',',
      );
    });
    writeFileSync(join(folder, `${symbol}-1m-path.csv`), `${lines.join('\n')}\n`);
  }
  return folder;
}
