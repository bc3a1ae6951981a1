import { type CandleSeries, mapColumns } from '../prices/candle-series.ts';
import type { BacktestCoin } from './backtest.ts';
import type { CandleSource } from './candle-feed.ts';

const COLUMNS = ['open', 'high', 'low', 'close', 'volume', 'quoteVolume', 'trades'] as const;

type Veiled = { readonly series: CandleSeries; readonly lift: (until: number) => void };

/** A series whose figures are all unknown, and the way to make them known up to the bar that closes at a time. */
function veiledSeries(series: CandleSeries): Veiled {
  const hidden = mapColumns(series, ({ length }) => new Float64Array(length).fill(Number.NaN));
  const copy = { ...hidden, openTime: series.openTime };
  let known = 0;
  return {
    series: copy,
    lift: (until) => {
      while (known < series.openTime.length && series.openTime[known]! + series.intervalMs <= until) {
        for (const column of COLUMNS) if (series[column]) copy[column]![known] = series[column][known]!;
        known += 1;
      }
    },
  };
}

/**
 * The same coins with every bar hidden (NaN) until its turn: whatever reads ahead reads nothing, and the run turns out
 * differently from one that could have. Times are not hidden; the grid of bars is known to everybody.
 */
export function createVeil(
  coins: readonly BacktestCoin[],
  reference: CandleSource | undefined,
): {
  readonly coins: readonly BacktestCoin[];
  readonly reference: CandleSource | undefined;
  readonly lift: (at: number) => void;
} {
  const lifts: ((until: number) => void)[] = [];
  const veil = (series: CandleSeries): CandleSeries => {
    const veiled = veiledSeries(series);
    lifts.push(veiled.lift);
    return veiled.series;
  };
  const length = coins[0]?.candles.intervalMs ?? 0;
  const hide = <Source extends CandleSource>(source: Source): Source => ({
    ...source,
    candles: veil(source.candles),
    ...(source.history ? { history: source.history.map(veil) } : {}),
  });
  const veiled = coins.map((coin) => ({ ...hide(coin), ...(coin.zoom ? { zoom: veil(coin.zoom) } : {}) }));
  return {
    coins: veiled,
    reference: reference && hide(reference),
    /** Makes the bars that open at `at` (epoch ms) known, and everything before. */
    lift: (at) => {
      for (const lift of lifts) lift(at + length);
    },
  };
}
