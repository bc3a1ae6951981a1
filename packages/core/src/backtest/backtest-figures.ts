import { intervalLength } from '../prices/candle-gaps.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { BASE_TIMEFRAMES, type BaseTimeframe, DAY, figureNeed, isIndicator } from '../prices/figure-needs.ts';
import {
  type DayFigures,
  dayFigures,
  FIGURE_HISTORY,
  type FigureCandles,
  fourHours,
  type HourFigures,
  hourFigures,
  type IndicatorFigures,
  indicatorFigures,
  percentChange,
} from '../prices/pair-figures.ts';
import type { Pair } from '../prices/prices-contract.ts';
import type { FilterFieldRef } from '../prices/screener-contract.ts';
import { CANDLE_TIMEFRAMES, type CandleTimeframe, columnId } from '../prices/screener-fields.ts';
import type { ScreenerTable } from '../prices/screener-table.ts';
import { type CandleFeed, type CandleSource, createCandleFeed, dayBefore } from './candle-feed.ts';
import { createCandleRoll } from './candle-roll.ts';
import { createDayWindow } from './day-window.ts';

/** Figures made so far, by series and what they were made of: the sets of a sweep differ in what they do with them. */
const known = new WeakMap<CandleSeries, { readonly from: readonly unknown[]; readonly made: Map<string, unknown> }>();

function sharedFigures({ candles, history, before }: CandleSource, reference: CandleSource | undefined): Map<string, unknown> {
  const own = known.get(candles);
  const from = [history, before, reference?.candles, reference?.history];
  if (own?.from.every((each, index) => each === from[index])) return own.made;
  const made = new Map<string, unknown>();
  known.set(candles, { from, made });
  return made;
}

export type FigureSource = CandleSource & {
  readonly pair: Pair;
  /** When the pair was listed, epoch ms, where that is known. */
  readonly listedAt?: number;
};

/**
 * The figures of the screener over the candles of one coin, as the server has them at the close of a bar: made by the
 * same functions of the same number of closed candles, and of what the exchange's ticker says of the last 24 hours.
 * With less history than the server keeps they are made of what there is, and unknown where that is too little.
 * @param refs the columns that are asked for; others stay unknown
 * @param reference hours of BTC for correlations; candles of any length that divides an hour
 */
export function createBacktestFigures(refs: readonly FilterFieldRef[], source: FigureSource, reference: CandleSource | undefined) {
  const { pair, candles } = source;
  const { intervalMs } = candles;
  const asked = new Set(refs.map(columnId));
  const needs = refs.map((ref) => figureNeed(ref) ?? {});
  const money = needs.some((need) => need.money);
  const counted = needs.some((need) => need.trades);
  /** Timeframes of indicators. */
  const made = CANDLE_TIMEFRAMES.filter((timeframe) => refs.some((ref) => ref.timeframe === timeframe && isIndicator(ref.key)));
  const asksHours = refs.some((ref) => !isIndicator(ref.key) && figureNeed(ref)?.candles?.[0] === '1h');
  const asksDays = refs.some((ref) => !isIndicator(ref.key) && figureNeed(ref)?.candles?.[0] === '1d');
  const bases = BASE_TIMEFRAMES.filter((timeframe) => needs.some((need) => need.candles?.[0] === timeframe));
  const feeds = new Map<BaseTimeframe, CandleFeed>(
    bases.map((timeframe) => [timeframe, createCandleFeed(source, intervalLength(timeframe)!, FIGURE_HISTORY[timeframe], money)]),
  );
  const referenceHours =
    reference && needs.some((need) => need.reference)
      ? createCandleFeed(reference, intervalLength('1h')!, FIGURE_HISTORY['1h'], false)
      : undefined;
  const backs = new Map(refs.flatMap((ref, index) => (needs[index]!.backMs ? [[columnId(ref), needs[index]!.backMs] as const] : [])));
  /** Closes of the newest bars: what short changes are measured from. */
  const closes = backs.size > 0 ? createCandleRoll(intervalMs, Math.ceil(Math.max(...backs.values()) / intervalMs) + 1) : undefined;
  const day = needs.some((need) => need.day) ? createDayWindow(intervalMs) : undefined;
  const shared = sharedFigures(source, reference);

  const numbers = new Map<string, Float64Array>();
  const before = new Map<string, Float64Array>();
  const words = new Map<string, (string | null)[]>([
    ['base', [pair.baseAsset]],
    ['quote', [pair.quoteAsset]],
  ]);
  const table: ScreenerTable = { symbols: [pair.symbol], numbers, before, words, tags: [[]] };
  const cell = (map: Map<string, Float64Array>, id: string): Float64Array => {
    const own = map.get(id) ?? new Float64Array(1).fill(Number.NaN);
    map.set(id, own);
    return own;
  };
  const live = (id: string, value: number): void => {
    if (!asked.has(id)) return;
    cell(before, id)[0] = cell(numbers, id)[0]!;
    cell(numbers, id)[0] = value;
  };
  cell(numbers, 'minNotional')[0] = Number(pair.filters.minNotional) || Number.NaN;
  let hours: HourFigures | undefined;
  let days: DayFigures | undefined;
  let begun = false;

  /** Figures of the candles up to `at`; runs over the same series share them. */
  function figuresAt<Figures>(kind: string, at: number, make: () => Figures): Figures {
    const key = `${kind} ${at}`;
    const figures = (shared.get(key) as Figures | undefined) ?? make();
    shared.set(key, figures);
    return figures;
  }
  function setIndicators(timeframe: CandleTimeframe, at: number, columns: () => FigureCandles): void {
    const figures: IndicatorFigures = figuresAt(timeframe, at, () => indicatorFigures(columns()));
    for (const [key, [now, earlier]] of Object.entries(figures)) {
      const id = `${key}.${timeframe}`;
      if (key === 'macdSign') words.set(id, [now > 0 ? 'above' : now < 0 ? 'below' : null]);
      else {
        cell(numbers, id)[0] = now;
        cell(before, id)[0] = earlier;
      }
    }
  }
  function setCandles(timeframe: BaseTimeframe, at: number, columns: FigureCandles): void {
    if (made.includes(timeframe)) setIndicators(timeframe, at, () => columns);
    if (timeframe === '1d' && asksDays) days = figuresAt(`days ${money}`, at, () => dayFigures(columns));
    if (timeframe !== '1h') return;
    if (asksHours)
      hours = figuresAt(`hours ${money} ${referenceHours !== undefined}`, at, () => hourFigures(columns, referenceHours?.columns()));
    if (!made.includes('4h')) return;
    const four = fourHours(columns);
    if (four.openTime.length > 0) setIndicators('4h', at, () => four);
  }

  /** Takes in a bar of the run, or one of its length from before it. */
  function takeBar(series: CandleSeries, bar: number): void {
    const at = series.openTime[bar]!;
    closes?.add(at, intervalMs, series.high[bar]!, series.low[bar]!, series.close[bar]!);
    day?.add(at, {
      open: series.open[bar]!,
      high: series.high[bar]!,
      low: series.low[bar]!,
      volume: series.volume[bar]!,
      quoteVolume: series.quoteVolume?.[bar] ?? 0,
      trades: series.trades?.[bar] ?? 0,
    });
  }
  function begin(): void {
    begun = true;
    if (!closes && !day) return;
    const warm = dayBefore(source, money, counted);
    if (warm) for (let bar = warm.from; bar < warm.to; bar += 1) takeBar(warm.series, bar);
  }

  /** The price `ms` before the close at `at`; NaN when no bar closed then. */
  function closedBefore(at: number, ms: number): number {
    const { openTime, close } = closes!.columns();
    const wanted = at - ms - intervalMs;
    for (let index = openTime.length - 1 - Math.round((openTime.at(-1)! - wanted) / intervalMs); index >= 0; index -= 1)
      if (openTime[index]! <= wanted) return close[index]!;
    return Number.NaN;
  }

  /** Everything that follows the price. */
  function setLive(at: number, price: number): void {
    live('price', price);
    live('tickSizePct', (Number(pair.filters.tickSize) / price) * 100 || Number.NaN);
    for (const [id, ms] of backs) live(id, percentChange(closedBefore(at, ms), price));
    live('change.7d', percentChange(hours?.close7d ?? Number.NaN, price));
    live('change.30d', percentChange(hours?.close30d ?? Number.NaN, price));
    live('volumeChange', hours?.volumeChange ?? Number.NaN);
    live('btcCorrelation.7d', hours?.correlation7d ?? Number.NaN);
    live('btcCorrelation.30d', hours?.correlation30d ?? Number.NaN);
    live('volatility7d', days?.volatility7d ?? Number.NaN);
    live('listedAt', source.listedAt ?? Number.NaN);
    live('listedDays', Math.floor((at - (source.listedAt ?? Number.NaN)) / DAY));
    if (!day) return;
    live('change.24h', percentChange(day.figure('open'), price));
    live('trades24h', day.figure('trades'));
    if (money) {
      const volume = day.figure('quoteVolume');
      const usual = days?.volume20d ?? Number.NaN;
      live('quoteVolume', volume);
      live('volumeVs20dAvg', volume / (usual > 0 ? usual : Number.NaN));
    }
    const [high, low] = [day.figure('high'), day.figure('low')];
    setExtremes('24h', high, low, price);
    // The running candle belongs to the window too: the last day holds it.
    setExtremes('7d', Math.max(hours?.high7d ?? Number.NaN, high, price), Math.min(hours?.low7d ?? Number.NaN, low, price), price);
    setExtremes('52w', Math.max(days?.high52w ?? Number.NaN, high, price), Math.min(days?.low52w ?? Number.NaN, low, price), price);
  }
  function setExtremes(timeframe: string, top: number, bottom: number, price: number): void {
    live(`highDistance.${timeframe}`, percentChange(top, price));
    live(`lowDistance.${timeframe}`, percentChange(bottom, price));
    live(`range.${timeframe}`, percentChange(bottom, top));
  }

  return {
    table,
    /** Takes in a bar, when it has closed; bars in their order. What follows the price is set where `asks`. */
    close(bar: number, asks: boolean): void {
      const at = candles.openTime[bar]! + intervalMs;
      if (!begun) begin();
      takeBar(candles, bar);
      referenceHours?.advance(at);
      for (const [timeframe, feed] of feeds) if (feed.advance(at)) setCandles(timeframe, at, feed.columns());
      if (asks) setLive(at, candles.close[bar]!);
    },
  };
}
