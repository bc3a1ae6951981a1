import { isolated } from '@pilotfish/core/fields/isolated';
import type { Places } from '../app/price-places.ts';
import type { Translate } from '../app/texts.ts';
import { shownText } from './cell-text.ts';
import type { Colours } from './colour.ts';
import type { Column } from './output.ts';
import { shorten } from './shorten.ts';
import { wholeIsolates } from './visible.ts';

/** How many columns of a terminal a text takes. */
export type WidthOf = (text: string) => number;

export type TableOptions = {
  readonly room: number;
  readonly unicode: boolean;
  readonly paint: Colours;
  /** How prices of pairs are read, where a column shows some. */
  readonly places?: Places;
  readonly width: WidthOf;
  readonly t: Translate;
  /** Columns that were asked for by name all stay, and those for data are shown. */
  readonly keepAll?: boolean;
  /** Widths that columns had before, by key: a table that scrolls does not jump. Widened in place. */
  readonly widest?: Map<string, number>;
};

export type LaidOutTable = {
  readonly head: string;
  readonly body: readonly string[];
  /** Keys of the columns that found no room. */
  readonly left: readonly string[];
};

/** What is left of a last column that is cut, and of the widest of words before it. */
const [LEAST, LEAST_NAME] = [8, 16];

/** The lines of a table, no wider than the room. What does not fit is cut, never wrapped. */
export function layoutTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], options: TableOptions): LaidOutTable {
  const { room, unicode, paint, places, width, t, keepAll = false, widest } = options;
  const all = columns
    .filter(({ dataOnly }) => !dataOnly || keepAll)
    .map((column) => {
      const head = column.head ?? t(`cli.columns.${column.key}`, { defaultValue: column.key });
      const cells = rows.map((row) => shownText(column, row, paint, places).replace(/[\r\n\t]+/g, ' '));
      const wide = Math.max(width(head), widest?.get(column.key) ?? 0, ...cells.map((cell) => width(cell)));
      widest?.set(column.key, wide);
      return { column, head, cells, wide };
    });
  const kept = [...all];
  const total = () => kept.reduce((sum, { wide }) => sum + wide + 2, -2);
  while (!keepAll && total() > room) {
    const rank = Math.max(...kept.map(({ column }) => column.rank ?? 0));
    if (rank <= 0) break;
    kept.splice(
      kept.findLastIndex(({ column }) => column.rank === rank),
      1,
    );
  }
  const last = kept.length - 1;
  // Names are as long as people make them: rather than what stands behind it, the widest of words is cut.
  const least = kept.reduce((sum, { column, wide }, at) => sum + 2 + (at === last && !column.right ? Math.min(wide, LEAST) : wide), -2);
  const [name] = kept
    .slice(0, last)
    .flatMap((each) => (each.column.right ? [] : [each]))
    .sort((one, other) => other.wide - one.wide);
  if (!keepAll && name && least > room) {
    const wide = Math.max(Math.min(name.wide, LEAST_NAME), name.wide - (least - room));
    kept[kept.indexOf(name)] = { ...name, wide, cells: name.cells.map((cell) => shorten(cell, wide, unicode, width)) };
  }
  const before = kept.slice(0, last).reduce((sum, { wide }) => sum + wide + 2, 0);
  const pad = (text: string, index: number) => {
    const { column, wide } = kept[index]!;
    const gap = ' '.repeat(Math.max(0, wide - width(text)));
    const shown = isolated(text, wholeIsolates(text));
    return column.right ? gap + shown : index === last ? shown : shown + gap;
  };
  const line = (texts: readonly string[]) => {
    const lastText = texts[last] ?? '';
    const isLong = kept[last]?.column.right !== true && before + width(lastText) > room;
    const cut = isLong ? shorten(lastText, Math.max(LEAST, room - before), unicode, width) : lastText;
    const whole = [...texts.slice(0, last), cut].map(pad).join('  ').trimEnd();
    return width(whole) > room ? shorten(whole, room, unicode, width) : whole;
  };
  return {
    head: line(kept.map(({ head }) => paint.bold(head))),
    body: rows.map((_, row) => line(kept.map(({ cells }) => cells[row] ?? ''))),
    left: all.flatMap(({ column }) => (kept.some((each) => each.column === column) ? [] : [column.key])),
  };
}
