import { digits } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';
import type { Places } from '../app/price-places.ts';
import type { Colours } from './colour.ts';
import type { Column } from './output.ts';

/** The exact value of a cell as text, for pipes and files; what is not known is empty. */
export const exactText = <Row>({ value }: Pick<Column<Row>, 'value'>, row: Row): string => digits(value(row) ?? '');

/** What a person reads in a cell. */
export function shownText<Row>(column: Column<Row>, row: Row, paint: Colours, places: Places = () => undefined): string {
  if (column.shown) return column.shown(row, paint, places);
  if (!('pair' in column)) return exactText(column, row);
  const [price, pair] = [column.value(row), column.pair(row)];
  if (price === null) return column.none === undefined ? '' : paint.dim(column.none);
  return formatPrice(price, pair === null ? undefined : places(pair));
}
