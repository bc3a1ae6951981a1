import type { PositionChange } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { positionChangeWords } from '@pilotfish/core/auto-trades/position-change-words';
import type { Places } from '../app/price-places.ts';
import type { Translate } from '../app/texts.ts';
import type { Colours } from '../ui/colour.ts';
import type { Column, Resource } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';
import type { SettingChange } from './settings-diff.ts';

type Drawing = { readonly paint: Colours; readonly unicode: boolean };

/** `3 → 5`: red what goes, green what comes; the signs say the same without colours. */
function beforeAfter(before: string | null, after: string | null, { paint, unicode }: Drawing): string {
  if (before === null) return paint.green(`+ ${after}`);
  if (after === null) return paint.red(`- ${before}`);
  return `${paint.red(before)} ${unicode ? '→' : '->'} ${paint.green(after)}`;
}

/** Settings that differ, one to a line. */
export function diffLines(changes: readonly SettingChange[], drawing: Drawing): string[] {
  const width = Math.min(40, Math.max(0, ...changes.map(({ path }) => path.length)));
  return changes.map(({ path, before, after }) => `    ${path.padEnd(width)}  ${beforeAfter(before, after, drawing)}`);
}

/** What open positions change to, one line to a line. */
export const positionLines = (changes: readonly PositionChange[], t: Translate, drawing: Drawing & { readonly places: Places }): string[] =>
  changes.map(({ symbol, what, wasMoved, ...line }) => {
    const [before, after] = [line.before, line.after].map(
      (value) => value && positionChangeWords(value, localTime, drawing.places(symbol)),
    );
    const said = wasMoved ? `  ${t('autoTrades.change.wasMoved')}` : '';
    return `    ${symbol}  ${t([`cli.lines.${what}`, `cli.columns.${what}`])}  ${beforeAfter(before ?? null, after ?? null, drawing)}${said}`;
  });

/** True when what is shown sells a position at once; the yes to it is the consent that the server asks for. */
export const sellsNow = (changes: readonly PositionChange[]): boolean => changes.some(({ what }) => what === 'sellsNow');

const columns: readonly Column<SettingChange>[] = [
  { key: 'path', value: ({ path }) => path },
  { key: 'before', value: ({ before }) => before ?? '' },
  { key: 'after', value: ({ after }) => after ?? '' },
];
/** For programs. */
export const settingChanges: Resource<SettingChange> = { empty: 'changes', columns };
