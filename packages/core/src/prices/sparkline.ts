/** How many closes of hours a sparkline has. */
export const SPARKLINE_HOURS = 24;

/** Of a series that stands still. */
const MIDDLE = 50;

/**
 * A series as points between 0 at its lowest and 100 at its highest value, whole numbers, to be drawn only.
 * @returns undefined where there are no two values, or one of them is unknown
 */
export function sparkline(values: ArrayLike<number>): readonly number[] | undefined {
  const all = Array.from(values);
  if (all.length < 2 || !all.every(Number.isFinite)) return undefined;
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return all.map((value) => (high === low ? MIDDLE : Math.round(((value - low) / (high - low)) * 100)));
}
