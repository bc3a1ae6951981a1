import type { CandleSeries } from '../prices/candle-series.ts';
import { walkTime } from '../prices/candle-walk.ts';
import { BLOCK, candleBlocks, PART } from './candle-blocks.ts';

/** Finds bars of a series without looking at each: by their time, and by the extremes of the blocks they lie in. */
export function createBarSearch(candles: CandleSeries) {
  const { openTime, high, low, volume, intervalMs } = candles;
  const size = openTime.length;
  const blocks = candleBlocks(candles);
  const lastPoint = walkTime(3, intervalMs);
  const { traded, regular } = blocks;
  const begin = openTime[0]!;

  /** The first bar, from `from` on, whose last price is not before a time; the number of bars when there is none. */
  function firstEndingAt(time: number, from: number): number {
    let [least, most] = [from, size];
    const guess = Math.min(size, from + Math.max(0, Math.ceil((time - lastPoint - openTime[from]!) / intervalMs)));
    // In a market without gaps the guess is right; with gaps it is too late.
    if (guess < size && openTime[guess]! + lastPoint >= time) most = guess;
    if (most > from && openTime[most - 1]! + lastPoint < time) return most;
    while (least < most) {
      const middle = (least + most) >> 1;
      if (openTime[middle]! + lastPoint >= time) most = middle;
      else least = middle + 1;
    }
    return least;
  }
  /** The first bar, from `from` on and before `limit`, that is traded and does not stay strictly between two prices; else `limit`. */
  function firstOutside(above: number, below: number, from: number, limit: number): number {
    let bar = from;
    while (bar < limit) {
      if (bar % PART === 0) {
        if (bar % BLOCK === 0 && bar + BLOCK <= limit && blocks.low[bar / BLOCK]! > above && blocks.high[bar / BLOCK]! < below) {
          bar += BLOCK;
          continue;
        }
        if (bar + BLOCK <= size && bar + PART <= limit && blocks.partLow[bar / PART]! > above && blocks.partHigh[bar / PART]! < below) {
          bar += PART;
          continue;
        }
      }
      if (!(low[bar]! > above && high[bar]! < below) && (traded || volume[bar] !== 0)) return bar;
      bar += 1;
    }
    return bar;
  }
  /** The first bar, from `from` on, in which something was traded. */
  function firstTraded(from: number): number {
    let bar = from;
    if (!traded) while (bar < size && volume[bar] === 0) bar += 1;
    return bar;
  }
  return {
    firstEndingAt,
    firstOutside,
    /** When a bar begins, without a look at it where all follow one another: what is not read does not have to be fetched. */
    startOf: (bar: number): number => (regular ? begin + bar * intervalMs : openTime[bar]!),
    firstTraded,
  };
}
