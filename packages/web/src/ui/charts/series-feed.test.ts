import type { ISeriesApi } from 'lightweight-charts';
import { expect, test } from 'vitest';
import { fed } from './series-feed.ts';
import type { Numbers } from './series-summary.ts';

/** What a series is told, given one list of columns after the other. */
function told(...all: (readonly [time: Numbers, value: Numbers])[]): string[] {
  const log: string[] = [];
  const { feed } = fed({
    setData: (points: unknown[]) => log.push(`set ${points.length}`),
    update: ({ time, value }: { time: number; value: number }, isOld: boolean) => log.push(`update ${time}=${value}${isOld ? ' old' : ''}`),
  } as unknown as ISeriesApi<'Line'>);
  for (const [time, value] of all) feed([time, value], (at) => ({ time: time[at], value: value[at] }) as never, false);
  return log.slice(1);
}
const time = [10, 20, 30, 40, 50, 60];

test('a tick costs one point, and the same again none', () => {
  expect(told([time, [1, 2, 3, 4, 5, 6]], [time, [1, 2, 3, 4, 5, 7]], [time, [1, 2, 3, 4, 5, 7]])).toEqual(['update 60=7']);
});
test('a candle that closes otherwise, and the one that follows, cost two', () => {
  expect(
    told(
      [time, [1, 2, 3, 4, 5, 6]],
      [
        [...time, 70],
        [1, 2, 3, 4, 5, 8, 9],
      ],
    ),
  ).toEqual(['update 60=8', 'update 70=9']);
  expect(told([time, [1, 2, 3, 4, 5, 6]], [time, [1, 2, 3, 4, 9, 6]])).toEqual(['update 50=9 old', 'update 60=6']);
});
test('older points, a correction far back and fewer points set all', () => {
  expect(
    told(
      [time, [1, 2, 3, 4, 5, 6]],
      [
        [0, ...time],
        [0, 1, 2, 3, 4, 5, 6],
      ],
    ),
  ).toEqual(['set 7']);
  expect(told([time, [1, 2, 3, 4, 5, 6]], [time, [1, 9, 3, 4, 5, 6]])).toEqual(['set 6']);
  expect(
    told(
      [time, [1, 2, 3, 4, 5, 6]],
      [
        [10, 20],
        [1, 2],
      ],
    ),
  ).toEqual(['set 2']);
});
test('what is not known yet is no difference', () => {
  expect(told([time, [Number.NaN, 2, 3, 4, 5, 6]], [time, [Number.NaN, 2, 3, 4, 5, 7]])).toEqual(['update 60=7']);
});
