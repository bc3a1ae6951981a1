import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldOne, highestOf, lowestOf, totalOf } from './block-extremes.ts';
import type { Numbers } from './series-summary.ts';

const value = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -1000, max: 1000 }) }, { weight: 1, arbitrary: fc.constant(Number.NaN) });
const stretch = fc.tuple(fc.nat(), fc.nat());
const folds = [lowestOf, highestOf, totalOf];
const byBlocks = (values: Numbers, from: number, end: number) => folds.map((fold) => foldOne(fold, values, from, end));
const folded = (values: ArrayLike<number>, from: number, end: number) => {
  const known = Array.from(values)
    .slice(from, end)
    .filter((each) => !Number.isNaN(each));
  return [Math.min(...known), Math.max(...known), known.reduce((sum, each) => sum + each, 0)];
};
const within = (length: number, [a, b]: readonly [number, number]) =>
  [a % length, b % (length + 1)].sort((x, y) => x - y) as [number, number];

test('a wide stretch folded by blocks is what its values folded one by one are, typed or not, wherever it lies in its buffer', () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 300, maxLength: 2000 }),
      fc.array(stretch, { minLength: 1, maxLength: 8 }),
      fc.nat(200),
      (values, stretches, shift) => {
        const buffer = new Float64Array(values.length + shift + 50);
        buffer.set(values, shift);
        for (const column of [Float64Array.from(values), buffer.subarray(shift, shift + values.length), values])
          for (const [from, end] of stretches.map((each) => within(values.length, each)))
            expect(byBlocks(column, from, end)).toEqual(folded(values, from, end));
      },
    ),
  );
});

/** What happens to a column while somebody looks at it. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), values: fc.array(value, { minLength: 1, maxLength: 200 }) }),
  fc.record({ kind: fc.constant('last' as const), value }),
  fc.record({ kind: fc.constant('correct' as const), at: fc.nat(), value }),
  fc.record({ kind: fc.constant('prepend' as const), values: fc.array(value, { minLength: 1, maxLength: 200 }) }),
);

test('after any candles appended in place, last ones moved, earlier ones corrected and older ones loaded, nothing old is remembered', () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 700 }),
      fc.array(fc.tuple(change, stretch, stretch), { minLength: 1, maxLength: 30 }),
      (first, steps) => {
        // A buffer with room to grow: what is appended, and what the last value becomes, is written into it.
        let buffer = new Float64Array(10_000);
        buffer.set(first);
        let length = first.length;
        const anew = (values: readonly number[]) => {
          buffer = new Float64Array(10_000);
          buffer.set(values);
          length = values.length;
        };
        for (const [step, ...stretches] of steps) {
          const held = Array.from(buffer.subarray(0, length));
          if (step.kind === 'append') {
            buffer.set(step.values, length);
            length += step.values.length;
          } else if (step.kind === 'last') buffer[length - 1] = step.value;
          else if (step.kind === 'correct') anew(held.with(step.at % length, step.value));
          else anew([...step.values, ...held]);
          const column = buffer.subarray(0, length);
          for (const [from, end] of [[0, length] as const, ...stretches.map((each) => within(length, each))])
            expect(byBlocks(column, from, end)).toEqual(folded(column, from, end));
        }
      },
    ),
  );
});

test('the last value may move while it is the last, wherever blocks end', () => {
  const buffer = new Float64Array(1000);
  for (let length = 130; length < 1000; length += 1) {
    for (const moved of [7, 900 + length, length]) {
      buffer[length - 1] = moved;
      const column = buffer.subarray(0, length);
      expect(byBlocks(column, 0, length)).toEqual(folded(column, 0, length));
    }
  }
});

test('many stretches at once are each what it is alone, whether wide or narrow', () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 3000 }),
      fc.array(fc.nat(), { minLength: 2, maxLength: 12 }),
      fc.boolean(),
      (values, cuts, hasAll) => {
        const sorted = [...cuts.map((cut) => cut % (values.length + 1)), ...(hasAll ? [0, values.length] : [])].sort((a, b) => a - b);
        const edges = Int32Array.from(sorted);
        const column = Float64Array.from(values);
        for (const [index, fold] of folds.entries()) {
          const into = new Float64Array(edges.length);
          fold(column, edges, edges.length - 1, into);
          expect(Array.from(into.subarray(0, -1))).toEqual(
            sorted.slice(0, -1).map((from, at) => folded(values, from, sorted[at + 1]!)[index]),
          );
        }
      },
    ),
  );
});

test('a column that grows by one candle is not read again from its beginning', () => {
  let reads = 0;
  const values = Array.from({ length: 100_000 }, (_, index) => index % 777);
  const counted = new Proxy(values, {
    get: (target, key) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(target, key);
    },
  });
  expect(foldOne(highestOf, counted, 0, values.length)).toBe(776);
  expect(reads).toBeGreaterThanOrEqual(values.length);
  reads = 0;
  values.push(5000);
  expect(foldOne(highestOf, counted, 0, values.length)).toBe(5000);
  expect(reads).toBeLessThan(2 * 128);
});
