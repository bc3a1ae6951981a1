import type { ISeriesApi, SeriesType } from 'lightweight-charts';
import type { Numbers } from './series-summary.ts';

/** Newest points that may differ before all of them are set anew: the one that closed, the one that began. */
const TAIL = 4;

/** The first point in which two lists of columns differ; the length of the shorter one when one begins with the other. */
function firstDifference(before: readonly Numbers[], after: readonly Numbers[]): number {
  let end = Math.min(before[0]?.length ?? 0, after[0]?.length ?? 0);
  for (const [column, values] of after.entries()) {
    const old = before[column]!;
    if (old === values) continue;
    // Object.is: the unknown (NaN) is the same as the unknown.
    for (let index = 0; index < end; index += 1) if (!Object.is(old[index], values[index])) end = index;
  }
  return end;
}

/**
 * A series and what it was given, so that a tick costs one point and not all of them.
 * @returns `feed`: columns, what a point of them is for the series, and whether points are others though columns are not
 */
export function fed<Type extends SeriesType>(series: ISeriesApi<Type>) {
  let before: readonly Numbers[] | undefined;
  return {
    series,
    feed: (columns: readonly Numbers[], pointOf: (index: number) => Parameters<ISeriesApi<Type>['update']>[0], isOther: boolean) => {
      const [count, held] = [columns[0]!.length, before?.[0]?.length ?? 0];
      const from = before && !isOther ? firstDifference(before, columns) : 0;
      before = columns;
      if (from === 0 || count < held || from < held - TAIL) series.setData(Array.from({ length: count }, (_, index) => pointOf(index)));
      else for (let index = from; index < count; index += 1) series.update(pointOf(index), index < held - 1);
    },
  };
}
