import { type RefObject, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** The value of a theme colour right now; charts read it at every draw, so a theme change is only a redraw. */
export const themeColor = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--chakra-colors-${name}`).trim();

/**
 * One uPlot in a div: made once per `shape`, fed with new data without being rebuilt, resized with its box and
 * redrawn when the theme changes.
 * @param make options without width; a new identity of `shape` rebuilds
 */
export function useUplot(
  box: RefObject<HTMLDivElement | null>,
  shape: string,
  make: () => Omit<uPlot.Options, 'width' | 'height'>,
  data: uPlot.AlignedData,
  height: number,
): RefObject<uPlot | undefined> {
  const plot = useRef<uPlot>(undefined);
  const latest = useRef({ make, data });
  latest.current = { make, data };

  useEffect(() => {
    const element = box.current;
    if (!element || shape === '') return;
    const made = new uPlot({ ...latest.current.make(), width: element.clientWidth || 300, height }, latest.current.data, element);
    plot.current = made;
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
  }, [box, shape, height]);
  useEffect(() => {
    plot.current?.setData(data);
  }, [data]);
  return plot;
}
