import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import type { HeatSpan } from '../prices/screener/table-address.ts';

/** A change of so many percent, up or down, has the strongest tint. Quiet hours would be colourless by the measure of a week. */
const STRONGEST: Readonly<Record<HeatSpan, number>> = { '1h': 3, '24h': 8, '7d': 20 };
const PALEST = 10;
/** Text stays readable on it (4.5:1) in both themes and both palettes; `heat-tiles.test.ts` measures it. */
export const DARKEST = 55;

/** How much of the colour of gains or losses a tile has, in percent. @param change percent */
export const tintOf = (change: number, span: HeatSpan): number =>
  Math.round(PALEST + (DARKEST - PALEST) * Math.min(1, Math.abs(change) / STRONGEST[span]));

export type Sized = { readonly symbol: string; readonly volume: number };
/** Pixels from the upper left corner of the map. */
export type Place = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

const GAP = 2;
/** A smaller tile cannot be hit by a pointer (WCAG 2.2, target size). */
const SMALLEST_SIDE = 24;
const MAP_RATIO = 1.25;

/**
 * The largest first. Volumes are compared by two digits: an answer comes every few seconds, and two coins that trade
 * nearly the same would change places under the pointer with each of them.
 */
export const bySize = <Item extends Sized>(items: readonly Item[]): Item[] =>
  items.filter(({ volume }) => volume > 0).sort((a, b) => rough(b.volume) - rough(a.volume) || (a.symbol < b.symbol ? -1 : 1));
const rough = (volume: number): number => Number(volume.toPrecision(2));

/** A squarified treemap (Bruls, Huizing, van Wijk, 2000). @param items the largest first */
function placesOf(items: readonly Sized[], width: number, height: number): Place[] {
  type Node = { readonly size: number; readonly children?: readonly Node[] };
  const root = hierarchy<Node>({ size: 0, children: items.map(({ volume }) => ({ size: rough(volume) })) }, ({ children }) => children);
  const map = treemap<Node>().size([width, height]).paddingInner(GAP).round(true).tile(treemapSquarify.ratio(MAP_RATIO));
  return map(root.sum(({ size }) => size))
    .leaves()
    .map(({ x0, y0, x1, y1 }) => ({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
}

/**
 * Places of as many of the largest as there is room for: the smallest of them can still be hit.
 * @param items the largest first
 */
export function arrange(items: readonly Sized[], width: number, height: number): Place[] {
  if (width <= 0 || height <= 0) return [];
  for (let count = items.length; count > 1; count -= 1) {
    const places = placesOf(items.slice(0, count), width, height);
    if (places.every((place) => place.width >= SMALLEST_SIDE && place.height >= SMALLEST_SIDE)) return places;
  }
  return items.length === 0 ? [] : placesOf(items.slice(0, 1), width, height);
}

export type TileText = { readonly shows: 'both' | 'coin' | 'none'; readonly size: 11 | 12 | 14 };

/** The widest letters of the bold face, by the size of the text; an estimate on the safe side, for measuring sixty texts costs a layout each. */
const LETTER = 0.74;
const DIGIT = 0.62;
const EDGES = 6;

/** What there is room for on a tile, and how large. */
export function textOf({ width, height }: Place, coin: string, change: string): TileText {
  const fits = (text: string, size: number, letter: number) => {
    // Some coins are named in Chinese, whose letters are square.
    const square = text.match(/[^\0-\u2fff]/g)?.length ?? 0;
    return (square + (text.length - square) * letter) * size + EDGES <= width;
  };
  const large = width >= 104 && height >= 64;
  const size = large ? 14 : fits(coin, 12, LETTER) ? 12 : 11;
  if (!fits(coin, size, LETTER)) return { shows: 'none', size };
  return { shows: height >= 36 && fits(change, Math.min(size, 12), DIGIT) ? 'both' : 'coin', size };
}
