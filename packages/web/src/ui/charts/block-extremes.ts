import type { Numbers } from './series-summary.ts';

/** Takes the values of [from, end) into what stands at `at`, the unknown left out. Nothing is given back: a number that is would be put on the heap. */
type Take = (values: Numbers, from: number, end: number, into: Float64Array, at: number) => void;

/** Folds each stretch between two neighbours of the first `count` + 1 edges into the cell of its number. */
export type FoldStretches = (values: Numbers, edges: Int32Array, count: number, into: Float64Array) => void;

const BLOCK = 64;
/** Stretches that are shorter on average are read value by value: there is hardly a whole block in one. */
const WIDE = 2 * BLOCK;
/** What came of every block from `first` to before `past`. */
type Blocks = { values: Float64Array; first: number; past: number };

/**
 * A fold that remembers what came of every 64 values once it has read them, so that a wide stretch costs a 64th the
 * second time. Blocks belong to the memory a column lies in, not to the column: one that is longer by a candle, as a
 * view of the same buffer, finds all of them again. Given values are never written over, so what is corrected comes in
 * a column of its own; only the last of a column may still move, and no block with it is remembered.
 * @param nothing what comes of no values
 */
function foldByBlocks(take: Take, nothing: number): FoldStretches {
  const known = new WeakMap<object, Blocks>();
  const blocksOf = (values: Numbers, shift: number, first: number, past: number): Float64Array => {
    const isTyped = values instanceof Float64Array;
    const owner = isTyped ? values.buffer : values;
    const room = Math.ceil((isTyped ? values.buffer.byteLength / Float64Array.BYTES_PER_ELEMENT : values.length) / BLOCK);
    let blocks = known.get(owner);
    if (!blocks) {
      blocks = { values: new Float64Array(room), first, past: first };
      known.set(owner, blocks);
    } else if (blocks.values.length < room) {
      const wider = new Float64Array(room * 2);
      wider.set(blocks.values);
      blocks.values = wider;
    }
    const read = (from: number, end: number) => {
      for (let block = from; block < end; block += 1) {
        blocks.values[block] = nothing;
        take(values, block * BLOCK - shift, (block + 1) * BLOCK - shift, blocks.values, block);
      }
    };
    if (first < blocks.first) {
      read(first, blocks.first);
      blocks.first = first;
    }
    if (past > blocks.past) {
      read(blocks.past, past);
      blocks.past = past;
    }
    return blocks.values;
  };
  return (values, edges, count, into) => {
    const shift = values instanceof Float64Array ? values.byteOffset / Float64Array.BYTES_PER_ELEMENT : 0;
    const [start, end] = [edges[0]!, edges[count]!];
    const settled = Math.floor((Math.min(end, values.length - 1) + shift) / BLOCK);
    const isWide = (end - start) / count >= WIDE;
    const blocks = isWide ? blocksOf(values, shift, Math.ceil((start + shift) / BLOCK), settled) : undefined;
    for (let at = 0; at < count; at += 1) {
      const [from, to] = [edges[at]!, edges[at + 1]!];
      into[at] = nothing;
      const first = Math.ceil((from + shift) / BLOCK);
      const past = Math.min(Math.floor((to + shift) / BLOCK), settled);
      if (!blocks || past <= first) take(values, from, to, into, at);
      else {
        take(values, from, first * BLOCK - shift, into, at);
        take(blocks, first, past, into, at);
        take(values, past * BLOCK - shift, to, into, at);
      }
    }
  };
}

// A loop for each, since one that is told what to do with a value is several times as slow.

/** The lowest of each stretch; infinity where nothing is known. */
export const lowestOf = foldByBlocks((values, from, end, into, at) => {
  let low = into[at]!;
  for (let index = from; index < end; index += 1) if (values[index]! < low) low = values[index]!;
  into[at] = low;
}, Number.POSITIVE_INFINITY);

/** The highest of each stretch; minus infinity where nothing is known. */
export const highestOf = foldByBlocks((values, from, end, into, at) => {
  let high = into[at]!;
  for (let index = from; index < end; index += 1) if (values[index]! > high) high = values[index]!;
  into[at] = high;
}, Number.NEGATIVE_INFINITY);

/** The sum of each stretch. */
export const totalOf = foldByBlocks((values, from, end, into, at) => {
  let sum = into[at]!;
  for (let index = from; index < end; index += 1) {
    const value = values[index]!;
    // NaN alone is not equal to itself.
    // biome-ignore lint/suspicious/noSelfCompare: see above
    if (value === value) sum += value;
  }
  into[at] = sum;
}, 0);

const [oneStretch, oneCell] = [new Int32Array(2), new Float64Array(1)];
/** What a fold makes of [from, end) alone. */
export function foldOne(fold: FoldStretches, values: Numbers, from: number, end: number): number {
  oneStretch[0] = from;
  oneStretch[1] = end;
  fold(values, oneStretch, 1, oneCell);
  return oneCell[0]!;
}
