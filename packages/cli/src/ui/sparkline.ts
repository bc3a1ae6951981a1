const BLOCKS = Array.from('▁▂▃▄▅▆▇█');
const LETTERS = Array.from(' .-:=+*#');

/** A row of values as one line, lowest to highest; empty for fewer than two values. */
export function sparkline(values: readonly number[], unicode: boolean): string {
  if (values.length < 2) return '';
  const marks = unicode ? BLOCKS : LETTERS;
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values.map((value) => marks[span === 0 ? 0 : Math.round(((value - low) / span) * (marks.length - 1))]).join('');
}
