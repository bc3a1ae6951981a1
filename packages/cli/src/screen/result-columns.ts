import { formatCompact, formatPercent, formatPrice, formatQuantity, formatRatio, formatShare, UNKNOWN } from '@pilotfish/core/money/format';
import type { FilterCell, FilterOption, FilterOptions, FilterResult } from '@pilotfish/core/prices/screener-contract';
import { type Colours, tint } from '../ui/colour.ts';
import type { Column, Resource } from '../ui/output.ts';

/** Fields that say in percent how far something moved: signed and coloured. */
const MOVES = /^(change|volumeChange|macdHistogram|.*Distance)$/;

const decimals = (value: number): string => (Number.isFinite(value) ? value.toFixed(8) : '');

/** A cell as a person reads it; unknown is a dash. */
export function shownCell(
  cell: FilterCell | undefined,
  { key, type, unit }: Pick<FilterOption, 'key' | 'type' | 'unit'>,
  paint: Colours,
  places?: number,
): string {
  if (cell === null || cell === undefined) return paint.dim(UNKNOWN);
  if (Array.isArray(cell)) return cell.join(', ');
  if (typeof cell === 'string') return type === 'time' ? cell.slice(0, 10) : cell;
  if (typeof cell === 'boolean') return String(cell);
  const text = decimals(cell);
  if (unit === '%') return MOVES.test(key) ? tint(paint, formatPercent(text)) : formatShare(text);
  if (unit === 'quote') return key === 'quoteVolume' || key === 'bookDepth1pct' ? formatCompact(text) : formatPrice(text, places);
  if (unit === '×') return `${formatRatio(text)}×`;
  if (unit === 'days' || Number.isInteger(cell)) return formatQuantity(text, 0);
  return formatRatio(text);
}

/** The table of results: the pair, its price, and the columns that were asked for, headed as they are typed. */
export function results(columns: readonly string[], options: Pick<FilterOptions, 'filter'>): Resource<FilterResult> {
  const cells = columns.map((id, index): Column<FilterResult> => {
    const [key = id] = id.split('.');
    const option = options.filter.find((each) => each.key === key) ?? { key, type: 'number' as const };
    return {
      key: id,
      head: id,
      value: ({ values }) => plainCell(values[id]),
      shown: ({ symbol, values }, paint, places) => shownCell(values[id], option, paint, places(symbol)),
      right: option.type === 'number',
      ...(index > 0 ? { rank: index } : {}),
    };
  });
  return {
    empty: 'prices',
    columns: [
      { key: 'symbol', value: ({ symbol }) => symbol, shown: ({ symbol }, paint) => paint.bold(symbol) },
      {
        key: 'price',
        value: ({ price }) => price,
        pair: ({ symbol }) => symbol,
        none: UNKNOWN,
        right: true,
      },
      ...cells,
    ],
  };
}

const plainCell = (cell: FilterCell | undefined): string =>
  cell === null || cell === undefined ? '' : Array.isArray(cell) ? cell.join(',') : String(cell);
