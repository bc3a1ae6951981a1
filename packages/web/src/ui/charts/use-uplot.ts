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

/** Days begin where the reader's do; the device's own zone needs no translation. */
function inZone(): Pick<uPlot.Options, 'tzDate'> {
  const zone = appliedTimeZone();
  return zone === undefined ? {} : { tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone) };
}

/**
 * One uPlot in a div: made once per `shape`, fed with new data without being rebuilt, resized with its box and
 * redrawn when the theme changes.
 * @param shape rebuilds when it changes; empty draws nothing
 */
export function useUplot(
  box: RefObject<HTMLDivElement | null>,
  shape: string,
  make: () => Omit<uPlot.Options, 'width' | 'height'>,
  data: uPlot.AlignedData,
  height: number,
  window: ChartWindow = ALL,
): RefObject<uPlot | undefined> {
  const plot = useRef<uPlot>(undefined);
  const drawn = useRef<uPlot.AlignedData>(undefined);
  const latest = useRef({ make, data, window });
  useLayoutEffect(() => {
    latest.current = { make, data, window };
  });

  useEffect(() => {
    const element = box.current;
    if (!element || shape === '') return;
    const width = element.clientWidth || 300;
    drawn.current = latest.current.data;
    const made = new uPlot({ ...latest.current.make(), ...inZone(), width, height }, latest.current.data, element);
    plot.current = made;
    const first = firstWindow(latest.current.data[0], width, latest.current.window);
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
    const chart = plot.current;
    // The first data came with the chart itself; setting it again would undo the window set there.
    if (!chart || drawn.current === data) return;
    drawn.current = data;
    const { min, max } = chart.scales.x ?? {};
    const [before, after] = [chart.data[0].at(-1), data[0].at(-1)];
    if (latest.current.window.kind === 'all' || min == null || max == null || before == null || after == null) return chart.setData(data);
    const moved = max >= before && latest.current.window.kind === 'newest' ? after - before : 0;
    chart.batch(() => {
      chart.setData(data, false);
      chart.setScale('x', { min: min + moved, max: max + moved });
    });
  }, [data]);
  return plot;
}
