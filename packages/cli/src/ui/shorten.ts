import { stripVTControlCharacters } from 'node:util';

/** Cut to so many columns, colours taken off: half a colour code would paint the rest of the screen. */
export function shorten(
  text: string,
  room: number,
  unicode: boolean,
  width: (text: string) => number = (each) => Array.from(each).length,
): string {
  if (width(text) <= room) return text;
  const mark = unicode ? '…' : '...';
  let kept = '';
  for (const letter of stripVTControlCharacters(text)) {
    if (width(kept + letter) > room - mark.length) break;
    kept += letter;
  }
  return kept + mark;
}
