import type { CandleSeries } from '../prices/candle-series.ts';
import type { BacktestCoin } from './backtest.ts';

const COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** A series whose figures are all unknown, and the way to make them known up to a bar. */
function veiledSeries(series: CandleSeries): { readonly series: CandleSeries; readonly lift: (until: number) => void } {
  const hidden = () => new Float64Array(series.openTime.length).fill(Number.NaN);
  const copy = { ...series, open: hidden(), high: hidden(), low: hidden(), close: hidden(), volume: hidden() };
  let known = 0;
  return {
    series: copy,
    lift: (until) => {
      while (known < series.openTime.length && series.openTime[known]! < until) {
        for (const column of COLUMNS) copy[column][known] = series[column][known]!;
        known += 1;
      }
    },
  };
}

/**
 * The same coins with every bar hidden (NaN) until its turn: whatever reads ahead reads nothing, and the run turns out
 * differently from one that could have. Times are not hidden; the grid of bars is known to everybody.
 */
export function createVeil(coins: readonly BacktestCoin[]): {
  readonly coins: readonly BacktestCoin[];
  readonly lift: (at: number) => void;
} {
  const lifts: (() => void)[] = [];
  let now = 0;
  const veiled = coins.map((coin) => {
    const candles = veiledSeries(coin.candles);
    const length = coin.candles.intervalMs;
    lifts.push(() => candles.lift(now + length));
    if (!coin.zoom) return { ...coin, candles: candles.series };
    const zoom = veiledSeries(coin.zoom);
    lifts.push(() => zoom.lift(now + length));
    return { ...coin, candles: candles.series, zoom: zoom.series };
  });
  return {
    coins: veiled,
    /** Makes the bars that open at `at` (epoch ms) known, and everything before. */
    lift: (at) => {
      now = at;
      for (const lift of lifts) lift();
    },
  };
}
