import type { Numbers } from './series-summary.ts';

export type Folded = { low: number; high: number; sum: number };

const BLOCK = 64;
/** Shorter stretches are read value by value. */
const WIDE = 4 * BLOCK;
/** Blocks are made only for who reads a good part of the column: making them reads all of it. */
const WORTH_SHARE = 1 / 8;
type Blocks = { low: Float64Array; high: Float64Array; sum: Float64Array };
const known = new WeakMap<object, Blocks>();

/** Lowest, highest and sum of every 64 values, made when a column is first read widely and kept as long as it lives. */
function blocksOf(values: Numbers): Blocks {
  const held = known.get(values);
  if (held) return held;
  const count = Math.ceil(values.length / BLOCK);
  const blocks = { low: new Float64Array(count), high: new Float64Array(count), sum: new Float64Array(count) };
  for (let block = 0; block < count; block += 1) {
    const { low, high, sum } = foldEach(values, block * BLOCK, Math.min(values.length, (block + 1) * BLOCK));
    blocks.low[block] = low;
    blocks.high[block] = high;
    blocks.sum[block] = sum;
  }
  known.set(values, blocks);
  return blocks;
}

function foldEach(values: Numbers, from: number, end: number): Folded {
  let [low, high, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let index = from; index < end; index += 1) {
    const value = values[index]!;
    if (value < low) low = value;
    if (value > high) high = value;
    // NaN alone is not equal to itself.
    // biome-ignore lint/suspicious/noSelfCompare: see above
    if (value === value) sum += value;
  }
  return { low, high, sum };
}

/** Lowest, highest and sum of [from, end), the unknown left out; wide stretches of typed columns cost a 64th. */
export function foldRange(values: Numbers, from: number, end: number): Folded {
  if (end - from < WIDE || !(values instanceof Float64Array)) return foldEach(values, from, end);
  if (!known.has(values) && end - from < values.length * WORTH_SHARE) return foldEach(values, from, end);
  const blocks = blocksOf(values);
  const [first, last] = [Math.ceil(from / BLOCK), Math.floor(end / BLOCK)];
  const folded = foldEach(values, from, first * BLOCK);
  for (let block = first; block < last; block += 1) {
    if (blocks.low[block]! < folded.low) folded.low = blocks.low[block]!;
    if (blocks.high[block]! > folded.high) folded.high = blocks.high[block]!;
    folded.sum += blocks.sum[block]!;
  }
  const rest = foldEach(values, last * BLOCK, end);
  return { low: Math.min(folded.low, rest.low), high: Math.max(folded.high, rest.high), sum: folded.sum + rest.sum };
}
