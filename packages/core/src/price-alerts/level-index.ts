/** Which way a price must go: `up` wakes at a price above the threshold, `down` at one below it. */
export type WatchSide = 'up' | 'down';

type Side = { thresholds: Float64Array; ids: Uint32Array; size: number };
/** Grows by a quarter: a list doubled for its last entry would waste half of a million entries' memory. */
const grown = (size: number): number => size + (size >> 2) + 4;

export type LevelIndex = ReturnType<typeof levelIndex>;

/**
 * Thresholds of all alerts, by symbol and side in sorted typed arrays whose end is what is reached next. A price is
 * compared with two cached numbers, however many thresholds there are; what it reaches is taken out and told.
 */
export function levelIndex() {
  // Next to fire at the end: up lists fall, down lists rise.
  const ups: (Side | undefined)[] = [];
  const downs: (Side | undefined)[] = [];
  let nextAbove = new Float64Array(0);
  let nextBelow = new Float64Array(0);
  // By watch id.
  let thresholdOf = new Float64Array(64);
  let symbolOf = new Uint32Array(64);
  let sideOf = new Uint8Array(64);
  const free: number[] = [];
  let used = 0;

  function fitSymbol(symbol: number): void {
    if (symbol < nextAbove.length) return;
    const size = Math.max(64, symbol + 1, nextAbove.length * 2);
    const above = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
    const below = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
    above.set(nextAbove);
    below.set(nextBelow);
    nextAbove = above;
    nextBelow = below;
  }
  function newId(): number {
    const known = free.pop();
    if (known !== undefined) return known;
    if (used === thresholdOf.length) {
      const size = grown(used);
      const [thresholds, symbols, sides] = [new Float64Array(size), new Uint32Array(size), new Uint8Array(size)];
      thresholds.set(thresholdOf);
      symbols.set(symbolOf);
      sides.set(sideOf);
      [thresholdOf, symbolOf, sideOf] = [thresholds, symbols, sides];
    }
    used += 1;
    return used - 1;
  }
  const refresh = (symbol: number, isUp: boolean): void => {
    const side = (isUp ? ups : downs)[symbol];
    const next = side === undefined || side.size === 0 ? undefined : side.thresholds[side.size - 1]!;
    if (isUp) nextAbove[symbol] = next ?? Number.POSITIVE_INFINITY;
    else nextBelow[symbol] = next ?? Number.NEGATIVE_INFINITY;
  };
  /** Place of (threshold, id) in a list: the first that is not before it. */
  function place({ thresholds, ids, size }: Side, isUp: boolean, threshold: number, id: number): number {
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = thresholds[middle]!;
      const isBefore = other === threshold ? ids[middle]! < id : isUp ? other > threshold : other < threshold;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  function pop(side: Side): number {
    side.size -= 1;
    const id = side.ids[side.size]!;
    sideOf[id] = 0;
    free.push(id);
    return id;
  }

  return {
    /** @param symbol a small whole number. @returns the id by which the watch is told and removed */
    add(symbol: number, direction: WatchSide, threshold: number): number {
      fitSymbol(symbol);
      const isUp = direction === 'up';
      const lists = isUp ? ups : downs;
      const side = lists[symbol] ?? { thresholds: new Float64Array(4), ids: new Uint32Array(4), size: 0 };
      lists[symbol] = side;
      const id = newId();
      if (side.size === side.thresholds.length) {
        const [thresholds, ids] = [new Float64Array(grown(side.size)), new Uint32Array(grown(side.size))];
        thresholds.set(side.thresholds);
        ids.set(side.ids);
        side.thresholds = thresholds;
        side.ids = ids;
      }
      const at = place(side, isUp, threshold, id);
      side.thresholds.copyWithin(at + 1, at, side.size);
      side.ids.copyWithin(at + 1, at, side.size);
      side.thresholds[at] = threshold;
      side.ids[at] = id;
      side.size += 1;
      thresholdOf[id] = threshold;
      symbolOf[id] = symbol;
      sideOf[id] = isUp ? 1 : 2;
      if (at === side.size - 1) refresh(symbol, isUp);
      return id;
    },
    remove(id: number): void {
      const kind = sideOf[id];
      if (kind !== 1 && kind !== 2) return;
      const symbol = symbolOf[id]!;
      const side = (kind === 1 ? ups : downs)[symbol]!;
      const at = place(side, kind === 1, thresholdOf[id]!, id);
      side.thresholds.copyWithin(at, at + 1, side.size);
      side.ids.copyWithin(at, at + 1, side.size);
      side.size -= 1;
      sideOf[id] = 0;
      free.push(id);
      if (at === side.size) refresh(symbol, kind === 1);
    },
    /** A price: whatever it reaches is removed and told by its id. Two comparisons when it reaches nothing. */
    tick(symbol: number, price: number, reached: (id: number) => void): void {
      if (!(price > nextAbove[symbol]!) && !(price < nextBelow[symbol]!)) return;
      const found: number[] = [];
      const [up, down] = [ups[symbol], downs[symbol]];
      while (up !== undefined && up.size > 0 && price > up.thresholds[up.size - 1]!) found.push(pop(up));
      while (down !== undefined && down.size > 0 && price < down.thresholds[down.size - 1]!) found.push(pop(down));
      refresh(symbol, true);
      refresh(symbol, false);
      for (const id of found) reached(id);
    },
    /** Ids of what a range of prices reaches; they stay. */
    within(symbol: number, low: number, high: number): number[] {
      const found: number[] = [];
      const [up, down] = [ups[symbol], downs[symbol]];
      for (let at = (up?.size ?? 0) - 1; at >= 0 && high > up!.thresholds[at]!; at -= 1) found.push(up!.ids[at]!);
      for (let at = (down?.size ?? 0) - 1; at >= 0 && low < down!.thresholds[at]!; at -= 1) found.push(down!.ids[at]!);
      return found;
    },
    get size(): number {
      return used - free.length;
    },
    /** Bytes of the arrays that hold it all. */
    get bytes(): number {
      const lists = [...ups, ...downs].reduce((sum, side) => sum + (side ? side.thresholds.byteLength + side.ids.byteLength : 0), 0);
      return lists + nextAbove.byteLength + nextBelow.byteLength + thresholdOf.byteLength + symbolOf.byteLength + sideOf.byteLength;
    },
  };
}
