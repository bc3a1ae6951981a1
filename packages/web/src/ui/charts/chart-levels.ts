import type { PriceLevel } from './price-chart.tsx';

// Where levels stand on a chart of a price. All heights in px from the top.

/** How much of the height the candles keep when levels widen the scale: a third. */
const MOST_WIDENED = 3.2;

/**
 * The range of prices that is shown: that of the candles, widened to the nearest levels while candles stay readable. A
 * level that would make them flat is left off the scale, unless all are to be seen.
 */
export function widened(low: number, high: number, levels: readonly number[], isFit = false): [low: number, high: number] {
  if (isFit) return [Math.min(low, ...levels), Math.max(high, ...levels)];
  const most = (high - low || high * 0.01) * MOST_WIDENED;
  const distance = (price: number) => Math.max(low - price, price - high);
  let [from, to] = [low, high];
  for (const price of [...levels].sort((a, b) => distance(a) - distance(b))) {
    const [nextFrom, nextTo] = [Math.min(from, price), Math.max(to, price)];
    if (nextTo - nextFrom <= most) [from, to] = [nextFrom, nextTo];
  }
  return [from, to];
}

/**
 * Pushes chips apart that would cover each other, from where they belong by as little as it takes, in their order of
 * heights and inside [0, bottom].
 * @param wanted the middles, ascending
 * @param gap from the middle of each to that of the next, at least
 */
export function pushedApart(wanted: readonly number[], gap: number, bottom: number): number[] {
  // Neighbours that collide become one block around the mean of where they want to be.
  const blocks: { at: number; count: number }[] = [];
  const bounded = (at: number, count: number) => {
    const half = ((count - 1) * gap) / 2;
    return Math.max(gap / 2 + half, Math.min(bottom - gap / 2 - half, at));
  };
  for (const each of wanted) {
    let block = { at: bounded(each, 1), count: 1 };
    for (let last = blocks.at(-1); last && block.at - last.at < ((block.count + last.count) * gap) / 2; last = blocks.at(-1)) {
      blocks.pop();
      const count = block.count + last.count;
      block = { at: bounded((block.at * block.count + last.at * last.count) / count, count), count };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ at, count }) => Array.from({ length: count }, (_, index) => at + (index - (count - 1) / 2) * gap));
}

/** The fullest text of a level that fits, the shortest where none does. */
export function levelText({ label, note, short }: Pick<PriceLevel, 'label' | 'note' | 'short'>, fits: (text: string) => boolean): string {
  const texts = [...(note === undefined ? [] : [`${label} · ${note}`]), label];
  return texts.find(fits) ?? short ?? label;
}

/** How long the newest candle is still open, `08:14` or `1:08:14`; undefined when it is closed, or not known. */
export function countdown(opened: number, length: number, now: number): string | undefined {
  const left = Math.ceil(opened + length - now);
  if (!(left >= 0 && left <= length)) return undefined;
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${two(minutes)}:${two(seconds)}`;
}
