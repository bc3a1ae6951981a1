import { type RefObject, useLayoutEffect, useState } from 'react';

/** How tall an element is, px, for what has to be drawn in figures; `first` until it is measured. */
export function useHeight(element: RefObject<HTMLElement | null>, first: number): number {
  const [height, setHeight] = useState(first);
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const measure = () => setHeight(box.clientHeight);
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(box);
    return () => sizes.disconnect();
  }, [element]);
  return height;
}
