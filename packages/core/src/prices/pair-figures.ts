import { createAtr } from '../indicators/atr.ts';
import { createBollinger } from '../indicators/bollinger.ts';
import { createEma } from '../indicators/ema.ts';
import { createMacd } from '../indicators/macd.ts';
import { createRsi } from '../indicators/rsi.ts';
import { createSma } from '../indicators/sma.ts';
import { correlation, logReturns, standardDeviation } from '../indicators/statistics.ts';
import type { ExactCandle } from './candle-gaps.ts';
import { SPARKLINE_HOURS, sparkline } from './sparkline.ts';

/** Closed candles in columns, oldest first and without gaps; times in epoch ms. Floats: for finding, never for orders. */
export type FigureCandles = {
  readonly openTime: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /** In the quote asset. */
  readonly quoteVolume: Float64Array;
};

/** What a figure is at the newest closed candle and at the one before; NaN when there is too little history. */
export type Figure = readonly [now: number, before: number];

const HOUR = 3_600_000;
const HOURS_7D = 168;
const HOURS_30D = 720;
const DAYS_52W = 364;
const AVERAGES = [20, 50, 200] as const;

/** Candles of each stored interval that the figures need. 4h is made of 1h: 200 of them are 800 hours and the edge. */
export const FIGURE_HISTORY = { '15m': 300, '1h': 1000, '1d': 400 } as const satisfies Record<string, number>;

/** Exact candles as columns. */
export function figureCandles(candles: readonly ExactCandle[]): FigureCandles {
  const column = (pick: (candle: ExactCandle) => number | string) => Float64Array.from(candles, (candle) => Number(pick(candle)));
  return {
    openTime: column((candle) => candle.openTime),
    high: column((candle) => candle.high),
    low: column((candle) => candle.low),
    close: column((candle) => candle.close),
    quoteVolume: column((candle) => candle.quoteVolume),
  };
}

/** Four-hour candles of hourly ones; the first and the last only when all their hours are there. */
export function fourHours(hours: FigureCandles): FigureCandles {
  const starts: number[] = [];
  for (let i = 0; i + 3 < hours.openTime.length; ) {
    const whole = hours.openTime[i]! % (4 * HOUR) === 0;
    if (whole) starts.push(i);
    i += whole ? 4 : 1;
  }
  const column = (pick: (start: number) => number) => Float64Array.from(starts, pick);
  return {
    openTime: column((i) => hours.openTime[i]!),
    high: column((i) => Math.max(hours.high[i]!, hours.high[i + 1]!, hours.high[i + 2]!, hours.high[i + 3]!)),
    low: column((i) => Math.min(hours.low[i]!, hours.low[i + 1]!, hours.low[i + 2]!, hours.low[i + 3]!)),
    close: column((i) => hours.close[i + 3]!),
    quoteVolume: column((i) => hours.quoteVolume[i]! + hours.quoteVolume[i + 1]! + hours.quoteVolume[i + 2]! + hours.quoteVolume[i + 3]!),
  };
}

/**
 * Prices times this lie near a hundred. A power of two changes no bit of what follows, and keeps coins that cost
 * millionths out of reach of thresholds meant for rounding errors.
 */
function comparable(price: number): number {
  return price > 0 && Number.isFinite(price) ? 2 ** (7 - Math.round(Math.log2(price))) : 1;
}

/** The indicator columns of one timeframe: `key` as in the table of fields, the sign of MACD as 1, -1 or NaN. */
export type IndicatorFigures = Readonly<Record<string, Figure>>;

/** Indicators at the newest closed candle and the one before. */
export function indicatorFigures({ high, low, close }: FigureCandles): IndicatorFigures {
  const count = close.length;
  const scale = comparable(close[count - 1] ?? 0);
  const rsi = createRsi(14);
  const atr = createAtr(14);
  const bands = createBollinger(20, 2);
  const macd = createMacd(12, 26, 9);
  const averages = (['sma', 'ema'] as const).flatMap((kind) =>
    AVERAGES.map((length) => ({ key: `${kind}${length}Distance`, average: kind === 'sma' ? createSma(length) : createEma(length) })),
  );
  const found: Record<string, number>[] = [];
  for (let i = 0; i < count; i += 1) {
    const price = close[i]! * scale;
    const strength = rsi.next(price);
    const range = atr.next(high[i]! * scale, low[i]! * scale, price);
    bands.next(price);
    macd.next(price);
    const distances = averages.map(({ average }) => average.next(price));
    if (i < count - 2) continue;
    const row: Record<string, number> = {
      rsi: strength,
      natr: (range / price) * 100,
      percentB: bands.percentB(price),
      macdHistogram: (macd.histogram / price) * 100,
      // Equal is on neither side; it lasts for a candle at most.
      macdSign: macd.histogram > 0 ? 1 : macd.histogram < 0 ? -1 : Number.NaN,
    };
    averages.forEach(({ key }, n) => {
      row[key] = ((price - distances[n]!) / distances[n]!) * 100;
    });
    found.push(row);
  }
  const now = found.at(-1) ?? {};
  const before = found.length === 2 ? found[0]! : {};
  return Object.fromEntries(Object.keys(now).map((key) => [key, [now[key]!, before[key] ?? Number.NaN] as const]));
}

const maximum = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
const minimum = (values: Float64Array): number => values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** What is measured from hourly candles; the live price is set against it later. */
export type HourFigures = {
  /** Price that a change over 7 and 30 days is measured from. */
  readonly close7d: number;
  readonly close30d: number;
  readonly high7d: number;
  readonly low7d: number;
  /** Percent of the last 24 closed hours over the 24 before; NaN after a day without any. */
  readonly volumeChange: number;
  readonly correlation7d: number;
  readonly correlation30d: number;
  /** The last 24 closes, 0 to 100; undefined where there are fewer. */
  readonly sparkline: readonly number[] | undefined;
};

/** @param reference the pair that correlations are taken to, e.g. BTCUSDT */
export function hourFigures(hours: FigureCandles, reference: FigureCandles | undefined): HourFigures {
  const { close, high, low, quoteVolume } = hours;
  const count = close.length;
  const closeBefore = (steps: number) => (count > steps ? close[count - 1 - steps]! : Number.NaN);
  const volume = count >= 48 ? total(quoteVolume.subarray(count - 24)) : Number.NaN;
  const volumeBefore = count >= 48 ? total(quoteVolume.subarray(count - 48, count - 24)) : Number.NaN;
  return {
    close7d: closeBefore(HOURS_7D),
    close30d: closeBefore(HOURS_30D),
    high7d: count >= HOURS_7D ? maximum(high.subarray(count - HOURS_7D)) : Number.NaN,
    low7d: count >= HOURS_7D ? minimum(low.subarray(count - HOURS_7D)) : Number.NaN,
    volumeChange: volumeBefore > 0 ? (volume / volumeBefore - 1) * 100 : Number.NaN,
    correlation7d: hourlyCorrelation(hours, reference, HOURS_7D),
    correlation30d: hourlyCorrelation(hours, reference, HOURS_30D),
    sparkline: sparkline(count >= SPARKLINE_HOURS ? close.subarray(count - SPARKLINE_HOURS) : []),
  };
}

/** Correlation of hourly log returns over the hours both have, ending with the newest common one. */
function hourlyCorrelation(one: FigureCandles, other: FigureCandles | undefined, hours: number): number {
  const [lastOne, lastOther] = [one.openTime.at(-1), other?.openTime.at(-1)];
  if (other === undefined || lastOne === undefined || lastOther === undefined) return Number.NaN;
  const end = Math.min(lastOne, lastOther);
  const window = ({ close }: FigureCandles, last: number) => {
    const to = close.length - Math.round((last - end) / HOUR);
    return to >= hours + 1 ? close.subarray(to - hours - 1, to) : undefined;
  };
  const [a, b] = [window(one, lastOne), window(other, lastOther)];
  return a === undefined || b === undefined ? Number.NaN : correlation(logReturns(a), logReturns(b));
}

/** What is measured from daily candles. */
export type DayFigures = {
  /** Mean quote volume of the last 20 closed days. */
  readonly volume20d: number;
  /** Standard deviation of the last seven daily log returns, percent. */
  readonly volatility7d: number;
  readonly high52w: number;
  readonly low52w: number;
};

export function dayFigures({ close, high, low, quoteVolume }: FigureCandles): DayFigures {
  const count = close.length;
  return {
    volume20d: count >= 20 ? total(quoteVolume.subarray(count - 20)) / 20 : Number.NaN,
    volatility7d: count >= 8 ? standardDeviation(logReturns(close.subarray(count - 8))) * 100 : Number.NaN,
    high52w: count >= DAYS_52W ? maximum(high.subarray(count - DAYS_52W)) : Number.NaN,
    low52w: count >= DAYS_52W ? minimum(low.subarray(count - DAYS_52W)) : Number.NaN,
  };
}

/** Percent from `from` to `to`; NaN unless `from` is above zero. */
export const percentChange = (from: number, to: number): number => (from > 0 ? (to / from - 1) * 100 : Number.NaN);
