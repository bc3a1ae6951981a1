import type { FieldType, FilterFieldRef } from './screener-contract.ts';
import { OPERATIONS } from './screener-contract.ts';

/** Timeframes whose closed candles the figures are made of. */
export const CANDLE_TIMEFRAMES = ['15m', '1h', '4h', '1d'] as const;
export type CandleTimeframe = (typeof CANDLE_TIMEFRAMES)[number];
export const CHANGE_TIMEFRAMES = ['1m', '5m', '15m', '1h', '4h', '24h', '7d', '30d'] as const;
export const EXTREME_TIMEFRAMES = ['24h', '7d', '52w'] as const;

/** One thing that can be asked of a pair. Numbers are binary floats: for finding, never for orders. */
export type ScreenerField = {
  readonly key: string;
  readonly type: FieldType;
  readonly unit?: '%' | 'quote' | 'days' | '×';
  readonly timeframes?: readonly string[];
  /** Known only of the one who asks. */
  readonly personal?: true;
  readonly values?: readonly string[];
  /** A rule to start from, as the screens write it. */
  readonly example?: string;
};

/** Distances of the price from averages: the key says which and over how many candles. */
const averages = (['sma', 'ema'] as const).flatMap((kind) =>
  [20, 50, 200].map(
    (length): ScreenerField => ({
      key: `${kind}${length}Distance`,
      type: 'number',
      unit: '%',
      timeframes: CANDLE_TIMEFRAMES,
      example: 'gt 0',
    }),
  ),
);

/**
 * Every field of the screener. A new one is a row here, a text `screener.field.<key>` and a column where the
 * figures are made; options, both apps, coin filters and alerts follow.
 */
export const SCREENER_FIELDS: readonly ScreenerField[] = [
  { key: 'symbol', type: 'text', example: 'startsWith BTC' },
  { key: 'base', type: 'text', example: 'contains BTC' },
  { key: 'quote', type: 'enum', example: 'in USDT' },
  { key: 'status', type: 'enum', values: ['TRADING', 'END_OF_DAY', 'HALT', 'BREAK', 'CANCEL_ONLY'], example: 'in TRADING' },
  { key: 'tags', type: 'tags', example: 'hasNone stablecoin' },
  { key: 'listedAt', type: 'time', example: 'gt 2026-01-01T00:00:00Z' },
  { key: 'listedDays', type: 'number', unit: 'days', example: 'gte 30' },
  { key: 'price', type: 'number', unit: 'quote', example: 'between 1,10' },
  { key: 'change', type: 'number', unit: '%', timeframes: CHANGE_TIMEFRAMES, example: 'gt 5' },
  { key: 'quoteVolume', type: 'number', unit: 'quote', example: 'topN 50' },
  /** Of the last 24 hours against the 24 before. */
  { key: 'volumeChange', type: 'number', unit: '%', example: 'gt 100' },
  { key: 'volumeVs20dAvg', type: 'number', unit: '×', example: 'gt 2' },
  { key: 'trades24h', type: 'number', example: 'gt 10000' },
  { key: 'spreadPct', type: 'number', unit: '%', example: 'lt 0.2' },
  /** Quote value resting within 1 % of the middle, both sides. */
  { key: 'bookDepth1pct', type: 'number', unit: 'quote', example: 'gt 100000' },
  { key: 'highDistance', type: 'number', unit: '%', timeframes: EXTREME_TIMEFRAMES, example: 'gt -2' },
  { key: 'lowDistance', type: 'number', unit: '%', timeframes: EXTREME_TIMEFRAMES, example: 'lt 2' },
  /** High over low. */
  { key: 'range', type: 'number', unit: '%', timeframes: EXTREME_TIMEFRAMES, example: 'gt 10' },
  { key: 'natr', type: 'number', unit: '%', timeframes: CANDLE_TIMEFRAMES, example: 'gt 1' },
  /** Standard deviation of daily log returns over 7 days. */
  { key: 'volatility7d', type: 'number', unit: '%', example: 'lt 5' },
  { key: 'rsi', type: 'number', timeframes: CANDLE_TIMEFRAMES, example: 'lt 30' },
  ...averages,
  { key: 'macdSign', type: 'enum', values: ['above', 'below'], timeframes: CANDLE_TIMEFRAMES, example: 'in above' },
  /** In percent of the price, so that pairs can be compared. */
  { key: 'macdHistogram', type: 'number', unit: '%', timeframes: CANDLE_TIMEFRAMES, example: 'crossesAbove 0' },
  { key: 'percentB', type: 'number', timeframes: CANDLE_TIMEFRAMES, example: 'lt 0' },
  { key: 'btcCorrelation', type: 'number', timeframes: ['7d', '30d'], example: 'lt 0.3' },
  { key: 'minNotional', type: 'number', unit: 'quote', example: 'lte 5' },
  { key: 'tickSizePct', type: 'number', unit: '%', example: 'lt 0.1' },
  { key: 'owned', type: 'bool', personal: true, example: 'is true' },
  { key: 'openPosition', type: 'bool', personal: true, example: 'is false' },
  { key: 'alertExists', type: 'bool', personal: true, example: 'is true' },
];

const BY_KEY = new Map(SCREENER_FIELDS.map((field) => [field.key, field]));
export const screenerField = (key: string): ScreenerField | undefined => BY_KEY.get(key);

/** Id of a field's column: `rsi.1h`, or the key alone. */
export const columnId = ({ key, timeframe }: FilterFieldRef): string => (timeframe === undefined ? key : `${key}.${timeframe}`);

/** `rsi.1h` into {key: 'rsi', timeframe: '1h'}. */
export function columnRef(columnIdText: string): FilterFieldRef {
  const [key = '', timeframe] = columnIdText.split('.');
  return timeframe === undefined ? { key } : { key, timeframe };
}

/** Every column id of fields with numbers in it (numbers, times and yes/no), in the order of the table. */
export const NUMBER_COLUMNS: readonly string[] = SCREENER_FIELDS.filter(({ type }) => ['number', 'time', 'bool'].includes(type)).flatMap(
  (field) => (field.timeframes ?? [undefined]).map((timeframe) => columnId({ key: field.key, timeframe })),
);

export const operationsOf = (field: Pick<ScreenerField, 'type'>): readonly string[] => OPERATIONS[field.type];
