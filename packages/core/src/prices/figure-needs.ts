import { intervalLength } from './candle-gaps.ts';
import type { FIGURE_HISTORY } from './pair-figures.ts';
import type { FilterFieldRef } from './screener-contract.ts';
import { CANDLE_TIMEFRAMES, type CandleTimeframe } from './screener-fields.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Lengths of the changes that are measured from bars. */
const SHORT = { '1m': MINUTE, '5m': 5 * MINUTE, '15m': 15 * MINUTE, '1h': HOUR, '4h': 4 * HOUR } as const;
/** Candles until an indicator has its first value. */
const FIRST_VALUE: Readonly<Record<string, number>> = {
  rsi: 15,
  natr: 14,
  percentB: 20,
  macdHistogram: 34,
  macdSign: 34,
  ...Object.fromEntries(['sma', 'ema'].flatMap((kind) => [20, 50, 200].map((length) => [`${kind}${length}Distance`, length] as const))),
};
/** What never changes, or follows from the price alone. */
const OF_PRICE: ReadonlySet<string> = new Set(['price', 'symbol', 'base', 'quote', 'minNotional', 'tickSizePct']);

/** Intervals that the server keeps closed candles of; those of four hours are made of hours. */
export type BaseTimeframe = keyof typeof FIGURE_HISTORY;
export const BASE_TIMEFRAMES = ['15m', '1h', '1d'] as const satisfies readonly BaseTimeframe[];

/** What a figure is made of. */
export type FigureNeed = {
  /** Closed candles of an interval, and how many of them before there is a value. */
  readonly candles?: readonly [timeframe: BaseTimeframe, count: number];
  /** The bars of the last 24 hours. */
  readonly day?: true;
  /** The close of the bar so many ms ago. */
  readonly backMs?: number;
  /** Money or trades of candles. */
  readonly money?: true;
  readonly trades?: true;
  /** Hours of BTC. */
  readonly reference?: true;
  /** When the pair was listed. */
  readonly listing?: true;
};

/** Whether a figure is made of the closed candles of its own timeframe. */
export const isIndicator = (key: string): boolean => key in FIRST_VALUE;
const isTimeframe = (word: string | undefined): word is CandleTimeframe =>
  (CANDLE_TIMEFRAMES as readonly (string | undefined)[]).includes(word);

/** What a column is made of; undefined where no candle tells it. */
export function figureNeed({ key, timeframe }: FilterFieldRef): FigureNeed | undefined {
  if (OF_PRICE.has(key)) return {};
  const first = FIRST_VALUE[key];
  if (first !== undefined && isTimeframe(timeframe)) return { candles: timeframe === '4h' ? ['1h', 4 * first] : [timeframe, first] };
  switch (key) {
    case 'change':
      if (timeframe === '24h') return { day: true };
      if (timeframe === '7d') return { candles: ['1h', 169] };
      if (timeframe === '30d') return { candles: ['1h', 721] };
      return { backMs: SHORT[timeframe as keyof typeof SHORT] };
    case 'quoteVolume':
      return { day: true, money: true };
    case 'trades24h':
      return { day: true, trades: true };
    case 'volumeChange':
      return { candles: ['1h', 48], money: true };
    case 'volumeVs20dAvg':
      return { day: true, candles: ['1d', 20], money: true };
    case 'volatility7d':
      return { candles: ['1d', 8] };
    case 'highDistance':
    case 'lowDistance':
    case 'range':
      if (timeframe === '7d') return { day: true, candles: ['1h', 168] };
      if (timeframe === '52w') return { day: true, candles: ['1d', 364] };
      return { day: true };
    case 'btcCorrelation':
      return { candles: ['1h', timeframe === '7d' ? 169 : 721], reference: true };
    case 'listedAt':
    case 'listedDays':
      return { listing: true };
    default:
      return undefined;
  }
}

/** Every length of time that bars must divide for a figure to be made of them, in ms. */
export const lengthsOf = ({ candles, day, backMs }: FigureNeed): number[] => [
  ...(candles ? [intervalLength(candles[0])!] : []),
  ...(day ? [DAY] : []),
  ...(backMs === undefined ? [] : [backMs]),
];
