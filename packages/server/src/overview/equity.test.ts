import { decimal } from '@pilotfish/core/money/decimal';
import { expect, test } from 'vitest';
import { type EquityParts, equityAnswers } from './equity.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** 14:42 in Istanbul, whose midnight was at 21:00 UTC. */
const NOW = Date.parse('2026-11-27T11:42:00.000Z');
const MIDNIGHT = Date.parse('2026-11-26T21:00:00.000Z');
const MONTH = Date.parse('2026-10-31T21:00:00.000Z');
const iso = (at: number) => new Date(at).toISOString();
const READER = { timeZone: 'Europe/Istanbul', language: 'tr' } as const;

/** `without`: of a version that left some coins out. */
type Point = { at: number; total: string; without?: true };
type Given = {
  points?: Point[];
  flows?: { at: number; value: string }[];
  prices?: Record<string, string>;
  candles?: EquityParts['candles'];
  total?: string;
  ahead?: number;
  comparable?: boolean;
};
const answer = (given: Given = {}) => {
  const { points = [], flows = [], prices = {}, candles = async () => [], total = '1000', ahead = 0, comparable = true } = given;
  const source: EquityParts['sources']['live'] = {
    worthOf: async () => ({ total, available: '600', invested: '390', unpriced: ['ODD'], comparable }),
    flowsOf: async (_, from) => flows.filter(({ at }) => at > from).map(({ at, value }) => ({ at, value: decimal(value) })),
    history: {
      near: async (_, at, within) =>
        points.filter((each) => Math.abs(each.at - at) <= within).sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0],
      firstBetween: async (_, from, until) => points.find(({ at }) => at >= from && at < until),
      list: async (_, span, __, which) =>
        points.filter(({ at, without }) => (which !== 'comparable' || !without) && (typeof span === 'string' || at >= span.since)),
    },
  };
  const market = {
    price: (symbol: string) => prices[symbol],
    asOf: NOW + ahead,
    pair: (symbol: string) => (symbol in prices ? {} : undefined),
  };
  return equityAnswers({ sources: { live: source, paper: source }, market: market as never, candles, now: () => NOW });
};
const ask = (given: Given, range: 'today' | '1d' | '30d' | 'all' = '30d', reader: Parameters<ReturnType<typeof answer>>[2] = READER) =>
  answer(given)('ann', { mode: 'live', range }, reader);

test('an account without a point: what it has now, and nothing that is not known', async () => {
  expect(await ask({})).toEqual({
    mode: 'live',
    range: '30d',
    currency: 'USDT',
    now: { equity: '1000', free: '600', invested: '390', unpriced: ['ODD'] },
    sinceMidnight: null,
    month: null,
    series: [{ time: iso(NOW), equity: '1000', flow: '0' }],
    change: null,
    benchmark: null,
    other: { btc: null, currency: null },
    asOf: iso(NOW),
  });
  // The point that this very answer kept is nothing to compare with.
  expect(await ask({ points: [{ at: NOW, total: '1000' }] })).toMatchObject({ sinceMidnight: null, change: null, series: { length: 1 } });
});

test('since midnight and since the first of the month there, net of what came and went', async () => {
  const points = [
    { at: MONTH + 3 * 24 * HOUR, total: '500' },
    { at: MIDNIGHT - 16 * MINUTE, total: '700' },
    { at: MIDNIGHT - 4 * MINUTE, total: '800' },
    { at: MIDNIGHT + 11 * MINUTE, total: '810' },
  ];
  const flows = [
    { at: MONTH + 2 * 24 * HOUR, value: '9999' },
    { at: MIDNIGHT - HOUR, value: '-20' },
    { at: MIDNIGHT + HOUR, value: '100' },
  ];
  const { sinceMidnight, month } = await ask({ points, flows });
  // The series of today begins where its change is counted from.
  const today = await ask({ points, flows }, 'today');
  expect(today.change).toEqual(sinceMidnight);
  expect(today.series.map(({ equity, flow }) => [equity, flow])).toEqual([
    ['800', '0'],
    ['810', '0'],
    ['1000', '100'],
  ]);
  // 1000 − 800 − 100, of 900.
  expect(sinceMidnight).toEqual({ change: '100', pct: '11.1111', since: iso(MIDNIGHT - 4 * MINUTE), exact: true });
  // The account began on the fourth: 1000 − 500 − 80, of 600.
  expect(month).toEqual({ change: '420', pct: '70', since: iso(MONTH + 3 * 24 * HOUR), exact: false });
});

test('without a point near midnight the first after it is named', async () => {
  const points = [
    { at: MIDNIGHT - 5 * HOUR, total: '700' },
    { at: MIDNIGHT + 2 * HOUR, total: '900' },
  ];
  expect((await ask({ points })).sinceMidnight).toEqual({
    change: '100',
    pct: '11.1111',
    since: iso(MIDNIGHT + 2 * HOUR),
    exact: false,
  });
  const { series, change } = await ask({ points }, 'today');
  expect(series.map(({ time }) => time)).toEqual([iso(MIDNIGHT + 2 * HOUR), iso(NOW)]);
  expect(change).toMatchObject({ change: '100', exact: false });
});

test('while a price is missing that points had, nothing is compared with them', async () => {
  const points = [{ at: MIDNIGHT, total: '5000' }];
  expect(await ask({ points, comparable: false })).toMatchObject({
    now: { equity: '1000', unpriced: ['ODD'] },
    sinceMidnight: null,
    month: null,
    change: null,
    benchmark: null,
    series: [{ time: iso(MIDNIGHT), equity: '5000' }],
  });
});

test('no change is counted from a point that left coins out which are counted now', async () => {
  const points: Point[] = [
    { at: NOW - 20 * 24 * HOUR, total: '100', without: true },
    { at: NOW - 2 * 24 * HOUR, total: '990' },
  ];
  expect(await ask({ points })).toMatchObject({ change: { change: '10', exact: false }, series: [{ equity: '990' }, { equity: '1000' }] });
});

test('the same money in BTC: bought at the open of its candle by the clock of the market, with the same flows', async () => {
  const points = [
    { at: MIDNIGHT, total: '1000' },
    { at: MIDNIGHT + HOUR, total: '1500' },
  ];
  const flows = [{ at: MIDNIGHT + HOUR - 1, value: '400' }];
  const ahead = 5 * 24 * HOUR;
  const candle = (at: number, open: string) => ({ openTime: iso(at + ahead), open }) as never;
  const candles: EquityParts['candles'] = async (symbol, interval, { limit }) => {
    expect([symbol, interval]).toEqual(['BTCUSDT', '15m']);
    expect(limit).toBeGreaterThan(58);
    return [candle(MIDNIGHT, '100'), candle(MIDNIGHT + HOUR, '80')];
  };
  const given = { points, flows, candles, prices: { BTCUSDT: '120' }, ahead };
  const { benchmark, other } = await ask(given, 'today');
  // 10 coins, 5 more at 80: 15, of which 400 came later.
  expect(benchmark).toEqual({
    asset: 'BTC',
    pct: '28.5714',
    series: [
      { time: iso(MIDNIGHT), value: '1000' },
      { time: iso(MIDNIGHT + HOUR), value: '1200' },
      { time: iso(NOW), value: '1800' },
    ],
  });
  expect(other.btc).toEqual({ quantity: '8.33333333', asOf: iso(NOW + ahead) });
  // A price that is missing is not made up, and an exchange that does not answer costs no more than the line.
  expect((await ask({ ...given, candles: async () => [candle(MIDNIGHT, '100')] }, 'today')).benchmark).toBeNull();
  expect((await ask({ ...given, candles: () => Promise.reject(new Error('away')) }, 'today')).benchmark).toBeNull();
});

test('the second currency is that of the language, by a pair of this market', async () => {
  const prices = { USDTTRY: '42.5', EURUSDT: '1.25' };
  expect((await ask({ prices })).other.currency).toEqual({ currency: 'TRY', value: '42500', rate: '42.5', asOf: iso(NOW) });
  const english = { ...READER, language: 'en' } as const;
  expect((await ask({ prices }, '30d', english)).other.currency).toEqual({ currency: 'EUR', value: '800', rate: '0.8', asOf: iso(NOW) });
  expect((await ask({ prices: { BTCUSDT: '1' } }, '30d', english)).other.currency).toBeNull();
});
