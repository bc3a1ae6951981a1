import type { Price } from '@pilotfish/core/money/figure';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createTickerStore } from './ticker-store.ts';

const row = (symbol: string, price: string): [string, string, string, string, string, string] => [symbol, price, '1', '1000', '2', '0.5'];

function setUp() {
  const frames: (() => void)[] = [];
  const store = createTickerStore((flush) => frames.push(flush));
  const frame = () => {
    for (const flush of frames.splice(0)) flush();
  };
  return { store, frames, frame };
}

describe('announcing', () => {
  test('ten thousand ticks over a hundred pairs reach one visible row once', () => {
    const { store, frames, frame } = setUp();
    const visible = vi.fn();
    const hidden = vi.fn();
    store.subscribe('P7', visible);
    store.subscribe('NEVER', hidden);
    for (let tick = 0; tick < 10_000; tick += 1) store.apply([row(`P${tick % 100}`, String(tick))]);
    expect(frames).toHaveLength(1);
    expect(visible).not.toHaveBeenCalled();
    expect(store.get('P7')?.price).toBe('9907');
    frame();
    expect(visible).toHaveBeenCalledTimes(1);
    expect(hidden).not.toHaveBeenCalled();
  });
  test('what did not change is not announced, and the row object stays the same', () => {
    const { store, frames, frame } = setUp();
    store.apply([row('A', '1')]);
    frame();
    const before = store.get('A');
    store.apply([row('A', '1')]);
    expect(frames).toHaveLength(0);
    expect(store.get('A')).toBe(before);
  });
  test('of pairs nobody looks at no frame is asked for, and a row that comes into sight reads what they became', () => {
    const { store, frames, frame } = setUp();
    store.apply([row('A', '1'), row('B', '1')]);
    expect(frames).toHaveLength(0);
    const seen: (Price | undefined)[] = [];
    store.subscribe('B', () => seen.push(store.get('B')?.price));
    expect(store.get('B')?.price).toBe('1');
    store.apply([row('A', '2'), row('B', '2')]);
    frame();
    expect(seen).toEqual(['2']);
  });
  test('no row misses its last update, whenever rows come and go and frames fall', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('tick' as const), at: fc.nat(3), price: fc.nat(5) }),
      fc.record({ kind: fc.constantFrom('look' as const, 'leave' as const), at: fc.nat(3), price: fc.constant(0) }),
      fc.constant({ kind: 'frame' as const, at: 0, price: 0 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { store, frame } = setUp();
        // As a component does: reads when it comes, and again whenever it is told.
        const shown = new Map<number, Price | undefined>();
        const leave = new Map<number, () => void>();
        const frameComes = () => {
          frame();
          for (const [at, price] of shown) expect(price).toBe(store.get(`P${at}`)?.price);
        };
        for (const { kind, at, price } of steps) {
          if (kind === 'tick') store.apply([row(`P${at}`, String(price))]);
          else if (kind === 'frame') frameComes();
          else if (kind === 'look' && !leave.has(at)) {
            shown.set(at, store.get(`P${at}`)?.price);
            leave.set(
              at,
              store.subscribe(`P${at}`, () => shown.set(at, store.get(`P${at}`)?.price)),
            );
          } else if (kind === 'leave') {
            leave.get(at)?.();
            leave.delete(at);
            shown.delete(at);
          }
        }
        frameComes();
      }),
    );
  });
  test('an unsubscribed row hears nothing', () => {
    const { store, frame } = setUp();
    const listener = vi.fn();
    store.subscribe('A', listener)();
    store.apply([row('A', '1')]);
    frame();
    expect(listener).not.toHaveBeenCalled();
  });
});

test('direction follows the price, and every move counts for the flash', () => {
  const { store } = setUp();
  const seen = ['1', '2', '2', '1.5'].map((price) => {
    store.apply([row('A', price)]);
    const { direction, moves } = store.get('A')!;
    return [direction, moves];
  });
  expect(seen).toEqual([
    [0, 0],
    [1, 1],
    [1, 1],
    [-1, 2],
  ]);
});
