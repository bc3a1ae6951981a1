import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** The value of a theme colour right now; charts read it at every draw, so a theme change is only a redraw. */
export const themeColor = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--chakra-colors-${name}`).trim();

/**
 * One uPlot in a div: made once per `shape`, fed with new data without being rebuilt, resized with its box and
 * redrawn when the theme changes.
 * @param shape rebuilds when it changes; empty draws nothing
 * @param pointWidth with it, only as many of the newest points are shown at first as fit at this many pixels each;
 *   whoever looks at the newest point keeps seeing it as new ones come, whoever looked elsewhere is left alone
 */
export function useUplot(
  box: RefObject<HTMLDivElement | null>,
  shape: string,
  make: () => Omit<uPlot.Options, 'width' | 'height'>,
  data: uPlot.AlignedData,
  height: number,
  pointWidth?: number,
): RefObject<uPlot | undefined> {
  const plot = useRef<uPlot>(undefined);
  const drawn = useRef<uPlot.AlignedData>(undefined);
  const latest = useRef({ make, data });
  useLayoutEffect(() => {
    latest.current = { make, data };
  });

  useEffect(() => {
    const element = box.current;
    if (!element || shape === '') return;
    const width = element.clientWidth || 300;
    drawn.current = latest.current.data;
    const made = new uPlot({ ...latest.current.make(), width, height }, latest.current.data, element);
    plot.current = made;
    const [time] = latest.current.data;
    const shown = pointWidth === undefined ? time.length : Math.floor((width - 90) / pointWidth);
    // Half a step of room, so that the newest point is drawn whole.
    if (shown < time.length) made.setScale('x', { min: time[time.length - shown]!, max: time.at(-1)! + (time.at(-1)! - time.at(-2)!) / 2 });
    const sizes = new ResizeObserver(() => {
      if (element.clientWidth > 0) made.setSize({ width: element.clientWidth, height });
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
  }, [box, shape, height, pointWidth]);
  useEffect(() => {
    const chart = plot.current;
    // The first data came with the chart itself; setting it again would undo the window set there.
    if (!chart || drawn.current === data) return;
    drawn.current = data;
    const { min, max } = chart.scales.x ?? {};
    const [before, after] = [chart.data[0].at(-1), data[0].at(-1)];
    if (pointWidth === undefined || min == null || max == null || before == null || after == null) return chart.setData(data);
    const moved = max >= before ? after - before : 0;
    chart.batch(() => {
      chart.setData(data, false);
      chart.setScale('x', { min: min + moved, max: max + moved });
    });
  }, [data, pointWidth]);
  return plot;
}

/**
 * Labels of a time axis in the reader's language: days while the steps are days, hours and minutes below that, with
 * the day where it changes.
 */
export function timeLabels(splits: readonly number[], step: number, language: string): string[] {
  const day = new Intl.DateTimeFormat(
    language,
    step >= 86_400 * 28 ? { month: 'short', year: '2-digit' } : { day: 'numeric', month: 'short' },
  );
  const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  let shownDay = '';
  return splits.map((seconds) => {
    const date = new Date(seconds * 1000);
    const today = day.format(date);
    if (step >= 86_400) return today;
    const isNew = today !== shownDay;
    shownDay = today;
    return isNew ? `${clock.format(date)}\n${today}` : clock.format(date);
  });
}
