import type { CandleSeries } from '../prices/candle-series.ts';

/** Bars of one block. */
export const BLOCK = 64;

/**
 * Extremes of every whole block of bars: a stretch whose extremes stay clear of every level is passed over at once.
 * `plain` blocks have no gap in time (counted from the bar before) and no bar without volume.
 */
export type CandleBlocks = {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly plain: Uint8Array;
};

const known = new WeakMap<CandleSeries, CandleBlocks>();

/** The blocks of a series, made once. */
export function candleBlocks(series: CandleSeries): CandleBlocks {
  const made = known.get(series);
  if (made) return made;
  const { openTime, low, high, volume, intervalMs } = series;
  const count = Math.floor(openTime.length / BLOCK);
  const blocks = { low: new Float64Array(count), high: new Float64Array(count), plain: new Uint8Array(count) };
  for (let block = 0; block < count; block += 1) {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let plain = 1;
    for (let bar = block * BLOCK; bar < (block + 1) * BLOCK; bar += 1) {
      if (low[bar]! < least) least = low[bar]!;
      if (high[bar]! > most) most = high[bar]!;
      if (volume[bar] === 0 || (bar > 0 && openTime[bar]! - openTime[bar - 1]! !== intervalMs)) plain = 0;
    }
    blocks.low[block] = least;
    blocks.high[block] = most;
    blocks.plain[block] = plain;
  }
  known.set(series, blocks);
  return blocks;
}
