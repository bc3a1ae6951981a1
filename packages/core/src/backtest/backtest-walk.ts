import type { CandleSeries } from '../prices/candle-series.ts';
import { lowFirst, walkTime } from '../prices/candle-walk.ts';

/** The prices of one bar in the order in which they are taken to have happened; reused from bar to bar. */
export type BarPath = { length: number; at: Float64Array; price: Float64Array };

const MOST_POINTS = 4 * 1440;

/** Walks bars of one pair: four prices each, or those of the finer bars beneath where the order of events matters. */
export function createBarWalk(candles: CandleSeries, zoom: CandleSeries | undefined) {
  const path: BarPath = { length: 0, at: new Float64Array(4), price: new Float64Array(4) };
  const offsets = [0, 1, 2, 3].map((point) => walkTime(point, candles.intervalMs));
  const parts = zoom ? Math.round(candles.intervalMs / zoom.intervalMs) : 0;
  let cursor = 0;

  function put(series: CandleSeries, bar: number, lowsFirst: boolean, length: number): void {
    const start = series.openTime[bar]!;
    const first = lowsFirst ? series.low : series.high;
    const second = lowsFirst ? series.high : series.low;
    const { at, price, length: from } = path;
    price[from] = series.open[bar]!;
    price[from + 1] = first[bar]!;
    price[from + 2] = second[bar]!;
    price[from + 3] = series.close[bar]!;
    for (let point = 0; point < 4; point += 1)
      at[from + point] = start + (length === candles.intervalMs ? offsets[point]! : walkTime(point, length));
    path.length = from + 4;
  }

  /** The first finer bar of a bar, when all its parts are there; -1 otherwise. */
  function finer(bar: number): number {
    if (!zoom || parts < 2 || parts * 4 > MOST_POINTS) return -1;
    const start = candles.openTime[bar]!;
    if (zoom.openTime[cursor]! > start) cursor = 0;
    while (cursor < zoom.openTime.length && zoom.openTime[cursor]! < start) cursor += 1;
    return zoom.openTime[cursor] === start && zoom.openTime[cursor + parts - 1] === start + (parts - 1) * zoom.intervalMs ? cursor : -1;
  }

  return {
    path,
    /** Four prices of a bar. */
    walk(bar: number, lowsFirst: boolean = lowFirst(candles.open[bar]!, candles.close[bar]!)): BarPath {
      path.length = 0;
      put(candles, bar, lowsFirst, candles.intervalMs);
      return path;
    },
    /**
     * A bar that holds both the stop and the target: told by its finer bars when there are all of them. Answers whether
     * the order of the two stays unknown; the stop is met first then.
     */
    walkAmbiguous(bar: number, stop: number, target: number): boolean {
      const from = finer(bar);
      if (from < 0 || !zoom) {
        this.walk(bar, true);
        return true;
      }
      if (path.at.length < parts * 4) {
        path.at = new Float64Array(parts * 4);
        path.price = new Float64Array(parts * 4);
      }
      path.length = 0;
      let unknown = false;
      let decided = false;
      for (let part = from; part < from + parts; part += 1) {
        const both = zoom.low[part]! <= stop && zoom.high[part]! >= target;
        unknown ||= both && !decided;
        decided ||= both || zoom.low[part]! <= stop || zoom.high[part]! >= target;
        put(zoom, part, both || lowFirst(zoom.open[part]!, zoom.close[part]!), zoom.intervalMs);
      }
      return unknown;
    },
  };
}
