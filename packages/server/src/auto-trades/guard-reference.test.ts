import { realTimers } from '@pilotfish/core/time/timers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ExchangeError } from '../exchange/exchange-error.ts';
import type { TickListener } from '../market/symbol-feed.ts';
import { guardReference } from './guard-reference.ts';

const MINUTE = 60_000;
const AT = 1_700_000_040_000;

function fixture(pairs: readonly string[], gone: readonly string[] = []) {
  const told: [number, number][] = [];
  const state = {
    highs: [[AT - MINUTE, 100]] as [number, number][],
    away: false,
    /** Pairs that left the exchange: it does not know them any more, and the market does. */
    gone,
    watched: '',
    errors: 0,
    tell: ((): void => undefined) as TickListener,
    gap: ((): void => undefined) as (since: number) => void,
  };
  const started = guardReference({
    timers: realTimers,
    market: {
      pair: (symbol) => (pairs.includes(symbol) ? ({ symbol } as never) : undefined),
      minuteHighs: async (symbol) => {
        if (state.gone.includes(symbol)) throw new ExchangeError('refused', 'Invalid symbol.', { code: -1121 });
        if (state.away) throw new Error('away');
        return state.highs;
      },
      watch: (symbol, listener) => {
        state.watched = symbol;
        state.tell = listener;
        return () => undefined;
      },
      afterGap: (listener) => {
        state.gap = listener;
        return () => undefined;
      },
    },
    quote: 'EUR',
    windowMin: 10,
    tell: (at, price) => told.push([at, price]),
    inOrder: (work) => work(),
    onError: () => {
      state.errors += 1;
    },
  });
  return { told, state, started, tick: (at: number, price: number) => state.tell({ at, price, bid: price, ask: price }) };
}

test('begins with the window, and goes on once a second', async () => {
  const { told, started, tick } = fixture(['BTCUSDT']);
  expect(await started).toBeTypeOf('function');
  for (const [ms, price] of [
    [0, 101],
    [500, 102],
    [1000, 103],
  ] as const)
    tick(AT + ms, price);
  expect(told).toEqual([
    [AT - MINUTE, 100],
    [AT, 101],
    [AT + 1000, 103],
  ]);
});

test('a fall from a price of a gap is told from there: before the gap, nothing was so high', async () => {
  const { told, state, started, tick } = fixture(['BTCEUR']);
  await started;
  tick(AT, 100);
  state.highs = [
    [AT - 2 * MINUTE, 500],
    [AT, 100],
    [AT + MINUTE, 120],
    [AT + 3 * MINUTE, 99],
  ];
  tick(AT + 3 * MINUTE, 99);
  told.length = 0;
  state.gap(AT);
  await vi.waitFor(() =>
    expect(told).toEqual([
      [AT + 3 * MINUTE, 120],
      [AT + 3 * MINUTE, 99],
    ]),
  );
});

test('a fall in a gap that cannot be read at first is told when it can', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { told, state, started, tick } = fixture(['BTCEUR']);
  await started;
  tick(AT, 100);
  tick(AT + 3 * MINUTE, 99);
  told.length = 0;
  state.away = true;
  state.highs = [[AT + MINUTE, 120]];
  state.gap(AT);
  await vi.advanceTimersByTimeAsync(5000);
  expect([told, state.errors > 0]).toEqual([[], true]);
  state.away = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(told).toEqual([
    [AT + 3 * MINUTE, 120],
    [AT + 3 * MINUTE, 99],
  ]);
});

test('without such a pair there is nothing to follow', async () => {
  expect(await fixture([]).started).toBeUndefined();
});

test('a reference that left the exchange gives way to the next; a bot whose guard has none begins, and is told so', async () => {
  const { told, state, started } = fixture(['BTCEUR', 'BTCUSDT'], ['BTCEUR']);
  expect(await started).toBeTypeOf('function');
  expect([state.watched, told]).toEqual(['BTCUSDT', [[AT - MINUTE, 100]]]);
  expect(await fixture(['BTCEUR', 'BTCUSDT'], ['BTCEUR', 'BTCUSDT']).started).toBeUndefined();
});
