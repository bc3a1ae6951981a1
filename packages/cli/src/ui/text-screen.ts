import type { Context } from '../app/context.ts';
import { shorten } from './shorten.ts';
import { heightOf, widthOf } from './terminal-size.ts';
import { printable } from './visible.ts';

/** At most 14 redraws a second, however often something changes. */
const REDRAW_MS = 70;

type Resizing = { on?: (event: 'resize', listener: () => void) => unknown; off?: (event: 'resize', listener: () => void) => unknown };

/**
 * The alternate screen with one text on it, cut to its height; only rows that differ are written again. When the
 * process ends the terminal is given back, with the last text left in the scrollback once.
 */
export function openTextScreen(context: Context, text: () => Promise<string>): { changed: () => void } {
  const { atEnd } = context;
  const { stdout } = context.screen;
  stdout.write('\u001b[?1049h\u001b[?25l\u001b[?7l');
  let due: ReturnType<typeof setTimeout> | undefined;
  let shown: readonly string[] = [];
  let [drawing, again, ended] = [false, false, false];
  const draw = async (): Promise<void> => {
    if (drawing) {
      again = true;
      return;
    }
    drawing = true;
    try {
      const [said, { default: width }] = await Promise.all([text(), import('string-width')]);
      const room = widthOf(context);
      const lines = printable(said)
        .trimEnd()
        .split('\n')
        .slice(0, heightOf(context))
        .map((line) => shorten(line, room, context.unicode, width));
      if (ended) return;
      const rows = lines.flatMap((line, row) => (line === shown[row] ? [] : [`\u001b[${row + 1};1H${line}\u001b[0m\u001b[K`]));
      const clear = shown.length === 0 ? '\u001b[2J' : lines.length < shown.length ? `\u001b[${lines.length + 1};1H\u001b[J` : '';
      if (rows.length > 0 || clear) stdout.write(`\u001b[?2026h${clear}${rows.join('')}\u001b[?2026l`);
      shown = lines;
    } finally {
      drawing = false;
    }
    if (again) {
      again = false;
      changed();
    }
  };
  const changed = () => {
    due ??= setTimeout(() => {
      due = undefined;
      // What cannot be drawn now is drawn with the next change.
      void draw().catch(() => undefined);
    }, REDRAW_MS);
  };
  const resized = () => {
    shown = [];
    changed();
  };
  (stdout as Resizing).on?.('resize', resized);
  atEnd(() => {
    ended = true;
    clearTimeout(due);
    (stdout as Resizing).off?.('resize', resized);
    stdout.write('\u001b[?7h\u001b[?25h\u001b[?1049l');
    if (shown.length > 0) stdout.write(`${shown.join('\n')}\n`);
  });
  void draw().catch(() => undefined);
  return { changed };
}
