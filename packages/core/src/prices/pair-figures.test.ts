import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseCandles } from './candle-series.ts';
import { dayFigures, type FigureCandles, fourHours, hourFigures, indicatorFigures, percentChange } from './pair-figures.ts';

const HOUR = 3_600_000;
const DATA = join(dirname(fileURLToPath(import.meta.url)), '../../../../../shared/data');

const candles = (closes: readonly number[], more: Partial<Record<keyof FigureCandles, readonly number[]>> = {}): FigureCandles => ({
  openTime: Float64Array.from(more.openTime ?? closes.map((_, n) => n * HOUR)),
  high: Float64Array.from(more.high ?? closes),
  low: Float64Array.from(more.low ?? closes),
  close: Float64Array.from(closes),
  quoteVolume: Float64Array.from(more.quoteVolume ?? closes.map(() => 1)),
});
const range = (count: number, value: (n: number) => number): number[] => Array.from({ length: count }, (_, n) => value(n));

describe('indicators by hand', () => {
  test('too little history is unknown, never zero', () => {
    expect(indicatorFigures(candles([]))).toEqual({});
    const figures = indicatorFigures(candles(range(19, (n) => 100 + n)));
    expect(figures.sma20Distance).toEqual([Number.NaN, Number.NaN]);
    expect(figures.rsi).toEqual([100, 100]);
    expect(figures.macdSign).toEqual([Number.NaN, Number.NaN]);
    // The twentieth candle gives the first mean; the one before still has none.
    expect(indicatorFigures(candles(range(20, (n) => 100 + n))).sma20Distance).toEqual([((119 - 109.5) / 109.5) * 100, Number.NaN]);
  });

  test('now and the candle before differ by one candle', () => {
    const closes = range(260, (n) => 100 + 10 * Math.sin(n / 7));
    const [longer, shorter] = [indicatorFigures(candles(closes)), indicatorFigures(candles(closes.slice(0, -1)))];
    for (const key of Object.keys(longer)) expect(longer[key]![1], key).toBeCloseTo(shorter[key]![0], 9);
  });

  test('a flat line has no place between its bands, and coins of millionths do', () => {
    expect(indicatorFigures(candles(range(40, () => 1))).percentB).toEqual([Number.NaN, Number.NaN]);
    const wave = range(60, (n) => 1 + 0.1 * Math.sin(n));
    const tiny = indicatorFigures(candles(wave.map((value) => value * 2 ** -20)));
    expect(tiny).toEqual(indicatorFigures(candles(wave)));
    expect(tiny.percentB![0]).toBeGreaterThan(-0.5);
    expect(tiny.percentB![0]).toBeLessThan(1.5);
  });
});

describe('hours and days by hand', () => {
  test('changes, extremes and volumes need all their candles', () => {
    const closes = range(721, (n) => 1000 + n);
    const figures = hourFigures(candles(closes, { high: closes.map((c) => c + 5), low: closes.map((c) => c - 5) }), undefined);
    expect(figures).toMatchObject({ close7d: 1720 - 168, close30d: 1000, high7d: 1725, low7d: 1720 - 167 - 5, volumeChange: 0 });
    expect(figures.correlation7d).toBeNaN();
    expect(hourFigures(candles(closes.slice(1)), undefined).close30d).toBeNaN();
    expect(hourFigures(candles(range(167, () => 1)), undefined).high7d).toBeNaN();
    expect(hourFigures(candles(range(47, () => 1)), undefined).volumeChange).toBeNaN();
    const volumes = [...range(24, () => 2), ...range(24, () => 3)];
    expect(
      hourFigures(
        candles(
          range(48, () => 1),
          { quoteVolume: volumes },
        ),
        undefined,
      ).volumeChange,
    ).toBeCloseTo(50, 12);
    expect(
      hourFigures(
        candles(
          range(48, () => 1),
          { quoteVolume: [...range(24, () => 0), ...range(24, () => 3)] },
        ),
        undefined,
      ).volumeChange,
    ).toBeNaN();
  });

  test('correlation looks at the same hours of both, whoever is ahead', () => {
    const closes = range(200, (n) => 100 * Math.exp(Math.sin(n * n)));
    const btc = candles(closes);
    expect(hourFigures(candles(closes.map((c) => c * 3)), btc).correlation7d).toBeCloseTo(1, 12);
    expect(hourFigures(candles(closes.map((c) => 1 / c)), btc).correlation7d).toBeCloseTo(-1, 12);
    expect(hourFigures(candles(closes.slice(0, -3)), btc).correlation7d).toBeCloseTo(1, 12);
    expect(hourFigures(candles(closes.slice(0, 168)), btc).correlation7d).toBeNaN();
    expect(hourFigures(candles(closes), btc).correlation30d).toBeNaN();
  });

  test('days', () => {
    const closes = range(364, (n) => (n % 2 === 0 ? 100 : 110));
    const figures = dayFigures(candles(closes, { quoteVolume: range(364, (n) => n) }));
    expect(figures.volume20d).toBe(353.5);
    expect(figures).toMatchObject({ high52w: 110, low52w: 100 });
    // Seven returns of ±ln 1.1 in turn, four of one sign.
    const step = Math.log(1.1);
    const mean = step / 7;
    const variance = (4 * (step - mean) ** 2 + 3 * (step + mean) ** 2) / 6;
    expect(figures.volatility7d).toBeCloseTo(Math.sqrt(variance) * 100, 10);
    expect(dayFigures(candles(closes.slice(1))).high52w).toBeNaN();
    expect(dayFigures(candles(closes.slice(0, 7))).volatility7d).toBeNaN();
  });

  test('four hours begin at whole ones', () => {
    const hours = candles(
      range(10, (n) => n + 1),
      { openTime: range(10, (n) => (n + 3) * HOUR), high: range(10, (n) => 20 - n) },
    );
    const four = fourHours(hours);
    expect([...four.openTime].map((at) => at / HOUR)).toEqual([4, 8]);
    expect([[...four.close], [...four.high], [...four.low], [...four.quoteVolume]]).toEqual([
      [5, 9],
      [19, 15],
      [2, 6],
      [4, 4],
    ]);
  });

  test('a change from nothing is unknown', () => {
    expect([percentChange(0, 1), percentChange(Number.NaN, 1)]).toEqual([Number.NaN, Number.NaN]);
    expect(percentChange(50, 60)).toBeCloseTo(20, 10);
  });
});

type Golden = Record<string, { firstIndex: number } & Record<string, number[]>> & { firstRow: number; rows: number };
const text = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : gunzipSync(readFileSync(`${path}.gz`)).toString());

describe.skipIf(!existsSync(join(DATA, 'golden')))('over recorded candles (needs ../shared/data)', () => {
  test.each([
    ['talib-BTCUSDT-1m-rows0-2000.json.gz', 'BTCUSDT-1m-20250520-20250818.csv'],
    ['talib-ETHUSDT-1m-rows50000-2000.json.gz', 'ETHUSDT-1m-20250520-20250818.csv'],
  ])('the figures are those of TA-Lib to the last bit: %s', (goldenFile, candleFile) => {
    const golden = JSON.parse(gunzipSync(readFileSync(join(DATA, 'golden', goldenFile))).toString()) as Golden;
    const lines = text(join(DATA, 'klines', candleFile)).split('\n');
    const series = parseCandles([lines[0], ...lines.slice(1 + golden.firstRow, 1 + golden.firstRow + golden.rows)].join('\n'), 'X');
    const figures = indicatorFigures({ ...series, quoteVolume: series.volume });
    const at = (name: string, part: string, back: number) => golden[name]![part]!.at(-1 - back)!;
    for (const back of [0, 1]) {
      const close = series.close.at(-1 - back)!;
      expect(figures.rsi![back]).toBe(at('RSI14', 'value', back));
      expect(figures.natr![back]).toBe((at('ATR14', 'value', back) / close) * 100);
      expect(figures.sma20Distance![back]).toBe(((close - at('SMA20', 'value', back)) / at('SMA20', 'value', back)) * 100);
      expect(figures.ema20Distance![back]).toBe(((close - at('EMA20', 'value', back)) / at('EMA20', 'value', back)) * 100);
      const [upper, lower] = [at('BBANDS20_2', 'upper', back), at('BBANDS20_2', 'lower', back)];
      expect(figures.percentB![back]).toBe((close - lower) / (upper - lower));
      const histogram = at('MACD_12_26_9', 'histogram' in golden.MACD_12_26_9! ? 'histogram' : 'hist', back);
      expect(figures.macdHistogram![back]).toBe((histogram / close) * 100);
      expect(figures.macdSign![back]).toBe(Math.sign(histogram));
    }
  });

  test('hours with their quote volumes: BNB over half a year', () => {
    const rows = text(join(DATA, 'klines/BNBUSDT-1h-to20260726-full12.csv')).trim().split('\n');
    const columns = rows[0]!.split(',');
    const pick = (name: string) => rows.slice(1, -1).map((row) => Number(row.split(',')[columns.indexOf(name)]));
    const hours = candles(pick('close'), {
      openTime: pick('open_time'),
      high: pick('high'),
      low: pick('low'),
      quoteVolume: pick('quote_volume'),
    });
    const figures = hourFigures(hours, hours);
    const sum = (from: number, to?: number) => [...hours.quoteVolume].slice(from, to).reduce((a, b) => a + b, 0);
    expect(figures.volumeChange).toBeCloseTo((sum(-24) / sum(-48, -24) - 1) * 100, 9);
    expect(figures.high7d).toBe(Math.max(...[...hours.high].slice(-168)));
    expect(figures.low7d).toBe(Math.min(...[...hours.low].slice(-168)));
    expect(figures.close30d).toBe(hours.close.at(-721));
    expect(figures.correlation30d).toBeCloseTo(1, 9);
    const four = indicatorFigures(fourHours(hours));
    for (const [now, before] of Object.values(four)) expect([Number.isFinite(now), Number.isFinite(before)]).toEqual([true, true]);
    expect(four.rsi![0]).toBeGreaterThan(0);
    expect(four.rsi![0]).toBeLessThan(100);
  });
});
