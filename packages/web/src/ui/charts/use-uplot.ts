import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import uPlot from 'uplot';
import { appliedTimeZone } from '../time-zone.ts';
import 'uplot/dist/uPlot.min.css';

/** What of the time axis is shown at first, and what happens to it as data comes. */
export type ChartWindow =
  /** Everything, always. */
  | { kind: 'all' }
  /**
   * The newest points: `seconds` of them, or as many as fit at `pointWidth` pixels each. Whoever looks at the newest
   * point keeps seeing it as new ones come; whoever looked elsewhere is left alone.
   */
  | { kind: 'newest'; pointWidth: number; seconds?: number | undefined }
  /** Another chart decides. */
  | { kind: 'led' };

const ALL: ChartWindow = { kind: 'all' };

/** The window a chart begins with. */
export function firstWindow(time: ArrayLike<number>, width: number, window: ChartWindow): { min: number; max: number } | undefined {
  const last = time.length - 1;
  if (window.kind !== 'newest' || last < 1) return undefined;
  const end = time[last]!;
  // Half a step of room, so that the newest point is drawn whole.
  const max = end + (end - time[last - 1]!) / 2;
  if (window.seconds !== undefined) return { min: Math.max(time[0]!, end - window.seconds), max };
  const shown = Math.floor((width - 90) / window.pointWidth);
  return { min: time[Math.max(0, last + 1 - shown)]!, max };
}

/** Days begin where the reader's do; asked at every draw, for a zone can be chosen while a chart stands. */
const IN_ZONE: Pick<uPlot.Options, 'tzDate'> = {
  tzDate: (seconds) => {
    const [date, zone] = [new Date(seconds * 1000), appliedTimeZone()];
    return zone === undefined ? date : uPlot.tzDate(date, zone);
  },
};

/**
 * Gives a chart other data without rebuilding it. A window that follows the newest point moves with it, any other
 * stays; what the cursor points at is looked up anew, for the same place may be another point.
 */
function putData(chart: uPlot, data: uPlot.AlignedData, kind: ChartWindow['kind']): void {
  const { min, max } = chart.scales.x ?? {};
  const [before, after] = [chart.data[0].at(-1), data[0].at(-1)];
  if (kind === 'all' || min == null || max == null || before == null || after == null) {
    chart.setData(data);
    return;
  }
  const moved = max >= before && kind === 'newest' ? after - before : 0;
  chart.batch(() => {
    chart.setData(data, false);
    chart.setScale('x', { min: min + moved, max: max + moved });
  });
  const { left = -1, top = -1 } = chart.cursor;
  if (left >= 0) chart.setCursor({ left, top });
}

/** Data that come beside React: what they are now, and when there are others. */
export type DataFeed = { now: () => uPlot.AlignedData; onChange: (listener: () => void) => () => void };

/**
 * One uPlot in a div: made once per `shape`, fed with new data without being rebuilt, resized with its box and
 * redrawn when the theme changes.
 * @param shape rebuilds when it changes; empty draws nothing
 * @param source the data themselves, or a feed that stays the same
 */
export function useUplot(
  box: RefObject<HTMLDivElement | null>,
  shape: string,
  make: () => Omit<uPlot.Options, 'width' | 'height'>,
  source: uPlot.AlignedData | DataFeed,
  height: number,
  window: ChartWindow = ALL,
): void {
  const plot = useRef<uPlot>(undefined);
  const latest = useRef({ make, source, window });
  useLayoutEffect(() => {
    latest.current = { make, source, window };
  });

  useEffect(() => {
    const element = box.current;
    if (!element || shape === '') return;
    const width = element.clientWidth || 300;
    const data = dataOf(latest.current.source);
    const made = new uPlot({ ...latest.current.make(), ...IN_ZONE, width, height }, data, element);
    plot.current = made;
    const first = firstWindow(data[0], width, latest.current.window);
    if (first) made.setScale('x', first);
    const sizes = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== made.width) made.setSize({ width: element.clientWidth, height });
    });
    sizes.observe(element);
    const themes = new MutationObserver(() => made.redraw(false, true));
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'data-palette'] });
    return () => {
      sizes.disconnect();
      themes.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [box, shape, height]);
  useEffect(() => {
    const put = () => {
      const [chart, data] = [plot.current, dataOf(source)];
      // The first data came with the chart itself; setting it again would undo the window set there.
      if (chart && chart.data !== data) putData(chart, data, latest.current.window.kind);
    };
    put();
    return isFeed(source) ? source.onChange(put) : undefined;
  }, [source]);
}

const isFeed = (source: uPlot.AlignedData | DataFeed): source is DataFeed => 'now' in source;
const dataOf = (source: uPlot.AlignedData | DataFeed): uPlot.AlignedData => (isFeed(source) ? source.now() : source);
