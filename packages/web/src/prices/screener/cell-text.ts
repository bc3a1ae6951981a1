import type { Price } from '@pilotfish/core/money/figure';
import { formatCompact, formatFixed, formatPrice, UNKNOWN } from '@pilotfish/core/money/format';
import type { FilterCell, FilterOption, FilterResult } from '@pilotfish/core/prices/screener-contract';

export type CellContext = {
  /** A day as the reader writes it. */
  day: (at: number | string) => string;
  t: (key: string, options?: { defaultValue?: string }) => string;
  /** Label of a tag. */
  tag: (key: string) => string;
};
export type CellText = { text: string; tone: '' | 'gain' | 'loss' };

const COMPACT_FROM = 10_000;
const plain = (value: number, places: number): string => formatFixed(value.toFixed(places), places);

/** Digits that keep three or four figures of a number of any size. */
export function bareNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= COMPACT_FROM) return formatCompact(value.toFixed(2));
  if (Number.isInteger(value)) return plain(value, 0);
  return plain(value, size < 0.000_01 ? 10 : size < 0.01 ? 6 : size < 10 ? 2 : 1);
}

/**
 * A cell as it is read. `signed` says that the column holds both gains and losses, which then show sign and colour:
 * known from the data, so that no field is special.
 */
export function cellText(option: FilterOption | undefined, value: FilterCell | undefined, signed: boolean, context: CellContext): CellText {
  const none = (text: string): CellText => ({ text, tone: '' });
  if (value === undefined) return none('');
  if (value === null) return none(UNKNOWN);
  if (Array.isArray(value)) return none(value.map(context.tag).join(', '));
  if (typeof value === 'boolean') return none(context.t(value ? 'ui.yes' : 'ui.no'));
  if (option?.type === 'time') return none(context.day(value));
  if (option?.type === 'bool') return none(context.t(value ? 'ui.yes' : 'ui.no'));
  if (typeof value === 'string') return none(context.t(`screener.value.${value}`, { defaultValue: value }));
  const tone = !signed || Math.abs(value) < 0.005 ? '' : value > 0 ? 'gain' : 'loss';
  const sign = signed && tone === 'gain' ? '+' : '';
  switch (option?.unit) {
    case '%':
      return { text: `${sign}${plain(value, 2)}%`, tone };
    case '×':
      return { text: `${plain(value, 2)}×`, tone };
    case 'days':
      return { text: plain(value, 0), tone };
    default:
      return { text: `${sign}${bareNumber(value)}`, tone };
  }
}

/** Columns whose values go both ways, among the rows at hand. */
export function signedColumns(rows: readonly FilterResult[], columns: readonly string[]): ReadonlySet<string> {
  return new Set(
    columns.filter((id) =>
      rows.some(({ values }) => {
        const value = values[id];
        return typeof value === 'number' && value < 0;
      }),
    ),
  );
}

export const exactPrice = (price: Price | null | undefined, precision: number | undefined): string =>
  price == null ? UNKNOWN : formatPrice(price, precision);
