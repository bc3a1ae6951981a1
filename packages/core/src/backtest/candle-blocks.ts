import type { CandleSeries } from '../prices/candle-series.ts';

/** Bars of one block, and of one of its parts. Powers of two. */
export const BLOCK = 64;
export const PART = 8;

/**
 * Extremes of every whole block of bars: a stretch whose extremes stay clear of every level is passed over at once.
 * `plain` blocks have no gap in time (counted from the bar before) and no bar without volume.
 */
export type CandleBlocks = {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly plain: Uint8Array;
  /** Of every part of a whole block. */
  readonly partLow: Float64Array;
  readonly partHigh: Float64Array;
  /** Every bar was traded; every bar begins where the one before ends. */
  readonly traded: boolean;
  readonly regular: boolean;
};

const known = new WeakMap<CandleSeries, CandleBlocks>();

/** The blocks of a series, made once. */
export function candleBlocks(series: CandleSeries): CandleBlocks {
  const made = known.get(series);
  if (made) return made;
  const { openTime, low, high, volume, intervalMs } = series;
  const count = Math.floor(openTime.length / BLOCK);
  const column = (length = count) => new Float64Array(length);
  const parts = (count * BLOCK) / PART;
  const blocks: CandleBlocks = {
    low: column(),
    high: column(),
    plain: new Uint8Array(count),
    partLow: column(parts),
    partHigh: column(parts),
    traded: !volume.includes(0),
    regular: openTime.every((time, bar) => bar === 0 || time - openTime[bar - 1]! === intervalMs),
  };
  const none = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const;
  for (let block = 0; block < count; block += 1) {
    let [least, most] = none;
    let plain = 1;
    for (let from = block * BLOCK; from < (block + 1) * BLOCK; from += PART) {
      let [partLeast, partMost] = none;
      for (let bar = from; bar < from + PART; bar += 1) {
        if (low[bar]! < partLeast) partLeast = low[bar]!;
        if (high[bar]! > partMost) partMost = high[bar]!;
        if (volume[bar] === 0 || (bar > 0 && openTime[bar]! - openTime[bar - 1]! !== intervalMs)) plain = 0;
      }
      blocks.partLow[from / PART] = partLeast;
      blocks.partHigh[from / PART] = partMost;
      if (partLeast < least) least = partLeast;
      if (partMost > most) most = partMost;
    }
    blocks.low[block] = least;
    blocks.high[block] = most;
    blocks.plain[block] = plain;
  }
  known.set(series, blocks);
  return blocks;
}
