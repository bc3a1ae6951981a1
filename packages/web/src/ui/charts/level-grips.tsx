import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import type { LevelPreview, PriceLevel } from './price-chart.tsx';
import type { PriceDrawing } from './price-drawing.ts';
import type { GripPlace } from './price-marks.ts';

/** What moves levels, by their ids; prices are floats of the drawing, for whoever puts them on the tick. */
export type LevelMoves = {
  /** For who does not see it: its name, and its price with what it does. */
  wordsOf: (id: string) => { name: string; value: string } | undefined;
  /** Taken hold of without moving it. */
  onTake: (id: string) => void;
  onPoint: (id: string, price: number) => void;
  onRelease: (id: string) => void;
  onKeyDown: (id: string, event: KeyboardEvent) => void;
};

/** Less than this is a press, px: a hand trembles. */
const TREMBLE = 3;
/** Of a finger, px. */
const TARGET = 44;

type Props = {
  places: readonly GripPlace[];
  levels: readonly PriceLevel[];
  preview: LevelPreview | undefined;
  moves: LevelMoves;
  drawingRef: RefObject<PriceDrawing | undefined>;
};

/** What can be taken hold of on a chart, over the labels of its levels. */
export const LevelGrips = ({ places, levels, preview, ...rest }: Props) => (
  <>
    {places.map((place) => {
      const level = levels.find(({ id }) => id === place.id);
      const price = preview?.id === place.id ? preview.to : level?.price;
      return price === undefined ? null : <Grip key={place.id} place={place} places={places} price={price} {...rest} />;
    })}
  </>
);

/** The height of its target: of a finger, but not over half of the way to the next one. */
function reachOf({ id, y, height }: GripPlace, places: readonly GripPlace[]): number {
  const gaps = places.flatMap((other) => (other.id === id ? [] : [Math.abs(other.y - y)]));
  return Math.max(height, Math.min(TARGET, ...gaps));
}

function Grip({ place, places, price, moves, drawingRef }: { place: GripPlace; price: number } & Omit<Props, 'levels' | 'preview'>) {
  const words = moves.wordsOf(place.id);
  /** Where the hand took hold of it, and how far from its line. */
  const held = useRef<{ y: number; off: number; isMoved: boolean }>(undefined);
  // One that goes away under the hand leaves the scale to itself again.
  useEffect(() => () => drawingRef.current?.hold(false), [drawingRef]);
  if (!words) return null;
  const heightIn = (event: PointerEvent) => {
    const chart = event.currentTarget.parentElement?.getBoundingClientRect();
    return event.clientY - (chart?.top ?? 0);
  };
  const reach = reachOf(place, places);
  const end = (event: PointerEvent, isDone: boolean) => {
    const was = held.current;
    held.current = undefined;
    if (!was) return;
    event.currentTarget.releasePointerCapture(event.pointerId);
    drawingRef.current?.hold(false);
    if (was.isMoved) moves.onRelease(place.id);
    else if (isDone) moves.onTake(place.id);
  };
  return (
    <div
      role="slider"
      tabIndex={-1}
      className="level-grip"
      data-level={place.id}
      aria-label={words.name}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={price * 2}
      aria-valuenow={price}
      aria-valuetext={words.value}
      style={{ left: place.x, width: place.width, top: place.y + (place.height - reach) / 2, height: reach }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const y = heightIn(event);
        // Its label may have made room for another; one off the scale comes to the hand.
        held.current = { y, off: place.isOffScale ? 0 : (drawingRef.current?.yOf(price) ?? y) - y, isMoved: false };
      }}
      onPointerMove={(event) => {
        const hand = held.current;
        if (!hand) return;
        const y = heightIn(event);
        if (!hand.isMoved && Math.abs(y - hand.y) < TREMBLE) return;
        if (!hand.isMoved) drawingRef.current?.hold(true);
        hand.isMoved = true;
        const pointed = drawingRef.current?.priceAt(y + hand.off);
        if (pointed !== undefined) moves.onPoint(place.id, pointed);
      }}
      onPointerUp={(event) => end(event, true)}
      onPointerCancel={(event) => end(event, false)}
      onKeyDown={(event) => moves.onKeyDown(place.id, event)}
    />
  );
}
