import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../testing/tiers.ts';
import { createRollingHigh } from './rolling-high.ts';

const price = fc.record({ wait: fc.integer({ min: 0, max: 150_000 }), price: fc.integer({ min: 1, max: 50 }) });

test('is the highest price of the running minute and the ones before it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(price, { minLength: 1, maxLength: 80 }), (minutes, prices) => {
      const window = createRollingHigh(minutes);
      const seen: { minute: number; price: number }[] = [];
      let at = 1_700_000_000_000;
      for (const each of prices) {
        at += each.wait;
        const minute = Math.floor(at / 60_000);
        const expected = Math.max(0, ...seen.filter((old) => old.minute >= minute - minutes).map((old) => old.price));
        expect(window.peek(at)).toBe(expected);
        window.add(at, each.price);
        seen.push({ minute, price: each.price });
        expect(window.high).toBe(Math.max(expected, each.price));
      }
    }),
    { numRuns: runs(3000) },
  );
});

test('knows nothing before the first price', () => {
  expect(createRollingHigh(5).high).toBeNaN();
});

test('a minute that is told of later counts as if it had been told of in its time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(price, { minLength: 2, maxLength: 40 }), fc.nat(), (minutes, prices, draw) => {
      const [whole, filled] = [createRollingHigh(minutes), createRollingHigh(minutes)];
      let at = 1_700_000_000_000;
      const told = prices.map((each) => {
        at += each.wait;
        return { at, price: each.price };
      });
      const missed = Math.floor(told[draw % told.length]!.at / 60_000);
      const inMissed = (each: { at: number }) => Math.floor(each.at / 60_000) === missed;
      for (const each of told) whole.add(each.at, each.price);
      for (const each of told) if (!inMissed(each)) filled.add(each.at, each.price);
      filled.fill(missed * 60_000, Math.max(...told.filter(inMissed).map((each) => each.price)));
      expect([filled.high, filled.peek(at)]).toEqual([whole.high, whole.peek(at)]);
      expect(filled.entries()).toEqual(whole.entries());
    }),
    { numRuns: runs(2000) },
  );
});

test('after a standstill with a jump the highs of before are forgotten, those that were read of the past too', () => {
  const MINUTE = 60_000;
  for (const after of [1, 33, 300]) {
    const window = createRollingHigh(600);
    window.add(0, 120);
    window.fill(5 * MINUTE, 100);
    window.trade(30 * MINUTE, after);
    expect(window.high).toBe(after);
  }
  // The first that is read after a gap of ours, before any trade is heard again.
  const read = createRollingHigh(600);
  read.trade(5 * MINUTE, 100);
  read.read(90 * MINUTE, 1.1);
  read.trade(91 * MINUTE, 1);
  expect(read.high).toBe(1.1);
  // Less than a third, or without a standstill: a fall.
  for (const [at, after] of [
    [30 * MINUTE, 34],
    [6 * MINUTE, 1],
  ] as const) {
    const window = createRollingHigh(600);
    window.trade(5 * MINUTE, 100);
    window.trade(at, after);
    expect(window.high).toBe(100);
  }
});
