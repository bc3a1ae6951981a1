/** Letters to insert, leave out, exchange or swap with their neighbour until one word is the other. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** The word that was probably meant; undefined when none is near. Case does not count. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 3));
  let best: { word: string; far: number } | undefined;
  for (const word of words) {
    const other = word.toLowerCase();
    if (Math.abs(other.length - wanted.length) > most) {
      if (!best && wanted.length >= 3 && other.startsWith(wanted)) best = { word, far: most };
      continue;
    }
    const far = distance(wanted, other);
    if (far <= most && (!best || far < best.far)) best = { word, far };
  }
  return best?.word;
}
