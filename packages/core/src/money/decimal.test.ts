import { Decimal as Reference } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../testing/tiers.ts';
import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  fromFloat,
  isDecimalText,
  isMultiple,
  multiply,
  placesOf,
  plusPercent,
  rescale,
  subtract,
  sum,
  toFixedText,
  toFloat,
  toMultiple,
  toText,
} from './decimal.ts';

// The reference is decimal.js, with room enough that it never rounds where we are exact.
const Exact = Reference.clone({ precision: 400, toExpNeg: -500, toExpPos: 500 });

const text = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }))
  .map(([negative, units, scale]) => {
    const digits = units.toString().padStart(scale + 1, '0');
    const point = digits.length - scale;
    return `${negative ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`;
  });
const same = (ours: Decimal, theirs: Reference): void => {
  expect(toText(ours)).toBe(theirs.isZero() ? '0' : theirs.toFixed());
};

describe('agrees with decimal.js', () => {
  test('reading and writing', () => {
    fc.assert(fc.property(text, (value) => same(decimal(value), new Exact(value))));
  });
  test('addition, subtraction, multiplication, comparison', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [x, y] = [new Exact(a), new Exact(b)];
        same(add(decimal(a), decimal(b)), x.plus(y));
        same(subtract(decimal(a), decimal(b)), x.minus(y));
        same(multiply(decimal(a), decimal(b)), x.times(y));
        expect(compare(decimal(a), decimal(b))).toBe(x.cmp(y));
      }),
    );
  });
  test('division and rescaling in all three roundings', () => {
    const modes = { down: Reference.ROUND_FLOOR, up: Reference.ROUND_CEIL, 'half-even': Reference.ROUND_HALF_EVEN } as const;
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 34 }), fc.constantFrom('down', 'up', 'half-even'), (a, b, scale, rounding) => {
        same(rescale(decimal(a), Math.min(scale, 8), rounding), new Exact(a).toDecimalPlaces(Math.min(scale, 8), modes[rounding]));
        fc.pre(!new Exact(b).isZero());
        same(divide(decimal(a), decimal(b), scale, rounding), new Exact(a).div(new Exact(b)).toDecimalPlaces(scale, modes[rounding]));
      }),
    );
  });
  test('fixed places', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 12 }), (value, places) => {
        const theirs = new Exact(value).toFixed(places, Reference.ROUND_HALF_EVEN);
        expect(toFixedText(decimal(value), places)).toBe(/[1-9]/.test(theirs) ? theirs : theirs.replace('-', ''));
      }),
    );
  });
});

test('flooring to a lot never exceeds the value, never misses a whole step, and is a multiple', () => {
  fc.assert(
    fc.property(text, fc.bigInt({ min: 1n, max: 10n ** 6n }), fc.integer({ min: 0, max: 10 }), (value, units, scale) => {
      const step = { units, scale };
      const floored = toMultiple(decimal(value), step);
      expect(compare(floored, decimal(value))).toBeLessThanOrEqual(0);
      expect(compare(subtract(decimal(value), floored), step)).toBe(-1);
      expect(isMultiple(floored, step)).toBe(true);
    }),
  );
});

test('flooring is exact where doubles fail', () => {
  expect(toText(toMultiple(decimal('0.3'), decimal('0.1')))).toBe('0.3');
  expect(toText(toMultiple(decimal('4.35'), decimal('0.01')))).toBe('4.35');
  expect(toText(toMultiple(decimal('-0.05'), decimal('0.1')))).toBe('-0.1');
  expect(toText(toMultiple(decimal('5'), decimal('0')))).toBe('5');
});

test('sums do not depend on the order', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (values) => {
      expect(toText(sum(values.map((value) => decimal(value))))).toBe(toText(sum(values.toReversed().map((value) => decimal(value)))));
    }),
  );
});

test('text that is not a plain decimal is refused', () => {
  for (const bad of ['', '.', '1.', '.5', '+1', '1e5', 'NaN', 'Infinity', '0x1', ' 1', '1 ', '1,5', '١', '--1', `1.${'0'.repeat(41)}`]) {
    expect(isDecimalText(bad)).toBe(false);
    expect(() => decimal(bad)).toThrow(RangeError);
  }
  expect(() => decimal(0.1)).toThrow(/safe integer/);
  expect(() => divide(decimal('1'), decimal('0.00'))).toThrow(/division by zero/);
  expect(() => fromFloat(Number.NaN, 2)).toThrow(/finite/);
});

test('canonical text has no negative zero and no trailing zeros', () => {
  expect(toText(decimal('-0.000'))).toBe('0');
  expect(toText(decimal('1.500'))).toBe('1.5');
  expect(toText(decimal('-10'))).toBe('-10');
  expect(toFixedText(decimal('-0.001'), 2)).toBe('0.00');
});

test('the doors to and from floats', () => {
  expect(toText(fromFloat(0.1 + 0.2, 8))).toBe('0.3');
  expect(toText(fromFloat(-0.000000001, 4))).toBe('0');
  expect(toFloat(decimal('123.456'))).toBe(123.456);
});

test('percentages and places', () => {
  expect(toText(plusPercent(decimal('100'), decimal('2')))).toBe('102');
  expect(toText(plusPercent(decimal('99.99'), decimal('-0.5')))).toBe('99.49005');
  expect(placesOf(decimal('0.01000000'))).toBe(2);
  expect(placesOf(decimal('10'))).toBe(0);
});

test('the quick ways through doubles give what the slow ways give', () => {
  const digits = fc.integer({ min: 1, max: 20 }).chain((length) => fc.stringMatching(new RegExp(`^[0-9]{1,${length}}$`)));
  fc.assert(
    fc.property(digits, fc.option(digits), fc.boolean(), (whole, part, negative) => {
      const written = `${negative ? '-' : ''}${whole}${part === null ? '' : `.${part}`}`;
      const units = BigInt((negative ? '-' : '') + whole + (part ?? ''));
      expect(decimal(written)).toEqual({ units, scale: part?.length ?? 0 });
      expect(Object.is(toFloat(decimal(written)), Number(toText(decimal(written))))).toBe(true);
    }),
    { numRuns: runs(500) },
  );
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -1e15, max: 1e15 }), fc.integer({ min: 0, max: 20 }), (value, scale) => {
      for (const each of [value, Number(value.toFixed(scale)), Number(value.toPrecision(6))])
        expect(toText(fromFloat(each, scale))).toBe(toText(decimal(each.toFixed(scale).replace(/^-(0(?:\.0*)?)$/, '$1'))));
    }),
    { numRuns: runs(2000) },
  );
});
