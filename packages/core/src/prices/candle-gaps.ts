import { add, compare, type Decimal, decimal, toText } from '../money/decimal.ts';

/** A closed candle as the exchange told it: exact texts, open time in epoch ms. */
export type ExactCandle = {
  readonly openTime: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  /** In base units. */
  readonly volume: string;
  readonly quoteVolume: string;
  readonly trades: number;
  /** Nobody traded, or the exchange was down: the close before repeated. Never a trade. */
  readonly filled?: true;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LENGTHS: Readonly<Record<string, number>> = {
  '1m': MINUTE,
  '3m': 3 * MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': HOUR,
  '2h': 2 * HOUR,
  '4h': 4 * HOUR,
  '6h': 6 * HOUR,
  '8h': 8 * HOUR,
  '12h': 12 * HOUR,
  '1d': DAY,
  '3d': 3 * DAY,
  '1w': 7 * DAY,
};
/** Weeks of the exchange begin on Mondays; the epoch was a Thursday. */
const WEEK_START = 4 * DAY;

/** Length of an interval in ms; undefined for months, which have none, and for unknown ones. */
export const intervalLength = (interval: string): number | undefined => LENGTHS[interval];

/** Open time of the candle after the one that opened at `openTime` (UTC). */
export function nextOpenTime(interval: string, openTime: number): number {
  if (interval !== '1M') return openTime + (LENGTHS[interval] ?? Number.NaN);
  const date = new Date(openTime);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** Open time of the candle that holds a moment. @param interval any but 3d, whose days the exchange counts from each pair's own start */
export function openTimeAt(interval: string, at: number): number {
  if (interval === '1M') {
    const date = new Date(at);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
  const length = LENGTHS[interval] ?? Number.NaN;
  const from = interval === '1w' ? WEEK_START : 0;
  return Math.floor((at - from) / length) * length + from;
}

/** Most candles that one gap is filled with: more is not a gap, but a pair that was away. */
const MOST_FILLED = 5000;

const repeated = ({ close }: ExactCandle, openTime: number): ExactCandle => ({
  openTime,
  open: close,
  high: close,
  low: close,
  close,
  volume: '0',
  quoteVolume: '0',
  trades: 0,
  filled: true,
});

/**
 * The candles with every missing one put in, up to the one that opens at `until` when that is given. Times that do not
 * rise are dropped: the later telling of a candle wins.
 */
export function fillGaps(candles: readonly ExactCandle[], interval: string, until?: number): ExactCandle[] {
  const filled: ExactCandle[] = [];
  const fillTo = (end: number): void => {
    for (let last = filled.at(-1), n = 0; last !== undefined && n < MOST_FILLED; last = filled.at(-1), n += 1) {
      const next = nextOpenTime(interval, last.openTime);
      if (!(next < end)) return;
      filled.push(repeated(last, next));
    }
  };
  for (const candle of candles) {
    fillTo(candle.openTime);
    const last = filled.at(-1);
    if (last !== undefined && candle.openTime < last.openTime) continue;
    if (last?.openTime === candle.openTime) filled[filled.length - 1] = candle;
    else filled.push(candle);
  }
  if (until !== undefined && filled.length > 0) fillTo(nextOpenTime(interval, until));
  return filled;
}

const larger = (a: Decimal, b: Decimal): Decimal => (compare(a, b) < 0 ? b : a);
const smaller = (a: Decimal, b: Decimal): Decimal => (compare(a, b) > 0 ? b : a);

/**
 * Candles of a longer interval, exactly. The first and the last are left out unless all their parts are there.
 * @param candles without gaps, oldest first, of an interval that divides `interval`
 */
export function aggregateCandles(candles: readonly ExactCandle[], from: string, interval: string): ExactCandle[] {
  const parts = (LENGTHS[interval] ?? Number.NaN) / (LENGTHS[from] ?? Number.NaN);
  const groups = new Map<number, ExactCandle[]>();
  for (const candle of candles) {
    const start = openTimeAt(interval, candle.openTime);
    const group = groups.get(start);
    if (group) group.push(candle);
    else groups.set(start, [candle]);
  }
  return [...groups].flatMap(([openTime, group]) => {
    if (group.length !== parts) return [];
    let [high, low] = [decimal(group[0]!.high), decimal(group[0]!.low)];
    let [volume, quoteVolume] = [decimal('0'), decimal('0')];
    let trades = 0;
    for (const candle of group) {
      high = larger(high, decimal(candle.high));
      low = smaller(low, decimal(candle.low));
      volume = add(volume, decimal(candle.volume));
      quoteVolume = add(quoteVolume, decimal(candle.quoteVolume));
      trades += candle.trades;
    }
    return [
      {
        openTime,
        open: group[0]!.open,
        high: toText(high),
        low: toText(low),
        close: group.at(-1)!.close,
        volume: toText(volume),
        quoteVolume: toText(quoteVolume),
        trades,
        ...(group.every((candle) => candle.filled === true) ? ({ filled: true } as const) : {}),
      },
    ];
  });
}
