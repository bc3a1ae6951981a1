import { localOf } from '@pilotfish/core/time/calendar-day';
import {
  type AutoscaleInfo,
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type IChartApi,
  LineSeries,
  LineStyle,
  TickMarkType,
  type Time,
  TrackingModeExitMode,
  type UTCTimestamp,
} from 'lightweight-charts';
import { shownTimeZone } from '../fields/field-time.ts';
import { type CandleColumns, candleAt } from './candle-columns.ts';
import { axisMoment, CHART_FONT, moment, themeColor } from './chart-axes.ts';
import { countdown, widened } from './chart-levels.ts';
import type { Overlay, Pane } from './price-chart.tsx';
import { createMarksLayer, type GripPlace, type LastPrice, type Marks, type MarksLayer, NO_MARKS } from './price-marks.ts';
import { fed } from './series-feed.ts';

/** Pixels a candle takes at first: wide enough to see its body; a few candles alone are not drawn wider than `WIDEST`. */
const CANDLE_WIDTH = 6;
const WIDEST = 16;
/** Width of the price axis at least, px: room for a chip. */
const AXIS = 72;
/** Older candles are asked for when fewer than this share of the window is left before it. */
const OLDER_AHEAD = 0.25;
export type Drawn = { candles: CandleColumns; overlays: readonly Overlay[]; panes: readonly Pane[] };

export type PriceDrawingOptions = {
  language: string;
  price: (value: number) => string;
  seconds: number | undefined;
  room: number;
  calm: boolean;
  /** Epoch ms. */
  now: () => number;
  onOlder: () => void;
  /** The pointer is over the candle that begins at this moment (seconds), or over none. */
  onRead: (time: number | undefined) => void;
  /** Levels that can be moved stand elsewhere. */
  onPlaced: (places: readonly GripPlace[]) => void;
};

/** A chart of lightweight-charts in an element. */
export type PriceDrawing = {
  show: (drawn: Drawn, marks: Marks, height: number, paneHeight: number) => void;
  /** Moves the window by a share of its length. */
  pan: (share: number) => void;
  /** Makes the window `factor` times as long. */
  zoom: (factor: number) => void;
  /** Puts the cursor on a candle, and the window there. */
  read: (index: number) => void;
  /** The price at a height in px from the top, within the chart; and where a price is. */
  priceAt: (y: number) => number | undefined;
  yOf: (price: number) => number | undefined;
  /** While a level is held the scale stays: it would run away from under the hand. */
  hold: (isHeld: boolean) => void;
  remove: () => void;
};

const lookOf = () => ({
  layout: {
    background: { type: ColorType.Solid as const, color: 'transparent' },
    textColor: themeColor('fg-subtle'),
    panes: { separatorColor: themeColor('border'), separatorHoverColor: themeColor('border'), enableResize: false },
  },
  grid: { vertLines: { color: themeColor('border-subtle') }, horzLines: { color: themeColor('border-subtle') } },
  crosshair: Object.fromEntries(
    ['vertLine', 'horzLine'].map((line) => [line, { color: themeColor('fg-subtle'), labelBackgroundColor: themeColor('border') }]),
  ),
});
const candleLook = () => {
  const [up, down] = [themeColor('chart-up'), themeColor('chart-down')];
  return { upColor: up, downColor: down, wickUpColor: up, wickDownColor: down };
};
const volumeLook = () => ({ color: `${themeColor('fg-subtle')}38` });

const TICKS = {
  [TickMarkType.Year]: 'month',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'clock',
  [TickMarkType.TimeWithSeconds]: 'clock',
} as const;

/** The chart itself, with the habits of this app: its font, its clock, no logo (the frame has the link), a page that scrolls. */
function chartIn(element: HTMLElement, { language, calm }: PriceDrawingOptions, ahead: () => number): IChartApi {
  const { layout, ...look } = lookOf();
  const momentOf = (time: Time) => (time as number) - ahead();
  return createChart(element, {
    autoSize: true,
    ...look,
    layout: { ...layout, fontFamily: CHART_FONT, fontSize: 11, attributionLogo: false },
    localization: { locale: language, timeFormatter: (time: Time) => moment(momentOf(time), language) },
    crosshair: { ...look.crosshair, mode: CrosshairMode.Normal },
    hoveredSeriesOnTop: false,
    handleScroll: { vertTouchDrag: false },
    handleScale: { axisPressedMouseMove: { price: false, time: true } },
    kineticScroll: { touch: !calm },
    // A long press reads; the next touch scrolls the page again.
    trackingMode: { exitMode: TrackingModeExitMode.OnTouchEnd },
    rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.08, bottom: 0.16 }, minimumWidth: AXIS },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      minBarSpacing: 0.005,
      enableConflation: true,
      tickMarkFormatter: (time: Time, type: TickMarkType) => axisMoment(momentOf(time), language, TICKS[type]),
    },
  });
}

const NO_CANDLES: CandleColumns = { time: [], open: [], high: [], low: [], close: [], volume: [] };

/** A drawn chart: what it shows now, and the parts of lightweight-charts that show it. */
type Parts = {
  readonly options: PriceDrawingOptions;
  readonly element: HTMLElement;
  readonly chart: IChartApi;
  readonly main: ReturnType<typeof fed<'Candlestick'>>;
  readonly volume: ReturnType<typeof fed<'Histogram'>>;
  readonly overlays: Lines;
  readonly panes: Lines;
  readonly layer: MarksLayer;
  readonly shown: Shown;
};
type Lines = Map<string, ReturnType<typeof fed<'Line'>>>;
type Shown = {
  drawn: Drawn;
  marks: Marks;
  /**
   * Seconds that the reader's clock is ahead of UTC, in which lightweight-charts counts days: every time is moved by it. One
   * amount for all of them: at a change to winter time an hour of the clock would come twice, and times must rise.
   */
  ahead: number;
};

const PLAIN = { lastValueVisible: false, priceLineVisible: false } as const;
const LINE = { ...PLAIN, crosshairMarkerVisible: false, lineWidth: 2 } as const;

function candleSeries(chart: IChartApi, { price }: PriceDrawingOptions, shown: Shown, covers: (price: number) => boolean) {
  return chart.addSeries(CandlestickSeries, {
    ...PLAIN,
    ...candleLook(),
    borderVisible: false,
    priceFormat: {
      type: 'custom',
      minMove: 1e-8,
      formatter: price,
      // A tick that is half under a chip reads as another number.
      tickmarksFormatter: (ticks: number[]) => ticks.map((tick) => (covers(tick) ? '' : price(tick))),
    },
    autoscaleInfoProvider: (own: () => AutoscaleInfo | null) => {
      const info = own();
      if (!info?.priceRange) return info;
      const { levels, preview, isFit } = shown.marks;
      const prices = [...levels.map((level) => level.price), ...(preview ? [preview.to] : [])];
      const [minValue, maxValue] = widened(info.priceRange.minValue, info.priceRange.maxValue, prices, isFit);
      return { ...info, priceRange: { minValue, maxValue } };
    },
  });
}

function volumeSeries(chart: IChartApi) {
  const series = chart.addSeries(HistogramSeries, { ...PLAIN, ...volumeLook(), priceScaleId: 'volume' });
  series.priceScale().applyOptions({ scaleMargins: { top: 5 / 6, bottom: 0 } });
  return series;
}

function paneSeries(chart: IChartApi, { low, high }: Pane, index: number) {
  const whole = (value: number) => value.toFixed(0);
  const series = chart.addSeries(
    LineSeries,
    {
      ...LINE,
      color: themeColor('fg-muted'),
      priceFormat: { type: 'custom', minMove: 1, formatter: whole, tickmarksFormatter: (ticks: number[]) => ticks.map(whole) },
      autoscaleInfoProvider: () => ({ priceRange: { minValue: 0, maxValue: 100 } }),
    },
    index + 1,
  );
  for (const price of [low, high])
    series.createPriceLine({ price, color: themeColor('border'), lineWidth: 1, lineStyle: LineStyle.Dashed, axisLabelVisible: false });
  return series;
}

/** The newest price; its candle is as long as the one before. */
function newestOf({ candles }: Drawn, now: number): LastPrice | undefined {
  const last = candles.time.length - 1;
  if (last < 0) return undefined;
  const opened = candles.time[last]!;
  return { price: candles.close[last]!, left: countdown(opened, opened - (candles.time[last - 1] ?? Number.NaN), now / 1000) };
}

const timeOf = ({ shown }: Parts, index: number) => (shown.drawn.candles.time[index]! + shown.ahead) as UTCTimestamp;

/** Lines that are gone leave, new ones come, each is fed. */
function showLines(parts: Parts, held: Lines, lines: readonly (Overlay | Pane)[], isOther: boolean): void {
  for (const [label, { series }] of held)
    if (!lines.some((line) => line.label === label)) {
      parts.chart.removeSeries(series);
      held.delete(label);
    }
  for (const [index, line] of lines.entries()) {
    const { label, values } = line;
    const made =
      held.get(label) ??
      fed(
        'color' in line
          ? parts.chart.addSeries(LineSeries, {
              ...LINE,
              color: themeColor(line.color),
              lineStyle: line.dashed ? LineStyle.Dashed : LineStyle.Solid,
            })
          : paneSeries(parts.chart, line, index),
      );
    held.set(label, made);
    const pointOf = (at: number) =>
      Number.isNaN(values[at]!) ? { time: timeOf(parts, at) } : { time: timeOf(parts, at), value: values[at]! };
    made.feed([parts.shown.drawn.candles.time, values], pointOf, isOther);
  }
}

/** The newest candles, with room at the right. */
function reset({ options: { seconds, room }, element, chart, shown }: Parts): void {
  const { time } = shown.drawn.candles;
  const count = time.length;
  if (count === 0) return;
  const width = Math.max(100, element.clientWidth - AXIS) * (1 - room);
  const first = seconds === undefined ? count - Math.floor(width / CANDLE_WIDTH) : candleAt(time, time[count - 1]! - seconds);
  const bars = Math.max(count - Math.max(0, first), width / WIDEST);
  chart.timeScale().setVisibleLogicalRange({ from: count - bars - 0.5, to: count - 0.5 + (bars * room) / (1 - room) });
}

function moveWindow({ chart }: Parts, change: (from: number, to: number) => [from: number, to: number]): void {
  const range = chart.timeScale().getVisibleLogicalRange();
  if (!range) return;
  const [from, to] = change(range.from, range.to);
  chart.timeScale().setVisibleLogicalRange({ from, to });
}

function show(parts: Parts, drawn: Drawn, marks: Marks, height: number, paneHeight: number): void {
  const { main, volume, shown, chart, layer } = parts;
  const { time, open, high, low, close } = drawn.candles;
  const isFirst = shown.drawn.candles.time.length === 0;
  const newest = time.at(-1) ?? 0;
  const ahead = localOf(newest * 1000, shownTimeZone()) / 1000 - newest;
  const isOther = ahead !== shown.ahead;
  Object.assign(shown, { drawn, marks, ahead });
  const candleOf = (at: number) => ({ time: timeOf(parts, at), open: open[at]!, high: high[at]!, low: low[at]!, close: close[at]! });
  main.feed([time, open, high, low, close], candleOf, isOther);
  volume.feed([time, drawn.candles.volume], (at) => ({ time: timeOf(parts, at), value: drawn.candles.volume[at]! }), isOther);
  showLines(parts, parts.overlays, drawn.overlays, isOther);
  showLines(parts, parts.panes, drawn.panes, isOther);
  for (const [index, pane] of chart.panes().entries()) pane.setStretchFactor(index === 0 ? height : paneHeight);
  layer.show(marks, time);
  if (isFirst) reset(parts);
}

/** The colours of the theme, again. */
function repaint({ chart, main, volume, overlays, panes, layer, shown }: Parts): void {
  chart.applyOptions(lookOf());
  main.series.applyOptions(candleLook());
  volume.series.applyOptions(volumeLook());
  for (const { label, color } of shown.drawn.overlays) overlays.get(label)?.series.applyOptions({ color: themeColor(color) });
  for (const { series } of panes.values()) {
    series.applyOptions({ color: themeColor('fg-muted') });
    for (const line of series.priceLines()) line.applyOptions({ color: themeColor('border') });
  }
  layer.redraw();
}

export function createPriceDrawing(element: HTMLElement, options: PriceDrawingOptions): PriceDrawing {
  const shown: Shown = { drawn: { candles: NO_CANDLES, overlays: [], panes: [] }, marks: NO_MARKS, ahead: 0 };
  const chart = chartIn(element, options, () => shown.ahead);
  const newest = () => newestOf(shown.drawn, options.now());
  let placed = '';
  const layer = createMarksLayer(options.price, newest, (places) => {
    const key = JSON.stringify(places);
    if (key !== placed) options.onPlaced(places);
    placed = key;
  });
  const volume = fed(volumeSeries(chart));
  const main = fed(candleSeries(chart, options, shown, (price) => layer.covers(price, chart.paneSize(0).height)));
  main.series.attachPrimitive(layer);
  const parts: Parts = { options, element, chart, main, volume, overlays: new Map(), panes: new Map(), layer, shown };

  chart.subscribeDblClick(() => reset(parts));
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range && range.from < (range.to - range.from) * OLDER_AHEAD && shown.drawn.candles.time.length > 0) options.onOlder();
  });
  chart.subscribeCrosshairMove(({ time }) => options.onRead(time === undefined ? undefined : (time as number) - shown.ahead));
  const clock = setInterval(() => newest()?.left !== undefined && layer.redraw(), 1000);
  const themes = new MutationObserver(() => repaint(parts));
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'data-palette'] });
  return {
    show: (...given) => show(parts, ...given),
    pan: (share) => moveWindow(parts, (from, to) => [from + (to - from) * share, to + (to - from) * share]),
    zoom: (factor) =>
      moveWindow(parts, (from, to) => {
        const [middle, half] = [(from + to) / 2, ((to - from) / 2) * factor];
        return [middle - half, middle + half];
      }),
    read: (index) => {
      moveWindow(parts, (from, to) => {
        const margin = (to - from) * 0.1;
        const by = index < from ? index - from - margin : index > to ? index - to + margin : 0;
        return [from + by, to + by];
      });
      chart.setCrosshairPosition(shown.drawn.candles.close[index]!, timeOf(parts, index), main.series);
    },
    priceAt: (y) => main.series.coordinateToPrice(Math.min(Math.max(y, 0), chart.paneSize(0).height - 1)) ?? undefined,
    yOf: (price) => main.series.priceToCoordinate(price) ?? undefined,
    hold: (isHeld) => main.series.priceScale().applyOptions({ autoScale: !isHeld }),
    remove: () => {
      clearInterval(clock);
      themes.disconnect();
      chart.remove();
    },
  };
}
