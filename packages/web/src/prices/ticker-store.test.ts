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
