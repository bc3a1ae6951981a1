import type { CandleSeries } from '../prices/candle-series.ts';
import { walkTime } from '../prices/candle-walk.ts';

/** What a series says of time and volume, found once: closes that stand while nothing is traded, and bars after a gap. */
export type Course = { readonly close: Float64Array; readonly gaps: readonly number[] };
const courses = new WeakMap<CandleSeries, Map<number, Course>>();

export function courseOf(candles: CandleSeries, gapMs: number): Course {
  const own = courses.get(candles) ?? new Map<number, Course>();
  courses.set(candles, own);
  const made = own.get(gapMs);
  if (made) return made;
  const { openTime, volume, close, intervalMs } = candles;
  const lastPoint = walkTime(3, intervalMs);
  const gaps: number[] = [];
  let standing = close;
  let before = Number.NaN;
  for (let bar = 0; bar < openTime.length; bar += 1) {
    if (volume[bar] === 0) {
      if (standing === close) standing = Float64Array.from(close);
      standing[bar] = bar > 0 ? standing[bar - 1]! : 0;
      continue;
    }
    if (openTime[bar]! - before > gapMs) gaps.push(bar);
    before = openTime[bar]! + lastPoint;
  }
  const course = { close: standing, gaps };
  own.set(gapMs, course);
  return course;
}
