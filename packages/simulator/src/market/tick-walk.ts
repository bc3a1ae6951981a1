import type { TickBlock } from './market-contract.ts';
import { hash } from './randomness.ts';

/**
 * The trades inside one invented bar: they start at its open, touch both extremes, end at its close, never leave
 * [low, high], and their quantities add up to its volume exactly.
 */
export function walkMinute(bar: {
  key: number;
  start: number;
  length: number;
  firstId: number;
  count: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}): TickBlock {
  const { key, start, length, count, open, high, low, close } = bar;
  const times = new Float64Array(count);
  const prices = new Float64Array(count);
  const quantities = new Float64Array(count);
  const makerIsBuyer = new Uint8Array(count);
  if (count > 0) {
    const last = count - 1;
    const first = 1 + (hash(key, 1) % Math.max(1, last - 2));
    const second = first + 1 + (hash(key, 2) % Math.max(1, last - first - 1));
    const lowFirst = close >= open;
    const corners = [
      [0, open],
      [first, lowFirst ? low : high],
      [second, lowFirst ? high : low],
      [last, close],
    ] as const;
    const jitter = (high - low) * 0.25;
    let corner = 0;
    let weights = 0;
    for (let k = 0; k < count; k += 1) {
      while (corner < 2 && k > corners[corner + 1]![0]) corner += 1;
      const [k0, p0] = corners[corner]!;
      const [k1, p1] = corners[corner + 1]!;
      const noise = hash(key, 100 + k);
      const onCorner = k === k0 || k === k1;
      const straight = k === k0 ? p0 : p0 + ((p1 - p0) * (k - k0)) / (k1 - k0);
      const bent = onCorner ? straight : straight + jitter * ((noise & 4095) / 2047.5 - 1);
      prices[k] = Math.min(high, Math.max(low, Math.round(bent)));
      times[k] = start + Math.floor(((k + ((noise >>> 12) & 1023) / 1024) * length) / count);
      makerIsBuyer[k] = k > 0 && prices[k] !== prices[k - 1] ? Number(prices[k]! < prices[k - 1]!) : noise >>> 31;
      quantities[k] = 1 + ((noise >>> 22) & 255) ** 2 / 256;
      weights += quantities[k]!;
    }
    share(bar.volume, quantities, weights);
  }
  return { start, end: start + length, firstId: bar.firstId, count, times, prices, quantities, makerIsBuyer };
}

/**
 * The trades of one recorded bar, which tells only four prices: a rising (or flat) bar is walked open, low, high,
 * close, a falling one open, high, low, close - the order most candles take and the one that is unkind to stops.
 * They happen at the bar's first millisecond, at one and two thirds, and at its last millisecond, a quarter of the
 * volume each. A bar without volume has no trades.
 */
export function walkRecordedBar(bar: {
  start: number;
  length: number;
  firstId: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}): TickBlock {
  const { start, length, open, high, low, close } = bar;
  const count = bar.volume > 0 ? 4 : 0;
  const rising = close >= open;
  const path = rising ? [open, low, high, close] : [open, high, low, close];
  const quantities = new Float64Array(count).fill(1);
  share(bar.volume, quantities, 4);
  return {
    start,
    end: start + length,
    firstId: bar.firstId,
    count,
    times: Float64Array.of(start, start + Math.floor(length / 3), start + Math.floor((2 * length) / 3), start + length - 1).subarray(
      0,
      count,
    ),
    prices: Float64Array.from(path).subarray(0, count),
    quantities,
    makerIsBuyer: Uint8Array.of(rising ? 0 : 1, rising ? 1 : 0, rising ? 0 : 1, rising ? 0 : 1).subarray(0, count),
  };
}

/** Turns weights into whole lots that add up to `volume`, at least one each. */
function share(volume: number, quantities: Float64Array, weights: number): void {
  const spare = Math.max(0, volume - quantities.length);
  let given = 0;
  for (let k = 0; k < quantities.length; k += 1) {
    const part = Math.floor((spare * quantities[k]!) / weights);
    given += part;
    quantities[k] = 1 + part;
  }
  if (quantities.length > 0) quantities[quantities.length - 1]! += spare - given;
}
