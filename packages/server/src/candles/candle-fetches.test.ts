import { monthStart } from '@pilotfish/core/candles/candle-month';
import { AppError } from '@pilotfish/core/http/problem';
import type { ExactCandle } from '@pilotfish/core/prices/candle-gaps';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { candleFetches, type FetchParts } from './candle-fetches.ts';
import type { CandleMonthStore, NewMonth } from './candle-month-store.ts';
import { candlesFromExchange, oldestCandle } from './month-from-exchange.ts';

const HOUR = 3_600_000;
const START = monthStart('2024-02');
const candle = (openTime: number): ExactCandle => ({
  openTime,
  open: '1',
  high: '1',
  low: '1',
  close: '1',
  volume: '1',
  quoteVolume: '1',
  trades: 1,
});
const wish = { symbol: 'BTCUSDT', interval: '1h', from: '2024-02', source: 'exchange' } as const;

type StageParts = Partial<FetchParts> & { readonly stored?: readonly string[]; readonly room?: () => void };
function stage({ stored = [], room = () => undefined, ...parts }: StageParts) {
  const written: NewMonth[] = [];
  const store = {
    list: async ({ from }: { from: string }) => (stored.includes(from) ? [{}] : []),
    // What is stored is damaged.
    read: async () => undefined,
    write: async (month: NewMonth) => {
      room();
      written.push(month);
      return { rows: month.candles.length, bytes: 1 };
    },
  } as unknown as CandleMonthStore;
  const venueNow = () => START + 5 * HOUR;
  const fetches = candleFetches({
    store,
    fromExchange: async () => [candle(START)],
    oldest: async () => START,
    fromArchive: undefined,
    noArchives: 'no_archives',
    venueNow,
    now: venueNow,
    log: pino({ level: 'silent' }),
    ...parts,
  });
  const over = async (more: object = {}) => {
    fetches.start('a', { ...wish, ...more });
    await vi.waitFor(() => expect(fetches.get('a')?.state).not.toBe('running'));
    return fetches.get('a')!;
  };
  return { fetches, written, over };
}
/** A question that is answered when the test says so. */
function held<Answer>() {
  let answer: (value: Answer) => void = () => undefined;
  const answered = new Promise<Answer>((resolve) => {
    answer = resolve;
  });
  return { answer, answered };
}

test.each([
  ['an hour that the exchange does not tell yet is asked for again', START + 5 * HOUR, START + 4 * HOUR],
  ['hours at the end of a month that just ended are, too', monthStart('2024-03') + HOUR, START + 4 * HOUR],
  ['a day later there were none', monthStart('2024-03') + 25 * HOUR, monthStart('2024-03')],
])('%s', async (_, at, coveredTo) => {
  const { fetches, written } = stage({
    fromExchange: async () => [START, START + 3 * HOUR].map(candle),
    venueNow: () => at + 2000,
  });
  fetches.start('a', { ...wish, to: '2024-02' });
  await vi.waitFor(() => expect(fetches.get('a')?.state).toBe('done'));
  expect(written.map((month) => month.coveredTo)).toEqual([coveredTo]);
});

test('the same fetch again answers the one that runs; another one is refused by what runs', async () => {
  const { answer, answered } = held<ExactCandle[]>();
  const { fetches } = stage({ fromExchange: () => answered });
  const first = fetches.start('a', wish);
  expect(fetches.start('a', { ...wish, to: '2024-02' })).toBe(first);
  expect(() => fetches.start('a', { ...wish, interval: '2h' })).toThrow(
    expect.objectContaining({ code: 'not-possible-now', parameters: { context: 'candle_fetch', symbol: 'BTCUSDT', interval: '1h' } }),
  );
  answer([candle(START)]);
  await vi.waitFor(() => expect(first.state).toBe('done'));
});

test('an account has one turn: a fetch that was ended and still waits takes no second one', async () => {
  const { answer, answered } = held<ExactCandle[]>();
  const { fetches } = stage({ fromExchange: () => answered });
  const refused = (context: string) => expect.objectContaining({ code: 'rate-limited', parameters: { context } }) as Error;
  fetches.start('a', wish);
  fetches.end('a');
  expect(() => fetches.start('a', wish)).toThrow(refused('candle_ending'));
  for (const account of ['b', 'c']) expect(fetches.start(account, wish).state).toBe('running');
  expect(() => fetches.start('d', wish)).toThrow(refused('candle_turns'));
  answer([]);
  await vi.waitFor(() => expect(fetches.start('a', wish).state).toBe('running'));
});

test('months from before the pair began are not stored, and only one of them is asked for', async () => {
  const asked: number[] = [];
  const { over, written } = stage({
    fromExchange: async ({ from }) => {
      asked.push(from);
      return from >= START ? [candle(START)] : [];
    },
  });
  expect(await over({ from: '2023-11' })).toMatchObject({ state: 'done', done: 4, before: 3, began: '2024-02', problems: [] });
  expect(asked).toEqual([monthStart('2023-11'), START]);
  expect(written.map(({ month }) => month)).toEqual(['2024-02']);
});

test.each([
  ['beforePair', START, '2024-02'],
  ['noCandles', undefined, null],
] as const)('%s: a span in which the pair has no candles ends the fetch', async (code, oldest, began) => {
  const { over, written } = stage({ fromExchange: async () => [], oldest: async () => oldest });
  expect(await over({ from: '2023-11', to: '2024-01' })).toMatchObject({ state: 'failed', began, problems: [{ month: '2023-11', code }] });
  expect(written).toEqual([]);
});

test('a month without candles after the pair began is stored as it is', async () => {
  const { over, written } = stage({ fromExchange: async () => [], oldest: async () => monthStart('2024-01') });
  expect(await over()).toMatchObject({ state: 'done', before: 0, problems: [] });
  expect(written.map(({ candles }) => candles)).toEqual([[]]);
});

test.each([
  ['bound', new AppError('storage-full', { parameters: { context: 'candles_bound' } })],
  ['share', new AppError('storage-full', { parameters: { context: 'candles_share' } })],
  ['noRoom', new AppError('storage-full')],
])('no room by %s; what was not stored counts neither as read from the exchange nor as fetched again', async (code, error) => {
  const { over } = stage({
    fromArchive: async () => undefined,
    stored: ['2024-02'],
    room: () => {
      throw error;
    },
  });
  expect(await over({ source: 'archives' })).toMatchObject({ state: 'failed', notInArchives: 0, damaged: 0, problems: [{ code }] });
});

test('what was stored in place of a damaged month, from the exchange in place of the archives, counts as both', async () => {
  const { over } = stage({ fromArchive: async () => undefined, stored: ['2024-02'] });
  expect(await over({ source: 'archives' })).toMatchObject({ state: 'done', notInArchives: 1, damaged: 1 });
});

test.each([
  ['from', { from: '2024-03' }, 'too_big', '2024-02'],
  ['to', { to: '2024-01' }, 'too_small', '2024-02'],
])('%s: a span that has not begun, or ends before it begins, is refused with its bound', (path, more, code, limit) => {
  const { fetches } = stage({});
  expect(() => fetches.start('a', { ...wish, ...more })).toThrow(
    expect.objectContaining({ code: 'invalid', fields: [{ path, code, message: '', limit }] }),
  );
});

const reading = (candles: () => Promise<unknown>) =>
  ({
    exchange: { candles },
    pacer: { take: async () => true, pause: () => undefined },
    timers: { wait: async () => undefined, running: () => 0 },
    rowsPerRequest: 1000,
    rest: 0,
  }) as unknown as Parameters<typeof candlesFromExchange>[0];
const fiveHours = { symbol: 'BTCUSDT', interval: '1h', from: START, to: START + 5 * HOUR };
const how = { signal: new AbortController().signal, onShare: () => undefined };

test.each([
  ['exchangeRefused', new ExchangeError('refused', 'Illegal characters', { code: -1100, status: 400 }), '-1100 Illegal characters'],
  ['exchangeLimited', new ExchangeError('limited', 'Too many requests', { status: 429 }), ''],
  ['exchangeUnreachable', new ExchangeError('unreachable', 'no connection'), ''],
  ['unknownPair', new ExchangeError('refused', 'Invalid symbol.', { code: -1121, status: 400 }), ''],
])('%s: why the exchange gave no candles', async (code, error, reason) => {
  const reader = reading(() => Promise.reject(error));
  await expect(candlesFromExchange(reader, fiveHours, how)).rejects.toMatchObject({ code, reason });
});

test('the oldest candle is asked for alone', async () => {
  const asked: unknown[] = [];
  const reader = reading(async (...question: unknown[]) => {
    asked.push(question);
    return [[START, '1', '1', '1', '1', '1', START + HOUR - 1, '1', 1]];
  });
  expect(await oldestCandle(reader, { symbol: 'BTCUSDT', interval: '1h' }, how.signal)).toBe(START);
  expect(asked).toEqual([['BTCUSDT', '1h', { startTime: 0, limit: 1 }]]);
});

test.each([
  ['off the grid', [START, START + HOUR + 1]],
  ['twice', [START, START]],
  ['out of order', [START + HOUR, START]],
])('candles that the exchange tells %s are not stored', async (_, times) => {
  const reader = reading(async () => times.map((time) => [time, '1', '1', '1', '1', '1', time + HOUR - 1, '1', 1]));
  const asked = candlesFromExchange(reader, fiveHours, how);
  await expect(asked).rejects.toMatchObject({ code: 'unreadable' });
});
