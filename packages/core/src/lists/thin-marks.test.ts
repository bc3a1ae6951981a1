import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MarkPlace, thinMarks } from './thin-marks.ts';

type Mark = MarkPlace & { side: 'buy' | 'sell' };
const COLUMNS = 12;
const mark = fc.record<Mark>({
  side: fc.constantFrom('buy', 'sell'),
  column: fc.integer({ min: -3, max: COLUMNS + 3 }),
  level: fc.integer({ min: 0, max: 20 }),
});
const marks = fc.array(mark, { maxLength: 300 });
const itself = (each: Mark): MarkPlace => each;
const isInSight = ({ column }: Mark) => column >= 0 && column < COLUMNS;
/** How far the marks of each column and side reach. */
const reach = (all: readonly Mark[]) => {
  const spans = new Map<string, [number, number]>();
  for (const { side, column, level } of all.filter(isInSight)) {
    const [low, high] = spans.get(`${side} ${column}`) ?? [level, level];
    spans.set(`${side} ${column}`, [Math.min(low, level), Math.max(high, level)]);
  }
  return Object.fromEntries([...spans].sort(([a], [b]) => (a < b ? -1 : 1)));
};

test('both ends of every column and side stay, with at most two marks for each of them', () => {
  fc.assert(
    fc.property(marks, (all) => {
      const thin = thinMarks(all, COLUMNS, itself);
      expect(reach(thin)).toEqual(reach(all));
      const counts = new Map<string, number>();
      for (const { side, column } of thin) counts.set(`${side} ${column}`, (counts.get(`${side} ${column}`) ?? 0) + 1);
      for (const count of counts.values()) expect(count).toBeLessThanOrEqual(2);
    }),
  );
});

test('what stays are marks that were given, in their order, none twice and none out of sight', () => {
  fc.assert(
    fc.property(marks, (all) => {
      const places = thinMarks(all, COLUMNS, itself).map((each) => all.indexOf(each));
      expect(places.every((place) => isInSight(all[place]!))).toBe(true);
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
    }),
  );
});

test('marks that stand apart all stay', () => {
  const apart = Array.from({ length: COLUMNS }, (_, column): Mark => ({ side: column % 2 === 0 ? 'buy' : 'sell', column, level: 5 }));
  expect(thinMarks(apart, COLUMNS, itself)).toEqual(apart);
});

test('a hundred thousand marks leave four for each column', () => {
  const many = Array.from({ length: 100_000 }, (_, index): Mark => {
    const column = Math.floor((index * COLUMNS) / 100_000);
    return { side: index % 2 === 0 ? 'buy' : 'sell', column, level: (index * 7919) % 101 };
  });
  expect(thinMarks(many, COLUMNS, itself)).toHaveLength(4 * COLUMNS);
});
