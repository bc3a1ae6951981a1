import type { CandleSeries } from '../prices/candle-series.ts';
import { DAY } from '../prices/figure-needs.ts';
import type { FigureCandles } from '../prices/pair-figures.ts';
import { createCandleRoll } from './candle-roll.ts';

/** Candles of a run, and closed ones of any length from before it; `before` are candles that these are cut from. */
export type CandleSource = { readonly candles: CandleSeries; readonly history?: readonly CandleSeries[]; readonly before?: CandleSource };

/** A part of a series from before the run, and until when the bars of the run are not needed. */
export type WarmUp = { readonly series: CandleSeries; readonly from: number; readonly to: number; readonly skipUntil: number };

/** The first index whose candle opens at or after a time. */
export function firstFrom(openTime: Float64Array, at: number): number {
  let [low, high] = [0, openTime.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (openTime[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The candles from before a run that candles of `length` ms go on from without a hole: they end where the first whole
 * candle of the run begins, so that the one in which the run begins is theirs, or where the run itself begins. Of
 * several series the one that reaches back farthest; undefined when there is none.
 */
export function warmUpOf({ candles, history = [] }: CandleSource, length: number, keep: number, money: boolean): WarmUp | undefined {
  const start = candles.openTime[0]!;
  const whole = Math.ceil(start / length) * length;
  let best: WarmUp | undefined;
  for (const series of history) {
    const own = series.intervalMs;
    if (length % own !== 0 || (money && !series.quoteVolume)) continue;
    for (const end of new Set([whole, start])) {
      const to = firstFrom(series.openTime, end - own) + 1;
      if (series.openTime[to - 1] !== end - own) continue;
      // One more where the last of them closes only within the run.
      const from = firstFrom(series.openTime, whole - (keep + 1) * length);
      if (!best || series.openTime[from]! < best.series.openTime[best.from]!) best = { series, from, to, skipUntil: end };
      break;
    }
  }
  return best;
}

/**
 * Bars of a run's own length from the day before it; undefined where they do not reach up to it. What the run was cut
 * from does, also where no bar stands right before the cut.
 */
export function dayBefore({ candles, history = [], before }: CandleSource, money: boolean, trades: boolean): WarmUp | undefined {
  const { intervalMs } = candles;
  const tells = (series: CandleSeries): boolean =>
    series.intervalMs === intervalMs && (!trades || series.trades !== undefined) && (!money || series.quoteVolume !== undefined);
  if (before && tells(before.candles)) {
    const { openTime } = before.candles;
    const start = candles.openTime[0]!;
    // One more, by which it is known that the day is whole.
    return { series: before.candles, from: Math.max(0, firstFrom(openTime, start - DAY) - 1), to: openTime.length, skipUntil: start };
  }
  return warmUpOf({ candles, history: history.filter(tells) }, intervalMs, Math.ceil(DAY / intervalMs), money);
}

/** How many whole candles of `length` ms there are by the end of a run, those from before it included. */
export function candlesByEnd(source: CandleSource, length: number, keep: number, money: boolean): number {
  const { openTime, intervalMs } = source.candles;
  const whole = source.before ?? source;
  const warm = warmUpOf(whole, length, keep, money);
  const begin = warm ? warm.series.openTime[warm.from]! : whole.candles.openTime[0]!;
  return Math.floor((openTime.at(-1)! + intervalMs) / length) - Math.ceil(begin / length);
}

/** Closed candles of `length` ms out of shorter ones, as far as time has come. */
export function createCandleFeed(source: CandleSource, length: number, keep: number, money: boolean) {
  const roll = createCandleRoll(length, keep);
  const whole = source.before ?? source;
  const warm = warmUpOf(whole, length, keep, money);
  let { candles } = whole;
  const skipUntil = warm?.skipUntil ?? Number.NEGATIVE_INFINITY;
  let early = warm?.from ?? 0;
  let bar = 0;
  const take = (series: CandleSeries, at: number): boolean =>
    roll.add(
      series.openTime[at]!,
      series.intervalMs,
      series.high[at]!,
      series.low[at]!,
      series.close[at]!,
      money ? series.quoteVolume?.[at] : 0,
    );

  return {
    /** Takes in everything that had closed by `at`; answers whether a candle closed with it. */
    advance(at: number): boolean {
      let closed = false;
      for (; warm && early < warm.to && warm.series.openTime[early]! + warm.series.intervalMs <= at; early += 1)
        closed = take(warm.series, early) || closed;
      for (;;) {
        for (; bar < candles.openTime.length && candles.openTime[bar]! + candles.intervalMs <= at; bar += 1)
          if (candles.openTime[bar]! >= skipUntil) closed = take(candles, bar) || closed;
        if (candles === source.candles || bar < candles.openTime.length) return closed;
        candles = source.candles;
        bar = 0;
      }
    },
    /** The newest closed candles; views that hold until the next `advance`. */
    columns: (): FigureCandles => roll.columns(),
  };
}
export type CandleFeed = ReturnType<typeof createCandleFeed>;
