import type { FilterCell, FilterResult } from '@pilotfish/core/prices/screener-contract';

/** What a question found, as it was at that moment: rows in their order and the asked cells. */
export type ResultSnapshot = {
  readonly id: string;
  /** The question it answers; another question may not page through it. */
  readonly query: string;
  readonly asOf: number;
  readonly total: number;
  readonly tooLittleHistory: number;
  readonly columns: readonly string[];
  /** A row by its place in the order. */
  readonly rowAt: (place: number) => FilterResult;
  readonly bytes: number;
};

const TTL_MS = 2 * 60_000;

/** Bounded by count and bytes; the oldest go first. */
export function resultSnapshots({
  now,
  most = 500,
  mostBytes = 32 * 1024 * 1024,
}: {
  now: () => number;
  most?: number;
  mostBytes?: number;
}) {
  const kept = new Map<string, { snapshot: ResultSnapshot; until: number }>();
  let bytes = 0;
  const drop = (id: string): void => {
    const entry = kept.get(id);
    if (entry === undefined) return;
    kept.delete(id);
    bytes -= entry.snapshot.bytes;
  };
  return {
    put: (snapshot: ResultSnapshot): void => {
      const time = now();
      for (const [id, entry] of kept) {
        if (entry.until > time && kept.size < most && bytes + snapshot.bytes <= mostBytes) break;
        drop(id);
      }
      kept.set(snapshot.id, { snapshot, until: time + TTL_MS });
      bytes += snapshot.bytes;
    },
    /** Undefined when it is too old, was pushed out, or belongs to another question. */
    find: (id: string, query: string): ResultSnapshot | undefined => {
      const entry = kept.get(id);
      if (entry === undefined || entry.snapshot.query !== query || entry.until <= now()) return undefined;
      return entry.snapshot;
    },
    get size(): number {
      return kept.size;
    },
    get bytes(): number {
      return bytes;
    },
  };
}

/** Eight significant digits: nobody reads more of a figure, and the page is half as long. */
export const roundedCell = (value: number): FilterCell => (Number.isFinite(value) ? Number(value.toPrecision(8)) : null);
