import type { Output } from '../app/context.ts';

const ESC = '\u001b';

/**
 * What a terminal obeys instead of showing: control characters (C0 but tab and line feed, DEL, C1), and marks that turn the
 * direction of everything after them.
 */
const OBEYED = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066\u2067]/gu;
/** The colours this program paints with, and the end of a line of CSV. */
const OWN = new RegExp(`${ESC}\\[\\d{1,3}(?:;\\d{1,3}){0,4}m|\\r\\n`, 'g');
/** Whole writes of prompts and progress lines: a letter taken back, a line begun anew. */
const MOVES = new RegExp(`^(?:(?:\b \b)+|\\r${ESC}\\[K)$`);

/** A control character as a picture of it: `␛` for escape, `�` for what has none. */
const picture = (letter: string): string => {
  const code = letter.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd';
};

const ISOLATES = /[\u2066-\u2069]/g;
/** Isolates of a line that close in the order they open stay; others are dropped: they would reach into what follows. */
export function wholeIsolates(line: string): string {
  let depth = 0;
  for (const mark of line.match(ISOLATES) ?? []) {
    depth += mark === '\u2069' ? -1 : 1;
    if (depth < 0) break;
  }
  return depth === 0 ? line : line.replace(ISOLATES, '');
}

/** What stands around names that run from right to left (`isolated`), line by line, as far as it closes again. */
const closing = (text: string): string => (/[\u2068\u2069]/.test(text) ? text.split('\n').map(wholeIsolates).join('\n') : text);
const shown = (text: string): string => text.replace(OBEYED, picture);

/** Text of a server or a file that can only be read. */
export const visible = (text: string): string => closing(shown(text));

/** What is printed: colours stay, everything else that a terminal would obey is shown. */
export function printable(text: string): string {
  if (MOVES.test(text)) return text;
  let printed = '';
  let from = 0;
  for (const { 0: own, index } of text.matchAll(OWN)) {
    printed += shown(text.slice(from, index)) + own;
    from = index + own.length;
  }
  return closing(printed + shown(text.slice(from)));
}

/** An output through which nothing reaches a terminal that it would obey. Pipes and files get the exact text. */
export function printing(output: Output): Output {
  return {
    write: (text) => output.write(output.isTTY ? printable(text) : text),
    get isTTY() {
      return output.isTTY === true;
    },
    get columns() {
      return output.columns ?? 0;
    },
    get rows() {
      return output.rows ?? 0;
    },
  };
}

/** Every text within an answer, or an error, made visible, in place. */
export function visibleWithin<Value>(value: Value): Value {
  if (typeof value === 'string') return visible(value) as Value;
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const parts = value as Record<string, unknown>;
  for (const [key, part] of Object.entries(parts)) {
    const made = visibleWithin(part);
    if (made !== part) parts[key] = made;
  }
  return value;
}
