/** Where a mark would be drawn. Whole levels: marks on the same one cover each other. */
export type MarkPlace = { readonly column: number; readonly level: number };

/**
 * The marks worth drawing where many fall on few pixel columns: of each column and side the lowest and the highest, in
 * the order given. However many there are, no more than four of a column are left, and both ends of what was done stay.
 * @param columns how many there are; what stands in none of them is out of sight and left out
 */
export function thinMarks<Mark extends { readonly side: string }>(
  marks: readonly Mark[],
  columns: number,
  place: (mark: Mark) => MarkPlace,
): Mark[] {
  const levels = new Float64Array(marks.length);
  /** Of each side, by column: the mark that is lowest and the one that is highest, as its place in the list plus one. */
  const ends = new Map<string, readonly [lowest: Uint32Array, highest: Uint32Array]>();
  for (const [index, mark] of marks.entries()) {
    const { column, level } = place(mark);
    if (!(column >= 0 && column < columns)) continue;
    levels[index] = level;
    let end = ends.get(mark.side);
    if (!end) {
      end = [new Uint32Array(columns), new Uint32Array(columns)];
      ends.set(mark.side, end);
    }
    const [lowest, highest] = end;
    const [low, high] = [lowest[column]!, highest[column]!];
    if (low === 0 || level < levels[low - 1]!) lowest[column] = index + 1;
    if (high === 0 || level > levels[high - 1]!) highest[column] = index + 1;
  }
  const kept = new Set<number>();
  for (const end of ends.values()) for (const each of end) for (const index of each) if (index > 0) kept.add(index - 1);
  return Array.from(kept)
    .sort((a, b) => a - b)
    .map((index) => marks[index]!);
}
