import type { Context } from '../app/context.ts';

/** At most four redraws a second, however often something changes. */
const REDRAW_MS = 250;

/** The alternate screen with one text on it, cut to its height. The terminal is given back when the process ends. */
export function openTextScreen({ stdout, atEnd }: Context, text: () => Promise<string>): { changed: () => void } {
  stdout.write('\u001b[?1049h\u001b[?25l');
  let due: ReturnType<typeof setTimeout> | undefined;
  const restore = () => {
    clearTimeout(due);
    stdout.write('\u001b[?25h\u001b[?1049l');
  };
  atEnd(restore);
  const draw = async () => {
    const lines = (await text()).split('\n').slice(0, (stdout.rows ?? 24) - 1);
    stdout.write(`\u001b[?2026h\u001b[H${lines.map((line) => `${line}\u001b[K`).join('\r\n')}\u001b[J\u001b[?2026l`);
  };
  void draw();
  return {
    changed: () => {
      due ??= setTimeout(() => {
        due = undefined;
        void draw();
      }, REDRAW_MS);
    },
  };
}
