import { realTimers } from '@pilotfish/core/time/timers';
import { expect, test, vi } from 'vitest';
import { createLog } from '../app/log.ts';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { depthWithin1Pct, marketPolls } from './market-polls.ts';
import { tickerBoard } from './ticker-board.ts';

const board = () => {
  const made = tickerBoard();
  made.apply(['AAAUSDT', 'BBBUSDT'].map((s, n) => ({ s, E: 1, c: '100', o: '100', h: '100', l: '100', v: '1', q: String(1000 - n) })));
  return made;
};
type Call = { path: string; weight: number; parameters?: { symbol: string; limit: number } };
function polls(answer: (call: Call) => unknown, now = () => 0) {
  const calls: Call[] = [];
  const made = board();
  const rest = {
    request: async (call: Call) => {
      calls.push(call);
      return answer(call);
    },
  };
  return {
    calls,
    board: made,
    polls: marketPolls({ timers: realTimers, exchange: { rest } as never, board: made, now, log: createLog('silent') }),
  };
}

test('depth is what rests within one percent of the middle, on both sides', () => {
  const bids: [string, string][] = [
    ['99.9', '2'],
    ['99.1', '1'],
    ['98.9', '1000'],
  ];
  const asks: [string, string][] = [
    ['100.1', '3'],
    ['101.5', '1000'],
  ];
  expect(depthWithin1Pct(bids, asks)).toEqual({ value: 99.9 * 2 + 99.1 + 100.1 * 3, reached: true });
  expect(depthWithin1Pct(bids, asks.slice(0, 1)).reached).toBe(false);
  expect(depthWithin1Pct([], asks).value).toBeNaN();
});

test('best prices and counts go to the pairs the board knows; zero is unknown', async () => {
  const { polls: made, board: columns } = polls(({ path }) =>
    path.endsWith('bookTicker')
      ? [
          { symbol: 'AAAUSDT', bidPrice: '99.5', askPrice: '100.5' },
          { symbol: 'BBBUSDT', bidPrice: '0.00000000', askPrice: '0.00000000' },
          { symbol: 'ELSE', bidPrice: '1', askPrice: '1' },
        ]
      : [{ symbol: 'AAAUSDT', count: 42 }],
  );
  await made.once.books();
  await made.once.counts();
  expect([...columns.column('bid').subarray(0, 2)]).toEqual([99.5, Number.NaN]);
  expect(columns.column('trades')[0]).toBe(42);
  expect(columns.size).toBe(2);
});

test('books are read in turn, the most traded first; one that is too short is asked for more, seldom', async () => {
  const levels = (count: number, step: number) => Array.from({ length: count }, (_, n) => [String(100 + step * (n + 1)), '1'] as const);
  const {
    polls: made,
    calls,
    board: columns,
  } = polls(({ parameters }) => ({
    bids: levels(parameters?.symbol === 'AAAUSDT' ? parameters.limit : 3, -0.001),
    asks: levels(parameters?.symbol === 'AAAUSDT' ? parameters.limit : 3, 0.001),
  }));
  for (let n = 0; n < 30; n += 1) await made.once.depth();
  const asked = calls.map(({ parameters, weight }) => `${parameters?.symbol} ${parameters?.limit} ${weight}`);
  expect(asked.slice(0, 3)).toEqual(['AAAUSDT 100 5', 'BBBUSDT 100 5', 'AAAUSDT 1000 50']);
  expect(asked.filter((line) => line === 'AAAUSDT 1000 50').length).toBeLessThanOrEqual(2);
  expect(asked.filter((line) => line === 'BBBUSDT 100 5')).toHaveLength(15);
  expect(columns.column('depth')[0]).toBeGreaterThan(columns.column('depth')[1]!);
});

test('a failing exchange is asked more and more seldom, and not at all while it forbids', async () => {
  vi.useFakeTimers();
  try {
    let error: Error | undefined = new ExchangeError('unreachable', 'gone');
    const made = polls(
      () => {
        if (error) throw error;
        return [];
      },
      () => Date.now(),
    );
    made.polls.start();
    const count = async (ms: number) => {
      const before = made.calls.filter((call) => call.path.endsWith('bookTicker')).length;
      await vi.advanceTimersByTimeAsync(ms);
      return made.calls.filter((call) => call.path.endsWith('bookTicker')).length - before;
    };
    expect(await count(60_000)).toBeLessThanOrEqual(3);
    expect(await count(600_000)).toBeLessThanOrEqual(4);
    error = new ExchangeError('limited', 'too much', { retryAfterMs: 3_600_000 });
    await count(400_000);
    expect(await count(3_000_000)).toBe(0);
    error = undefined;
    await count(3_600_000);
    expect(await count(60_000)).toBe(6);
    made.polls.stop();
    expect(await count(600_000)).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
