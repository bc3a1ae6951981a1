import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { createPriceDrawing, type Drawn, type PriceDrawing, type PriceDrawingOptions } from './price-drawing.ts';
import type { Marks } from './price-marks.ts';

type Props = Omit<PriceDrawingOptions, 'calm'> & {
  drawn: Drawn;
  marks: Marks;
  height: number;
  paneHeight: number;
  drawingRef: RefObject<PriceDrawing | undefined>;
};

/** What draws a chart of a price: lightweight-charts comes with it, so it is loaded lazily. Made once; a change of `key` makes another. */
export function PriceCanvas({ drawn, marks, height, paneHeight, drawingRef, ...options }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const first = useRef(options);
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const made = createPriceDrawing(box.current!, {
      ...first.current,
      calm: matchMedia('(prefers-reduced-motion: reduce)').matches,
      now: () => latest.current.now(),
      onOlder: () => latest.current.onOlder(),
      onRead: (time) => latest.current.onRead(time),
      onPlaced: (places) => latest.current.onPlaced(places),
    });
    drawingRef.current = made;
    return () => {
      drawingRef.current = undefined;
      made.remove();
    };
  }, [drawingRef]);
  useEffect(() => drawingRef.current?.show(drawn, marks, height, paneHeight), [drawingRef, drawn, marks, height, paneHeight]);
  return <div ref={box} style={{ height: height + drawn.panes.length * paneHeight, minWidth: 0 }} />;
}
