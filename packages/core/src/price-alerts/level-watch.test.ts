import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../testing/tiers.ts';
import { levelIndex } from './level-index.ts';
import { type LevelCondition, levelRule } from './level-rule.ts';
import { type LevelEvent, levelWatch } from './level-watch.ts';

const price = fc.integer({ min: 90, max: 110 }).map((tenths) => tenths / 10);
const text = price.map(String);
const condition: fc.Arbitrary<LevelCondition> = fc.oneof(
  fc.record({
    kind: fc.constant('crosses' as const),
    direction: fc.constantFrom('up' as const, 'down' as const, 'either' as const),
    level: text,
  }),
  fc.record({ kind: fc.constantFrom('above' as const, 'below' as const), level: text }),
  fc
    .tuple(fc.constantFrom('enter' as const, 'exit' as const), price, price)
    .filter(([, a, b]) => a !== b)
    .map(([event, a, b]) => ({ kind: 'channel' as const, event, lower: String(Math.min(a, b)), upper: String(Math.max(a, b)) })),
);

/** The rule of price-alerts.md as it reads, asked of every alert at every price. */
function naive(conditions: readonly { condition: LevelCondition; hysteresis: number; symbol: number }[]) {
  const states = conditions.map(() => ({ previous: Number.NaN, leaving: undefined as undefined | ((now: number) => boolean) }));
  return (symbol: number, now: number): string[] => {
    const events: string[] = [];
    conditions.forEach(({ condition: rule, hysteresis, symbol: own }, index) => {
      if (own !== symbol) return;
      const state = states[index]!;
      const { previous } = state;
      state.previous = now;
      if (Number.isNaN(previous)) return;
      const h = hysteresis / 100;
      if (state.leaving) {
        if (!state.leaving(now)) return;
        state.leaving = undefined;
        events.push(`${index} left`);
        return;
      }
      const up = (level: number) => previous <= level && level < now;
      const down = (level: number) => previous >= level && level > now;
      const upLeft = (level: number) => (later: number) => later <= level * (1 - h) + 1e-9;
      const downLeft = (level: number) => (later: number) => later >= level * (1 + h) - 1e-9;
      const either = (low: number, high: number) => (later: number) => upLeft(low)(later) || downLeft(high)(later);
      const fire = (leaving: (later: number) => boolean) => {
        state.leaving = leaving;
        events.push(`${index} fired`);
      };
      if (rule.kind === 'channel') {
        const [lower, upper] = [Number(rule.lower), Number(rule.upper)];
        const was = previous >= lower && previous <= upper;
        if (rule.event === 'exit') {
          if (was && up(upper)) fire(upLeft(upper));
          else if (was && down(lower)) fire(downLeft(lower));
        } else if (now >= lower && now <= upper && (up(lower) || down(upper))) fire(either(lower, upper));
        return;
      }
      const level = Number(rule.level);
      if (rule.kind === 'crosses' && rule.direction === 'either') {
        if (up(level) || down(level)) fire(either(level, level));
      } else if (rule.kind === 'above' || (rule.kind === 'crosses' && rule.direction === 'up')) {
        if (up(level)) fire(upLeft(level));
      } else if (down(level)) fire(downLeft(level));
    });
    return events;
  };
}

test('the index fires what a look at every alert at every price fires, and re-arms when that does', () => {
  const alert = fc.record({ condition, hysteresis: fc.constantFrom(0, 1, 5), symbol: fc.integer({ min: 0, max: 2 }) });
  const ticks = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), price), { maxLength: 60 });
  fc.assert(
    fc.property(fc.array(alert, { minLength: 1, maxLength: 12 }), ticks, (alerts, prices) => {
      const judge = naive(alerts);
      const events: string[] = [];
      const now = { price: 0, at: 0 };
      const watch = levelWatch<number>(({ key, what }: LevelEvent<number>) => {
        events.push(`${key} ${what}`);
        if (what === 'left') rules[key]!.arm(now.price);
      });
      const rules = alerts.map((each) => levelRule(each.condition, String(each.hysteresis)));
      const begun = new Set<number>();
      prices.forEach(([symbol, value], at) => {
        now.price = value;
        now.at = at;
        events.length = 0;
        if (begun.has(symbol)) watch.tick(symbol, value, at);
        else
          alerts.forEach((each, key) => {
            if (each.symbol !== symbol) return;
            rules[key]!.begin(value);
            watch.add(key, symbol, rules[key]!, at);
          });
        begun.add(symbol);
        expect(events.sort()).toEqual(judge(symbol, value).sort());
      });
    }),
    { numRuns: runs(3000) },
  );
});

describe('the index', () => {
  test('agrees with a plain list under additions, removals and prices', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), symbol: fc.integer({ min: 0, max: 70 }), up: fc.boolean(), at: price }),
      fc.record({ do: fc.constant('remove' as const), which: fc.nat(50) }),
      fc.record({ do: fc.constant('tick' as const), symbol: fc.integer({ min: 0, max: 70 }), at: price }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const index = levelIndex();
        const list = new Map<number, { symbol: number; up: boolean; at: number }>();
        for (const each of steps) {
          if (each.do === 'add') list.set(index.add(each.symbol, each.up ? 'up' : 'down', each.at), each);
          else if (each.do === 'remove') {
            const id = [...list.keys()][each.which % Math.max(1, list.size)];
            if (id === undefined) continue;
            index.remove(id);
            list.delete(id);
          } else {
            const expected = [...list].filter(([, one]) => one.symbol === each.symbol && (one.up ? each.at > one.at : each.at < one.at));
            const ids = new Set(expected.map(([id]) => id));
            expect(new Set(index.within(each.symbol, each.at, each.at))).toEqual(ids);
            const reached: number[] = [];
            index.tick(each.symbol, each.at, (id) => reached.push(id));
            expect(reached).toHaveLength(ids.size);
            expect(new Set(reached)).toEqual(ids);
            for (const id of reached) list.delete(id);
          }
          expect(index.size).toBe(list.size);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('bars', () => {
  const stage = (rule = levelRule({ kind: 'above', level: '100' }, '0.2')) => {
    const events: LevelEvent<string>[] = [];
    const watch = levelWatch<string>((event) => events.push(event));
    rule.begin(99);
    watch.add('a', 0, rule, 60_000);
    return { events, watch };
  };
  test('a wick that no tick told of fires once, with the time of its bar', () => {
    const { events, watch } = stage();
    watch.tick(0, 99.5, 61_000);
    watch.bar(0, { openTime: 60_000, high: 101, low: 99, close: 99.5 });
    expect(events).toEqual([{ key: 'a', what: 'fired', price: 101, at: 60_000 }]);
    watch.bar(0, { openTime: 60_000, high: 101, low: 99.9, close: 99.9 });
    expect(events).toHaveLength(1);
  });
  test('a bar that began before the alert says nothing of it', () => {
    const { events, watch } = stage();
    watch.bar(0, { openTime: 0, high: 101, low: 99, close: 99.5 });
    expect(events).toEqual([]);
  });
  test('of a bar that ran already its end still counts: what is beyond the level now has crossed it', () => {
    const rule = levelRule({ kind: 'above', level: '100' }, '0.2');
    const events: LevelEvent<string>[] = [];
    const watch = levelWatch<string>((event) => events.push(event));
    rule.begin(99);
    watch.add('a', 0, rule, 70_000);
    watch.bar(0, { openTime: 60_000, high: 101, low: 99, close: 99.5 });
    expect(events).toEqual([]);
    watch.bar(0, { openTime: 0, high: 101, low: 99, close: 100.5 });
    expect(events).toEqual([]);
    watch.bar(0, { openTime: 60_000, high: 101, low: 99, close: 100.5 });
    expect(events).toEqual([{ key: 'a', what: 'fired', price: 100.5, at: 60_000 }]);
  });
  test('which end came first is not guessed', () => {
    // Above already: a bar that dips and ends below has not surely come up again.
    const rule = levelRule({ kind: 'above', level: '100' }, '0.2');
    const events: LevelEvent<string>[] = [];
    const watch = levelWatch<string>((event) => events.push(event));
    rule.begin(105);
    watch.add('a', 0, rule, 60_000);
    watch.bar(0, { openTime: 60_000, high: 106, low: 98, close: 99 });
    expect(events).toEqual([]);
    watch.tick(0, 100.5, 120_500);
    expect(events).toMatchObject([{ what: 'fired', price: 100.5 }]);
  });
});
