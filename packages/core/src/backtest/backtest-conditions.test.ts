import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { ownCandleFile } from '../../testing/own-market.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { TIER } from '../../testing/tiers.ts';
import { aggregateCandles, type ExactCandle, fillGaps } from '../prices/candle-gaps.ts';
import { type CandleSeries, parseCandles } from '../prices/candle-series.ts';
import { FIGURE_HISTORY, figureCandles, fourHours, indicatorFigures } from '../prices/pair-figures.ts';
import type { FilterGroup, FilterRule } from '../prices/screener-contract.ts';
import { runBacktest } from './backtest.ts';
import { conditionProblems, createConditionJudge, dataProblems } from './backtest-conditions.ts';

const HOUR = 3_600_000;
const recorded = resolve(import.meta.dirname, '../../../../../shared/data/klines/BTCUSDT-1m-20250520-20250818.csv.gz');
const hasRecorded = existsSync(recorded);
if (!hasRecorded) console.warn(`No recorded candles at ${recorded}: the server's figures are compared over a market of our own only.`);

const asking = (rules: readonly FilterRule[], timeframe: '1m' | '15m' | '1h' = '15m', match: FilterGroup['match'] = 'all') =>
  botConfig({
    timeframe,
    entry: { ...botConfig().entry, trigger: { kind: 'conditions', rules: { match, rules: [...rules] } } },
  });
const all = (['15m', '1h', '4h', '1d'] as const).flatMap((timeframe): FilterRule[] =>
  ['rsi', 'natr', 'percentB', 'macdHistogram', 'sma20Distance', 'ema200Distance'].map((key) => ({
    key,
    timeframe,
    operation: 'gt',
    value: -1e9,
  })),
);

/** Compares at the bars that close the quarters of these. @param text a file of minutes, which both ways read */
function compareWithServer(text: string, bars: readonly number[]): void {
  const candles = parseCandles(text, 'BTCUSDT');
  // The server's way: exact candles, gaps filled, aggregated, the newest of them made into figures.
  const exact: ExactCandle[] = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [openTime = '', open = '', high = '', low = '', close = '', volume = ''] = line.split(',');
      return { openTime: Number(openTime), open, high, low, close, volume, quoteVolume: volume, trades: 1 };
    });
  const minutes = fillGaps(exact, '1m');
  const of = {
    '15m': aggregateCandles(minutes, '1m', '15m'),
    '1h': aggregateCandles(minutes, '1m', '1h'),
    '1d': aggregateCandles(minutes, '1m', '1d'),
  };
  const judge = createConditionJudge(asking(all), { pair: btcusdt, candles })!;
  const moments = new Set(bars.map((bar) => bar - (bar % 15) + 14));
  let compared = 0;
  for (let bar = 0; bar <= Math.max(...moments); bar += 1) {
    judge.close(bar);
    if (!moments.has(bar)) continue;
    const at = candles.openTime[bar]! + 60_000;
    const closed = (interval: keyof typeof of, length: number) =>
      figureCandles(of[interval].filter(({ openTime }) => openTime + length <= at).slice(-FIGURE_HISTORY[interval]));
    const expected = {
      '15m': indicatorFigures(closed('15m', HOUR / 4)),
      '1h': indicatorFigures(closed('1h', HOUR)),
      '4h': indicatorFigures(fourHours(closed('1h', HOUR))),
      '1d': indicatorFigures(closed('1d', 24 * HOUR)),
    };
    const { numbers, before, words } = judge.table!();
    for (const [timeframe, figures] of Object.entries(expected)) {
      for (const [key, [now, earlier]] of Object.entries(figures)) {
        const id = `${key}.${timeframe}`;
        if (key === 'macdSign') expect(words.get(id)?.[0] ?? null, id).toBe(now > 0 ? 'above' : now < 0 ? 'below' : null);
        else expect([numbers.get(id)?.[0], before.get(id)?.[0]], id).toEqual([now, earlier]);
        compared += 1;
      }
    }
  }
  expect(compared).toBe(moments.size * 4 * 11);
}

test('at moments of a market of our own every figure is that of the server, bit for bit', () => {
  // The exchange was down from the middle of a quarter on, for more than an hour of the clock.
  const hole = { from: 29_047, bars: 165 };
  compareWithServer(ownCandleFile({ seed: 21, bars: 30_200, intervalMs: 60_000, openCents: 3_000_000, hole }), [20_001, 30_001]);
});

test.runIf(hasRecorded)('at moments of a recorded market every figure is that of the server, bit for bit', () => {
  const bars = TIER === 'deep' ? [20_001, 64_321, 64_379, 99_999, 130_000] : [20_001, 30_001];
  const lines = gunzipSync(readFileSync(recorded)).toString().trim().split('\n');
  compareWithServer(lines.slice(0, TIER === 'deep' ? undefined : 30_100).join('\n'), bars);
});

describe('rules that candles cannot answer', () => {
  const problems = (rule: FilterRule, intervalMs = 60_000) => conditionProblems(asking([rule]), intervalMs);
  test.each([
    [{ key: 'spreadPct', operation: 'lt', value: 1 }, 'spreadPct', 'unknowable'],
    [{ key: 'bookDepth1pct', operation: 'gt', value: 1 }, 'bookDepth1pct', 'unknowable'],
    [{ key: 'rsi', timeframe: '1h', operation: 'lt', value: '35' }, 'rules.0.value', 'invalid'],
    [{ key: 'tags', operation: 'hasAny', value: ['major'] }, 'tags', 'unknowable'],
    [{ key: 'rsi', timeframe: '1h', operation: 'topN', value: 5 }, 'rsi', 'ranked'],
    [{ key: 'rsi', timeframe: '1h', operation: 'gt', of: { key: 'spreadPct' } }, 'spreadPct', 'unknowable'],
  ] as [FilterRule, string, string][])('are named: %j', (rule, column, code) => {
    expect(problems(rule)).toEqual([{ column, code }]);
    expect(() => createConditionJudge(asking([rule]), { pair: btcusdt, candles: randomSeries(10) })).toThrow(column);
  });
  test('among them those of candles shorter than the given ones', () => {
    expect(problems({ key: 'rsi', timeframe: '15m', operation: 'lt', value: 30 }, HOUR)).toEqual([
      { column: '15m', code: 'tooCoarse' },
      { column: 'rsi.15m', code: 'tooCoarse' },
    ]);
  });
  test('a bot without conditions has none', () => {
    expect(conditionProblems(botConfig(), HOUR)).toEqual([]);
    expect(createConditionJudge(botConfig(), { pair: btcusdt, candles: randomSeries(10) })).toBeUndefined();
  });
});

test('verdicts come at the closes of the timeframe, unknown while there is too little history', () => {
  const candles = { ...randomSeries(3000), openTime: Float64Array.from({ length: 3000 }, (_, bar) => 1_700_006_400_000 + bar * 60_000) };
  const judge = createConditionJudge(asking([{ key: 'rsi', timeframe: '1h', operation: 'lt', value: 101 }]), { pair: btcusdt, candles })!;
  const said = [...candles.openTime.keys()].flatMap((bar) => judge.close(bar) ?? []);
  expect(said.map(({ at }) => at)).toEqual(Array.from({ length: 200 }, (_, n) => candles.openTime[0]! + (n + 1) * 15 * 60_000));
  // Fourteen changes need fifteen hours.
  expect(said.slice(0, 59).every(({ entry }) => entry === null)).toBe(true);
  expect(said.slice(59).every(({ entry, exit }) => entry === true && exit === null)).toBe(true);
  expect(Number(said[100]?.observed['rsi.1h'])).toBeGreaterThan(0);
  expect(said[0]!.validUntil - said[0]!.at).toBe(17 * 60_000);
});

test('changes are measured from the close so long before; over a hole from the last one known', () => {
  const flat = (prices: readonly number[], times: readonly number[]): CandleSeries => {
    const column = Float64Array.from(prices);
    return {
      symbol: 'BTCUSDT',
      intervalMs: 60_000,
      openTime: Float64Array.from(times, (minute) => 1_700_006_400_000 + minute * 60_000),
      open: column,
      high: column,
      low: column,
      close: column,
      volume: column,
    };
  };
  const rule: FilterRule = { key: 'change', timeframe: '5m', operation: 'gt', value: 0 };
  const run = (series: CandleSeries) => {
    const judge = createConditionJudge(asking([rule], '1m'), { pair: btcusdt, candles: series })!;
    return [...series.openTime.keys()].map((bar) => judge.close(bar)?.observed['change.5m']);
  };
  expect(run(flat([100, 101, 102, 103, 104, 110, 111], [0, 1, 2, 3, 4, 5, 6])).slice(4)).toEqual(['', '10', '9.9009901']);
  expect(run(flat([100, 101, 110, 111], [0, 1, 8, 9])).slice(2)).toEqual(['8.9108911', '9.9009901']);
});

describe('candles that do not reach', () => {
  const { openTime: _, ...columns } = randomSeries(3000);
  const openTime = Float64Array.from({ length: 3000 }, (_, bar) => 1_700_006_400_000 + bar * 60_000);
  const candles = { ...columns, openTime };
  const told = { ...candles, quoteVolume: candles.volume, trades: candles.volume };
  const days = (count: number): CandleSeries => {
    const end = Math.ceil(openTime[0]! / (24 * HOUR)) * 24 * HOUR;
    const made = randomSeries(count, 3, 24 * HOUR);
    return {
      ...made,
      quoteVolume: made.volume,
      openTime: Float64Array.from({ length: count }, (_, day) => end - (count - day) * 24 * HOUR),
    };
  };
  const hours = (count: number): CandleSeries => {
    const end = Math.ceil(openTime.at(-1)! / HOUR) * HOUR;
    return { ...randomSeries(count, 4, HOUR), openTime: Float64Array.from({ length: count }, (_, hour) => end - (count - hour) * HOUR) };
  };
  const rule = (key: string, timeframe?: string): FilterRule =>
    ({ key, ...(timeframe ? { timeframe } : {}), operation: 'gt', value: 0 }) as FilterRule;
  const pair = { ...btcusdt, symbol: 'ETHUSDT', baseAsset: 'ETH' };
  test.each([
    ['money nobody told', rule('quoteVolume'), { candles }, 'needsMoney'],
    ['money that is told', rule('quoteVolume'), { candles: told }, undefined],
    ['trades nobody told', rule('trades24h'), { candles: { ...candles, quoteVolume: candles.volume } }, 'needsMoney'],
    ['two days for a year', rule('range', '52w'), { candles }, 'needsHistory'],
    ['a year before the run', rule('range', '52w'), { candles, history: [days(364)] }, undefined],
    ['a day too few', rule('range', '52w'), { candles, history: [days(361)] }, 'needsHistory'],
    [
      'money of days without theirs',
      rule('volumeVs20dAvg'),
      { candles: told, history: [{ ...days(30), quoteVolume: undefined }] },
      'needsHistory',
    ],
    ['money of days', rule('volumeVs20dAvg'), { candles: told, history: [days(30)] }, undefined],
    ['an average of two hundred hours', rule('sma200Distance', '1h'), { candles }, 'needsHistory'],
    ['a day within two', rule('highDistance', '24h'), { candles }, undefined],
    ['no listing', rule('listedDays'), { candles }, 'needsHistory'],
    ['a listing', rule('listedDays'), { candles, listedAt: 0 }, undefined],
    ['a question for the unknown', { key: 'range', timeframe: '52w', operation: 'isNull' }, { candles }, undefined],
  ] as [string, FilterRule, object, string | undefined][])('%s', (_name, asked, source, code) => {
    const config = asking([asked]);
    const coin = { pair, ...source } as { pair: typeof pair; candles: CandleSeries };
    expect(dataProblems(config, [coin]).map((problem) => problem.code)).toEqual(code === undefined ? [] : [code]);
    const run = () => runBacktest({ config, coins: [coin], startBalance: '1000' });
    if (code === undefined) expect(run).not.toThrow();
    else expect(run).toThrow(code);
  });
  test('one coin that reaches is enough, the others are passed by', () => {
    const coins = [
      { pair, candles },
      { pair: btcusdt, candles, history: [days(364)] },
    ];
    expect(dataProblems(asking([rule('range', '52w')]), coins)).toEqual([]);
  });
  test('correlations are taken to BTC among the coins, or beside them', () => {
    const config = asking([rule('btcCorrelation', '7d')]);
    const history = [hours(400)];
    const long = { pair, candles, history: [{ ...hours(400), openTime: hours(400).openTime.map((at) => at - 50 * HOUR) }] };
    expect(dataProblems(config, [long]).map(({ code }) => code)).toEqual(['needsReference']);
    expect(dataProblems(config, [long], { candles: history[0]! })).toEqual([]);
    expect(dataProblems(config, [long, { ...long, pair: btcusdt }])).toEqual([]);
    expect(dataProblems(config, [long], { candles }).map(({ code }) => code)).toEqual(['needsHistory']);
  });
});
