import { stripVTControlCharacters } from 'node:util';
import type { WidthOf } from './table-layout.ts';

const lettersOf: WidthOf = (text) => Array.from(stripVTControlCharacters(text)).length;

/** Words in lines of at most so many columns; a word longer than that stands alone. */
export function wrapped(text: string, room: number, width: WidthOf = lettersOf): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && width(last) + 1 + width(word) <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** What stands behind a label, its further lines under its first one. Where a label leaves little room, as it is. */
export function hanging(label: string, text: string, room: number, width: WidthOf = lettersOf): string {
  const indent = width(label);
  if (room - indent < LEAST || indent + width(text) <= room) return label + text;
  return label + wrapped(text, room - indent, width).join(`\n${' '.repeat(indent)}`);
}
const LEAST = 12;
