/** A column of numbers; NaN is a gap. */
export type Numbers = Float64Array | readonly number[];

export type Span = { first: number; last: number; low: number; high: number };

/** First, last, lowest and highest of what is known; undefined when nothing is. */
export function spanOf(values: Numbers, lows: Numbers = values, highs: Numbers = values): Span | undefined {
  let [from, to] = [0, values.length - 1];
  while (from <= to && Number.isNaN(values[from]!)) from += 1;
  while (to > from && Number.isNaN(values[to]!)) to -= 1;
  if (from > to) return undefined;
  const [low, high] = [extremes(lows, from, to)?.[0] ?? Number.NaN, extremes(highs, from, to)?.[1] ?? Number.NaN];
  return { first: values[from]!, last: values[to]!, low, high };
}

/** Change over the span in percent of its first value; undefined where that has no meaning. */
export const changePct = ({ first, last }: Span): number | undefined => (first > 0 ? ((last - first) / first) * 100 : undefined);

/**
 * At most `rows` points standing for all of them, for the table beside a chart: of every stretch its first time and
 * the last known value of each column.
 */
export function thinOut(time: Numbers, columns: readonly Numbers[], rows: number): { time: number; values: number[] }[] {
  const size = Math.max(1, Math.ceil(time.length / rows));
  const result = [];
  for (let start = 0; start < time.length; start += size) {
    const end = Math.min(time.length, start + size) - 1;
    result.push({
      time: time[start]!,
      values: columns.map((column) => {
        for (let index = end; index >= start; index -= 1) if (!Number.isNaN(column[index]!)) return column[index]!;
        return Number.NaN;
      }),
    });
  }
  return result;
}

/** Lowest and highest of [from, to], the unknown left out; undefined when nothing is known. */
export function extremes(values: Numbers, from: number, to: number): [low: number, high: number] | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const end = Math.min(to + 1, values.length);
  for (let index = Math.max(0, from); index < end; index += 1) {
    const value = values[index]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low === Number.POSITIVE_INFINITY ? undefined : [low, high];
}
