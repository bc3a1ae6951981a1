import type { AutoTradeConfig } from '../auto-trades/config/auto-trade-config.ts';
import type { Interval } from '../http/wire.ts';
import { intervalLength } from '../prices/candle-gaps.ts';
import type { CandleLoader } from '../prices/candle-pages.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { BASE_TIMEFRAMES, DAY, figureNeed } from '../prices/figure-needs.ts';
import { FIGURE_HISTORY } from '../prices/pair-figures.ts';
import type { BacktestCoin, BacktestOptions } from './backtest.ts';
import { CORRELATION_PAIR, conditionRefs } from './backtest-conditions.ts';

/** Candles to ask for; times in epoch ms, `to` exclusive. */
export type HistoryNeed = { readonly interval: Interval; readonly from: number; readonly to: number };

/**
 * What the figures of a bot reach back to before the first bar of a coin, as the server keeps it: the closed candles of
 * its intervals, up to the end of the one in which the run begins, and the bars of the day before. Empty for most bots.
 */
export function historyNeeds(config: AutoTradeConfig, start: number, interval: Interval, coins: number): HistoryNeed[] {
  const needs = conditionRefs(config).map((ref) => figureNeed(ref) ?? {});
  const found: HistoryNeed[] = [];
  for (const timeframe of BASE_TIMEFRAMES) {
    const length = intervalLength(timeframe)!;
    const to = Math.ceil(start / length) * length;
    // The first candle of a pair is the day of its listing.
    if (timeframe === '1d' && needs.some((need) => need.listing)) found.push({ interval: timeframe, from: 0, to });
    else if (needs.some((need) => need.candles?.[0] === timeframe))
      found.push({ interval: timeframe, from: to - (FIGURE_HISTORY[timeframe] + 1) * length, to });
  }
  if (needs.some((need) => need.day || need.backMs !== undefined) || (config.pickOrder === 'volume' && coins > 1))
    found.push({ interval, from: start - DAY, to: start });
  return found;
}

/**
 * The coins of a run with what their figures reach back to, and BTC beside them where a bot asks for correlations and
 * does not trade it. @param interval that of the candles @param onDone told the share that is there (0–1)
 */
export async function withHistory(
  config: AutoTradeConfig,
  coins: readonly BacktestCoin[],
  interval: Interval,
  load: CandleLoader,
  onDone: (share: number) => void = () => undefined,
): Promise<Pick<BacktestOptions, 'coins' | 'reference'>> {
  const asksListing = conditionRefs(config).some((ref) => figureNeed(ref)?.listing);
  const found: BacktestCoin[] = [];
  for (const [index, coin] of coins.entries()) {
    const history: CandleSeries[] = [];
    for (const need of historyNeeds(config, coin.candles.openTime[0]!, interval, coins.length)) {
      const series = await load({ symbol: coin.pair.symbol, ...need });
      if (series.openTime.length > 0) history.push(series);
    }
    const listedAt = asksListing ? history.find(({ intervalMs }) => intervalMs === DAY)?.openTime[0] : undefined;
    found.push({ ...coin, ...(history.length > 0 ? { history } : {}), ...(listedAt === undefined ? {} : { listedAt }) });
    onDone((index + 1) / coins.length);
  }
  const correlates = conditionRefs(config).some((ref) => figureNeed(ref)?.reference);
  if (!correlates || coins.some(({ pair }) => pair.symbol === CORRELATION_PAIR)) return { coins: found };
  const hour = intervalLength('1h')!;
  const from = Math.min(...coins.map(({ candles }) => candles.openTime[0]!)) - (FIGURE_HISTORY['1h'] + 1) * hour;
  const to = Math.max(...coins.map(({ candles }) => candles.openTime.at(-1)! + candles.intervalMs));
  const candles = await load({ symbol: CORRELATION_PAIR, interval: '1h', from: Math.floor(from / hour) * hour, to });
  return candles.openTime.length > 0 ? { coins: found, reference: { candles } } : { coins: found };
}
