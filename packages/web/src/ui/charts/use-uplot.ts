import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import uPlot from 'uplot';
import { appliedTimeZone } from '../time-zone.ts';
import 'uplot/dist/uPlot.min.css';

/** Days begin where the reader's do; asked at every draw, for a zone can be chosen while a chart stands. */
const IN_ZONE: Pick<uPlot.Options, 'tzDate'> = {
  tzDate: (seconds) => {
    const [date, zone] = [new Date(seconds * 1000), appliedTimeZone()];
    return zone === undefined ? date : uPlot.tzDate(date, zone);
  },
};

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
): void {
  const plot = useRef<uPlot>(undefined);
  const latest = useRef({ make, data });
  useLayoutEffect(() => {
    latest.current = { make, data };
  });

  useEffect(() => {
    const element = box.current;
    if (!element || shape === '') return;
    const width = element.clientWidth || 300;
    const made = new uPlot({ ...latest.current.make(), ...IN_ZONE, width, height }, latest.current.data, element);
    plot.current = made;
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
    // The first data came with the chart itself.
    if (plot.current && plot.current.data !== data) plot.current.setData(data);
  }, [data]);
}
