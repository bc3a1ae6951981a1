import type { AutoTradeConfig } from '../auto-trades/config/auto-trade-config.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { DAY } from '../prices/figure-needs.ts';
import { type CandleSource, dayBefore } from './candle-feed.ts';
import { addTo, newSum, sumValue } from './money-sum.ts';

/**
 * The money traded in the last 24 hours, of the bars that had closed by a time; times must not fall. In the first day of
 * a run without bars from before it, of what there is. Nothing is read before it has closed.
 */
export function createTradedVolume(source: CandleSource): (at: number) => number {
  const warm = dayBefore(source, true, false);
  const parts: readonly (readonly [CandleSeries, number, number])[] = [
    ...(warm ? [[warm.series, warm.from, warm.to] as const] : []),
    [source.candles, 0, source.candles.openTime.length],
  ];
  const { intervalMs } = source.candles;
  const sum = newSum();
  /** Goes over the bars and calls `take` with each that opens before a time, once. */
  function cursor(sign: 1 | -1): (until: number) => void {
    let [part, bar] = [0, parts[0]![1]];
    return (until) => {
      for (;;) {
        const [{ openTime, quoteVolume }, , to] = parts[part]!;
        for (; bar < to && openTime[bar]! < until; bar += 1) addTo(sum, quoteVolume?.[bar] ?? 0, sign);
        if (bar < to || part === parts.length - 1) return;
        part += 1;
        bar = parts[part]![1];
      }
    };
  }
  const [enter, leave] = [cursor(1), cursor(-1)];
  return (at) => {
    // The last bar that has closed opened so long before.
    enter(at - intervalMs + 1);
    leave(at - DAY);
    return sumValue(sum.whole, sum.parts);
  };
}

/**
 * By slot, the volumes that a bot picks its coins by, told the times of a run in their order; undefined for a bot that
 * does not. The array is the same each time.
 */
export function createPickVolumes(
  { pickOrder }: AutoTradeConfig,
  coins: readonly CandleSource[],
): ((at: number) => Float64Array) | undefined {
  if (pickOrder !== 'volume' || coins.length < 2) return undefined;
  const of = coins.map(createTradedVolume);
  const volumes = new Float64Array(coins.length);
  return (at) => {
    for (let slot = 0; slot < of.length; slot += 1) volumes[slot] = of[slot]!(at);
    return volumes;
  };
}
